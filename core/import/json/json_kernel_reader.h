// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/import/json/json_header.h"

namespace roofwalk {

/// Turns kernel objects into launches of a profile, one after the other.
class JsonKernelReader {
  public:
    JsonKernelReader(JsonHeader& header, Profile& profile, JsonDecoder& decoder)
        : header_(header), profile_(profile), decoder_(decoder) {}

    /// Adds one launch; after a fault the launches are as they were. A number that its field cannot have is
    /// no fault: it is left out, for that launch counts as not measured, and makes the profile a part.
    bool read(JsonElement element);

    /// Gives launches that were not measured the figures of the launches they name, with a warning; in
    /// `profile`, which is ours or a copy of it.
    void settle_alike(Profile& profile) const;

  private:
    struct Draft;

    /// A plain number is work on the pipe `precision`.
    bool read_work(const JsonValue& value, std::optional<Pipe> precision, std::vector<WorkSample>& target);
    bool read_work_sample(const JsonValue& value, WorkSample& target);
    /// A plain number is HBM traffic. A boundary one of whose numbers cannot be is left out.
    bool read_traffic(const JsonValue& value, std::vector<TrafficSample>& target);
    bool read_traffic_sample(const JsonValue& value, std::string_view key, TrafficSample& target);
    bool read_metrics(const JsonValue& value, std::vector<MetricSample>& target);
    bool read_derivation(const JsonValue& value, const std::optional<JsonElement>& source, TextId& target);
    bool resolve_device(const JsonValue& root, const Draft& draft, DeviceIndex& target);
    bool resolve_ceilings(const JsonValue& root, const Draft& draft, Launch& launch);
    bool resolve_nvtx(const JsonValue& root, const Draft& draft, NvtxIndex& target);
    KernelIndex resolve_kernel(const Draft& draft);
    void keep(const Draft& draft, Launch launch);

    JsonHeader& header_;
    Profile& profile_;
    JsonDecoder& decoder_;
    std::unordered_map<std::string, KernelIndex> kernels_;
    std::unordered_map<std::string, NvtxIndex> stacks_;
    std::shared_ptr<const CeilingSet> last_ceilings_;  ///< neighbours mostly share theirs
    std::string key_;

    /// A launch of a recording: its process, and its number there.
    using LaunchKey = std::pair<std::uint32_t, std::int64_t>;
    std::map<LaunchKey, LaunchIndex> numbered_;
    std::map<LaunchIndex, LaunchKey> alike_;  ///< launches that were not measured, and what they are like
};

}  // namespace roofwalk
