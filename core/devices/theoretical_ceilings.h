// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

/// What a device could reach, to stand beside what was measured on it: no kernel is judged by it.
namespace roofwalk {

/// ceilings_from_attributes(), and L2 at l2/sm-sectors where its bytes a cycle are known: at the highest
/// clock that counters show of such an L2, else its clock is taken for that of the SMs.
[[nodiscard]] CeilingSet theory_from_attributes(const Device& device);

/// What theory says of a device at its boost clock: peaks of counters that its report holds, attributes, the
/// built-in table; nothing that was measured or typed.
[[nodiscard]] CeilingSet theoretical_ceilings(const Device& device);

/// Theory of those ceilings of `drawn` that were measured, at the clock that each of them holds at; with
/// ClockBasis::boost at the boost clock. What theory does not know is absent.
[[nodiscard]] CeilingSet theory_beside(const CeilingSet& drawn, const Device& device, ClockBasis basis);

}  // namespace roofwalk
