// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/unit_throughput.h"

#include <algorithm>
#include <array>

#include "core/roofline/group_totals.h"

namespace roofwalk {

namespace {

constexpr EnumArray<HardwareUnit, std::string_view> unit_metrics{
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.max.pct_of_peak_sustained_elapsed",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"};
/// What files may have instead: of L1TEX while it was active and of its parts, of the instructions of the SM,
/// of samples, of DRAM.
constexpr std::array<std::string_view, 7> other_shares{"l1tex__throughput.avg.pct_of_peak_sustained_active",
                                                       l1tex_share_of_parts,
                                                       sm_instruction_throughput,
                                                       sm_instruction_throughput_scaled,
                                                       sm_share_of_samples,
                                                       dram_share_of_samples,
                                                       "dram__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr auto metrics = [] {
    std::array<std::string_view, enum_size<HardwareUnit> + other_shares.size() + shares_of_bytes.size()>
        names;
    auto next = std::ranges::copy(unit_metrics, names.begin()).out;
    next = std::ranges::copy(other_shares, next).out;
    std::ranges::transform(shares_of_bytes, next, [](const auto& share) { return share.second; });
    return names;
}();
constexpr double alike = 1e-3;

/// How busy the load and store pipe of the SM is, and its other parts.
constexpr std::string_view loads_of_sm = "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed";
constexpr std::array<std::string_view, 3> clocks_of_sm{"sm__cycles_elapsed.avg.per_second",
                                                       "smsp__cycles_elapsed.avg.per_second",
                                                       "gpc__cycles_elapsed.avg.per_second"};
constexpr std::array<std::string_view, 8> others_of_sm{
    "sm__issue_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed"};

std::optional<double> value_of(const Launch& launch, TextId metric) {
    if (metric == TextId::none) return std::nullopt;
    const auto sample = std::ranges::find(launch.metrics, metric, &MetricSample::name);
    return sample == launch.metrics.end() ? std::nullopt : std::optional(sample->value);
}

std::optional<BusyUnit> busiest_part(const UnitThroughput& throughput) {
    std::optional<BusyUnit> most;
    for (const HardwareUnit unit : {HardwareUnit::l1tex, HardwareUnit::l2, HardwareUnit::dram})
        if (const auto& share = throughput[unit])
            if (!most || *share > most->share * (1 + alike)) most = BusyUnit{unit, *share};
    return most;
}

/// Memory as a whole is as busy as the busiest of its units: where L2 and DRAM are less busy that is L1TEX,
/// or the constant cache beside it. It counts less of L1TEX than that does, and alone tells nothing of it.
std::optional<double> share_beside_l2_and_dram(const std::optional<double>& memory,
                                               const std::optional<double>& l2,
                                               const std::optional<double>& dram) {
    return memory && l2 && dram && *memory > std::max(*l2, *dram) * (1 + alike) ? memory : std::nullopt;
}

/// Of L1TEX; scaled where the cycles in which it was active tell more than its parts and the rest of memory,
/// by more than passes differ.
struct L1texShare {
    std::optional<double> percent;
    bool scaled = false;
};

L1texShare share_of_l1tex(const Launch& launch, const EnumArray<HardwareUnit, std::vector<TextId>>& names,
                          const std::optional<double>& scaled) {
    constexpr double passes = 1.05;
    const auto told = [&](HardwareUnit unit) { return value_of(launch, names[unit].front()); };
    if (const auto own = told(HardwareUnit::l1tex)) return {.percent = own};
    std::optional<double> most = value_of(launch, names[HardwareUnit::l1tex][1]);
    if (most || scaled)
        most = std::max(most, share_beside_l2_and_dram(told(HardwareUnit::memory), told(HardwareUnit::l2),
                                                       told(HardwareUnit::dram)));
    const bool by_cycles = scaled && (!most || *scaled > *most * passes);
    return {by_cycles ? scaled : most, by_cycles};
}

/// DRAM has a clock of its own, which profilers leave alone: at its highest where nothing tells another.
double dram_clock_ratio(const Device& device, const Launch& launch) {
    const auto* roof = launch.ceilings ? launch.ceilings->find(Boundary::hbm_dram_rw) : nullptr;
    if (!roof || !roof->provenance.clock || !device.memory_clock) return 1;
    return std::min(1.0, *roof->provenance.clock / *device.memory_clock);
}

}  // namespace

std::string_view label_of(HardwareUnit unit, MemoryName memory) {
    return EnumArray<HardwareUnit, std::string_view>{"SM",           "L1TEX",          "L2",
                                                     "one L2 slice", label_of(memory), "Memory"}[unit];
}

std::string_view metric_of(HardwareUnit unit) {
    return unit_metrics[unit];
}

std::span<const std::string_view> share_metrics() {
    return metrics;
}

bool is_share_of_part(const UnitThroughput& throughput) {
    constexpr double mean_of_launches = 1.05;
    const auto& memory = throughput[HardwareUnit::memory];
    const auto part = busiest_part(throughput);
    return memory && part && *memory <= part->share * mean_of_launches;
}

std::optional<BusyUnit> busiest(const UnitThroughput& throughput) {
    const auto& memory = throughput[HardwareUnit::memory];
    const auto& sm = throughput[HardwareUnit::sm];
    std::optional<BusyUnit> most = busiest_part(throughput);
    if (memory && !is_share_of_part(throughput)) most = BusyUnit{HardwareUnit::memory, *memory};
    if (sm && (!most || *sm > std::max(most->share, memory.value_or(0)) * (1 + alike)))
        most = BusyUnit{HardwareUnit::sm, *sm};
    if (const auto& slice = throughput[HardwareUnit::l2_slice]; slice && (!most || *slice > most->share))
        most = BusyUnit{HardwareUnit::l2_slice, *slice};
    return most;
}

UnitThroughput beside_dram(UnitThroughput throughput) {
    throughput[HardwareUnit::memory].reset();
    throughput[HardwareUnit::dram].reset();
    return throughput;
}

std::optional<BusyUnit> saturated(const UnitThroughput& throughput) {
    constexpr double from = 0.9;
    const auto busy = busiest(beside_dram(throughput));
    return busy && busy->share >= from ? busy : std::nullopt;
}

StoredThroughput::StoredThroughput(const Profile& profile, ClockBasis clock)
    : profile_(profile),
      clock_(clock),
      timed_sources_(std::max<std::size_t>(profile.sources.size(), 1)),
      sm_loads_(profile.texts.find(loads_of_sm)),
      l1tex_while_active_(profile.texts.find(other_shares.front())),
      sm_samples_(profile.texts.find(sm_share_of_samples)),
      dram_samples_(profile.texts.find(dram_share_of_samples)),
      pm_samples_(profile.texts.find(pm_samples_within)),
      cycles_active_(profile.texts.find("sm__cycles_active.avg")),
      cycles_elapsed_(profile.texts.find("gpc__cycles_elapsed.max")),
      dram_reads_(profile.texts.find(dram_reads)),
      dram_writes_(profile.texts.find(dram_writes)) {
    for (const Launch& launch : profile.launches)
        if (launch.duration) timed_sources_[static_cast<std::size_t>(launch.source)] = true;
    const auto find = [&](std::string_view name) { return profile.texts.find(name); };
    const auto add = [&](HardwareUnit unit, std::string_view name) { names_[unit].push_back(find(name)); };
    for (const HardwareUnit unit : all_hardware_units)
        add(unit, metric_of(unit));
    std::ranges::transform(others_of_sm, sm_others_.begin(), find);
    std::ranges::transform(clocks_of_sm, sm_clocks_.begin(), find);
    add(HardwareUnit::l1tex, l1tex_share_of_parts);
    for (const std::string_view name :
         {sm_instruction_throughput, sm_instruction_throughput_scaled, sm_share_of_samples})
        add(HardwareUnit::sm, name);
    add(HardwareUnit::dram, other_shares.back());
    for (const auto& [unit, metric] : shares_of_bytes)
        add(unit, metric);
    add(HardwareUnit::dram, dram_share_of_samples);
}

std::optional<double> StoredThroughput::percent_of(HardwareUnit unit, const Launch& launch) const {
    if (launch.failed) return std::nullopt;
    if (unit == HardwareUnit::l1tex) {
        const auto share = share_of_l1tex(launch, names_, scaled_l1tex(launch)).percent;
        return share ? share : l1tex_alone(launch);
    }
    for (const TextId name : names_[unit])
        if (const auto percent = value_of(launch, name)) {
            // What ran has instructions.
            return unit == HardwareUnit::sm && *percent == 0 ? std::nullopt : percent;
        }
    return std::nullopt;
}

double StoredThroughput::clock_ratio(const Launch& launch) const {
    if (clock_ == ClockBasis::measured) return 1;
    auto measured = launch.ceilings ? launch.ceilings->sm_clock() : std::nullopt;
    for (const TextId clock : sm_clocks_)
        if (const auto hertz = value_of(launch, clock); hertz && !measured) measured = Hertz(*hertz);
    const auto& boost = profile_.device_of(launch).boost_clock;
    return measured && boost ? std::min(1.0, *measured / *boost) : 1;
}

double StoredThroughput::l2_clock_ratio(const Launch& launch) const {
    const auto* measured = launch.ceilings ? launch.ceilings->find(Boundary::l2_sm_sectors) : nullptr;
    const auto* boost = profile_.device_of(launch).ceilings.find(Boundary::l2_sm_sectors);
    double ratio = clock_ratio(launch);
    if (measured && boost && boost->provenance.clock) {
        if (measured->provenance.clock)
            ratio = *measured->provenance.clock / *boost->provenance.clock;
        else if (measured->provenance.source == boost->provenance.source)  // raised from it by its clock
            ratio = measured->rate / boost->rate;
    }
    return std::min(ratio, 1.0);
}

std::optional<double> StoredThroughput::percent_at_clock(HardwareUnit unit, const Launch& launch) const {
    const auto percent = percent_of(unit, launch);
    if (!percent || clock_ == ClockBasis::measured) return percent;
    if (unit == HardwareUnit::dram) return *percent * dram_clock_ratio(profile_.device_of(launch), launch);
    const double sm = clock_ratio(launch);
    if (unit == HardwareUnit::l2 || unit == HardwareUnit::l2_slice) return *percent * l2_clock_ratio(launch);
    if (unit != HardwareUnit::memory) return *percent * sm;
    // Whichever part it is of, it is no less.
    return *percent *
           std::min({sm, l2_clock_ratio(launch), dram_clock_ratio(profile_.device_of(launch), launch)});
}

std::optional<double> StoredThroughput::scaled_l1tex(const Launch& launch) const {
    const auto while_active = value_of(launch, l1tex_while_active_);
    const auto active = value_of(launch, cycles_active_);
    const auto elapsed = value_of(launch, cycles_elapsed_);
    if (!while_active || !active || !elapsed || !(*elapsed > 0)) return std::nullopt;
    return *while_active * std::min(1.0, *active / *elapsed);
}

std::optional<double> StoredThroughput::l1tex_alone(const Launch& launch) const {
    if (!launch.work.empty() || !launch.traffic.empty()) return std::nullopt;
    for (const HardwareUnit unit : all_hardware_units)
        if (unit != HardwareUnit::l1tex && percent_of(unit, launch)) return std::nullopt;
    return value_of(launch, l1tex_while_active_);
}

std::optional<double> StoredThroughput::mean_of(HardwareUnit unit,
                                                std::span<const LaunchIndex> launches) const {
    constexpr double alike_without_times = 0.05;
    double sum = 0;
    double least = 1;
    double most = 0;
    TimedLaunches known;
    TimedLaunches all;
    const bool timed = std::ranges::any_of(
        launches, [&](LaunchIndex index) { return profile_.at(index).duration.has_value(); });
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed || !(timed ? launch.duration.has_value() : is_weighed(launch))) continue;
        const Seconds weight = launch.duration.value_or(Seconds(1));
        all.add(weight);
        const auto percent = percent_at_clock(unit, launch);
        if (!percent) continue;
        const double share = std::min(*percent / 100, 1.0);
        least = std::min(least, share);
        most = std::max(most, share);
        sum += share * weight.value();
        known.add(weight);
    }
    // Of launches that differ, nobody knows how long each ran.
    if (!timed && most - least > alike_without_times) return std::nullopt;
    return known.time.value() > 0 && known.stand_for(all) ? std::optional(sum / known.time.value())
                                                          : std::nullopt;
}

