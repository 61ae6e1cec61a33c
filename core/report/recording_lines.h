// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/profile.h"
#include "core/model/recording_parts.h"
#include "core/report/profile_to_json.h"

namespace roofwalk {

/// What the first line of every recording begins with.
inline constexpr std::string_view recording_beginning =
    R"({"format":"roofwalk-profile","version":1,"recording":true)";

/// A profile that grows, as JSON Lines: a header, a line for each launch as soon as something is known of it,
/// and again when more is, then an end. What launches refer to stands in lines before them. Each text that is
/// returned is whole lines, so that a file made of them can be read at any time.
class RecordingLines {
  public:
    /// The first line. What the profile holds already follows in later ones.
    [[nodiscard]] static std::string header(const Profile& profile);

    /// `number` counts the launches of the process. A later line of a launch stands for the earlier one.
    [[nodiscard]] std::string launch(const Profile& profile, LaunchIndex index, std::uint64_t number);

    /// A launch that was not measured and stands with the figures of launch `other`.
    [[nodiscard]] std::string launch_like(const Profile& profile, LaunchIndex index, std::uint64_t number,
                                          std::uint64_t other);

    /// Devices and warnings that are new since the last call of this object, or other than they were; empty
    /// when there are none.
    [[nodiscard]] std::string new_lines(const Profile& profile);

    /// The counts so far; later ones stand for earlier ones.
    [[nodiscard]] static std::string counts(const RecordingCounts& counts);

    /// The last line; `cut` says why launches may be missing, empty where the program ended in order.
    [[nodiscard]] static std::string end(std::string_view cut);

  private:
    SharedParts shared_;
    std::size_t texts_ = 0;  ///< written
    std::vector<Device> devices_;
    std::size_t warnings_ = 0;
};

}  // namespace roofwalk
