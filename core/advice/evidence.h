// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/advice/advice_metric.h"
#include "core/base/enum_array.h"
#include "core/model/profile.h"

namespace roofwalk {

/// What the further metrics of a kernel say of one measure.
struct Reading {
    bool measured = false;
    /// Absent when not measured, and when the question does not apply: a kernel without global stores has no
    /// bytes for each sector stored.
    std::optional<double> value;
};

/// The measures of a kernel, by AdviceMetric.
struct Evidence {
    EnumArray<AdviceMetric, Reading> readings;

    [[nodiscard]] const Reading& at(AdviceMetric measure) const { return readings[measure]; }
};

/// Reads measures from launches. Looks the names up once for a whole profile.
class EvidenceReader {
  public:
    explicit EvidenceReader(const Profile& profile);

    /// Of several launches the fold of each measure; not measured when a launch that did not fail lacks the
    /// metric, or the time that a weighted mean needs.
    [[nodiscard]] Evidence of(std::span<const LaunchIndex> launches) const;

  private:
    struct Total;
    [[nodiscard]] std::vector<Total> totals_of(std::span<const LaunchIndex> launches) const;
    [[nodiscard]] Reading read(AdviceMetric measure, std::span<const Total> totals) const;
    [[nodiscard]] std::uint16_t slot(std::string_view metric, Fold fold);

    const Profile& profile_;
    std::vector<Fold> folds_;             // of each slot: a metric that a measure needs
    std::vector<std::uint16_t> slot_of_;  // by TextId; none where no measure needs it
    EnumArray<AdviceMetric, std::uint16_t> numerator_{};
    EnumArray<AdviceMetric, std::uint16_t> denominator_{};
};

}  // namespace roofwalk