bool StoredThroughput::is_weighed(const Launch& launch) const {
    return launch.duration || !timed_sources_[static_cast<std::size_t>(launch.source)];
}

bool StoredThroughput::tells(const Launch& launch) const {
    return is_weighed(launch) && !launch.metrics.empty() &&
           std::ranges::any_of(all_hardware_units,
                               [&](HardwareUnit unit) { return percent_at_clock(unit, launch).has_value(); });
}

std::uint32_t StoredThroughput::count(std::span<const LaunchIndex> launches,
                                      const UnitThroughput& throughput) const {
    if (std::ranges::none_of(throughput, [](const auto& share) { return share.has_value(); })) return 0;
    return static_cast<std::uint32_t>(std::ranges::count_if(launches, [&](LaunchIndex index) {
        const Launch& launch = profile_.at(index);
        return tells(launch) && std::ranges::any_of(all_hardware_units, [&](HardwareUnit unit) {
                   return throughput[unit] && percent_at_clock(unit, launch);
               });
    }));
}

UnitThroughput StoredThroughput::of(std::span<const LaunchIndex> launches) const {
    UnitThroughput throughput;
    for (const HardwareUnit unit : all_hardware_units)
        throughput[unit] = mean_of(unit, launches);
    constexpr double uneven = 1.5;
    constexpr double noticeable = 0.1;  // the few requests of a small launch fall on few slices
    const auto& l2 = throughput[HardwareUnit::l2];
    auto& slice = throughput[HardwareUnit::l2_slice];
    if (!l2 || slice < std::max(*l2 * uneven, noticeable)) slice.reset();
    return throughput;
}

