// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json_writer.h"
#include "core/model/profile.h"

namespace roofwalk {

/// The profile as Roofwalk JSON, full form (`resources/schema/profile.schema.json`). Reading it back gives
/// the same launches, work, traffic, metrics, devices and ceilings. Host names, user names, paths of programs
/// and command lines are left out.
[[nodiscard]] std::string to_json(const Profile& profile);
/// The same as JSON Lines: header object, then one kernel a line.
[[nodiscard]] std::string to_json_lines(const Profile& profile);

/// What launches share is written once and named by its place.
struct SharedParts {
    std::vector<std::string_view> texts;
    std::unordered_map<TextId, std::uint32_t> place_of_text;
    std::vector<const CeilingSet*> ceilings;
    std::unordered_map<const CeilingSet*, std::uint32_t> place_of_ceilings;
};

/// Gives the texts of a launch places behind the others, each once.
void share_texts_of(const Profile& profile, const Launch& launch, SharedParts& shared);

/// What a recording says of a launch beside what a profile does.
struct RecordedLaunch {
    const CeilingSet* ceilings = nullptr;  ///< that have no place among those that are shared
    std::uint64_t number = 0;
    std::optional<std::uint64_t> like = std::nullopt;
};

void write_launch(JsonWriter& json, const Profile& profile, const Launch& launch, const SharedParts& shared,
                  const RecordedLaunch* recorded = nullptr);
void write_device(JsonWriter& json, const Device& device, std::size_t index);

/// The "sources" array of the report and comparison schemas. Of paths only the last part is written.
void write_sources(JsonWriter& json, const Profile& profile);

}  // namespace roofwalk
