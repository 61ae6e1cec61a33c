// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/json_writer.h"
#include "core/import/stored_metrics.h"
#include "core/report/report_cells.h"

namespace roofwalk {

/// What people call the files that metrics are of.
class MetricFiles {
  public:
    explicit MetricFiles(const Profile& profile);

    /// Lives as long as this.
    [[nodiscard]] const std::string& of(const LaunchMetrics& metrics) const;

  private:
    const Profile& profile_;
    std::vector<std::string> own_;
    mutable std::set<std::string> told_;
};

/// A metric of a launch, or of the launches of a kernel.
struct MetricLine {
    LaunchIndex launch{};               ///< the first
    const std::string* file = nullptr;  ///< MetricFiles::of()
    const MetricRow* row = nullptr;
    const StoredValue* value = nullptr;    ///< the lowest
    const StoredValue* highest = nullptr;  ///< of several launches
    std::size_t launches = 1;
};

/// The metrics of launches under their own names, in base units, for programs: a row for each metric of each
/// launch, or JSON (`resources/schema/metrics.schema.json`). Launches are added as they are read.
class MetricStream {
  public:
    enum class Form : std::uint8_t { csv, json };

    /// `rows` gets the metrics of a launch before the launch is added.
    MetricStream(const Profile& profile, const std::vector<MetricRow>& rows, Form form);

    /// What is written of a launch, and before the first.
    [[nodiscard]] std::string add(const LaunchMetrics& launch);
    /// What is written after the last.
    [[nodiscard]] std::string end();

  private:
    const Profile& profile_;
    const std::vector<MetricRow>& rows_;
    MetricFiles files_;
    std::shared_ptr<const LaunchNumbers> numbers_;
    std::vector<ColumnRule<MetricLine>> columns_;  ///< of CSV
    JsonWriter json_;
    Form form_;
    bool begun_ = false;
};

/// The same for people, who get a row for each metric of a kernel, from the lowest to the highest of its
/// launches, where launch by launch there were more than 200 rows. Long texts lose their middle.
class MetricOverview {
  public:
    MetricOverview(const Profile& profile, const std::vector<MetricRow>& rows);

    void add(const LaunchMetrics& launch);
    [[nodiscard]] ReportTable table() const;

  private:
    struct Range {
        LaunchIndex first{};
        const std::string* file = nullptr;
        StoredValue lowest;
        StoredValue highest;
        std::size_t launches = 0;
    };

    const Profile& profile_;
    const std::vector<MetricRow>& rows_;
    MetricFiles files_;
    std::vector<LaunchMetrics> launches_;  ///< while there are few rows
    std::size_t values_ = 0;
    std::map<std::tuple<KernelIndex, SourceIndex, std::uint32_t>, Range> ranges_;
};

/// "312 metrics of 2 launches.", or that none is there.
[[nodiscard]] std::string metrics_sentence(const StoredMetrics& metrics);
[[nodiscard]] std::string metrics_sentence(const std::vector<MetricRow>& rows, std::size_t launches);

/// What a cell says of a value: the number, rounded for people, a text, or how many instances stand in its
/// place.
[[nodiscard]] ReportCell metric_cell(const StoredValue& value);

}  // namespace roofwalk
