// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/recorded_command.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/base/text.h"
#include "core/model/source_names.h"

namespace roofwalk {

namespace {

/// Options of Nsight Compute that stand alone.
constexpr std::array<std::string_view, 17> flags{"-f",
                                                 "--force-overwrite",
                                                 "--nvtx",
                                                 "--call-stack",
                                                 "--csv",
                                                 "--verbose",
                                                 "--quiet",
                                                 "--null-stdin",
                                                 "--details-all",
                                                 "--open-in-ui",
                                                 "--print-fp",
                                                 "--print-nvtx-rename",
                                                 "--support-32bit",
                                                 "--print-summary-none",
                                                 "--disable-extra-suffixes",
                                                 "--list-rules",
                                                 "--print-kernel-base-off"};

/// Options that take the next word.
constexpr std::array<std::string_view, 65> with_value{"-o",
                                                      "--export",
                                                      "-i",
                                                      "--import",
                                                      "-k",
                                                      "--kernel-name",
                                                      "-c",
                                                      "--launch-count",
                                                      "-s",
                                                      "--launch-skip",
                                                      "-p",
                                                      "--port",
                                                      "--log-file",
                                                      "--config-file",
                                                      "--config-file-path",
                                                      "--mode",
                                                      "--max-connections",
                                                      "--target-processes",
                                                      "--target-processes-filter",
                                                      "--call-stack-type",
                                                      "--nvtx-include",
                                                      "--nvtx-exclude",
                                                      "--filter-mode",
                                                      "--kernel-name-base",
                                                      "--kernel-id",
                                                      "--kernel-regex",
                                                      "--kernel-regex-base",
                                                      "--rename-kernels",
                                                      "--rename-kernels-path",
                                                      "--launch-skip-before-match",
                                                      "--range-filter",
                                                      "--range-replay-options",
                                                      "--graph-profiling",
                                                      "--replay-mode",
                                                      "--app-replay-buffer",
                                                      "--app-replay-match",
                                                      "--app-replay-mode",
                                                      "--devices",
                                                      "--set",
                                                      "--section",
                                                      "--section-folder",
                                                      "--section-folder-recursive",
                                                      "--rule",
                                                      "--apply-rules",
                                                      "--metrics",
                                                      "--import-source",
                                                      "--source-folders",
                                                      "--source-folder",
                                                      "--resolve-source-file",
                                                      "--cache-control",
                                                      "--clock-control",
                                                      "--pipeline-boost-state",
                                                      "--profile-from-start",
                                                      "--check-exit-code",
                                                      "--sampling-interval",
                                                      "--sampling-max-passes",
                                                      "--sampling-buffer-size",
                                                      "--pm-sampling-interval",
                                                      "--pm-sampling-buffer-size",
                                                      "--pm-sampling-max-passes",
                                                      "--warp-sampling-interval",
                                                      "--warp-sampling-max-passes",
                                                      "--warp-sampling-buffer-size",
                                                      "--page",
                                                      "--kill"};

/// Words of a recorded line; double quotes keep a word with blanks together. Absent when a quote never ends.
std::optional<std::vector<std::string>> arguments_of(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    bool inside = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
            inside = true;
        } else if (c == ' ' && !quoted) {
            if (inside) words.push_back(std::move(word));
            word.clear();
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (quoted) return std::nullopt;
    if (inside) words.push_back(std::move(word));
    return words;
}

bool is_ncu(std::string_view program) {
    const std::string_view name = file_name_of(program);
    return name == "ncu" || name == "ncu.exe" || name.starts_with("nv-nsight-cu-cli");
}

/// Where the application starts; absent when an option is not known.
std::optional<std::size_t> application_start(std::span<const std::string> words) {
    std::size_t i = 1;
    while (i < words.size() && words[i].starts_with('-')) {
        const std::string& word = words[i];
        const bool holds_value = word.starts_with("--") && word.find('=') != std::string::npos;
        if (holds_value || std::ranges::find(flags, word) != flags.end())
            i += 1;
        else if (std::ranges::find(with_value, word) != with_value.end())
            i += 2;
        else
            return std::nullopt;
    }
    return i < words.size() ? std::optional(i) : std::nullopt;
}

}  // namespace

std::string application_of(std::string_view profiler_command_line) {
    const auto words = arguments_of(profiler_command_line);
    if (!words || words->empty() || !is_ncu(words->front())) return {};
    const auto start = application_start(*words);
    if (!start) return {};
    return joined(std::span(*words).subspan(*start), " ", quote_shell_shown);
}

}  // namespace roofwalk
