// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/source_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace roofwalk {

namespace {

/// The last parts of a path, so many.
std::string_view last_parts(std::string_view path, std::size_t parts) {
    std::size_t start = path.size();
    for (std::size_t i = 0; i < parts; ++i) {
        if (start == 0) return path;
        const std::size_t slash = path.find_last_of("/\\", start - 1);
        if (slash == std::string_view::npos) return path;
        start = slash;
    }
    return start >= path.size() ? path : path.substr(start + 1);
}

/// Of a path that more parts do not tell apart, the whole is its name.
constexpr std::size_t most_parts = 8;
/// More names of joined reports than this are counted.
constexpr std::size_t most_joined_names = 3;

/// Names of different files, by path, of which no two are the same.
std::map<std::string_view, std::string> names_of_files(const std::set<std::string_view>& paths) {
    std::map<std::string_view, std::string> names;
    std::vector<std::string_view> left(paths.begin(), paths.end());
    for (std::size_t parts = 1; !left.empty(); ++parts) {
        const auto name_of = [&](std::string_view path) {
            return parts > most_parts ? path : last_parts(path, parts);
        };
        std::map<std::string_view, std::size_t> times;
        for (const std::string_view path : left)
            ++times[name_of(path)];
        std::erase_if(left, [&](std::string_view path) {
            const std::string_view name = name_of(path);
            if (times[name] > 1 && name != path) return false;
            names.emplace(path, name);
            return true;
        });
    }
    return names;
}

/// " rank 3": what tells a source from others of its file.
std::string part_words(const SourceInfo& source, std::size_t number) {
    if (source.process) return fmt::format(" process {}", *source.process);
    if (source.rank) return fmt::format(" rank {}", *source.rank);
    return fmt::format(" part {}", number);
}

/// Whether it was joined with another part of its file, which is then called by the file.
bool is_joined_part(const Profile& profile, const SourceInfo& source) {
    return source.joined_with && profile.at(*source.joined_with).path == source.path;
}

/// "a + b + c", "a + b and 3 more".
std::string joined_names(const std::vector<std::string_view>& names) {
    if (names.size() <= most_joined_names) return fmt::format("{}", fmt::join(names, " + "));
    return fmt::format("{} + {} and {} more", names[0], names[1], names.size() - 2);
}

constexpr std::size_t most_named = 3;

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

std::string_view file_name_of(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

std::vector<std::string> own_source_names(const Profile& profile) {
    std::set<std::string_view> paths;
    std::map<std::string_view, std::size_t> sharing;
    for (const SourceInfo& source : profile.sources) {
        paths.insert(source.path);
        if (!is_joined_part(profile, source)) ++sharing[source.path];
    }
    const std::map<std::string_view, std::string> of_files = names_of_files(paths);
    std::vector<std::string> names;
    std::map<std::string_view, std::size_t> number;
    for (const SourceInfo& source : profile.sources) {
        names.push_back(of_files.at(source.path));
        const std::size_t part = number[source.path]++;
        if (sharing[source.path] > 1 || is_joined_part(profile, source))
            names.back() += part_words(source, part);
    }
    return names;
}

std::string source_name(const Profile& profile, const std::vector<std::string>& own,
                        std::span<const SourceIndex> sources) {
    std::vector<std::string_view> names;
    for (const SourceIndex source : sources)
        if (names.empty() || !is_joined_part(profile, profile.at(source)))
            names.push_back(own[static_cast<std::size_t>(source)]);
    return joined_names(names);
}

std::vector<SourceIndex> sources_of(const Profile& profile, std::span<const LaunchIndex> launches) {
    std::set<SourceIndex> others;
    for (const LaunchIndex launch : launches)
        for (const FilePlace& place : profile.at(launch).joined)
            others.insert(place.source);
    std::vector<SourceIndex> sources{profile.at(launches.front()).source};
    sources.insert(sources.end(), others.begin(), others.end());
    return sources;
}

std::vector<std::string> source_names(const Profile& profile) {
    const std::vector<std::string> own = own_source_names(profile);
    std::vector<std::vector<SourceIndex>> joined;
    for (std::size_t i = 0; i < own.size(); ++i)
        joined.push_back({static_cast<SourceIndex>(i)});
    for (std::size_t i = 0; i < own.size(); ++i)
        if (const auto& with = profile.sources[i].joined_with)
            joined[static_cast<std::size_t>(*with)].push_back(static_cast<SourceIndex>(i));
    std::vector<std::string> whole;
    std::ranges::transform(joined, std::back_inserter(whole),
                           [&](const auto& sources) { return source_name(profile, own, sources); });
    return whole;
}

std::string partial_words(const Profile& profile) {
    std::vector<std::string_view> incomplete;
    std::vector<std::string_view> lost;
    for (std::size_t i = 0; i < profile.sources.size(); ++i) {
        const SourceInfo& source = profile.sources[i];
        // Several processes may share one file.
        const bool told =
            i > 0 && source.path == profile.sources[i - 1].path && profile.sources[i - 1].partial;
        if (source.partial && !told)
            (source.format == SourceFormat::none ? lost : incomplete).push_back(file_name_of(source.path));
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
