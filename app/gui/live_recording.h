// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/recording_offer.h"

namespace roofwalk {

/// How the window records programs of this machine.
[[nodiscard]] RecordingBackend live_recording();

}  // namespace roofwalk
