// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/scenario/presets.h"

namespace roofwalk::cli {

/// A preset as a command line names it: "tile" or "tile=4".
struct PresetChoice {
    const Preset* preset = nullptr;
    std::optional<double> parameter;
};

[[nodiscard]] Result<PresetChoice> read_preset_choice(const std::string& text);

/// Every preset with its axis, parameter and assumption, for people.
[[nodiscard]] std::string list_presets();

}  // namespace roofwalk::cli
