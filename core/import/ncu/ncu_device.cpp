// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/devices/chip.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/import/ncu/ncu_values.h"

namespace roofwalk {

namespace {

constexpr std::string_view prefix = "device__attribute_";
constexpr double hertz_per_kilohertz = 1000;

class Attributes {
  public:
    explicit Attributes(const NcuMetrics& metrics) : values_(metrics, nobody_) {}

    [[nodiscard]] std::optional<double> number(std::string_view name) const {
        const auto found = values_.value(std::string(prefix).append(name));
        return found && *found > 0 ? found : std::nullopt;
    }
    [[nodiscard]] std::optional<double> first(std::string_view name, std::string_view other) const {
        const auto found = number(name);
        return found ? found : number(other);
    }
    /// Absent beyond what a device can have, since files come from strangers.
    [[nodiscard]] static std::optional<int> whole(const std::optional<double>& number) {
        constexpr double limit = 1e6;
        return number && *number <= limit ? std::optional(static_cast<int>(std::lround(*number)))
                                          : std::nullopt;
    }
    /// Like number(), and 0 is a value.
    [[nodiscard]] std::optional<int> digit(std::string_view name) const {
        return whole(values_.value(std::string(prefix).append(name)));
    }

  private:
    Device nobody_;
    NcuValues values_;
};

}  // namespace

Device device_from_ncu_attributes(
    const NcuMetrics& metrics, const std::function<std::optional<std::string>(std::string_view name)>& text) {
    const Attributes attributes(metrics);
    Device device;
    device.vendor = Vendor::nvidia;
    if (text) device.name = text(std::string(prefix) + "display_name").value_or(std::string());

    if (const auto number = Attributes::whole(attributes.number("chip"))) {
        if (const Chip* chip = chip_of_ncu_number(*number)) device.chip = chip->name;
    }
    const auto major = attributes.digit("compute_capability_major");
    const auto minor = attributes.digit("compute_capability_minor");
    if (major && minor) device.compute_capability = ComputeCapability{*major, *minor};
    device.sm_count = Attributes::whole(attributes.number("multiprocessor_count"));
    if (const auto clock = attributes.first("clock_rate", "max_gpu_frequency_khz"))
        device.boost_clock = Hertz(*clock * hertz_per_kilohertz);
    if (const auto clock = attributes.first("memory_clock_rate", "max_mem_frequency_khz"))
        device.memory_clock = Hertz(*clock * hertz_per_kilohertz);
    device.memory_bus_bits = Attributes::whole(attributes.first("global_memory_bus_width", "fb_bus_width"));
    if (const auto bytes = attributes.number("l2_cache_size")) device.l2_size = Bytes(*bytes);
    if (const auto bytes = attributes.number("total_memory")) device.memory_size = Bytes(*bytes);
    return device;
}

}  // namespace roofwalk
