// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// Tells a row of an analysis again after its report was read anew: by name, shape and order, not by an index
/// into one profile.
struct KernelKey {
    GroupBy group_by = GroupBy::kernel;
    std::string name;              ///< demangled kernel name, the NVTX path or the operation
    Dim3 grid;                     ///< of a single launch only, else all 0
    Dim3 block;                    ///< of a single launch only, else all 0
    std::uint32_t occurrence = 0;  ///< among the rows that are alike in all of the above, in file order

    friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

/// The keys of rows, as indices into `analysis.points`, all in one pass over the rows.
[[nodiscard]] std::vector<KernelKey> keys_of(const Profile& profile, const Analysis& analysis,
                                             std::span<const std::uint32_t> points);
/// The key of one row, which must be one of `analysis.points`. Looks at every row before it.
[[nodiscard]] KernelKey key_of(const Profile& profile, const Analysis& analysis, const KernelPoint& point);

/// Where a key leads.
enum class KeyMatch : std::uint8_t {
    found,
    other_grouping,  ///< the profile has its name, but the rows of the analysis are grouped in another way
    other_row,       ///< the profile has its name, but no row of this shape or place in the order
    unknown,         ///< the profile has no kernel, or no NVTX path, of its name
};

struct FoundKernel {
    KeyMatch match = KeyMatch::unknown;
    std::uint32_t point = 0;  ///< index into Analysis::points, when found
};

/// One entry for each key, all in one pass over the rows. When it is cancelled, what was not found yet is of
/// no meaning.
[[nodiscard]] std::vector<FoundKernel> find_kernels(const Profile& profile, const Analysis& analysis,
                                                    std::span<const KernelKey* const> keys,
                                                    const Progress& progress = {});

}  // namespace roofwalk
