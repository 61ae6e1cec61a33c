// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

namespace roofwalk {

/// Whether two devices may be one model. Slices of a GPU and boards of other sizes may share a name; what a
/// driver keeps of the memory differs by less than a tenth, and what is not known differs from nothing.
[[nodiscard]] bool may_be_one_model(const Device& a, const Device& b);

}  // namespace roofwalk
