/*
 * Whether two samples differ by more than chance.
 */
#ifndef ANALYZE_RANK_TEST_H
#define ANALYZE_RANK_TEST_H

#include <stddef.h>

#include <strideweave/status.h>

/**
 * sw__rank_test - the two-sided rank-sum test of Wilcoxon, Mann and Whitney.
 *
 * @a, @b  finite values, at least one each.
 * @ret_p  probability that values of one distribution, dealt out at random to
 *         two samples of these sizes, have rank sums as far from their mean as
 *         these or farther. Ties have the mean of their ranks. Exact (over all ways
 *         to deal) up to 40 values together; above, by the normal
 *         approximation with the correction for ties.
 *
 * It asks nothing of the distribution and is not moved by how far an outlier lies.
 * H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18 (1947) 50;
 * ties: E. L. Lehmann, Nonparametrics (1975), section 1.4.
 */
SW_NODISCARD enum sw_status sw__rank_test(const double *a, size_t n_a, const double *b, size_t n_b, double *ret_p);

/** The smallest probability that samples of these sizes can have: 2 / C(n_a + n_b, n_a). */
double sw__rank_test_least(size_t n_a, size_t n_b);

/**
 * sw__holm_adjust - probabilities of @n tests at once, in place (S. Holm,
 * Scandinavian Journal of Statistics 6 (1979) 65): of those that stay below a
 * level, none is a false alarm with a probability of at least 1 - level.
 */
SW_NODISCARD enum sw_status sw__holm_adjust(double *p, size_t n);

#endif
