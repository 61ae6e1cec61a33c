// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_log.h"

#include <algorithm>
#include <optional>

#include "core/base/text.h"

namespace roofwalk {

namespace {

/// Nothing that ncu says is longer; a program may write a gigabyte without a line end.
constexpr std::size_t longest_line = 8192;
constexpr std::size_t most_problems = 20;

/// What stands behind `mark`; absent where the line does not have it.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
    const auto at = line.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    return line.substr(at + mark.size());
}

}  // namespace

void NcuLog::add(ChildStream stream, std::string_view text) {
    std::string& line = lines_[static_cast<std::size_t>(stream)];
    while (!text.empty()) {
        const auto end = text.find('\n');
        line += text.substr(0, end);
        if (line.size() > longest_line) line.erase(0, line.size() - longest_line);
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
        take_line(line);
        line.clear();
    }
}

void NcuLog::take_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const auto report = behind(line, "==PROF== Report: ")) report_ = *report;
    if (behind(line, "==PROF== Connected to process ")) ++processes_;
    // A launch that was broken off has no count of passes at the end of its line.
    if (behind(line, "==PROF== Profiling ") && (line.ends_with(" passes") || line.ends_with(" pass")))
        ++launches_;
    for (const std::string_view mark : {"==ERROR== ", "==WARNING== "})
        if (const auto words = behind(line, mark)) add_problem(*words);
}

void NcuLog::add_problem(std::string_view words) {
    Error problem{ErrorCode::not_profiled, clean_utf8(words), "ncu", {}};
    if (problems_.size() < most_problems && std::ranges::find(problems_, problem) == problems_.end())
        problems_.push_back(std::move(problem));
}

}  // namespace roofwalk
