// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/source_names.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Names of different files, by path, of which no two are the same.
std::map<std::string_view, std::string> names_of_files(const std::set<std::string_view>& paths) {
    std::map<std::string_view, std::string> names;
    std::vector<std::string_view> left(paths.begin(), paths.end());
    for (std::size_t parts = 1; !left.empty(); ++parts) {
        std::map<std::string_view, std::size_t> times;
        for (const std::string_view path : left)
            ++times[last_parts(path, parts)];
        std::erase_if(left, [&](std::string_view path) {
            const std::string_view name = last_parts(path, parts);
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

}  // namespace

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

std::vector<std::string> source_names(const Profile& profile) {
    const std::vector<std::string> names = own_source_names(profile);
    std::vector<std::string> whole = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const SourceInfo& source = profile.sources[i];
        if (source.joined_with && !is_joined_part(profile, source))
            whole[static_cast<std::size_t>(*source.joined_with)] += " + " + names[i];
    }
    return whole;
}

}  // namespace roofwalk
