/*
 * Carriers: storage together with the class that dispatches operations on it.
 * First what a program needs (the shipped classes Generic and CPU, reading and
 * writing slots), then the contract for carrier classes of one's own.
 */
#ifndef STRIDEWEAVE_CARRIER_H
#define STRIDEWEAVE_CARRIER_H

#include <strideweave/dtype.h>
#include <strideweave/hooks.h>

SW_BEGIN_DECLS

struct sw_carrier;
struct sw_carrier_class;
struct sw_layout;
struct sw_operation;
struct sw_tensor;

/* ---- Shipped classes ---------------------------------------------------------- */

/** Host memory with the reference kernels. Stores Float32, Int32 and Bool, as CPU does. */
SW_API struct sw_carrier_class *sw_generic_class(void);
/**
 * Host memory with fast kernels, chosen for the processor; float32 products go to BLAS. With the environment's
 * SW_NUM_THREADS above 1 large operations compute on so many threads, with the same results (strideweave(7)).
 */
SW_API struct sw_carrier_class *sw_cpu_class(void);

/** NULL instead of options means the defaults, which SW_GENERIC_OPTIONS_INIT spells out. */
struct sw_generic_options {
    uint32_t struct_bytes;
    int32_t dtype; /* enum sw_dtype; Float32 */
    int32_t immutable; /* 0 or 1; 0 */
};
#define SW_GENERIC_OPTIONS_INIT { (uint32_t)sizeof(struct sw_generic_options), SW_FLOAT32, 0 }

/**
 * sw_generic_new - a Generic carrier of @n slots.
 *
 * @values       @n scalars, copied and normalised as struct sw_scalar says, or
 *               NULL: every slot holds the dtype's zero.
 * @options      Dtype and mutability, or NULL.
 * @ret_carrier  On success a new carrier with one reference, the caller's, given
 *               back with sw_carrier_unref(). Untouched on failure.
 *
 * Returns SW_OK; SW_TYPE_ERROR for options of size 0, a boolean other than 0 or
 * 1, what is no dtype, or a value that the dtype does not take;
 * SW_OVERFLOW_ERROR for an integer outside of Int32; SW_VALUE_ERROR for a dtype
 * that is not stored or a size above INT64_MAX; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_generic_new(const struct sw_scalar *values, size_t n,
                                                  const struct sw_generic_options *options,
                                                  struct sw_carrier **ret_carrier);

/** NULL instead of options means the defaults, which SW_CPU_OPTIONS_INIT spells out. */
struct sw_cpu_options {
    uint32_t struct_bytes;
    int32_t dtype;         /* enum sw_dtype; Float32 */
    int32_t immutable;     /* 0 or 1; 0 */
    int32_t uninitialized; /* 0 or 1; 1: slots are unspecified until written; 0 */
    int32_t external;      /* 0 or 1; 1: wrap @pointer, which must outlive the carrier; 0 */
    int32_t reserved;
    void *pointer;         /* with external: memory of n elements; never NULL then */
};
#define SW_CPU_OPTIONS_INIT { (uint32_t)sizeof(struct sw_cpu_options), SW_FLOAT32, 0, 0, 0, 0, NULL }

/**
 * sw_cpu_new - a CPU carrier of @n slots: zeroed memory of its own, aligned to
 * 64 bytes, unless the options say otherwise.
 *
 * @options      Or NULL. With external the carrier works in place in the
 *               caller's memory, which stays the caller's: it is never cleared
 *               or freed and must outlive every use of the carrier.
 * @ret_carrier  On success a new carrier with one reference, the caller's.
 *               Untouched on failure.
 *
 * Returns SW_OK; SW_TYPE_ERROR as sw_generic_new(); SW_VALUE_ERROR for a dtype
 * that is not stored, a size above INT64_MAX (a negative number, usually), an
 * external address that is NULL or not aligned for the dtype, or an address
 * without external; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_cpu_new(size_t n, const struct sw_cpu_options *options,
                                              struct sw_carrier **ret_carrier);
/**
 * sw_cpu_pointer - address of slot 0: float, int32_t, or one byte per Bool.
 *
 * Never NULL while a CPU carrier is live, also with no slots; NULL after release
 * and for other classes. What is written through it is not counted: say it with
 * sw_carrier_bump_version().
 */
SW_API void *sw_cpu_pointer(const struct sw_carrier *carrier);

/** Slots in a private file: keeps Float32 and Int32 values, computes nothing. */
SW_API struct sw_carrier_class *sw_file_backed_class(void);

