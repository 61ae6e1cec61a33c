// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/command_options.h"

#include <charconv>
#include <string_view>

namespace roofwalk::ceilings {

std::optional<CommandOptions> read_command_options(std::span<const char* const> arguments) {
    CommandOptions options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const bool has_value = i + 1 < arguments.size();
        if (argument == "--list")
            options.list = true;
        else if (argument == "--device" && has_value)
            options.device = arguments[++i];
        else if (argument == "--lock-folder" && has_value)
            options.lock_folder = arguments[++i];
        else
            return std::nullopt;
    }
    return options;
}

std::optional<std::size_t> meant_device(const std::string& asked, std::span<const std::string> uuids) {
    if (asked.empty()) return uuids.empty() ? std::nullopt : std::optional<std::size_t>(0);
    std::size_t number = 0;
    const char* end = asked.data() + asked.size();
    const auto [stop, fault] = std::from_chars(asked.data(), end, number);
    constexpr std::size_t shortest_uuid = 8;
    if (fault == std::errc() && stop == end && asked.size() < shortest_uuid)
        return number < uuids.size() ? std::optional(number) : std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < uuids.size(); ++i) {
        if (!uuids[i].starts_with(asked) && !uuids[i].starts_with("GPU-" + asked)) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

}  // namespace roofwalk::ceilings
