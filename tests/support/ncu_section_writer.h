// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofwalk::test {

/// Bounds on compute capability (major * 10 + minor), both included.
struct FixtureArch {
    std::optional<std::uint32_t> min;
    std::optional<std::uint32_t> max;
};

/// A metric of a chart, or one of its alternatives for other GPUs.
struct FixtureChoice {
    std::string name;
    FixtureArch arch;
};

/// A metric of a chart: its base, then its options.
using FixtureChartMetric = std::vector<FixtureChoice>;

/// (sum of the terms) * clock; without a clock a single term by itself.
struct FixtureChartValue {
    std::vector<FixtureChartMetric> terms;
    FixtureChartMetric clock;
};

/// A roof or a point of a chart.
struct FixtureChartLine {
    std::string label;
    FixtureChartValue work;
    FixtureChartValue traffic;
};

struct FixtureChart {
    std::string label;
    FixtureArch arch;
    std::vector<FixtureChartLine> roofs;
    std::vector<FixtureChartLine> points;
};

/// `name` defined as `expression`, "a * 2".
struct FixtureDefinition {
    std::string name;
    std::string expression;
    FixtureArch arch;
};

struct FixtureSection {
    std::string identifier;
    std::vector<FixtureDefinition> definitions;
    std::vector<FixtureChart> charts;
};

/// The section message of a result, for FixtureKernel::sections.
[[nodiscard]] std::string write_section(const FixtureSection& section);

/// The classic DRAM roofline of Nsight Compute, single or double precision by the letter 'f' or 'd'.
[[nodiscard]] FixtureSection dram_roofline_section(char precision = 'f');

}  // namespace roofwalk::test