/** NULL instead of options means the defaults, which SW_FILE_BACKED_OPTIONS_INIT spells out. */
struct sw_file_backed_options {
    uint32_t struct_bytes;
    int32_t dtype;        /* enum sw_dtype; Float32 */
    int32_t immutable;    /* 0 or 1; 0 */
    int32_t reserved;
    const char *filename; /* without '/'; NULL: one that no other carrier has */
};
#define SW_FILE_BACKED_OPTIONS_INIT { (uint32_t)sizeof(struct sw_file_backed_options), SW_FLOAT32, 0, 0, NULL }

/**
 * sw_file_backed_new - a carrier over a new, empty file of native-endian values.
 *
 * The file lies in a directory of mode 0700 that the process makes for itself
 * in $TMPDIR (else /tmp) when it first needs one. It is removed on release and
 * with the carrier, the directory when the process exits; what a process that
 * was killed leaves there is removed by the next one that makes such a directory.
 *
 * There are no slots at first: sw_move() to such a carrier gives it as many as
 * are needed, and sw_carrier_allocate_like() makes one with slots. Dispatching
 * any name is a NotImplementedError, and so is scattering. A child of fork()
 * may read the carriers that it inherited, not write them; they end with the parent.
 *
 * @options      Or NULL.
 * @ret_carrier  On success a new carrier with one reference, the caller's.
 *               Untouched on failure.
 *
 * Returns SW_OK; SW_TYPE_ERROR as sw_generic_new(); SW_VALUE_ERROR for a dtype
 * that is not stored, for a name with '/', and for one that another carrier
 * of the process uses, whose file stays as it is; SW_OS_ERROR when the file
 * cannot be made (the message says why); SW_MEMORY_ERROR. Reading and writing
 * slots may be an SW_OS_ERROR too.
 */
SW_API SW_NODISCARD enum sw_status sw_file_backed_new(const struct sw_file_backed_options *options,
                                                      struct sw_carrier **ret_carrier);
/** Path of the file, as long as the carrier is not released; NULL after that and for other classes. */
SW_API const char *sw_file_backed_path(const struct sw_carrier *carrier);

/* ---- Any carrier ---------------------------------------------------------------- */

/*
 * What is no carrier (NULL included) is a TypeError where a status is returned;
 * queries without one answer NULL, 0 or SW_DTYPE_NONE.
 *
 * Threads: a carrier may be referenced and read from any number of threads; a
 * write beside any other use is the caller's race.
 */

/** sw_carrier_ref - one more reference. Returns @carrier. */
SW_API struct sw_carrier *sw_carrier_ref(const struct sw_carrier *carrier);
/** The last reference destroys the carrier; it may be given back on any thread. NULL is accepted. */
SW_API void sw_carrier_unref(const struct sw_carrier *carrier);
/** The exact class; its address is its identity. */
SW_API struct sw_carrier_class *sw_carrier_class_of(const struct sw_carrier *carrier);
/** Slots; 0 after release. */
SW_API size_t sw_carrier_size(const struct sw_carrier *carrier);
/** Dtype of the slots; also after release. */
SW_API enum sw_dtype sw_carrier_dtype(const struct sw_carrier *carrier);

