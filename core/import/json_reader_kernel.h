// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <unordered_map>

#include "core/import/json_reader_samples.h"

namespace roofwalk {

/// Turns kernel objects into launches of a profile, one after the other.
class JsonKernelReader {
  public:
    JsonKernelReader(JsonHeader& header, Profile& profile, JsonChecker& check)
        : header_(header), profile_(profile), check_(check), samples_(header, profile.texts, check) {}

    /// Adds one launch; after a fault the launches are as they were.
    bool read(JsonElement value);

  private:
    struct Draft;
    struct Fields;

    bool resolve_device(const Draft& draft, const JsonPath& at, DeviceIndex& target);
    bool resolve_ceilings(const Draft& draft, const JsonPath& at, Launch& launch);
    bool resolve_nvtx(const Draft& draft, const JsonPath& at, NvtxIndex& target);
    KernelIndex resolve_kernel(const Draft& draft);

    JsonHeader& header_;
    Profile& profile_;
    JsonChecker& check_;
    JsonSampleReader samples_;
    std::unordered_map<std::string, KernelIndex> kernels_;
    std::unordered_map<std::string, NvtxIndex> stacks_;
    std::shared_ptr<const CeilingSet> last_ceilings_;  ///< neighbours mostly share theirs
    std::string key_;
};

}  // namespace roofwalk
