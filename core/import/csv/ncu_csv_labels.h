// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace roofwalk {

/// The metric behind a label of `--page details` ("Duration", "DRAM Frequency"); the unit tells labels apart
/// that several sections use. Returns the label itself when it is a metric name or not known.
[[nodiscard]] std::string_view ncu_metric_of_label(std::string_view label, std::string_view unit);

}  // namespace roofwalk
