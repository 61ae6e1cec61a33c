// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/plan/cupti_host.h"
#include "profiler/plan/cupti_trial.h"
#include "profiler/plan/metric_plan.h"

namespace roofwalk {

/// All that a config image depends on.
struct ConfigKey {
    std::uint32_t cupti_version = 0;
    std::string chip;
    std::vector<std::string> metrics;
    std::vector<std::uint8_t> availability;  ///< of the device; empty for the chip as such
};

/// Config images in files of a folder: loading CUPTI's planner costs a fifth of a second and 100 MiB, reading
/// a file neither.
class ConfigCache {
  public:
    explicit ConfigCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The image that was kept for this key; absent when there is none, or its file is damaged.
    [[nodiscard]] std::optional<ConfigImage> find(const ConfigKey& key) const;

    /// Replaces the file as a whole, so that processes that keep the same image do not disturb each other.
    [[nodiscard]] Result<void> keep(const ConfigKey& key, std::span<const std::uint8_t> image) const;

  private:
    [[nodiscard]] std::filesystem::path file_of(std::string_view key_text) const;

    std::filesystem::path folder_;
};

/// A plan that is ready for a device.
struct CounterConfig {
    PlanKind plan = PlanKind::memory;
    std::vector<std::string> metrics;
    ConfigImage image;
    std::size_t passes = 1;
};

/// The plans of a device, and those of its chip that it cannot have.
struct DeviceCounters {
    std::vector<CounterConfig> plans;
    std::vector<Error> left_out;
};

/// What a collector needs to know of counters. A test gives one of its own.
class CounterPlanner {
  public:
    CounterPlanner() = default;
    CounterPlanner(const CounterPlanner&) = delete;
    CounterPlanner& operator=(const CounterPlanner&) = delete;
    virtual ~CounterPlanner() = default;

    /// CUPTI_API_VERSION of what plans; 0 where there is none.
    [[nodiscard]] virtual std::uint32_t version() const { return 0; }

    /// `availability` is what the device says of its counters; may be empty.
    [[nodiscard]] virtual Result<DeviceCounters> counters_of(const std::string& chip,
                                                             std::span<const std::uint8_t> availability) = 0;

    /// As CuptiHost::evaluate().
    [[nodiscard]] virtual Result<std::map<std::string, double>> evaluate(
        const std::string& chip, std::span<const std::uint8_t> availability,
        std::span<const std::uint8_t> counter_data, std::size_t range,
        std::span<const std::string> metrics) = 0;
};

/// The plans of this program, by CUPTI in a process of its own; where that ends, each call is an error.
class CuptiPlanner : public CounterPlanner {
  public:
    /// `version` is what the library tells.
    CuptiPlanner(std::filesystem::path library, std::uint32_t version, std::optional<ConfigCache> cache);

    [[nodiscard]] std::uint32_t version() const override { return version_; }
    Result<DeviceCounters> counters_of(const std::string& chip,
                                       std::span<const std::uint8_t> availability) override;
    Result<std::map<std::string, double>> evaluate(const std::string& chip,
                                                   std::span<const std::uint8_t> availability,
                                                   std::span<const std::uint8_t> counter_data,
                                                   std::size_t range,
                                                   std::span<const std::string> metrics) override;

  private:
    [[nodiscard]] Result<ConfigImage> image_of(const std::string& chip,
                                               const std::vector<std::string>& metrics,
                                               std::span<const std::uint8_t> availability);
    [[nodiscard]] Result<std::size_t> passes_of(const ConfigImage& image);
    /// Takes the metrics out of the plan that CUPTI does not know, and names them; absent where that leaves
    /// it as it was, or empty.
    [[nodiscard]] std::optional<Error> drop_unknown(const std::string& chip, MetricPlan& plan);

    CuptiProcess process_;
    std::uint32_t version_;
    CuptiAnswer evaluated_;  ///< what the process has been given to evaluate
    std::optional<ConfigCache> cache_;
};

}  // namespace roofwalk
