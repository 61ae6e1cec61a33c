// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/devices/measured_ceilings.h"
#include "core/report/text_page.h"

namespace roofwalk {

/// What was measured beside what theory and the maker say, a row for each benchmark; the roofs are strong.
/// The notes hold clock, spread, share of theory and sources.
[[nodiscard]] FactTable measured_facts(const MeasuredCeilings& measured);

}  // namespace roofwalk
