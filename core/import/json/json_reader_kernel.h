// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/import/json/json_reader_samples.h"

namespace roofwalk {

/// Turns kernel objects into launches of a profile, one after the other.
class JsonKernelReader {
  public:
    JsonKernelReader(JsonHeader& header, Profile& profile, JsonChecker& check)
        : header_(header), profile_(profile), check_(check), samples_(header, profile.texts, check) {}

    /// Adds one launch; after a fault the launches are as they were. A number that its field cannot have is
    /// no fault: it is left out, for that launch counts as not measured, and makes the profile a part.
    bool read(JsonElement value);

    /// Gives launches that were not measured the figures of the launches they name, with a warning; in
    /// `profile`, which is ours or a copy of it.
    void settle_alike(Profile& profile) const;

  private:
    struct Draft;
    struct Fields;

    bool resolve_device(const Draft& draft, const JsonPath& at, DeviceIndex& target);
    bool resolve_ceilings(const Draft& draft, const JsonPath& at, Launch& launch);
    bool resolve_nvtx(const Draft& draft, const JsonPath& at, NvtxIndex& target);
    KernelIndex resolve_kernel(const Draft& draft);
    void keep(const Draft& draft, Launch launch);

    JsonHeader& header_;
    Profile& profile_;
    JsonChecker& check_;
    JsonSampleReader samples_;
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
