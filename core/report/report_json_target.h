// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/report/json_text.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// A ceiling by kind, id and label; null when absent.
void write_ceiling_target(JsonText& json, std::string_view key, const std::optional<CeilingTarget>& target);

/// The member "target" of a point: its operation and its horizontal gap; null without an operation.
void write_algorithmic_target(JsonText& json, const KernelPoint& point);

}  // namespace roofwalk