std::optional<double> StoredThroughput::sm_beside_loads(std::span<const LaunchIndex> launches) const {
    constexpr double same = 0.01;
    if (sm_loads_ == TextId::none) return std::nullopt;
    double sum = 0;
    double time = 0;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed) continue;
        const auto all = percent_of(HardwareUnit::sm, launch);
        const auto loads = value_of(launch, sm_loads_);
        const auto issue = value_of(launch, sm_others_.front());
        if (!all || !loads || !issue || !launch.duration || *loads < *all * (1 - same)) return std::nullopt;
        double most = 0;
        for (const TextId part : sm_others_)
            most = std::max(most, value_of(launch, part).value_or(0));
        sum += std::min(most, *all) / 100 * clock_ratio(launch) * launch.duration->value();
        time += launch.duration->value();
    }
    return time > 0 ? std::optional(sum / time) : std::nullopt;
}

SampledUnits StoredThroughput::sampled(std::span<const LaunchIndex> launches) const {
    SampledUnits sampled;
    if (pm_samples_ == TextId::none) return sampled;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed) continue;
        sampled.samples += value_of(launch, pm_samples_).value_or(0);
        sampled.units[HardwareUnit::sm] |= value_of(launch, sm_samples_).has_value();
        sampled.units[HardwareUnit::dram] |= value_of(launch, dram_samples_).has_value();
    }
    return sampled;
}

