// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/scenario/scenario.h"

/// Scenarios, and the keys of their kernels, as parts of a larger JSON document.
namespace roofwalk {

/// One object, its moves on lines of their own.
void write_json(JsonWriter& json, const Scenario& scenario);
[[nodiscard]] bool read_json(const JsonValue& value, Scenario& target);

/// Other members are passed over. The name must be there.
void write_json(JsonWriter& json, const KernelKey& key);
[[nodiscard]] bool read_json(const JsonValue& value, KernelKey& target);

[[nodiscard]] bool read_json(const JsonValue& value, GroupBy& target);

}  // namespace roofwalk
