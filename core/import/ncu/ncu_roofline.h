// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace roofwalk {

/// One roof of a chart that a report carries, its formulas evaluated: roof(I) = min(peak work, I * peak
/// traffic).
struct NcuRoof {
    std::string label;
    std::optional<double> peak_work;     ///< [1/s]; absent when an input is missing
    std::optional<double> peak_traffic;  ///< [byte/s]
    std::string work_expression;         ///< the formula with metric names, for provenance
    std::string traffic_expression;
};

/// One dot of such a chart: y = work, x = work / traffic.
struct NcuRooflineDot {
    std::string label;
    std::optional<double> work;        ///< [1/s]
    std::optional<double> traffic;     ///< [byte/s]
    std::vector<std::string> missing;  ///< metrics without a value
};

/// A roofline chart of one launch as Nsight Compute itself would draw it.
struct NcuRooflineChart {
    std::string section;  ///< "SpeedOfLight_HierarchicalTensorRooflineChart"
    std::string label;
    std::vector<NcuRoof> roofs;
    std::vector<NcuRooflineDot> points;
};

}  // namespace roofwalk
