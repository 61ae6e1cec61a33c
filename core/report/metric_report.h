// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/import/stored_metrics.h"
#include "core/report/report_table.h"

namespace roofwalk {

/// What people call the files that metrics are of.
class MetricFiles {
  public:
    explicit MetricFiles(const Profile& profile);

    [[nodiscard]] std::string of(const LaunchMetrics& metrics) const;

  private:
    const Profile& profile_;
    std::vector<std::string> own_;
};

/// The metrics of launches under their own names, in base units: one row for each metric of each launch.
[[nodiscard]] ReportTable metric_table(const Profile& profile, const StoredMetrics& metrics);
/// The same for scripts (`resources/schema/metrics.schema.json`).
[[nodiscard]] std::string to_metrics_json(const Profile& profile, const StoredMetrics& metrics);
/// "312 metrics of 2 launches.", or that none is there.
[[nodiscard]] std::string metrics_sentence(const StoredMetrics& metrics);

/// What a cell says of a value: the number, rounded for people, a text, or how many instances stand in its
/// place.
[[nodiscard]] ReportCell metric_cell(const MetricValue& value);

}  // namespace roofwalk