/**
 * sw_carrier_get - read one slot.
 *
 * @slot       In [0, size); negative numbers are not counted from the end.
 * @ret_value  Of the kind that belongs to the dtype. Untouched on failure.
 *
 * Returns, in the order of the checks, SW_RUNTIME_ERROR when released;
 * SW_INDEX_ERROR; else what the class says.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_get(const struct sw_carrier *carrier, int64_t slot,
                                                  struct sw_scalar *ret_value);
/**
 * sw_carrier_set - write one slot; the version grows by exactly one.
 *
 * @value  Stored as struct sw_scalar says.
 *
 * Returns, in the order of the checks, SW_RUNTIME_ERROR when released, or not
 * mutable, or owned by another carrier; SW_INDEX_ERROR; SW_TYPE_ERROR or
 * SW_OVERFLOW_ERROR for the value. A failure changes nothing.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_set(struct sw_carrier *carrier, int64_t slot,
                                                  const struct sw_scalar *value);
/** Whether sw_carrier_set() would be allowed now: live, mutable by nature, not owned by another carrier. */
SW_API int sw_carrier_is_mutable(const struct sw_carrier *carrier);
SW_API int sw_carrier_is_released(const struct sw_carrier *carrier);
/** Whether another carrier owns it: then it can only be read. */
SW_API int sw_carrier_is_owned(const struct sw_carrier *carrier);
/**
 * sw_carrier_supports_dtype - whether carriers of this kind can store @dtype:
 * the same answer in any state, also after release.
 *
 * Returns SW_OK, or SW_TYPE_ERROR for what is no dtype.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_supports_dtype(const struct sw_carrier *carrier, enum sw_dtype dtype,
                                                             int *ret_supported);
/** How often it was written to: 0 at first, grows with every successful public write and with nothing else. */
SW_API uint64_t sw_carrier_version(const struct sw_carrier *carrier);
/**
 * sw_carrier_bump_version - count a write that went past the entry points; for
 * kernels and for users of sw_cpu_pointer().
 *
 * Returns SW_OK, or SW_RUNTIME_ERROR while owned by another carrier.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_bump_version(struct sw_carrier *carrier);
/**
 * sw_carrier_release - give the storage back, for good, while the carrier and
 * the tensors on it live on: reading and writing them is a RuntimeError then.
 * Releasing again is not an error; an immutable carrier may be released.
 *
 * Returns SW_OK, or SW_RUNTIME_ERROR while owned by another carrier.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_release(struct sw_carrier *carrier);

/**
 * sw_carrier_new_like - a fresh carrier of the prototype's kind holding @values.
 *
 * @prototype        Gives the class; neither read nor written; may be released.
 * @values           @n scalars, copied. CPU takes a scalar of kind 0 as a hole,
 *                   which holds the dtype's zero.
 * @mutable_storage  0 or 1.
 * @dtype            Of the new carrier; the prototype's may differ.
 * @ret_carrier      One reference, the caller's. Untouched on failure.
 *
 * Returns SW_OK; SW_TYPE_ERROR; SW_VALUE_ERROR for a dtype that the class does
 * not store; SW_OVERFLOW_ERROR; SW_MEMORY_ERROR; what the class says.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_new_like(const struct sw_carrier *prototype,
                                                       const struct sw_scalar *values, size_t n, int mutable_storage,
                                                       enum sw_dtype dtype, struct sw_carrier **ret_carrier);
/**
 * sw_carrier_allocate_like - a fresh carrier of the prototype's kind with @n
 * slots, all of them the dtype's zero.
 *
 * @uninitialized  0 or 1; 1: slots may hold anything until they are written.
 *
 * The other parameters and results are those of sw_carrier_new_like();
 * SW_VALUE_ERROR also for a negative @n.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_allocate_like(const struct sw_carrier *prototype, int64_t n,
                                                            int mutable_storage, enum sw_dtype dtype, int uninitialized,
                                                            struct sw_carrier **ret_carrier);
/**
 * sw_carrier_scatter - write a tensor's elements into slots of a carrier: element
 * i of @source (by ordinal) into slot offset of @onto + @mapping_offset +
 * @mapping(i). A write primitive, not the operation of that name; the version
 * grows.
 *
 * @source   Any tensor; Int32 may be written into Float32, else the dtypes agree.
 * @onto     A tensor on @carrier.
 * @mapping  Has the shape of @source.
 *
 * Returns, in the order of the checks, SW_RUNTIME_ERROR when @carrier cannot be
 * written to; SW_NOT_IMPLEMENTED_ERROR for a class that does not scatter;
 * SW_TYPE_ERROR for arguments of another kind; SW_VALUE_ERROR for @onto on
 * another carrier, another shape, a negative offset, a slot outside;
 * SW_RUNTIME_ERROR when the source was released; SW_TYPE_ERROR for the dtypes.
 * Nothing is written before the last check.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_scatter(struct sw_carrier *carrier, const struct sw_tensor *source,
                                                      const struct sw_tensor *onto, const struct sw_layout *mapping,
                                                      int64_t mapping_offset);
/**
 * sw_carrier_dispatch - a fresh operation for @name, stamped with the name and
 * the carrier's exact class. Crosses no boundary.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_dispatch(struct sw_carrier *carrier, const char *name,
                                                       struct sw_operation **ret_operation);

/**
 * sw_dispatch_cache_clear - forget which operations were dispatched before, so
 * that the next dispatch of each is a miss again: for measurements of first
 * calls. Identities stay: an operation that is dispatched again has the entry,
 * and the id, that tools know it by.
 *
 * Threads: any, also while others dispatch. Errors: none.
 */
SW_API void sw_dispatch_cache_clear(void);

/* ---- Classes of one's own --------------------------------------------------------- */

