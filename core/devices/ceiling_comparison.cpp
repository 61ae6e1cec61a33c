// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/ceiling_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/devices/device_ceilings.h"
#include "core/devices/known_devices.h"
#include "core/devices/pipe_rates.h"
#include "core/devices/theory.h"

namespace roofwalk {

namespace {

/// Profiles have no pipe for it, so that no ceiling stands for it.
constexpr std::string_view packed_bf16 = "fma.bf16";

struct Theory {
    double rate = 0;
    std::string source;
};

std::optional<Theory> theory_of(const MeasuredRate& rate, const Device& device) {
    if (rate.target) {
        const CeilingSet set = theory_from_attributes(device);
        const std::optional<FoundCeiling> found = set.find(*rate.target);
        return found ? std::optional(Theory{found->rate, found->provenance->detail}) : std::nullopt;
    }
    if (rate.id != packed_bf16 || !device.compute_capability || !device.sm_count || !device.boost_clock)
        return std::nullopt;
    const auto per_cycle = packed_bf16_per_cycle(*device.compute_capability);
    if (!per_cycle) return std::nullopt;
    return Theory{*device.sm_count * device.boost_clock->value() * *per_cycle,
                  fmt::format("{} SMs * {:g} FLOP a cycle", *device.sm_count, *per_cycle)};
}

std::string missing_of_hbm(const Device& device) {
    if (!device.memory_clock)
        return device.memory_bus_bits ? "no memory clock" : "no memory clock, no bus width";
    return "no bus width";
}

/// Which data the theory of a rate lacks, in words that follow "No theory of l2.read: ".
std::string missing_for(const MeasuredRate& rate, const Device& device) {
    if (rate.target == CeilingTarget(Boundary::hbm_dram_rw)) return missing_of_hbm(device);
    if (!device.boost_clock) return "no boost clock of the SMs";
    if (!device.compute_capability) return "no compute capability";
    const auto [major, minor] = *device.compute_capability;
    const bool is_l2 = rate.target == CeilingTarget(Boundary::l2_sm_sectors);
    if (is_l2 && !device.l2_size) return "no size of L2";
    if (!is_l2 && !device.sm_count) return "no number of SMs";
    if (is_l2)
        return fmt::format(
            "the bytes a cycle of L2 are not known for compute capability {}.{} with {:.0f} MiB", major,
            minor, device.l2_size->value() / (1024.0 * 1024.0));
    return fmt::format("its rate a cycle is not known for compute capability {}.{}", major, minor);
}

std::optional<double> published_rate(const Device* known, const MeasuredRate& rate) {
    if (known == nullptr || !rate.target) return std::nullopt;
    const std::optional<FoundCeiling> found = known->ceilings.find(*rate.target);
    return found && is_of_datasheet(*found->provenance) ? std::optional(found->rate) : std::nullopt;
}

void compare_with_theory(const Device& device, CeilingComparison& row) {
    const std::optional<Theory> theory = theory_of(row.measured, device);
    if (!theory) {
        row.theory_missing = missing_for(row.measured, device);
        return;
    }
    row.theoretical = theory->rate;
    row.theory_source = theory->source;
    if (!row.measured.clock) return;
    Device held = device;
    held.boost_clock = row.measured.clock;
    if (const auto at_clock_held = theory_of(row.measured, held)) row.theoretical_held = at_clock_held->rate;
}

}  // namespace

std::optional<double> CeilingComparison::share_of_theory() const {
    const auto& theory = theoretical_held ? theoretical_held : theoretical;
    return theory && *theory > 0 ? std::optional(measured.rate / *theory) : std::nullopt;
}

std::vector<CeilingComparison> compare_ceilings(const MeasuredCeilings& measured) {
    const Device& device = measured.device.device;
    const Device* known = find_known_device(device.name, &device);
    const std::vector<const MeasuredRate*> roofs = roofs_of(measured);
    std::vector<CeilingComparison> rows;
    for (const MeasuredRate& rate : measured.rates) {
        CeilingComparison row;
        row.measured = rate;
        row.roof = std::ranges::find(roofs, &rate) != roofs.end();
        row.published = published_rate(known, rate);
        compare_with_theory(device, row);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace roofwalk
