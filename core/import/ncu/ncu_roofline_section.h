// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/import/ncu/ncu_metrics.h"

namespace roofwalk::ncu {

/// For which GPUs a part of a chart holds; numbers are compute capability, major * 10 + minor.
struct ArchFilter {
    struct Range {
        std::optional<std::uint32_t> min;
        std::optional<std::uint32_t> max;

        [[nodiscard]] bool holds(std::uint32_t arch) const;
    };

    Range bounds;
    std::vector<Range> any_of;

    /// An unknown GPU passes every filter.
    [[nodiscard]] bool accepts(std::optional<std::uint32_t> arch) const;
};

/// A metric of a chart and its alternatives for other GPUs, base first.
struct ChartMetric {
    struct Choice {
        std::string_view name;
        ArchFilter filter;
    };

    std::vector<Choice> choices;
};

/// (sum of terms) * clock; without a clock just the sum.
struct ChartValue {
    std::vector<ChartMetric> terms;
    std::optional<ChartMetric> clock;
};

/// A roof (peaks) or a point (achieved values).
struct ChartLine {
    std::string label;
    ChartValue work;
    ChartValue traffic;
};

struct ChartDefinition {
    std::string label;
    ArchFilter filter;
    std::vector<ChartLine> roofs;
    std::vector<ChartLine> points;
};

/// A metric computed from others: "a * 2".
struct MetricDefinition {
    std::string_view name;
    std::string_view expression;
    ArchFilter filter;
};

/// The roofline charts of one section of a result; views point into the file.
struct RooflineSection {
    std::string identifier;
    std::vector<MetricDefinition> definitions;
    std::vector<ChartDefinition> charts;  ///< empty for sections without a roofline
};

/// Reads a section message. Throws protozero::exception.
[[nodiscard]] RooflineSection decode_roofline_section(std::string_view message);

/// The value of a metric by name, absent when it was not collected.
using MetricLookup = std::function<std::optional<double>(std::string_view name)>;

/// Evaluates the charts of a section that hold for `arch` and appends them.
void evaluate_roofline_section(const RooflineSection& section, std::optional<std::uint32_t> arch,
                               const MetricLookup& metrics, std::vector<NcuRooflineChart>& charts);

/// Decoded sections by their bytes. Every result repeats the same definitions, up to half a megabyte of
/// them, so each is decoded once.
class RooflineSections {
  public:
    /// The decoded form of a section message, which must outlive this object. Throws protozero::exception.
    [[nodiscard]] const RooflineSection& decoded(std::string_view message);

  private:
    std::unordered_map<std::string_view, RooflineSection> sections_;
};

}  // namespace roofwalk::ncu
