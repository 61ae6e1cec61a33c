// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/json/json_reader_check.h"
#include "core/import/json/json_reader_header.h"
#include "core/model/profile.h"

namespace roofwalk {

/// The samples of one kernel: a plain number or an object for each pipe, boundary and metric.
class JsonSampleReader {
  public:
    JsonSampleReader(const JsonHeader& header, StringPool& texts, JsonChecker& check)
        : header_(header), texts_(texts), check_(check) {}

    /// A plain number is work on the pipe `precision`.
    bool read_work(JsonElement value, const JsonPath& at, std::optional<Pipe> precision,
                   std::vector<WorkSample>& target);
    /// A plain number is HBM traffic. A boundary one of whose numbers cannot be is left out.
    bool read_traffic(JsonElement value, const JsonPath& at, std::vector<TrafficSample>& target);
    bool read_metrics(JsonElement value, const JsonPath& at, std::vector<MetricSample>& target);

  private:
    bool read_work_sample(JsonElement value, const JsonPath& at, WorkSample& target);
    bool read_traffic_sample(std::string_view key, JsonElement value, const JsonPath& at,
                             TrafficSample& target);
    bool read_derivation(const std::optional<JsonElement>& value, const JsonPath& at, TextId& target);

    const JsonHeader& header_;
    StringPool& texts_;
    JsonChecker& check_;
};

}  // namespace roofwalk
