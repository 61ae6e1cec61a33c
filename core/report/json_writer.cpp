// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json_writer.h"

#include <map>
#include <vector>

#include "core/report/profile_json.h"

namespace roofwalk {

namespace {

SharedParts collect_shared(const Profile& profile) {
    SharedParts shared;
    std::map<std::string, std::uint32_t> place_of_content;
    for (const Launch& launch : profile.launches) {
        share_texts_of(profile, launch, shared);
        const CeilingSet* set = launch.ceilings.get();
        if (!set || set->empty() || shared.place_of_ceilings.contains(set)) continue;
        JsonText content;
        write_ceilings(content, *set);
        const auto [it, added] =
            place_of_content.emplace(content.take(), static_cast<std::uint32_t>(shared.ceilings.size()));
        if (added) shared.ceilings.push_back(set);
        shared.place_of_ceilings.emplace(set, it->second);
    }
    return shared;
}

/// The members of the outer object but for the kernels.
void write_header(JsonText& json, const Profile& profile, const SharedParts& shared) {
    json.next_line();
    json.member("format", "roofwalk-profile");
    json.member("version", 1U);
    write_json_list(json, "sources", profile.sources,
                    [&](const SourceInfo& source, std::size_t) { write_json_source(json, source); });
    if (!profile.warnings.empty())
        write_json_list(json, "warnings", profile.warnings, [&](const Warning& warning, std::size_t) {
            write_json_warning(json, profile, warning);
        });
    write_json_list(json, "devices", profile.devices,
                    [&](const Device& device, std::size_t index) { write_json_device(json, device, index); });
    if (!shared.texts.empty())
        write_json_list(json, "texts", shared.texts,
                        [&](std::string_view text, std::size_t) { json.value(text); });
    if (!shared.ceilings.empty())
        write_json_list(json, "ceiling_sets", shared.ceilings,
                        [&](const CeilingSet* set, std::size_t) { write_ceilings(json, *set); });
}

void write_kernel(JsonText& json, const Profile& profile, const Launch& launch, const SharedParts& shared) {
    json.begin_object();
    write_kernel_members(json, profile, launch, shared);
    json.end_object();
}

}  // namespace

std::string to_json(const Profile& profile) {
    const SharedParts shared = collect_shared(profile);
    JsonText json;
    json.begin_object();
    write_header(json, profile, shared);
    write_json_list(json, "kernels", profile.launches,
                    [&](const Launch& launch, std::size_t) { write_kernel(json, profile, launch, shared); });
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

std::string to_json_lines(const Profile& profile) {
    const SharedParts shared = collect_shared(profile);
    JsonText json(true);
    json.begin_object();
    write_header(json, profile, shared);
    json.end_object();
    json.end_line();
    for (const Launch& launch : profile.launches) {
        write_kernel(json, profile, launch, shared);
        json.end_line();
    }
    return json.take();
}

}  // namespace roofwalk
