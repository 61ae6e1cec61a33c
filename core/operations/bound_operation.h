// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/error.h"
#include "core/model/kernel_group.h"
#include "core/model/launch.h"

namespace roofwalk {

struct OperationModel;

/// Who says which operation a launch carries out; the first of these that says anything is believed.
enum class BindingSource : std::uint8_t {
    profile,     ///< the file itself: its algorithm field, or the text of an NVTX range
    user,        ///< a person, for a kernel or for one launch
    rule,        ///< a pattern on kernel names or NVTX paths
    suggestion,  ///< offered by the program and accepted by a person
    pytorch,     ///< the sizes in an NVTX range of PyTorch
};
template <>
inline constexpr EnumIds<BindingSource, 5> enum_ids<BindingSource>{"profile", "user", "rule", "suggestion",
                                                                   "pytorch"};

/// An operation that launches carry out, and who says so.
struct BoundOperation {
    std::shared_ptr<const OperationModel> model;  ///< never null
    std::string text;                             ///< as written, captures filled in
    BindingSource source = BindingSource::user;
    std::string why;           ///< "NVTX range gemm[m=8,n=8,k=8]", "rule 2: gemm_(\d+)"
    std::string assumed = {};  ///< what nobody told, beside types: "; causal=no is assumed"
};

/// Who says so and which type of its elements is assumed: "rule 2: gemm_(\d+); dtype=fp16 is assumed".
[[nodiscard]] std::string why_words(const BoundOperation& operation);
[[nodiscard]] bool is_partly_assumed(const BoundOperation& operation);
/// What of it nobody told: "; causal=no is assumed; dtype=fp16 is assumed". Empty where all is.
[[nodiscard]] std::string assumed_words(const BoundOperation& operation);

/// What some launches carried out.
struct Executions {
    /// Once for each time that one was carried out, by one launch or by several.
    std::vector<std::shared_ptr<const BoundOperation>> operations;
    std::uint32_t bound = 0;      ///< launches that did this
    std::uint32_t not_bound = 0;  ///< launches without an operation, or with a part of one only
    /// The first that launches among them carried out a part of, while the others are not among them.
    std::shared_ptr<const BoundOperation> in_part;
};

/// Which launch of a profile carries out which operation.
struct LaunchOperations {
    std::vector<std::shared_ptr<const BoundOperation>> operations;  ///< every different one
    /// By launch: its place in `operations`, from 1; 0 without one. Empty: no launch has one.
    std::vector<std::uint32_t> of_launch;
    /// By launch: the execution that it is a part of, from 1 in `launches_of_execution`; 0: it carries its
    /// operation out alone. Empty: every launch does.
    std::vector<std::uint32_t> execution_of;
    std::vector<std::uint32_t> launches_of_execution;  ///< how many launches an execution takes
    std::vector<std::uint32_t> bound_by_rule;          ///< by rule, in their order: launches that it binds
    std::vector<Error> problems;                       ///< bindings that could not be used, one sentence each

    /// Null for a launch without an operation, and for one that carries out a part of it.
    [[nodiscard]] std::shared_ptr<const BoundOperation> of(LaunchIndex launch) const;
    [[nodiscard]] Executions executions_of(std::span<const LaunchIndex> launches) const;

  private:
    [[nodiscard]] std::shared_ptr<const BoundOperation> whole_operation_of(std::size_t launch) const;
};

/// Each launch by the text of its operation, which it may carry out with others.
[[nodiscard]] LaunchLabels labels_of(const LaunchOperations& operations);

}  // namespace roofwalk
