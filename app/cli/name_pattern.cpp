// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/name_pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "core/model/kernel_name.h"

namespace roofwalk::cli {

NamePattern::NamePattern(std::shared_ptr<const re2::RE2> pattern) : pattern_(std::move(pattern)) {}

Result<NamePattern> NamePattern::compile(const std::string& expression) {
    auto pattern = std::make_shared<const re2::RE2>(expression, re2::RE2::Quiet);
    if (pattern->ok()) return NamePattern(std::move(pattern));
    return unexpected(ErrorCode::bad_argument, "The regular expression cannot be used", expression,
                      pattern->error() + ".");
}

std::vector<bool> NamePattern::matching(std::span<const KernelPoint> points) const {
    std::unordered_map<std::string_view, bool> known;  // launches of one kernel share its name
    std::vector<bool> list;
    for (const KernelPoint& point : points) {
        const auto [name, fresh] = known.try_emplace(point.name);
        if (fresh)
            name->second = finds(point.name) || finds(shorten_kernel_name(point.name, point.name.size()));
        list.push_back(name->second);
    }
    return list;
}

std::string NamePattern::filled(const std::string& label, const std::string& kernel) const {
    constexpr int most_groups = 9;
    const std::string shown = shorten_kernel_name(kernel, kernel.size());
    std::array<re2::StringPiece, most_groups + 1> groups;
    const int count = std::min(pattern_->NumberOfCapturingGroups(), most_groups) + 1;
    for (const std::string* name : {&shown, &kernel})
        if (pattern_->Match(*name, 0, name->size(), re2::RE2::UNANCHORED, groups.data(), count)) break;
    std::string text;
    for (std::size_t i = 0; i < label.size(); ++i) {
        const int group = label[i] == '$' && i + 1 < label.size() ? label[i + 1] - '0' : -1;
        if (group < 0 || group >= count) {
            text += label[i];
            continue;
        }
        text += groups.at(static_cast<std::size_t>(group)).as_string();
        ++i;
    }
    return text;
}

bool NamePattern::finds(std::string_view text) const {
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *pattern_);
}

}  // namespace roofwalk::cli
