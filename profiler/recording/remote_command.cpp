// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/remote_command.h"

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr const char* remote_program = "roofwalk-cli";

bool is_named(const std::string& word, std::string_view name) {
    return std::filesystem::path(word).filename() == name;
}

std::vector<std::string> words_there(const ProfileRequest& request) {
    std::vector<std::string> words{"profile", "-o", "-", "--until-input-ends"};
    const auto add = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            words.insert(words.end(), {option, value});
    };
    const MeasuringRequest& measuring = request.measuring;
    if (!measuring.counters) words.emplace_back("--timing");
    if (measuring.every_launch) words.emplace_back("--every-launch");
    add("--kernel", measuring.filter.kernels);
    add("--except",
        measuring.filter.except.empty() ? std::vector<std::string>{"none"} : measuring.filter.except);
    add("--nvtx", measuring.filter.nvtx_ranges);
    if (measuring.filter.skip > 0) add("--skip", {std::to_string(measuring.filter.skip)});
    if (measuring.filter.count) add("--count", {std::to_string(*measuring.filter.count)});
    if (!request.launch.directory.empty()) add("--directory", {request.launch.directory.string()});
    for (const auto& [name, value] : request.launch.environment)
        add("--env", {name + "=" + value});
    words.emplace_back("--");
    words.insert(words.end(), request.launch.command.begin(), request.launch.command.end());
    return words;
}

/// How many shells read the words behind these; a word after an option is its value: `ssh -l ssh node` is
/// one.
std::ptrdiff_t shells_behind(const std::vector<std::string>& words) {
    std::ptrdiff_t shells = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (is_named(words[i], "ssh") && (i == 0 || !words[i - 1].starts_with('-'))) ++shells;
    return shells;
}

}  // namespace

std::vector<std::string> remote_command(const ProfileRequest& request) {
    std::vector<std::string> words = request.launch.through;
    std::string program(remote_program);
    if (!words.empty() && is_named(words.back(), remote_program)) {
        program = std::move(words.back());
        words.pop_back();
    }
    const std::ptrdiff_t shells = shells_behind(words);
    std::vector<std::string> there = words_there(request);
    there.insert(there.begin(), std::move(program));
    for (std::string& word : there) {
        for (std::ptrdiff_t shell = 0; shell < shells; ++shell)
            word = quote_shell(word);
        words.push_back(std::move(word));
    }
    return words;
}

}  // namespace roofwalk
