// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/device_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/devices/match_device.h"
#include "core/roofline/practical_roof.h"

namespace roofwalk {

namespace {

Provenance from_attributes(std::optional<Hertz> clock, std::string formula) {
    return {.source = CeilingSource::attributes,
            .basis = ClockBasis::boost,
            .clock = clock,
            .detail = std::move(formula)};
}

void add_dram(const Device& device, CeilingSet& set) {
    if (!device.memory_clock || !device.memory_bus_bits) return;
    const ByteRate rate(device.memory_clock->value() * *device.memory_bus_bits * 2 / 8);
    set.bandwidth.push_back(
        {Boundary::hbm_dram_rw, rate,
         from_attributes(std::nullopt, fmt::format("memory clock {} * {} bits * 2 / 8",
                                                   format(*device.memory_clock), *device.memory_bus_bits))});
}

void add_l1(const Device& device, CeilingSet& set) {
    const Architecture* architecture = architecture_of(device.compute_capability);
    if (architecture == nullptr || architecture->l1_bytes == 0) return;
    const double stage_bytes = architecture->l1_bytes;
    for (const Boundary boundary : all_boundaries) {
        if (!is_in_sm(level_of(boundary))) continue;
        set.bandwidth.push_back(
            {boundary, ByteRate(*device.sm_count * device.boost_clock->value() * stage_bytes),
             from_attributes(device.boost_clock,
                             fmt::format("{} SMs * {} B a cycle", *device.sm_count, stage_bytes))});
    }
}

/// A memory clock attribute that is not the data rate misses by a factor of two or four; honest rounding
/// never comes near this.
constexpr double contradiction = 1.25;

/// Adds to `set` every ceiling of `list` that `accept` takes and whose target has none yet: lists are given
/// best first.
template <class Accept>
void fill(CeilingSet& set, const CeilingSet& list, Accept accept) {
    for (const ComputeCeiling& ceiling : list.compute)
        if (accept(ceiling.provenance) && ceiling.rate.value() > 0 && !set.find(ceiling.pipe))
            set.compute.push_back(ceiling);
    for (const BandwidthCeiling& ceiling : list.bandwidth)
        if (accept(ceiling.provenance) && ceiling.rate.value() > 0 && !set.find(ceiling.boundary))
            set.bandwidth.push_back(ceiling);
}

bool any(const Provenance&) {
    return true;
}

auto of_basis(ClockBasis basis) {
    return [basis](const Provenance& provenance) { return provenance.basis == basis; };
}

/// Drops a DRAM bandwidth that the datasheet of every board contradicts that the device may be.
void drop_contradicted_dram(const Device& device, CeilingSet& attributes) {
    std::erase_if(attributes.bandwidth, [&](const BandwidthCeiling& ceiling) {
        if (ceiling.boundary != Boundary::hbm_dram_rw) return false;
        bool known = false;
        for (const Device* board : devices_that_fit(device))
            if (const BandwidthCeiling* dram = board->ceilings.find(Boundary::hbm_dram_rw)) {
                if (std::abs(std::log(ceiling.rate / dram->rate)) <= std::log(contradiction)) return false;
                known = true;
            }
        return known;
    });
}

/// What the attributes give at the clock of a launch: a report of the default set stores clocks but no peaks,
/// and a roof at boost would make its kernels look slower than they are.
CeilingSet attributes_at(Device device, Hertz sm_clock) {
    device.boost_clock = sm_clock;
    CeilingSet set = ceilings_from_attributes(device);
    const auto mark = [](Provenance& provenance) {
        if (provenance.clock) provenance.basis = ClockBasis::measured;
    };
    for (ComputeCeiling& ceiling : set.compute)
        mark(ceiling.provenance);
    for (BandwidthCeiling& ceiling : set.bandwidth)
        mark(ceiling.provenance);
    return set;
}

/// Ceilings that hold at another clock of the SMs, at that of a launch: what the SMs do goes with it, and so
/// does L2 as far as anyone knows; a roof at another clock would make kernels look slower (faster) than they
/// are. HBM has a clock of its own. `was`: "scaled from", how the clock before is told.
template <class Accept>
CeilingSet at_sm_clock(CeilingSet set, Hertz sm_clock, std::string_view was, Accept accept) {
    const auto take = [&](auto& ceiling) {
        Provenance& provenance = ceiling.provenance;
        if (!accept(provenance) || !provenance.clock || *provenance.clock == sm_clock) return;
        ceiling.rate = ceiling.rate * (sm_clock / *provenance.clock);
        provenance.detail +=
            fmt::format("{}{} {}", provenance.detail.empty() ? "" : ", ", was, format(*provenance.clock));
        provenance.clock = sm_clock;
        provenance.basis = ClockBasis::measured;
    };
    for (ComputeCeiling& ceiling : set.compute)
        take(ceiling);
    for (BandwidthCeiling& ceiling : set.bandwidth)
        if (memory_levels[level_of(ceiling.boundary)].clock != LevelClock::memory) take(ceiling);
    return set;
}

/// Tensor work whose type was not recorded is judged by the type that is most usual.
void add_tensor_of_unknown_type(CeilingSet& set) {
    const ComputeCeiling* half = set.find(Pipe{PipeKind::tensor_fp16});
    if (!half || set.find(Pipe{PipeKind::tensor_any})) return;
    ComputeCeiling ceiling = *half;
    ceiling.pipe = Pipe{PipeKind::tensor_any};
    std::string& detail = ceiling.provenance.detail;
    detail = "FP16 dense taken for tensor work of unknown type" + (detail.empty() ? "" : ": " + detail);
    set.compute.push_back(std::move(ceiling));
}

/// What L2 returns to the SMs is a part of the sectors that they ask for.
void add_l2_return(CeilingSet& set) {
    const BandwidthCeiling* sectors = set.find(Boundary::l2_sm_sectors);
    if (!sectors || set.find(Boundary::l2_sm_return)) return;
    BandwidthCeiling ceiling = *sectors;
    ceiling.boundary = Boundary::l2_sm_return;
    std::string& detail = ceiling.provenance.detail;
    detail = "that of L2 by sectors, of which it is a part" + (detail.empty() ? "" : ": " + detail);
    set.bandwidth.push_back(std::move(ceiling));
}

/// At the boost clock every ceiling that only holds at another one says so: roofs of two clocks do not
/// compare.
void note_other_clock(CeilingSet& set) {
    const auto note = [](Provenance& provenance) {
        if (provenance.basis == ClockBasis::boost || provenance.is_benchmarked()) return;
        provenance.detail += provenance.detail.empty() ? "" : "; ";
        provenance.detail += "no figure at the boost clock is known";
    };
    for (ComputeCeiling& ceiling : set.compute)
        note(ceiling.provenance);
    for (BandwidthCeiling& ceiling : set.bandwidth)
        note(ceiling.provenance);
}

/// Pipes and boundaries in their own order, whatever source gave them.
void sort_targets(CeilingSet& set) {
    std::ranges::sort(set.compute, {}, &ComputeCeiling::pipe);
    std::ranges::sort(set.bandwidth, {}, &BandwidthCeiling::boundary);
}

}  // namespace

void add_l2_ceilings(const Device& device, ByteRate of_sms, const Provenance& provenance, CeilingSet& set) {
    const Architecture* architecture = architecture_of(device.compute_capability);
    set.bandwidth.push_back({Boundary::l2_sm_sectors, of_sms, provenance});
    const double factor = architecture ? architecture->l2.all_clients : 0;
    if (factor == 0) return;
    BandwidthCeiling all{Boundary::l2_all, of_sms * factor, provenance};
    all.provenance.detail +=
        fmt::format(", times {:g} for all clients, as the peaks of their counters are in reports", factor);
    set.bandwidth.push_back(std::move(all));
}

CeilingSet ceilings_from_attributes(const Device& device) {
    CeilingSet set;
    add_dram(device, set);
    if (!device.sm_count || !device.boost_clock) return set;
    for (const PipeRate& rate : pipe_rates(device))
        set.compute.push_back(
            {rate.pipe, FlopRate(*device.sm_count * device.boost_clock->value() * rate.per_cycle),
             from_attributes(device.boost_clock,
                             fmt::format("{} SMs * {} {} a cycle, {}", *device.sm_count, rate.per_cycle,
                                         counts_integers(rate.pipe) ? "OP" : "FLOP",
                                         rate.pipe.sparse ? "2:4 sparse" : "dense"))});
    add_l1(device, set);
    return set;
}

CeilingSet practical_ceilings(const CeilingSet& ceilings, PracticalFactors factors) {
    CeilingSet practical = ceilings;
    const auto scale = [](auto& ceiling, double factor) {
        const double share = practical_share(ceiling.provenance, factor);
        if (share == 1) return;
        ceiling.rate = ceiling.rate * share;
        std::string& detail = ceiling.provenance.detail;
        detail = fmt::format("{} of {}", format_percent(share), detail.empty() ? "the ceiling" : detail);
    };
    for (ComputeCeiling& ceiling : practical.compute)
        scale(ceiling, factors.compute);
    for (BandwidthCeiling& ceiling : practical.bandwidth)
        scale(ceiling, factors.bandwidth);
    return practical;
}

CeilingSet resolve_ceilings(const Device& device, const CeilingSet* of_launch, ClockBasis basis,
                            const CeilingSet& overrides, const CeilingSet& measured) {
    const Device* known = find_known_device(device.name, &device);
    const CeilingSet table = known ? known->ceilings : CeilingSet{};
    CeilingSet attributes = ceilings_from_attributes(device);
    drop_contradicted_dram(device, attributes);

    CeilingSet set;
    fill(set, overrides, any);
    const auto clock = basis == ClockBasis::measured && of_launch ? of_launch->sm_clock() : std::nullopt;
    const auto benchmarked = std::mem_fn(&Provenance::is_benchmarked);
    for (const CeilingSet* set_of : {&measured, &device.ceilings})
        fill(set, clock ? at_sm_clock(*set_of, *clock, "measured at", benchmarked) : *set_of, benchmarked);
    if (basis == ClockBasis::measured && of_launch) fill(set, *of_launch, any);
    fill(set, device.ceilings, of_basis(basis));
    if (clock) fill(set, attributes_at(device, *clock), of_basis(basis));
    if (basis == ClockBasis::measured) fill(set, device.ceilings, any);
    fill(set, attributes, any);
    fill(set, clock ? at_sm_clock(table, *clock, "scaled from", any) : table, any);
    fill(set, device.ceilings, any);
    if (of_launch) fill(set, *of_launch, any);
    if (basis == ClockBasis::boost) note_other_clock(set);
    add_tensor_of_unknown_type(set);
    add_l2_return(set);
    sort_targets(set);
    return set;
}

std::string no_ceiling_words(const CeilingSet& others) {
    const bool of_table = std::ranges::any_of(others.bandwidth, [](const BandwidthCeiling& ceiling) {
        return ceiling.provenance.source == CeilingSource::table;
    });
    return of_table ? "no ceiling known, but it can be measured on the GPU" : "no ceiling known";
}

}  // namespace roofwalk
