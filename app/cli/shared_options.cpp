// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shared_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/base/text.h"
#include "core/compare/comparison.h"

namespace roofwalk::cli {

std::function<std::string(const std::string&)> whole_number(std::uint64_t least, std::uint64_t most) {
    return [=](const std::string& text) -> std::string {
        const auto number = parse_number<std::uint64_t>(text);
        if (number && *number >= least && *number <= most) return {};
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
    };
}

std::function<std::string(const std::string&)> number_between(double least, double most) {
    return [=](const std::string& text) -> std::string {
        const auto number = parse_number<double>(text);
        if (number && *number >= least && *number <= most) return {};  // not a number is in no range
        return fmt::format("'{}' is not a number from {} to {}", text, least, most);
    };
}

std::string without_per_cent(std::string text) {
    if (!text.ends_with('%')) return text;
    text.pop_back();
    while (text.ends_with(' '))
        text.pop_back();
    return text;
}

std::function<std::string(const std::string&)> per_cent(std::string_view what, std::string_view example,
                                                        double largest) {
    return [=](const std::string& text) -> std::string {
        const auto value = parse_number<double>(text);
        if (value && *value >= 0 && *value <= largest) return {};
        return fmt::format("'{}' is not {}: a number from 0 to {}, such as {}", text, what, largest, example);
    };
}

void repeatable(CLI::Option* option) {
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
}

void add_noise_option(CLI::App& verb, std::optional<double>& percent) {
    verb.add_option("--noise", percent, "a change of time or bytes up to PCT % is no change")
        ->type_name("PCT")
        ->check(per_cent("a per cent of noise", "2", 1000))
        ->transform(without_per_cent)
        ->default_str(fmt::format("{}", default_noise * 100));
}

}  // namespace roofwalk::cli