bool StoredThroughput::scales_l1tex(std::span<const LaunchIndex> launches) const {
    return std::ranges::any_of(launches, [&](LaunchIndex index) {
        const Launch& launch = profile_.at(index);
        return !launch.failed && share_of_l1tex(launch, names_, scaled_l1tex(launch)).scaled;
    });
}

bool StoredThroughput::has_l1tex_while_active(std::span<const LaunchIndex> launches) const {
    return std::ranges::any_of(launches, [&](LaunchIndex index) {
        const Launch& launch = profile_.at(index);
        return !launch.failed && !share_of_l1tex(launch, names_, scaled_l1tex(launch)).percent &&
               l1tex_alone(launch);
    });
}

std::optional<StoredThroughput::HalfOfHbm> StoredThroughput::hbm_at_least(
    std::span<const LaunchIndex> launches) const {
    if (dram_reads_ == TextId::none && dram_writes_ == TextId::none) return std::nullopt;
    HalfOfHbm sum{.bytes = {}, .read = true, .written = true};
    bool any = false;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed) continue;
        const auto read = value_of(launch, dram_reads_);
        const auto written = value_of(launch, dram_writes_);
        if ((!read && !written) || launch.find(Boundary::hbm_dram_rw)) return std::nullopt;
        sum.bytes += Bytes(read.value_or(0) + written.value_or(0));
        sum.read = sum.read && read;
        sum.written = sum.written && written;
        any = true;
    }
    return any ? std::optional(sum) : std::nullopt;
}

}  // namespace roofwalk
