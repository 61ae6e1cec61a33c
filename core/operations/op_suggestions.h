// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/model/profile.h"
#include "core/operations/op_binding.h"

namespace roofwalk {

/// An operation that launches seem to carry out, because numbers of theirs agree. Nothing applies it but a
/// person who accepts it.
struct Suggestion {
    std::string kernel;  ///< whole demangled name
    /// Which launches of this kernel, in file order from 0; empty: all of them.
    std::vector<std::uint32_t> launches;
    std::uint32_t count = 0;  ///< how many launches that is
    std::string operation;    ///< "gemm m=4096 n=4096 k=4096 dtype=fp16"
    std::string why;          ///< the numbers that agree, or what is assumed, one clause
    bool assumed = false;     ///< no numbers tell it, but what `why` assumes
};

/// Suggestions for the launches that have no operation, in the order of their first launch: GEMMs whose
/// measured work is 2MNK for the grid and the tile in their name, AXPYs and triads whose work is two FLOP for
/// each thread that has an element.
[[nodiscard]] std::vector<Suggestion> suggest_operations(const Profile& profile,
                                                         const LaunchOperations& operations,
                                                         const Progress& progress = {});

/// An operation, and the numbers of a launch that speak for it: one clause.
struct OperationEvidence {
    std::string operation;
    std::string why;
};
/// What one launch seems to carry out, whether or not it has an operation; absent where no numbers of it
/// tell.
[[nodiscard]] std::optional<OperationEvidence> evidence_of(const Profile& profile, const Launch& launch);
/// The suggestions for the launches of one kernel, by its whole name.
[[nodiscard]] std::vector<Suggestion> suggest_for_kernel(const Profile& profile,
                                                         const LaunchOperations& operations,
                                                         std::string_view kernel);

/// What one launch would carry out by an assumption, which `why` names, with the sizes that follow from what
/// was measured: a square product, bytes that are asked for once. Absent where
/// evidence_of() tells, where nothing follows, where a number, the name or a parameter contradicts, and where
/// it is hardly any bytes.
[[nodiscard]] std::optional<OperationEvidence> assumption_for(const Profile& profile, const Launch& launch);
/// These for the kernels whose launches without an operation all have the same; of one kernel, by its whole
/// name, or of all where that is empty.
[[nodiscard]] std::vector<Suggestion> assume_operations(const Profile& profile,
                                                        const LaunchOperations& operations,
                                                        std::string_view kernel = {});

/// "gemm m= n= k=" of a kernel whose name tells which operation it is: its sizes are left to type. Empty
/// where the name tells none.
[[nodiscard]] std::string named_operation(std::string_view kernel);

/// The bindings that accept a suggestion.
[[nodiscard]] std::vector<UserBinding> bindings_of(const Suggestion& suggestion);

/// A rule for all launches of one kernel, as `read_binding_rule` reads it.
[[nodiscard]] std::string rule_text_for(const std::string& kernel, const std::string& operation);

}  // namespace roofwalk
