// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/import/averaged_launches.h"
#include "core/import/csv/ncu_csv_number.h"
#include "core/import/stored_metrics.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

/// The metric behind a label of `--page details` ("Duration", "DRAM Frequency"); the unit tells labels apart
/// that several sections use. Returns the label itself when it is a metric name or not known.
[[nodiscard]] std::string_view ncu_metric_of_label(std::string_view label, std::string_view unit);

/// One kernel as the rows of a CSV or of a text describe it; texts as printed, numbers in base units.
struct NcuCsvKernel {
    std::string process;
    std::string name;
    std::string context;
    std::string stream;
    std::string grid;
    std::string block;
    std::string device;
    std::string capability;  ///< "8.6"
    NvtxStack nvtx;
    std::uint64_t file_offset = 0;  ///< where its first row begins [byte]
    NcuCsvNumberStyle style;        ///< of its numbers
    std::optional<std::string>
        invocations;  ///< of a summary: the launches that its values are the average of
    std::map<std::string, double, std::less<>> values;
    std::map<std::string, std::string, std::less<>> texts;  ///< of metrics that are no numbers
    std::map<std::string, std::string, std::less<>> units;  ///< of every metric, where they are asked for

    /// Stores a printed value under the name of its metric; a number whose unit is not known as a text.
    void set(std::string_view metric, std::string_view printed, std::optional<double> unit_factor);
};

/// Shows a search the metrics of a kernel that it asks for.
void hand_out(const NcuCsvKernel& kernel, const MetricSearch& search);

/// Turns kernels into launches of a profile, in their order.
class NcuCsvProfileBuilder {
  public:
    void add(const NcuCsvKernel& kernel);
    [[nodiscard]] std::size_t size() const { return builder_.profile().launches.size(); }
    /// What was added, with what is to be said of all of it.
    [[nodiscard]] Profile take(SourceFormat format, bool partial);

  private:
    void warn_of_damaged_values(const NcuCsvKernel& kernel);
    /// So many launches in the place of the last.
    void repeat_average(std::optional<double> invocations);

    ProfileBuilder builder_;
    /// A number could not be read. It counts as not measured, and the work of a kernel as a whole where one
    /// of the counters of work is meant.
    bool has_damaged_values_ = false;
    bool has_averages_ = false;
    AveragedLaunches averages_;
};

}  // namespace roofwalk
