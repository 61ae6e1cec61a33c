// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace roofwalk {

/// Bytes that tell the profiler in a program what to count.
using ConfigImage = std::vector<std::uint8_t>;

/// CUPTI's planner of counters. Runs without a GPU, and up to CUDA 13.1 without a driver. Needs
/// libnvperf_host.so beside libcupti.
class CuptiHost {
  public:
    /// The library stays loaded until the process ends.
    [[nodiscard]] static Result<CuptiHost> load(const std::filesystem::path& library);

    CuptiHost(CuptiHost&&) noexcept;
    CuptiHost& operator=(CuptiHost&&) noexcept;
    ~CuptiHost();

    [[nodiscard]] std::uint32_t version() const;  ///< CUPTI_API_VERSION of the library

    /// The chips that this release has counters of.
    [[nodiscard]] Result<std::vector<std::string>> chips() const;

    /// Those of `metrics` that the chip does not have.
    [[nodiscard]] Result<std::vector<std::string>> unknown_metrics(
        const std::string& chip, std::span<const std::string> metrics) const;

    /// `availability` is what the device itself says of its counters; empty for a device that is not here.
    [[nodiscard]] Result<ConfigImage> config_image(const std::string& chip,
                                                   std::span<const std::string> metrics,
                                                   std::span<const std::uint8_t> availability = {}) const;

    /// How often a kernel has to run for an image of config_image(); CUPTI does not survive other bytes.
    [[nodiscard]] Result<std::size_t> pass_count(std::span<const std::uint8_t> image) const;

    /// Of the metrics that were counted, by name. `counter_data` is an image that CUPTI decoded in a program,
    /// in which `range` is one launch. What was not counted is left out.
    [[nodiscard]] Result<std::map<std::string, double>> evaluate(const std::string& chip,
                                                                 std::span<const std::uint8_t> availability,
                                                                 std::span<const std::uint8_t> counter_data,
                                                                 std::size_t range,
                                                                 std::span<const std::string> metrics) const;

  private:
    struct Functions;
    explicit CuptiHost(std::unique_ptr<Functions> functions);

    std::unique_ptr<Functions> functions_;
};

/// Whether this program was built with CUPTI's headers; CuptiHost::load() fails where it was not.
[[nodiscard]] bool built_with_cupti();

}  // namespace roofwalk
