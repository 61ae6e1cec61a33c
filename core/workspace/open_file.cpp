// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/open_file.h"

#include <utility>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/devices/device_file.h"
#include "core/import/open_profile.h"
#include "core/workspace/content_hash.h"

namespace roofwalk {

Result<ReadReport> read_report(const std::string& name, const Progress& progress, Streams streams) {
    return (streams == Streams::read ? MappedFile::open_or_stream(name) : MappedFile::open(name))
        .map_error([&](Error error) { return why_unreadable(name, std::move(error)); })
        .and_then([&](const MappedFile& file) {
            return read_profile(file.bytes(), said_name(name), progress).map([&](Profile profile) {
                return ReadReport{std::move(profile), content_hash(file.bytes())};
            });
        });
}

Result<OpenFile> read_open_file(const std::string& path, const Progress& progress) {
    return read_report(path, progress).map([&](ReadReport read) {
        return OpenFile{path, std::make_shared<const Profile>(std::move(read.profile)), std::move(read.hash)};
    });
}

std::shared_ptr<const Profile> merged_profile(std::span<const OpenFile> files) {
    if (files.empty()) return nullptr;
    if (files.size() == 1) return files.front().profile;
    return std::make_shared<const Profile>(merge_profiles(profiles_of(files)));
}

std::vector<const Profile*> profiles_of(std::span<const OpenFile> files) {
    std::vector<const Profile*> profiles;
    profiles.reserve(files.size());
    for (const OpenFile& file : files)
        profiles.push_back(file.profile.get());
    return profiles;
}

const Device* unnamed_device(std::span<const OpenFile> files) {
    for (const OpenFile& file : files)
        if (const Device* device = unnamed_device(*file.profile)) return device;
    return nullptr;
}

}  // namespace roofwalk