/**
 * A carrier class: a (writable, usually static) descriptor. Its address is its
 * identity; nothing is inherited. Fill it with designated initialisers: .head =
 * SW_CARRIER_CLASS_HEAD(...) and the members that the class supplies. Functions
 * get the carrier; what the class stores in it is at sw_carrier_payload().
 *
 * The entry points above check before they call: @carrier is a carrier of this
 * class, live where that matters, @slot is inside, @dtype is one that
 * supports_dtype() accepts, booleans are 0 or 1. A function that fails returns a
 * status other than SW_OK with a sentence by sw_error_set() and leaves its
 * outputs and the storage as they were. size and get may run on several threads
 * at once. dtype, new_like, allocate_like and supports_dtype must keep working
 * after release, during which the carrier already counts as released.
 */
struct sw_carrier_class {
    struct sw_class_head head;
    /* Required. */
    size_t (*size)(const struct sw_carrier *carrier);
    enum sw_dtype (*dtype)(const struct sw_carrier *carrier);
    enum sw_status (*get)(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value);
    enum sw_status (*new_like)(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype dtype, struct sw_carrier **ret_carrier);
    enum sw_status (*allocate_like)(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                    enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier);
    /* Optional: NULL gives the default said here. */
    /** The version is counted by the caller; a set that advances it itself is not counted again. */
    enum sw_status (*set)(struct sw_carrier *carrier, size_t slot, const struct sw_scalar *value); /* not mutable */
    int (*is_mutable)(const struct sw_carrier *carrier);                                           /* 0 */
    enum sw_status (*scatter)(struct sw_carrier *carrier, const struct sw_tensor *source, const struct sw_tensor *onto,
                              const struct sw_layout *mapping, int64_t mapping_offset); /* NotImplementedError */
    /** A fresh, unstamped operation for an interned dispatch name. Default: NotImplementedError. */
    enum sw_status (*dispatch)(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation);
    int (*supports_dtype)(const struct sw_carrier *carrier, enum sw_dtype dtype); /* its own current dtype only */
    void (*release)(struct sw_carrier *carrier);                                  /* nothing: drop the storage */
    void (*destroy)(struct sw_carrier *carrier); /* nothing: before the payload is freed; release ran or did not */
    /** Fresh storage without a prototype, for sw_tensor_zeros() and its kin. Default: NotImplementedError. */
    enum sw_status (*allocate)(struct sw_carrier_class *carrier_class, size_t n, int mutable_storage,
                               enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier);
    /** Give a live, mutable carrier without slots @n of them, for sw_move(). Default: it stays without. */
    enum sw_status (*allocate_in_place)(struct sw_carrier *carrier, size_t n);
};

#define SW_CARRIER_CLASS_HEAD(module, qualified_name) \
    { SW_KIND_CARRIER_CLASS, (uint32_t)sizeof(struct sw_carrier_class), 0, module, qualified_name }

/**
 * sw_carrier_new - an instance of a class, with @payload_bytes of zeroed memory
 * of its own, aligned to 64 bytes. For the authors of classes.
 *
 * @carrier_class  Borrowed; must outlive its carriers.
 * @ret_carrier    One reference. Untouched on failure.
 *
 * Returns SW_OK; SW_TYPE_ERROR when @carrier_class is not a carrier class,
 * smaller than this library's, or a shipped one, or has a function of a shipped
 * one: Generic, CPU, FileBacked and Evictable are closed, a changed copy of their
 * descriptors is no class. SW_VALUE_ERROR when a name or a required member is
 * missing; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_new(struct sw_carrier_class *carrier_class, size_t payload_bytes,
                                                  struct sw_carrier **ret_carrier);
/** The memory that belongs to the class; lives as long as the carrier. */
SW_API void *sw_carrier_payload(const struct sw_carrier *carrier);

/**
 * What a class of one's own tells of its carriers' storage, so that it is in
 * profiles and in the counters of <strideweave/memory.h>: @bytes were made; they
 * are about to be given back (on release, or in destroy when there was no
 * release), the same number; there was no room for them. Costs one load while
 * nobody wants to know. 0 bytes are told to nobody.
 *
 * Hooks:   sw_hook_storage_alloc, sw_hook_storage_free.
 * Threads: that of whoever uses the carrier.
 *
 * Returns SW_OK; SW_TYPE_ERROR for what is no carrier.
 */
SW_API SW_NODISCARD enum sw_status sw_carrier_storage_made(struct sw_carrier *carrier, uint64_t bytes);
SW_API SW_NODISCARD enum sw_status sw_carrier_storage_gone(struct sw_carrier *carrier, uint64_t bytes);
SW_API SW_NODISCARD enum sw_status sw_carrier_storage_refused(struct sw_carrier *carrier, uint64_t bytes);

SW_END_DECLS

#endif
