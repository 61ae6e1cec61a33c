// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/profile.h"
#include "core/report/json_text.h"

/// The parts of a profile in Roofwalk JSON, for writers of whole profiles and of growing ones.
namespace roofwalk {

/// What launches share is written once and named by its place.
struct SharedParts {
    std::vector<std::string_view> texts;
    std::unordered_map<TextId, std::uint32_t> place_of_text;
    std::vector<const CeilingSet*> ceilings;
    std::unordered_map<const CeilingSet*, std::uint32_t> place_of_ceilings;
};

/// Gives a text a place behind the others, once; none where it is empty.
void share_text(const Profile& profile, TextId id, SharedParts& shared);
void share_texts_of(const Profile& profile, const Launch& launch, SharedParts& shared);

void write_json_source(JsonText& json, const SourceInfo& source);
void write_json_device(JsonText& json, const Device& device, std::size_t index);
void write_json_warning(JsonText& json, const Profile& profile, const Warning& warning);
/// The members of a kernel. Its ceilings are named by their place where they have one.
void write_kernel_members(JsonText& json, const Profile& profile, const Launch& launch,
                          const SharedParts& shared);

template <class Items, class Write>
void write_json_list(JsonText& json, std::string_view key, const Items& items, Write write) {
    json.next_line();
    json.key(key);
    json.begin_array();
    for (std::size_t i = 0; i < items.size(); ++i) {
        json.next_line();
        write(items[i], i);
    }
    json.end_array();
}

}  // namespace roofwalk
