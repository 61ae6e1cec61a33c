// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/model/device.h"

namespace roofwalk::cli {

/// The GPU of the built-in table that an option names. A part of a name is enough where it fits one model; of
/// several variants the usual one is taken. Both are said on stderr. An error lists the models that fit, or
/// all there are.
[[nodiscard]] Result<const Device*> named_device(const std::string& name, const char* option = "--device");

}  // namespace roofwalk::cli
