// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/enum_array.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// What two kernels that count as one have in common, the surest first.
enum class MatchBasis : std::uint8_t {
    same,             ///< name, grid, block and NVTX ranges
    other_nvtx,       ///< name, grid and block
    other_shape,      ///< name; grid or block changed
    other_spelling,   ///< name as far as both spellings tell it; grid, block or NVTX ranges may differ
    other_arguments,  ///< name but for template arguments and parameter types
    other_name,       ///< the NVTX ranges around them
};
template <>
inline constexpr EnumIds<MatchBasis, 6> enum_ids<MatchBasis>{
    "same", "other_nvtx", "other_shape", "other_spelling", "other_arguments", "other_name"};

/// For people: "same name, other grid or block".
[[nodiscard]] std::string_view label_of(MatchBasis basis);

/// A kernel of one report and the same kernel of a newer one, as indices into Analysis::points.
struct KernelMatch {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    MatchBasis basis = MatchBasis::same;
    bool by_order = false;  ///< one of several alike, equally many in both reports, told apart by their order
};

/// Kernels that are alike in both reports and of which nobody can say which is which.
struct AmbiguousKernels {
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
};

struct KernelMatches {
    std::vector<KernelMatch> pairs;  ///< by `before`
    std::vector<AmbiguousKernels> ambiguous;
    std::vector<std::uint32_t> removed;  ///< in the older report only
    std::vector<std::uint32_t> added;    ///< in the newer report only
};

/// The names of the newer report that stand in the older one in another spelling, and may be no other: by the
/// names of the newer one, which live in its analysis.
using OlderNames = std::unordered_map<std::string_view, std::string>;
[[nodiscard]] OlderNames older_names(const Analysis& before, const Analysis& after);

/// Finds the points of the older report in the newer one: by name, NVTX ranges, grid and block first, then,
/// among those left, with fewer of these. Alike points are paired by order only where both reports have
/// equally many, and a difference in shape or name is passed over only where it is one single difference;
/// everything else is listed as ambiguous. Where a report has several models of device, kernels match on the
/// same device only. Takes about a microsecond a point.
[[nodiscard]] KernelMatches match_kernels(const AnalysedProfile& before, const AnalysedProfile& after);

}  // namespace roofwalk
