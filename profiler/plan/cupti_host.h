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

/// Errors of CUPTI that a person can do something about: the numbers of `cupti_result.h`, which are the same
/// in all releases.
namespace cupti_code {

inline constexpr std::int32_t invalid_device = 2;
inline constexpr std::int32_t not_compatible = 14;
inline constexpr std::int32_t not_initialized = 15;
inline constexpr std::int32_t invalid_metric_name = 17;
inline constexpr std::int32_t hardware_busy = 26;
inline constexpr std::int32_t not_supported = 27;
inline constexpr std::int32_t virtualized_device_not_supported = 33;
inline constexpr std::int32_t insufficient_privileges = 35;
inline constexpr std::int32_t multiple_subscribers_not_supported = 39;
inline constexpr std::int32_t virtualized_device_insufficient_privileges = 40;
inline constexpr std::int32_t confidential_computing_not_supported = 41;
inline constexpr std::int32_t cmp_device_not_supported = 42;
inline constexpr std::int32_t mig_device_not_supported = 43;
inline constexpr std::int32_t sli_device_not_supported = 44;
inline constexpr std::int32_t wsl_device_not_supported = 45;
inline constexpr std::int32_t invalid_chip_name = 46;
inline constexpr std::int32_t unknown = 999;

}  // namespace cupti_code

/// Bytes that tell the profiler in a program what to count.
using ConfigImage = std::vector<std::uint8_t>;

/// CUPTI's planner of counters. Runs without a GPU, and up to CUDA 13.1 without a driver. Needs
/// libnvperf_host.so beside libcupti.
class CuptiHost {
  public:
    /// The library stays loaded until the process ends.
    [[nodiscard]] static Result<std::unique_ptr<CuptiHost>> load(const std::filesystem::path& library);

    CuptiHost() = default;
    CuptiHost(const CuptiHost&) = delete;
    CuptiHost& operator=(const CuptiHost&) = delete;
    virtual ~CuptiHost() = default;

    [[nodiscard]] virtual std::uint32_t version() const = 0;  ///< CUPTI_API_VERSION of the library

    /// The chips that this release has counters of.
    [[nodiscard]] virtual Result<std::vector<std::string>> chips() const = 0;

    /// Those of `metrics` that the chip does not have.
    [[nodiscard]] virtual Result<std::vector<std::string>> unknown_metrics(
        const std::string& chip, std::span<const std::string> metrics) const = 0;

    /// `availability` is what the device itself says of its counters; empty for a device that is not here.
    [[nodiscard]] virtual Result<ConfigImage> config_image(
        const std::string& chip, std::span<const std::string> metrics,
        std::span<const std::uint8_t> availability = {}) const = 0;

    /// How often a kernel has to run for an image of config_image(); CUPTI does not survive other bytes.
    [[nodiscard]] virtual Result<std::size_t> pass_count(std::span<const std::uint8_t> image) const = 0;

    /// Of the metrics that were counted, by name. `counter_data` is an image that CUPTI decoded in a program,
    /// in which `range` is one launch. What was not counted is left out.
    [[nodiscard]] virtual Result<std::map<std::string, double>> evaluate(
        const std::string& chip, std::span<const std::uint8_t> availability,
        std::span<const std::uint8_t> counter_data, std::size_t range,
        std::span<const std::string> metrics) const = 0;
};

/// Whether this program was built with CUPTI's headers; CuptiHost::load() fails where it was not.
[[nodiscard]] bool built_with_cupti();

}  // namespace roofwalk
