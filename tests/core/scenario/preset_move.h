// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/scenario/presets.h"

namespace roofwalk::test {

/// What a preset makes of a kernel, with the key of the kernel.
inline Result<Move> preset_move(const Preset& preset, const PresetSubject& subject,
                                std::optional<double> parameter = {}) {
    return preset_change(preset, subject, parameter).map([&](Move move) {
        move.kernel = key_of(subject.profile, subject.analysis, subject.kernel());
        return move;
    });
}

}  // namespace roofwalk::test
