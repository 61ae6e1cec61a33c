// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/import/json/json_reader_check.h"
#include "core/model/device.h"

namespace roofwalk {

/// A device of a profile and the id its kernels name it by.
struct JsonDevice {
    std::string id;
    Device device;
};

bool read_json_device(JsonElement value, const JsonPath& at, JsonChecker& check, JsonDevice& target);
/// An array of ceilings, of a device or of one launch.
bool read_json_ceilings(JsonElement value, const JsonPath& at, JsonChecker& check, CeilingSet& target);

/// A pipe by its id; the hint of the fault lists those there are.
bool read_json_pipe(std::string_view id, const JsonPath& at, JsonChecker& check, Pipe& target);
bool read_json_boundary(std::string_view id, const JsonPath& at, JsonChecker& check, Boundary& target);

}  // namespace roofwalk
