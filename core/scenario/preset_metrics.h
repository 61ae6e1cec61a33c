// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/scenario/preset_rules.h"

/// The rules that rest on what the profiler counted of a kernel's launches.
namespace roofwalk::preset_rules {

[[nodiscard]] Result<Move> coalesce(const PresetSubject& subject, Parameter);
[[nodiscard]] Result<Move> fuse(const PresetSubject& subject, Parameter intermediates);
[[nodiscard]] Result<Move> launch_as_graph(const PresetSubject& subject, Parameter runs);
[[nodiscard]] Result<Move> swizzle(const PresetSubject& subject, Parameter);

/// Two square tiles that give each element `reuse` uses: what they take of an SM, in sentences. An error
/// where no block has so much.
[[nodiscard]] Result<std::string> cost_of_tiles(const PresetSubject& subject, double reuse);
/// What crosses L1 beside shared memory; absent where it is not told apart.
[[nodiscard]] std::optional<Bytes> loads_through_l1(const PresetSubject& subject);
/// What reading the same from shared memory takes of that, as no sector goes with it that nothing uses.
[[nodiscard]] double share_without_surplus(const PresetSubject& subject);
/// Of a block.
[[nodiscard]] double threads_of_block(const PresetSubject& subject);
/// Of the sectors that its instructions ask of L2, the share of local memory (spills); 0 where a launch does
/// not tell.
[[nodiscard]] double local_share(const PresetSubject& subject);

}  // namespace roofwalk::preset_rules
