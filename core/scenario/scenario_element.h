// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/json/json_reader_check.h"
#include "core/report/json_text.h"
#include "core/scenario/scenario.h"

/// Scenarios, and the keys of their kernels, as parts of a larger JSON document.
namespace roofwalk {

/// One object, its moves on lines of their own.
void write_scenario(JsonText& json, const Scenario& scenario);
[[nodiscard]] bool read_scenario(JsonElement value, const JsonPath& at, JsonChecker& check, Scenario& target);

/// The members that tell a kernel, without the object around them.
void write_kernel_key(JsonText& json, const KernelKey& key);
/// An object with such members; others are passed over. The name must be there.
[[nodiscard]] bool read_kernel_key(JsonElement value, const JsonPath& at, JsonChecker& check,
                                   KernelKey& target);

[[nodiscard]] bool read_group_by(JsonElement value, const JsonPath& at, JsonChecker& check, GroupBy& target);

}  // namespace roofwalk
