// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/devices/measured_ceilings.h"
#include "core/import/json/json_reader_check.h"
#include "core/report/json_text.h"

/// The objects that a kept measurement and the records of a running one have in common.
namespace roofwalk {

bool read_measured_device(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredDevice& target);
bool read_measured_rate(JsonElement value, const JsonPath& at, JsonChecker& check, MeasuredRate& target);
bool read_sweep_point(JsonElement value, const JsonPath& at, JsonChecker& check, SweepPoint& target);
/// {"code", "what", "hint", "where"}; codes of the benchmarks that are none of ours become not_profiled.
bool read_measuring_problem(JsonElement value, const JsonPath& at, JsonChecker& check, Error& target);

void write_measured_device(JsonText& json, const MeasuredDevice& device);
void write_measured_rate(JsonText& json, const MeasuredRate& rate);
void write_sweep_point(JsonText& json, const SweepPoint& point);

}  // namespace roofwalk
