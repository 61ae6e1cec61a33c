// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/error.h"
#include "core/model/launch.h"

namespace roofwalk {

struct OperationModel;

/// Who says which operation a launch carries out; the first of these that says anything is believed.
enum class BindingSource : std::uint8_t {
    profile,     ///< the file itself: its algorithm field, or the text of an NVTX range
    user,        ///< a person, for a kernel or for one launch
    rule,        ///< a pattern on kernel names or NVTX paths
    suggestion,  ///< offered by the program and accepted by a person
};

/// "profile", "user", "rule", "suggestion": the stable name used in files.
[[nodiscard]] std::string_view id_of(BindingSource source);

/// An operation that launches carry out, and who says so.
struct BoundOperation {
    std::shared_ptr<const OperationModel> model;  ///< never null
    std::string text;                             ///< as written, captures filled in
    BindingSource source = BindingSource::user;
    std::string why;  ///< "NVTX range gemm[m=8,n=8,k=8]", "rule 2: gemm_(\d+)"
};

/// Which launch of a profile carries out which operation.
struct LaunchOperations {
    std::vector<std::shared_ptr<const BoundOperation>> operations;  ///< every different one
    /// By launch: its place in `operations`, from 1; 0 without one. Empty: no launch has one.
    std::vector<std::uint32_t> of_launch;
    std::vector<std::uint32_t> bound_by_rule;  ///< by rule, in their order: launches that it binds
    std::vector<Error> problems;               ///< bindings that could not be used, one sentence each

    /// Null for a launch without an operation.
    [[nodiscard]] std::shared_ptr<const BoundOperation> of(LaunchIndex launch) const;
};

}  // namespace roofwalk
