// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/analysis.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict.h"

namespace roofwalk {

namespace {

/// Beyond this share of a ceiling no clock or cache explains the figure.
constexpr double absurd = 2;
/// DRAM bytes below this share of the L2 bytes: L2 serves nearly everything.
constexpr double cache_resident = 0.1;
/// Timers and launch effects weigh below this.
constexpr Seconds short_kernel(10e-6);

Origin origin_of(const KernelPoint& point, const CeilingTarget& target) {
    if (const Boundary* boundary = std::get_if<Boundary>(&target))
        return point.at(level_of(*boundary))->origin;
    return std::ranges::find(point.pipes, std::get<Pipe>(target), &PipeLoad::pipe)->origin;
}

void add_units(const KernelPoint& point, std::vector<std::string>& causes) {
    const auto memory = memory_utilisation(point);
    const auto compute = compute_utilisation(point);
    if (memory && compute && memory->share > 1 && compute->share > 1) {
        causes.push_back(fmt::format(
            "Performance is {} of the {} ceiling and traffic {} of the {} ceiling: check the units, the time "
            "first.",
            format_percent(compute->share), label_of(compute->target), format_percent(memory->share),
            label_of(memory->target)));
    } else if (point.gap->efficiency() > absurd) {
        causes.push_back(fmt::format("{} is reached to {}: check the units of bytes, work and time.",
                                     label_of(*point.binding), format_percent(point.gap->efficiency())));
    }
}

void add_cache(const KernelPoint& point, std::vector<std::string>& causes) {
    const auto& hbm = point.at(MemoryLevel::hbm);
    const auto& l2 = point.at(MemoryLevel::l2);
    if (hbm && l2 && point.binding == CeilingTarget(hbm->boundary) && hbm->bytes < l2->bytes * cache_resident)
        causes.push_back(fmt::format(
            "L2 serves nearly everything ({} cross DRAM, {} cross L2): the L2 roof is the one that applies.",
            format(hbm->bytes), format(l2->bytes)));
}

void add_origin(const KernelPoint& point, std::vector<std::string>& causes) {
    if (point.modelled) {
        causes.emplace_back(
            "Only its time was measured: it may not do the operation it is bound to, or do less of it.");
        return;
    }
    const Origin origin = origin_of(point, *point.binding);
    if (origin == Origin::modelled)
        causes.push_back(
            "The bytes or the work come from a formula, not from counters: what a cache serves does not "
            "cross the boundary.");
    else if (origin == Origin::estimated)
        causes.push_back("The figure is an estimate, not an exact counter.");
}

/// A plain number of FLOP in a profile counts as FP32 unless the profile says otherwise.
void add_type(const KernelPoint& point, std::vector<std::string>& causes) {
    constexpr Pipe fp32{PipeKind::fp32};
    if (point.binding != CeilingTarget(fp32) || origin_of(point, fp32) != Origin::modelled) return;
    if (std::ranges::count_if(point.pipes, [](const PipeLoad& load) { return load.work.value() > 0; }) == 1)
        causes.emplace_back(
            "All work counts as FP32, the type of a plain number of FLOP: say \"precision\": "
            "\"tensor.fp16\" in the profile, or whichever it was.");
}

void add_clock(const KernelPoint& point, std::vector<std::string>& causes) {
    const auto ceiling = point.ceilings->find(*point.binding);
    if (!ceiling) return;
    const Provenance* provenance = ceiling->provenance;
    if (provenance->clock)
        causes.push_back(fmt::format("The ceiling holds at {}; the kernel may have run at a higher clock.",
                                     format(*provenance->clock)));
    if (provenance->source == CeilingSource::counters)
        causes.push_back(
            "Counters and time may have been taken in different passes, between which clock, caches and "
            "even the launch may differ.");
    else
        causes.push_back(
            fmt::format("The ceiling was not measured in this run ({}).", describe(*provenance)));
}

}  // namespace

std::vector<std::string> above_roof_causes(const KernelPoint& point) {
    if (!point.gap || !point.binding || point.gap->efficiency() <= 1) return {};
    std::vector<std::string> causes;
    add_units(point, causes);
    add_cache(point, causes);
    add_type(point, causes);
    add_origin(point, causes);
    add_clock(point, causes);
    if (*point.time < short_kernel)
        causes.push_back(
            fmt::format("The kernel takes only {}: the time itself is uncertain.", format(*point.time)));
    return causes;
}

}  // namespace roofwalk
