// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/open_file.h"

#include <utility>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/devices/device_file.h"
#include "core/import/impossible_figures.h"
#include "core/import/open_profile.h"
#include "core/workspace/content_hash.h"

namespace roofwalk {

Result<OpenFile> read_open_file(const std::string& path, const Progress& progress, StreamInput streams) {
    return (streams == StreamInput::read ? MappedFile::open_or_stream(path) : MappedFile::open(path))
        .map_error([&](Error error) { return why_unreadable(path, std::move(error)); })
        .and_then([&](const MappedFile& file) {
            return read_contents(file.bytes(), name_for_display(path), progress).map([&](Profile profile) {
                return OpenFile{path, std::make_shared<const Profile>(std::move(profile)),
                                content_hash(file.bytes())};
            });
        });
}

std::shared_ptr<const Profile> named_profile(std::shared_ptr<const Profile> profile, const Device& ran_on,
                                             const std::string& name) {
    if (unnamed_device(*profile) == nullptr) return profile;
    auto named = std::make_shared<Profile>(*profile);
    if (name_unnamed_devices(*named, ran_on))
        refuse_impossible_figures(*named, name);  // now that there are ceilings to tell by
    return named;
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
