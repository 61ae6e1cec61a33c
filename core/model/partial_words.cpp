// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/partial_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace roofwalk {

namespace {

constexpr std::size_t most_named = 3;

std::string_view last_part(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

/// "a.json", "a.json, b.json and 4 further files"; empty without any.
std::string listed(const std::vector<std::string_view>& files) {
    std::string list;
    for (std::size_t i = 0; i < std::min(files.size(), most_named); ++i) {
        const bool last = i > 0 && i + 1 == files.size();
        list.append(i == 0 ? "" : last ? " and " : ", ").append(files[i]);
    }
    if (files.size() > most_named)
        list += fmt::format(" and {} further file{}", files.size() - most_named,
                            files.size() - most_named == 1 ? "" : "s");
    return list;
}

}  // namespace

std::string partial_words(const Profile& profile) {
    std::vector<std::string_view> incomplete;
    std::vector<std::string_view> lost;
    for (std::size_t i = 0; i < profile.sources.size(); ++i) {
        const SourceInfo& source = profile.sources[i];
        // Several processes may share one file.
        const bool told =
            i > 0 && source.path == profile.sources[i - 1].path && profile.sources[i - 1].partial;
        if (source.partial && !told)
            (source.format.empty() ? lost : incomplete).push_back(last_part(source.path));
    }
    std::string words;
    if (!incomplete.empty())
        words = listed(incomplete) + (incomplete.size() == 1 ? " is incomplete" : " are incomplete");
    if (!lost.empty()) words += (words.empty() ? "" : ", ") + listed(lost) + " could not be read";
    return words;
}

std::string partial_sentence(const Profile& profile) {
    const std::string words = partial_words(profile);
    return words.empty() ? std::string() : words + "; kernels and their time may be missing.";
}

}  // namespace roofwalk
