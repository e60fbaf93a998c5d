/*
 * Trees of integers: the one value behind shapes, strides, coordinates,
 * arrangements and slice keys, and what can be asked of a tree taken as a shape.
 * Immutable and reference counted; may be shared between threads.
 *
 * Text form: modes in parentheses, "(2,(3,4))"; "()" is rank zero; a bare
 * integer is a tree of one leaf; "*" is a leaf without identity (SW_TREE_ANY).
 * The node form is described at struct sw_tree in hooks.h.
 *
 * The top level is always a sequence of modes, so "3" and "(3)" are one tree;
 * below it "((3))", a nested mode of one leaf, is another. A tree nests at most
 * 1000 levels deep.
 *
 * For every call: a pointer that is NULL or no tree is a TypeError, outputs are
 * untouched on failure, sw_error_message() says what was refused, no hook is
 * called, and any thread may call. What a call gives out has one reference and
 * is owned by the caller, given back with sw_tree_unref().
 */
#ifndef STRIDEWEAVE_TREE_H
#define STRIDEWEAVE_TREE_H

#include <strideweave/status.h>

SW_BEGIN_DECLS

struct sw_tree;

/**
 * sw_tree_parse - a tree from its text form; blanks are allowed between its
 * parts.
 *
 * Returns SW_OK; SW_VALUE_ERROR for anything else than one tree (the message
 * names the position, counted in bytes from 0), for an integer out of range and
 * for too deep a nesting; SW_TYPE_ERROR for NULL; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_tree_parse(const char *text, struct sw_tree **ret_tree);

/**
 * sw_tree_new - a tree from its node form.
 *
 * @nodes    As described at struct sw_tree; copied. NULL only with 0 nodes.
 * @n_nodes  Entries; at most SW_TREE_MAX_NODES.
 *
 * Returns SW_OK; SW_VALUE_ERROR when a nested mode announces more entries than
 * there are, or for too many or too deep; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_tree_new(const int64_t *nodes, size_t n_nodes, struct sw_tree **ret_tree);

/**
 * sw_tree_flat - a tree without nesting.
 *
 * Returns SW_OK; SW_VALUE_ERROR for a value so small that the node form takes
 * it for a nested mode; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_tree_flat(const int64_t *leaves, size_t n_leaves, struct sw_tree **ret_tree);

/** One more reference to @tree, which is returned; NULL is passed through. */
SW_API struct sw_tree *sw_tree_ref(const struct sw_tree *tree);
/** Give back a reference; the last one frees the tree, on whatever thread. NULL is accepted. */
SW_API void sw_tree_unref(const struct sw_tree *tree);

/** Modes at the top level; 0 also for what is no tree. */
SW_API size_t sw_tree_n_modes(const struct sw_tree *tree);
/** Leaves at all levels; 0 also for what is no tree. */
SW_API size_t sw_tree_n_leaves(const struct sw_tree *tree);
/** 1 when flat or empty, one more per nesting level; 0 for what is no tree. */
SW_API size_t sw_tree_depth(const struct sw_tree *tree);
/** Value of leaf @leaf, counted depth first from 0. IndexError out of range. */
SW_API SW_NODISCARD enum sw_status sw_tree_leaf(const struct sw_tree *tree, size_t leaf, int64_t *ret_value);
/** Mode @mode as a tree of its own: a leaf gives a tree of one leaf. IndexError out of range. */
SW_API SW_NODISCARD enum sw_status sw_tree_mode(const struct sw_tree *tree, size_t mode, struct sw_tree **ret_tree);
/** Same values and same nesting; 0 also when either is no tree. */
SW_API int sw_tree_equal(const struct sw_tree *a, const struct sw_tree *b);
/** Same nesting, whatever the values. */
SW_API int sw_tree_congruent(const struct sw_tree *a, const struct sw_tree *b);
/** Text form, freed with sw_free(). A tree of one leaf is written "(3)". */
SW_API SW_NODISCARD enum sw_status sw_tree_format(const struct sw_tree *tree, char **ret_text);

/*
 * A tree taken as a shape: every leaf an extent >= 1. For each of the four
 * calls a smaller extent is a ValueError, a leaf "*" a TypeError, and a size
 * (the product of all extents) above INT64_MAX - 1 an OverflowError.
 *
 * An element of a shape has an ordinal, from 0 to size - 1, and a natural
 * coordinate, a tree like the shape. The first mode varies fastest at every
 * level. A mixed coordinate has the ordinal of a nested mode in its place.
 */

/** Whether a tree is a shape. */
SW_API SW_NODISCARD enum sw_status sw_shape_check(const struct sw_tree *shape);
/** Product of all extents; 1 for "()". */
SW_API SW_NODISCARD enum sw_status sw_shape_size(const struct sw_tree *shape, int64_t *ret_size);
/** The natural coordinate of an ordinal: of 214 in "(5,(20,4))" it is "(4,(2,2))". ValueError out of range. */
SW_API SW_NODISCARD enum sw_status sw_shape_decode(const struct sw_tree *shape, int64_t ordinal,
                                                   struct sw_tree **ret_coordinate);
/**
 * sw_shape_encode - the ordinal of a coordinate.
 *
 * @coordinate  A natural or mixed coordinate, or a tree of one leaf: the ordinal.
 *
 * Returns SW_OK; SW_VALUE_ERROR when a component is negative, out of range,
 * missing or one too many; SW_TYPE_ERROR for a leaf "*".
 */
SW_API SW_NODISCARD enum sw_status sw_shape_encode(const struct sw_tree *shape, const struct sw_tree *coordinate,
                                                   int64_t *ret_ordinal);

SW_END_DECLS

#endif
