// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/operations/op_binding.h"

namespace re2 {
class RE2;
}

namespace roofwalk {

/// A rule whose pattern is compiled and whose operation asks for no group that the pattern lacks.
class RulePattern {
  public:
    /// Names longer than this are not searched: a bound on the time that a stranger's name can take.
    static constexpr std::size_t longest_subject = 16384;

    [[nodiscard]] static Result<RulePattern> compile(const BindingRule& rule);

    /// The operation with the captures of `subject` filled in; absent when the pattern is not found.
    [[nodiscard]] std::optional<std::string> operation_for(std::string_view subject) const;

  private:
    RulePattern(std::shared_ptr<const re2::RE2> pattern, std::string operation)
        : pattern_(std::move(pattern)), operation_(std::move(operation)) {}

    std::shared_ptr<const re2::RE2> pattern_;
    std::string operation_;
};

}  // namespace roofwalk
