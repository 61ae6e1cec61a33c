// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ceilings/ceiling_comparison.h"

#include <algorithm>

#include "core/roofline/device_ceilings.h"

namespace roofwalk {

namespace {

std::optional<double> rate_in(const CeilingSet& set, const MeasuredRate& rate) {
    if (!rate.target) return std::nullopt;
    const std::optional<FoundCeiling> found = set.find(*rate.target);
    return found ? std::optional(found->rate) : std::nullopt;
}

}  // namespace

std::optional<double> CeilingComparison::share_of_theory() const {
    const auto& theory = theoretical_held ? theoretical_held : theoretical;
    return theory && *theory > 0 ? std::optional(measured.rate / *theory) : std::nullopt;
}

std::vector<CeilingComparison> compare_ceilings(const MeasuredCeilings& measured) {
    const Device& device = measured.device.device;
    const Device* known = find_known_device(device.name, &device);
    const CeilingSet theory = ceilings_from_attributes(device);
    const std::vector<const MeasuredRate*> roofs = roofs_of(measured);
    std::vector<CeilingComparison> rows;
    for (const MeasuredRate& rate : measured.rates) {
        CeilingComparison row;
        row.measured = rate;
        row.roof = std::ranges::find(roofs, &rate) != roofs.end();
        row.theoretical = rate_in(theory, rate);
        if (rate.clock) {
            Device held = device;
            held.boost_clock = rate.clock;
            row.theoretical_held = rate_in(ceilings_from_attributes(held), rate);
        }
        if (known != nullptr) row.published = rate_in(known->ceilings, rate);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace roofwalk
