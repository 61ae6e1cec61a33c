// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/rule_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_registry.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_pattern = 1000;
/// Bounds the states of a pattern, and so the steps for each character of a name.
constexpr std::int64_t pattern_memory = 1 << 20;
constexpr int most_groups = 9;
constexpr std::string_view digits = "0123456789";

tl::unexpected<Error> bad(std::string what, std::string_view where, std::string hint) {
    return unexpected(ErrorCode::bad_argument, std::move(what), shortened_word(where), std::move(hint));
}

bool takes_captures(std::string_view operation) {
    return operation.find('$') != std::string_view::npos;
}

/// The number behind the $ at `at`; absent when there is none.
std::optional<int> group_at(std::string_view operation, std::size_t at) {
    if (at + 1 >= operation.size()) return std::nullopt;
    const std::size_t digit = digits.find(operation[at + 1]);
    return digit == std::string_view::npos ? std::nullopt : std::optional(static_cast<int>(digit));
}

/// Every $ names a group that the pattern has.
Result<void> check_captures(std::string_view operation, int groups) {
    for (std::size_t at = operation.find('$'); at != std::string_view::npos;
         at = operation.find('$', at + 1)) {
        const auto group = group_at(operation, at);
        if (!group)
            return bad("A $ without a number stands in the operation", operation,
                       "$0 is all that matched, $1 to $9 are the groups of the pattern.");
        if (*group > groups)
            return bad(fmt::format("${} is asked for, but the pattern has {} group{}", *group, groups,
                                   groups == 1 ? "" : "s"),
                       operation, "A group is what stands between parentheses: gemm_(\\d+)x(\\d+).");
    }
    return {};
}

/// What can be known of an operation before anything matched.
Result<void> check_operation(const std::string& operation) {
    if (!takes_captures(operation)) return model_operation(operation).map([](const OperationModel&) {});
    const std::string name = operation.substr(0, operation.find_first_of(" \t\r\n,=[("));
    if (takes_captures(name) || find_operation(name)) return {};
    return tl::unexpected(unknown_operation(name));
}

}  // namespace

Result<RulePattern> RulePattern::compile(const BindingRule& rule) {
    if (rule.pattern.empty())
        return bad("The pattern is empty", rule.operation, "Write a part of the kernel's name.");
    if (rule.pattern.size() > longest_pattern)
        return bad(fmt::format("A pattern of {} bytes is too long", rule.pattern.size()), rule.pattern,
                   fmt::format("At most {} bytes are read.", longest_pattern));
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(pattern_memory);
    auto pattern = std::make_shared<const re2::RE2>(rule.pattern, options);
    if (!pattern->ok())
        return bad("The pattern cannot be used: " + clean_utf8(pattern->error()), rule.pattern,
                   "Patterns are RE2 expressions: no look-ahead, no back-references.");
    if (auto checked = check_captures(rule.operation, pattern->NumberOfCapturingGroups()); !checked)
        return tl::unexpected(std::move(checked.error()));
    if (auto checked = check_operation(rule.operation); !checked)
        return tl::unexpected(std::move(checked.error()));
    return RulePattern(std::move(pattern), rule.operation);
}

std::optional<std::string> RulePattern::operation_for(std::string_view subject) const {
    if (subject.size() > longest_subject) return std::nullopt;
    std::array<re2::StringPiece, most_groups + 1> groups;
    const int count =
        takes_captures(operation_) ? std::min(pattern_->NumberOfCapturingGroups(), most_groups) + 1 : 0;
    if (!pattern_->Match(re2::StringPiece(subject.data(), subject.size()), 0, subject.size(),
                         re2::RE2::UNANCHORED, groups.data(), count))
        return std::nullopt;
    std::string operation;
    for (std::size_t at = 0; at < operation_.size(); ++at) {
        if (operation_[at] != '$') {
            operation += operation_[at];
            continue;
        }
        const re2::StringPiece& group = groups[static_cast<std::size_t>(*group_at(operation_, at++))];
        operation.append(group.data(), group.size());
    }
    return operation;
}

}  // namespace roofwalk
