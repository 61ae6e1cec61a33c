// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/measuring_offer.h"

namespace roofwalk {

/// Measures the GPUs of this machine.
[[nodiscard]] MeasuringBackend live_measuring();

}  // namespace roofwalk
