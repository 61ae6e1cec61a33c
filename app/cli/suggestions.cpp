// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/suggestions.h"

#include <fmt/format.h>

#include "app/cli/console.h"
#include "core/base/text.h"
#include "core/operations/op_suggestions.h"

namespace roofwalk::cli {

namespace {

std::string launches_of(const Suggestion& suggestion) {
    const std::string count = format_count(suggestion.count);
    if (suggestion.launches.empty()) return suggestion.count == 1 ? "1 launch" : "all " + count + " launches";
    return suggestion.count == 1 ? "1 of its launches" : count + " of its launches";
}

}  // namespace

void say_suggestions(const Profile& profile, const LaunchOperations& operations) {
    const std::vector<Suggestion> suggestions = suggest_operations(profile, operations);
    if (suggestions.empty())
        say("No suggestion: no kernel without an operation has numbers that tell which one it is.");
    for (const Suggestion& suggestion : suggestions) {
        say(fmt::format("suggestion for {} ({}): {}", suggestion.kernel, launches_of(suggestion),
                        suggestion.operation));
        say("  because " + suggestion.why);
        if (suggestion.launches.empty())
            say("  accept it with --bind " +
                quote_shell_shown(rule_text_for(suggestion.kernel, suggestion.operation)));
    }
}

}  // namespace roofwalk::cli
