/*
 * Tilers: a list of layouts, one per leading mode of the layout they are
 * applied to.
 */
#ifndef LAYOUT_TILER_H
#define LAYOUT_TILER_H

#include "layout/builder.h"

/** TypeError when a member is no layout, ValueError when there are more tiles than modes of @layout. */
SW_NODISCARD enum sw_status sw__check_tiler(const struct sw_layout *layout, const struct sw_layout *const *tiles,
                                            size_t n_tiles);

/** Add to @builder what becomes of one leading mode (as a layout of its own), as one appended mode. */
typedef enum sw_status sw__tile_fn(struct sw__layout_builder *builder, const struct sw__modes *mode,
                                   const struct sw_layout *tile);

/** Apply @tile_mode to each leading mode; trailing modes stay as they are. */
SW_NODISCARD enum sw_status sw__layout_tile(const struct sw_layout *layout, const struct sw_layout *const *tiles,
                                            size_t n_tiles, sw__tile_fn *tile_mode, struct sw_layout **ret_layout);

#endif
