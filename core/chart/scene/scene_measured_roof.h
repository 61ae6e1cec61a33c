// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/scene/scene.h"
#include "core/devices/measured_ceilings.h"

namespace roofwalk {

/// Adds the roof as a sweep of intensities found it, with its round knee, where its straight roofs, HBM and
/// FP32, are drawn and the options want it. Roofs that hold at another clock than the sweep's take its flat
/// side with them. Nothing without a sweep that shows both sides of the knee.
void add_measured_roof(Scene& scene, const Analysis& analysis, const MeasuredCeilings& measured);

}  // namespace roofwalk
