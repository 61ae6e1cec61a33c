// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/measured_ceilings.h"

namespace roofwalk {

/// The measured ceilings that this user keeps: one file for each board, named after its UUID. A file that
/// cannot be read is left where it is and told.
class CeilingCache {
  public:
    explicit CeilingCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// In $XDG_DATA_HOME/roofwalk, else ~/.local/share/roofwalk; absent where this user has no such folder.
    /// Not among what a system may clear to save space: measuring needs the board.
    [[nodiscard]] static std::optional<CeilingCache> of_user();

    struct Kept {
        std::vector<MeasuredCeilings> measured;  ///< by UUID
        std::vector<Error> problems;
    };
    [[nodiscard]] Kept read() const;

    /// Replaces what was kept of the board, whole or not at all; the file.
    [[nodiscard]] Result<std::filesystem::path> keep(const MeasuredCeilings& measured) const;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

}  // namespace roofwalk
