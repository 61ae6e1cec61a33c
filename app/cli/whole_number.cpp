// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace roofwalk::cli {

std::function<std::string(const std::string&)> whole_number(std::uint64_t least, std::uint64_t most) {
    return [=](const std::string& text) -> std::string {
        std::uint64_t number = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (problem == std::errc() && end == text.data() + text.size() && number >= least && number <= most)
            return {};
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
    };
}

}  // namespace roofwalk::cli
