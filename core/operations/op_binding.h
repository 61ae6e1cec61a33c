// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/progress.h"
#include "core/model/profile.h"
#include "core/operations/bound_operation.h"

namespace roofwalk {

/// What the pattern of a rule is searched for in.
enum class RuleSubject : std::uint8_t {
    kernel_name,  ///< the whole demangled name, else as tables show it, without result type and parameters
    nvtx_path,    ///< the NVTX ranges around the launch, "outer / inner"
};
template <>
inline constexpr EnumIds<RuleSubject, 2> enum_ids<RuleSubject>{"kernel", "nvtx"};

/// Binds every launch in whose subject the pattern is found. Patterns are RE2 expressions, matched in linear
/// time whatever a name or a pattern looks like; ^ and $ anchor them.
struct BindingRule {
    std::string pattern;    ///< "gemm_(\d+)x(\d+)x(\d+)"
    std::string operation;  ///< "gemm m=$1 n=$2 k=$3": $0 is all that matched, $1 to $9 are the groups
    RuleSubject subject = RuleSubject::kernel_name;
    std::string unknown_members = {};  ///< of its JSON object, as JSON text

    friend bool operator==(const BindingRule&, const BindingRule&) = default;
};

/// What a person says of a kernel, or of one launch of it, which goes first.
struct UserBinding {
    std::string kernel;  ///< whole demangled name
    /// Which launch of this kernel, in file order from 0; absent: all of them.
    std::optional<std::uint32_t> launch;
    std::string operation;
    bool suggested = false;            ///< an accepted suggestion: believed after the rules
    std::string assumption = {};       ///< what the operation rests on, a clause; empty: a person typed it
    std::string unknown_members = {};  ///< of its JSON object, as JSON text

    friend bool operator==(const UserBinding&, const UserBinding&) = default;
};

/// Everything a person typed; what the profile says itself needs no entry. Of two bindings for the same
/// launches the later one holds, of two rules the first that binds.
struct Bindings {
    std::vector<UserBinding> user;
    std::vector<BindingRule> rules;

    friend bool operator==(const Bindings&, const Bindings&) = default;
};

/// Reads "PATTERN=OPERATION" or "nvtx:PATTERN=OPERATION"; a = inside the pattern is written \x3d.
[[nodiscard]] Result<BindingRule> read_binding_rule(std::string_view text);

/// The text that read_binding_rule() makes this rule of, but for further members.
[[nodiscard]] std::string to_text(const BindingRule& rule);

/// Finds the operation of every launch: what the profile says (its algorithm field, then the innermost NVTX
/// range that is an operation in brackets, as gemm[m=8,n=8,k=8]), then the user, the rules, accepted
/// suggestions, and last ranges of PyTorch with the sizes of inputs. A binding
/// that cannot be used binds nothing and is told in `problems`; the others go on. When cancelled, the
/// launches that are left have no operation.
[[nodiscard]] LaunchOperations bind_operations(const Profile& profile, const Bindings& bindings,
                                               const Progress& progress = {});

}  // namespace roofwalk
