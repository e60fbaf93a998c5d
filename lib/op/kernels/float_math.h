/*
 * Transcendental functions of binary32, as expressions without branches, so
 * that loops over them become vector code on any processor. No step is fused,
 * so every vector width gives the same bits. What is in binary64 comes within
 * 0.6 units in the last place; exp2, log, log2, tanh, sin and cos are in
 * binary32, where vectors hold twice as many, and come within 2.6. Polynomials
 * are minimax ones (Remez) for the relative error that stands beside them.
 * doc/kernels.md has the bounds; a test holds them.
 */
#ifndef OP_KERNELS_FLOAT_MATH_H
#define OP_KERNELS_FLOAT_MATH_H

#include "op/kernels/step.h"

static inline uint64_t double_bits(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Adding it leaves an integer in the low bits of the sum, rounded to nearest (up to 2^51). */
#define ROUNDING_SUM 0x1.8p52
#define NATURAL_LOG_2 0x1.62e42fefa39efp-1
#define BINARY_LOG_E 0x1.71547652b82fep+0

/* Polynomials are sums of lines times powers of their own: no long chain in which each step waits for the last. */
#define LINE(x, constant, slope) ((constant) + (x) * (slope))

/* A power of two as a scale and what is to be added: 2^t = scale + scale * fraction. */
struct power {
    double scale;    /* 2^k with k the integer next to t */
    double fraction; /* 2^(t-k) - 1, relative error below 1.1e-8 */
};

/* |t| up to 1000, or not a number. */
static inline struct power power_of_two(double t)
{
    const double shifted = t + ROUNDING_SUM;
    const double f = t - (shifted - ROUNDING_SUM), f2 = f * f;
    struct power power;

    /* 0x3ff in the exponent is 2^0; the shift drops everything of the sum but k. */
    power.scale = double_of_bits(double_bits(1.0) + (double_bits(shifted) << 52));
    power.fraction = f * (LINE(f, 0x1.62e4302f43c28p-1, 0x1.ebfbdec20b514p-3) +
                          f2 * (LINE(f, 0x1.c6af6dcd09108p-5, 0x1.3b2b9f9ac1a30p-7) +
                                f2 * LINE(f, 0x1.5f08214d40d22p-10, 0x1.430971c329cf5p-13)));
    return power;
}

/* What stays between the bounds, and not-a-number. */
static inline float bounded(float x, float low, float high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

/* Beyond the bounds results are 0 and infinity, which rounding to binary32 makes of them. */
static inline float exp_of(float x)
{
    const struct power power = power_of_two((double)bounded(x, -104.0f, 89.0f) * BINARY_LOG_E);

    return (float)(power.scale + power.scale * power.fraction);
}

#define ROUNDING_SUM_F 0x1.8p23f

/*
 * In binary32 altogether, since x minus the integer next to it is exact. The scale is halved in the exponent, so that
 * both halves are normal numbers also where the result is not.
 */
static inline float exp2_of(float x)
{
    const float bound = bounded(x, -151.0f, 129.0f), shifted = bound + ROUNDING_SUM_F;
    const float f = bound - (shifted - ROUNDING_SUM_F), f2 = f * f;
    const int32_t k = (int32_t)(float_bits(shifted) - float_bits(ROUNDING_SUM_F));
    const uint32_t half = (uint32_t)(k >> 1), rest = (uint32_t)k - half;
    const float fraction = f * (LINE(f, 0x1.62e4302f43c28p-1f, 0x1.ebfbdec20b514p-3f) +
                                f2 * (LINE(f, 0x1.c6af6dcd09108p-5f, 0x1.3b2b9f9ac1a30p-7f) +
                                      f2 * LINE(f, 0x1.5f08214d40d22p-10f, 0x1.430971c329cf5p-13f)));

    return ((1.0f + fraction) * float_of_bits((half + 127) << 23)) * float_of_bits((rest + 127) << 23);
}

/* exp(x) - 1 in binary64: the scale minus one is exact, so that small results keep their precision. */
static inline double exp_minus_1(double x)
{
    const struct power power = power_of_two(x * BINARY_LOG_E);

    return power.scale * power.fraction + (power.scale - 1.0);
}

/* Zeros keep their sign. */
static inline float expm1_of(float x)
{
    const float y = (float)exp_minus_1((double)bounded(x, -104.0f, 89.0f));

    return x == 0.0f ? x : y;
}

/* exp(x) - 1 for |x| up to ln(2) / 2, relative error of what is added to x below 1.4e-8 of the result. */
static inline float expm1_of_small(float x)
{
    const float x2 = x * x;

    return x + x2 * (LINE(x, 0x1.00000035531cfp-1f, 0x1.5554aeeab4932p-3f) +
                     x2 * (LINE(x, 0x1.5554865266b2ep-5f, 0x1.1228640e51375p-7f) + x2 * 0x1.6d9995689558ap-10f));
}

/* ln 2 in two parts, of which the upper one has 15 bits: its products with integers up to 2^9 are exact. */
#define LOG_2_HIGH 0x1.62e4p-1f
#define LOG_2_LOW 0x1.7f7d1cf79abcap-20f

/* In binary32: with e = exp(-2|x|) - 1, tanh |x| = -e / (2 + e), and e = 2^-k * exp(k * ln 2 - 2|x|) - 1. */
static inline float tanh_of(float x)
{
    const float bound = fabsf(x) > 10.0f ? 10.0f : fabsf(x);
    const float shifted = bound * (float)(2 * BINARY_LOG_E) + ROUNDING_SUM_F, k = shifted - ROUNDING_SUM_F;
    const float scale = float_of_bits(float_bits(1.0f) - (float_bits(shifted) << 23));
    const float small = expm1_of_small((bound * -2.0f + k * LOG_2_HIGH) + k * LOG_2_LOW);
    const float e = scale * small + (scale - 1.0f);

    return copysignf(e / (2.0f + e), x);
}

/* ln(1 + z) for z in [sqrt(1/2) - 1, sqrt(2) - 1], relative error below 6.5e-10. */
static inline double log_1_plus(double z)
{
    const double z2 = z * z, z4 = z2 * z2;

    return z * ((LINE(z, 0x1.00000002bbaa5p+0, -0x1.ffffffc6ef66cp-2) +
                 z2 * LINE(z, 0x1.55553fea2e619p-2, -0x1.000011f342c10p-2)) +
                z4 * ((LINE(z, 0x1.99a72962c0c52p-3, -0x1.555c004a0962ap-3) +
                       z2 * LINE(z, 0x1.2311a1b1dabf5p-3, -0x1.fbec907e3b4a6p-4)) +
                      z4 * (LINE(z, 0x1.e8864017cbfeap-4, -0x1.e0234ad16497ep-4) + z2 * 0x1.139a1713b1837p-4)));
}

/* (ln(1 + z) - z) / z^2 times @unit for the same z in binary32; relative error of ln(1 + z) below 4.3e-9. */
#define TERM(constant, unit) ((float)((constant) * (unit)))
#define LOG_REST(z, z2, unit)                                                                     \
    ((LINE(z, TERM(-0x1.fffff8ca31ed8p-2, unit), TERM(0x1.5555448c86b62p-2, unit)) +                \
      z2 * LINE(z, TERM(-0x1.0003f8f00b030p-2, unit), TERM(0x1.99a9640908da9p-3, unit))) +          \
     (z2 * z2) * ((LINE(z, TERM(-0x1.5432f4763b729p-3, unit), TERM(0x1.2211f43b72d3bp-3, unit)) +   \
                   z2 * LINE(z, TERM(-0x1.0e7fa2056f86dp-3, unit), TERM(0x1.0a52413d57706p-3, unit))) + \
                  (z2 * z2) * TERM(-0x1.407c1ff5357e8p-4, unit)))

/* ln(1 + z) / (z * ln 2) for the same z, relative error below 1.7e-11: what powers need. */
static inline double log2_1_plus_for_power(double z)
{
    const double z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    const double p0 = LINE(z, 0x1.ffffffffe0d61p-1, -0x1.000000028a6c0p-1) +
                      z2 * LINE(z, 0x1.55555602741f9p-2, -0x1.fffff807c08f9p-3);
    const double p4 = LINE(z, 0x1.9998f92eb6a43p-3, -0x1.5556c8c87e844p-3) +
                      z2 * LINE(z, 0x1.24ae0a6bc4272p-3, -0x1.ffe5e9972aa35p-4);
    const double p8 = LINE(z, 0x1.c2c1e03342b82p-4, -0x1.966a58c61ba90p-4) +
                      z2 * LINE(z, 0x1.9aff7c564acaap-4, -0x1.95b01b5f5837ap-4);

    return z * BINARY_LOG_E * ((p0 + z4 * p4) + z8 * (p8 + z4 * 0x1.b78b4bbb9b8f3p-5));
}

/* A positive number as 2^exponent * (1 + z), z in that interval; 0x3f3504f3 are the bits of sqrt(1/2). */
struct parts {
    int32_t exponent;
    float z;
};

/* Whether a number has parts: it is positive, normal and finite. */
static inline int has_parts(float x)
{
    return float_bits(x) - float_bits(0x1p-126f) < float_bits(INFINITY) - float_bits(0x1p-126f);
}

static inline struct parts parts_of(float x)
{
    const uint32_t bits = float_bits(x);
    struct parts parts;

    parts.exponent = (int32_t)(bits - 0x3f3504f3u) >> 23;
    parts.z = float_of_bits(bits - ((uint32_t)parts.exponent << 23)) - 1.0f;
    return parts;
}

/* In binary32. What is added to the exponent's part is added up first. */
static inline float log_of(float x)
{
    const struct parts parts = parts_of(x);
    const float k = (float)parts.exponent, z = parts.z, z2 = z * z;

    return k * LOG_2_HIGH + (z + (z2 * LOG_REST(z, z2, 1.0) + k * LOG_2_LOW));
}

static inline float log2_of(float x)
{
    const struct parts parts = parts_of(x);
    const float z = parts.z, z2 = z * z;

    return (float)parts.exponent + (z + (z * (float)(BINARY_LOG_E - 1.0) + z2 * LOG_REST(z, z2, BINARY_LOG_E)));
}

/* The binary logarithm of x^y, for an x with parts and a finite y. */
static inline double log2_of_power(float x, float y)
{
    const struct parts parts = parts_of(x);

    return (double)y * ((double)parts.exponent + log2_1_plus_for_power((double)parts.z));
}

/* x^y from that. Squares are exact, and of any x. */
static inline float power_of_log2(double t, float x, float y)
{
    const double above = t < -151.0 ? -151.0 : t;
    const struct power power = power_of_two(above > 129.0 ? 129.0 : above);
    const float square = x * x, result = (float)(power.scale + power.scale * power.fraction);

    return y == 2.0f ? square : result;
}

static inline int is_usual_power(float x, float y)
{
    return (y == 2.0f) | (has_parts(x) & (fabsf(y) <= 0x1.fffffep127f));
}

/* ln(1 + x) for x in [0, 1], or not a number: above sqrt(2) - 1 by way of (1 + x) / 2. */
static inline float log1p_of_unit(float x)
{
    const int is_halved = x > 0x1.a82799p-2f;
    const double z = is_halved ? ((double)x - 1.0) * 0.5 : (double)x;

    return (float)(log_1_plus(z) + (is_halved ? NATURAL_LOG_2 : 0.0));
}

/* sin r and cos r for |r| up to pi/4 and a little, in binary32, relative errors of the polynomials below 3.9e-9. */
static inline float sine(float r)
{
    const float u = r * r;

    return r + r * u * (LINE(u, -0x1.555544f43ebdcp-3f, 0x1.110726b6c5248p-7f) + (u * u) * -0x1.993cdfc595b0ep-13f);
}

static inline float cosine(float r)
{
    const float u = r * r;

    return (1.0f - 0.5f * u) +
           (u * u) * (LINE(u, 0x1.555549ede70d8p-5f, -0x1.6c0c1da663e01p-10f) + (u * u) * 0x1.99e5355a53955p-16f);
}

/* Beyond, multiples of pi/2 have more than 13 bits. */
static inline int is_near(float x)
{
    return fabsf(x) <= 0x1p13f;
}

/* pi/2 in four parts: of the first three 11 bits each, so that their products with 13 bits are exact. */
#define QUARTER_1 0x1.92p+0f
#define QUARTER_2 0x1.fb4p-12f
#define QUARTER_3 0x1.444p-24f
#define QUARTER_4 0x1.68c234c4c6629p-39f
#define QUARTERS_OF_ONE 0x1.45f306dc9c883p-1f

/* sin(x + @quarters * pi/2). The sum with the rounding constant has in its low bits how many quarters x is. */
static inline float circular(float x, uint32_t quarters)
{
    const float shifted = x * QUARTERS_OF_ONE + ROUNDING_SUM_F, n = shifted - ROUNDING_SUM_F;
    const float r = (((x - n * QUARTER_1) - n * QUARTER_2) - n * QUARTER_3) - n * QUARTER_4;
    const uint32_t quarter = float_bits(shifted) + quarters;
    const float y = (quarter & 1) != 0 ? cosine(r) : sine(r);

    return float_of_bits(float_bits(y) ^ (quarter & 2) << 30);
}

/* Zeros keep their sign. */
static inline float sin_of(float x)
{
    return x == 0.0f ? x : circular(x, 0);
}

static inline float cos_of(float x)
{
    return circular(x, 1);
}

/* erf(x) / x as a polynomial of x^2 - 8, for |x| up to 4 (where it rounds to 1), relative error below 1.6e-9. */
static inline float erf_of(float x)
{
    const double a = (double)bounded(x, -4.0f, 4.0f);
    const double t = a * a - 8.0, t2 = t * t, t4 = t2 * t2, t8 = t4 * t4;
    const double p0 = LINE(t, 0x1.6a04078b04a15p-2, -0x1.69a0cc9051231p-6) +
                      t2 * LINE(t, 0x1.0daba2ae3ae38p-9, -0x1.b92ead367caf7p-13);
    const double p4 = LINE(t, 0x1.7181a39dede0bp-16, -0x1.3214ef9764740p-19) +
                      t2 * LINE(t, 0x1.ea6030d9cb5b3p-23, -0x1.76ecc8421e5f0p-26);
    const double p8 = LINE(t, 0x1.0ff82958cab55p-29, -0x1.705e414575d90p-33) +
                      t2 * LINE(t, 0x1.c902e7f660984p-37, -0x1.17ca5eecfe07dp-40);
    const double p12 = LINE(t, 0x1.6a704b7f06c1ap-44, -0x1.66f6a8e203bcep-48) +
                       t2 * LINE(t, 0x1.52ca77378542fp-53, -0x1.be57f987038b6p-57);
    const double p16 = LINE(t, 0x1.34be3662c72f6p-59, -0x1.d249ed5c0a1b4p-64);

    return (float)(a * ((p0 + t4 * p4) + t8 * ((p8 + t4 * p12) + t8 * p16)));
}

/* Two branches, so that the exponential cannot overflow. */
static inline float sigmoid(float x)
{
    const float e = exp_of(-fabsf(x));

    return (x >= 0.0f ? 1.0f : e) / (1.0f + e);
}

#endif
