// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

/// Every metric that files hold of their launches, by its own name. A profile keeps what its figures rest on;
/// the rest is read from the files when somebody asks for it.
namespace roofwalk {

/// A metric of a launch while its file is read. Views last as long as the call that hands it out.
struct StoredMetric {
    std::string_view name;
    std::string_view unit{};         ///< the base unit of `number`; empty: that which the name tells
    std::string_view instance{};     ///< an opcode, an address, an index; empty: the metric as a whole
    std::optional<double> number{};  ///< in base units; absent where there is none
    std::string_view text{};         ///< of a metric that is no number
    std::size_t instances = 0;       ///< that the file has of the metric as a whole
};

/// Which metrics are asked for.
struct MetricChoice {
    std::function<bool(std::string_view name)> names;
    bool instances = false;  ///< the values by opcode, address or index too
};

/// What a reader looks for in its file.
struct MetricSearch {
    std::vector<std::uint64_t> offsets;  ///< Launch::file_offset of the launches, rising
    MetricChoice choice;
    std::function<void(std::size_t index, const StoredMetric& metric)> visit;  ///< index in `offsets`
};

/// The unit of the numbers that files hold under a name of Nsight Compute: "ns", "byte/s", "%". Empty where
/// the name tells none: counts, ratios and attributes.
[[nodiscard]] std::string metric_unit(std::string_view name);

/// A metric, or one of its instances, over several launches.
struct MetricRow {
    std::string name;
    std::string instance;
    std::string unit;
};

struct StoredValue {
    std::uint32_t row = 0;  ///< in StoredMetrics::rows
    std::optional<double> number;
    std::string text;
    std::size_t instances = 0;
};

/// Of one launch in one file: of joined runs each file gives its own.
struct LaunchMetrics {
    LaunchIndex launch{};
    SourceIndex source{};
    std::vector<StoredValue> values;  ///< in the order of the file
};

struct StoredMetrics {
    std::vector<MetricRow> rows;          ///< in the order in which they were met
    std::vector<LaunchMetrics> launches;  ///< those asked for, rising, but for files that could not be read
    std::vector<Error> failures;          ///< one for each of these files
};

/// Hands out the metrics of some launches, which rise, while the files that they came from are read: one
/// launch at a time, those of one file after those of another. `rows` has the metrics that were met so far.
/// Errors: of each file that cannot be read, or is another by now, of which nothing is handed out.
[[nodiscard]] std::vector<Error> each_stored_metrics(const Profile& profile,
                                                     std::span<const LaunchIndex> launches,
                                                     const MetricChoice& choice, std::vector<MetricRow>& rows,
                                                     const std::function<void(const LaunchMetrics&)>& take,
                                                     const Progress& progress = {});
/// The same for launches that memory has room for.
[[nodiscard]] StoredMetrics read_stored_metrics(const Profile& profile, std::span<const LaunchIndex> launches,
                                                const MetricChoice& choice, const Progress& progress = {});

}  // namespace roofwalk
