// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/evidence.h"

#include <cmath>
#include <limits>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr double per_cent = 0.01;
constexpr Aggregation weighted = Aggregation::time_weighted;
constexpr Aggregation summed = Aggregation::summed;

/// What a warp waits for, as a share of the cycles between two of its instructions.
constexpr AdviceMetricSpec stall(AdviceMetric metric, std::string_view label, std::string_view counter) {
    return {metric, label,    "share",         counter, "smsp__average_warp_latency_per_inst_issued.ratio",
            1,      weighted, "WarpStateStats"};
}

constexpr AdviceMetricSpec part(AdviceMetric metric, std::string_view name, std::string_view counter) {
    return {metric, name, "share", counter, "", per_cent, weighted, "ComputeWorkloadAnalysis", true};
}

constexpr EnumArray<AdviceMetric, AdviceMetricSpec> metric_specs{{
    {AdviceMetric::load_bytes_per_sector, "bytes used of each 32-byte sector, global loads", "B",
     "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", "", 1, weighted,
     "MemoryWorkloadAnalysis_Tables"},
    {AdviceMetric::store_bytes_per_sector, "bytes used of each 32-byte sector, global stores", "B",
     "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", "", 1, weighted,
     "MemoryWorkloadAnalysis_Tables"},
    {AdviceMetric::sectors_over_ideal, "sectors of global accesses over what coalesced ones would need", "x",
     "memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal", 1, summed,
     "SourceCounters"},
    {AdviceMetric::ideal_sectors, "sectors that coalesced global accesses would need", "sectors",
     "memory_l2_theoretical_sectors_global_ideal", "", 1, summed, "SourceCounters"},
    {AdviceMetric::load_sectors_per_request, "sectors of each global load instruction", "sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1,
     summed, "MemoryWorkloadAnalysis_Tables"},
    {AdviceMetric::local_share, "sectors of local memory over those of global memory", "share",
     "memory_l2_theoretical_sectors_local", "memory_l2_theoretical_sectors_global", 1, summed,
     "SourceCounters"},
    {AdviceMetric::reductions, "atomic instructions without a result over global loads", "share",
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1,
     summed, "MemoryWorkloadAnalysis_Tables"},
    {AdviceMetric::atomics, "atomic instructions with a result over global loads", "share",
     "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     1, summed, "MemoryWorkloadAnalysis_Tables"},
    {AdviceMetric::l2_hit_rate, "L2 hit rate", "share", "lts__t_sector_hit_rate.pct", "", per_cent, weighted,
     "MemoryWorkloadAnalysis"},
    {AdviceMetric::occupancy, "achieved occupancy", "share",
     "sm__warps_active.avg.pct_of_peak_sustained_active", "", per_cent, weighted, "Occupancy"},
    {AdviceMetric::theoretical_occupancy, "theoretical occupancy", "share",
     "sm__maximum_warps_per_active_cycle_pct", "", per_cent, weighted, "Occupancy"},
    {AdviceMetric::registers, "registers a thread", "registers", "launch__registers_per_thread", "", 1,
     weighted, "LaunchStats"},
    {AdviceMetric::waves, "waves of blocks over the SMs", "waves", "launch__waves_per_multiprocessor", "", 1,
     weighted, "LaunchStats"},
    {AdviceMetric::blocks_by_hardware, "blocks that an SM holds at most", "blocks",
     "launch__occupancy_limit_blocks", "", 1, weighted, "Occupancy"},
    {AdviceMetric::blocks_by_registers, "blocks on an SM that registers allow", "blocks",
     "launch__occupancy_limit_registers", "", 1, weighted, "Occupancy"},
    {AdviceMetric::blocks_by_shared_memory, "blocks on an SM that shared memory allows", "blocks",
     "launch__occupancy_limit_shared_mem", "", 1, weighted, "Occupancy"},
    {AdviceMetric::blocks_by_warps, "blocks on an SM that the number of warps allows", "blocks",
     "launch__occupancy_limit_warps", "", 1, weighted, "Occupancy"},
    {AdviceMetric::wavefronts_over_ideal, "shared-memory wavefronts over those without bank conflicts", "x",
     "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal", 1, summed, "SourceCounters"},
    part(AdviceMetric::tensor_use, "tensor pipe",
         "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::alu_use, "integer and logic pipe (ALU)",
         "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::xu_use, "special-function and conversion pipe (XU)",
         "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::lsu_use, "load and store pipe (LSU)",
         "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::issue_slots, "issue slots", "sm__issue_active.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::fma_use, "multiply-add pipe (FMA)",
         "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::fp64_use, "FP64 pipe",
         "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::shared_pipe_use, "pipe that FP64 and tensor work share",
         "sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::branch_use, "branch pipe (CBU)",
         "sm__inst_executed_pipe_cbu_pred_on_any.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::adu_use, "address pipe (ADU)",
         "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::mio_use, "queue of memory instructions (MIO)",
         "sm__mio_pq_read_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    part(AdviceMetric::constant_use, "constant cache (IDC)",
         "idc__request_cycles_active.avg.pct_of_peak_sustained_elapsed"),
    {AdviceMetric::active_threads, "threads active in an instruction, of 32", "threads",
     "smsp__thread_inst_executed_per_inst_executed.ratio", "", 1, weighted, "WarpStateStats"},
    {AdviceMetric::predicated_threads,
     "threads of an instruction that are active and not predicated off, of 32", "threads",
     "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", "", 1, weighted, "WarpStateStats"},
    {AdviceMetric::issue_active, "cycles in which a scheduler issues", "share",
     "smsp__issue_active.avg.pct_of_peak_sustained_active", "", per_cent, weighted, "SchedulerStats"},
    stall(AdviceMetric::long_scoreboard,
          "Stall Long Scoreboard, warp time waiting for global, local or texture memory",
          "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"),
    stall(AdviceMetric::short_scoreboard,
          "Stall Short Scoreboard, warp time waiting for shared memory or special functions",
          "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"),
    stall(
        AdviceMetric::mio_throttle,
        "Stall MIO Throttle, warp time waiting for room in the queue of shared memory and special functions",
        "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"),
    stall(AdviceMetric::lg_throttle,
          "Stall LG Throttle, warp time waiting for room in the queue of local and global memory",
          "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"),
    stall(AdviceMetric::barrier, "Stall Barrier, warp time waiting at barriers",
          "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"),
    stall(AdviceMetric::wait, "Stall Wait, warp time waiting for the instruction before",
          "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"),
    stall(AdviceMetric::drain,
          "Stall Drain, warp time waiting for memory operations after the last instruction",
          "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio"),
    {AdviceMetric::dram_channel_imbalance, "bytes of the busiest {DRAM} channel over the mean", "x",
     "dram__bytes.max", "dram__bytes.avg", 1, summed, ""},
    {AdviceMetric::half_additions, "FP16 additions of threads, conversions included", "additions",
     "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "", 1, summed, "SourceCounters"},
}};
static_assert(is_in_order(metric_specs, &AdviceMetricSpec::metric));

constexpr std::string_view rate = ".per_second";
constexpr std::uint16_t no_slot = std::numeric_limits<std::uint16_t>::max();

}  // namespace

const AdviceMetricSpec& spec_of(AdviceMetric metric) {
    return metric_specs[metric];
}

std::string label_of(AdviceMetric metric) {
    const AdviceMetricSpec& spec = spec_of(metric);
    return std::string(spec.label) + (spec.part_of_sm ? " busy" : "");
}

std::optional<AdviceMetric> Evidence::busiest_of_sm(double share) const {
    constexpr double same = 0.05;  // passes of one launch differ a little
    std::optional<AdviceMetric> busiest;
    for (const AdviceMetricSpec& spec : metric_specs) {
        const auto& use = at(spec.metric).value;
        if (spec.part_of_sm && use && (!busiest || *use > *at(*busiest).value)) busiest = spec.metric;
    }
    if (!busiest || std::abs(*at(*busiest).value - share) > same * share) return std::nullopt;
    return busiest;
}

std::string counters_text(AdviceMetric metric, bool of_rates) {
    std::string name;
    for (const std::string_view counter : counters_of(metric))
        name.append(name.empty() ? "" : " / ").append(counter).append(of_rates ? rate : "");
    return name;
}

std::vector<std::string_view> counters_of(AdviceMetric metric) {
    const AdviceMetricSpec& spec = spec_of(metric);
    std::vector<std::string_view> names{spec.numerator};
    if (!spec.denominator.empty()) names.push_back(spec.denominator);
    return names;
}

NcuOption ncu_option(AdviceMetric metric) {
    const AdviceMetricSpec& spec = spec_of(metric);
    if (!spec.section.empty()) return {std::string(spec.section), {}};
    const auto counters = counters_of(metric);
    return {{}, {counters.begin(), counters.end()}};
}

std::string format_metric(double value, std::string_view unit) {
    if (unit == "share") return format_percent(value);
    if (unit == "x") return format_factor(value);
    if (unit == "B") return format(Bytes(value));
    if (unit == "s") return format(Seconds(value));
    if (unit == "OP") return format_si(value, unit);
    if (unit == "FLOP/byte") return format(Intensity(value));
    const bool whole = value == std::floor(value);
    return whole ? format_count(value) : format_number(value);
}

/// One counter over the launches.
struct EvidenceReader::Total {
    double value = 0;
    bool complete = false;
    std::size_t launches = 0;
};

EvidenceReader::EvidenceReader(const Profile& profile) : profile_(profile) {
    for (const AdviceMetric metric : enumerators<AdviceMetric>) {
        const AdviceMetricSpec& spec = spec_of(metric);
        const auto slots = [&](std::string_view of, Aggregation aggregation) {
            const bool alone = spec.denominator.empty();
            return Slots{slot(fmt::format("{}{}", spec.numerator, of), aggregation),
                         alone ? no_slot : slot(fmt::format("{}{}", spec.denominator, of), aggregation)};
        };
        counts_[metric] = slots("", spec.aggregation);
        if (spec.aggregation == Aggregation::summed && !spec.denominator.empty())
            rates_[metric] = slots(rate, Aggregation::time_weighted);
    }
}

/// The slot of a counter; of one that no launch has, a slot that stays empty.
std::uint16_t EvidenceReader::slot(std::string_view counter, Aggregation aggregation) {
    const auto text = static_cast<std::size_t>(profile_.texts.find(counter));
    if (text >= slot_of_.size()) slot_of_.resize(text + 1, no_slot);
    const bool known = text != static_cast<std::size_t>(TextId::none);
    if (known && slot_of_[text] != no_slot) return slot_of_[text];
    const auto next = static_cast<std::uint16_t>(aggregations_.size());
    aggregations_.push_back(aggregation);
    if (known) slot_of_[text] = next;
    return next;
}

std::vector<EvidenceReader::Total> EvidenceReader::totals_of(std::span<const LaunchIndex> launches) const {
    std::vector<Total> totals(aggregations_.size());
    std::size_t measured = 0;
    std::size_t timed = 0;
    double time = 0;
    const auto weight_of = [](const Launch& launch) { return launch.duration.value_or(Seconds()).value(); };
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed) continue;
        ++measured;
        timed += launch.duration.has_value() ? 1U : 0U;
        time += weight_of(launch);
    }
    // One launch is its own mean, whether its time is known or not.
    const bool weights_known = measured == 1 || (timed == measured && time > 0);
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (launch.failed) continue;
        const double weight = measured == 1 ? 1 : weights_known ? weight_of(launch) / time : 0;
        for (const MetricSample& sample : launch.metrics) {
            const auto text = static_cast<std::size_t>(sample.name);
            if (text >= slot_of_.size() || slot_of_[text] == no_slot) continue;
            Total& total = totals[slot_of_[text]];
            total.value += sample.value * (aggregations_[slot_of_[text]] == Aggregation::summed ? 1 : weight);
            ++total.launches;
        }
    }
    for (std::size_t i = 0; i < totals.size(); ++i)
        totals[i].complete = measured > 0 && totals[i].launches == measured &&
                             (aggregations_[i] == Aggregation::summed || weights_known);
    return totals;
}

Reading EvidenceReader::read(Slots slots, double scale, std::span<const Total> totals) {
    const Total& numerator = totals[slots.numerator];
    if (!numerator.complete) return {};
    const double value = numerator.value * scale;
    if (slots.denominator == no_slot) return {true, value};
    const Total& denominator = totals[slots.denominator];
    if (!denominator.complete) return {};
    if (denominator.value <= 0) return {true, std::nullopt};
    return {true, value / denominator.value};
}

Evidence EvidenceReader::of(std::span<const LaunchIndex> launches) const {
    const std::vector<Total> totals = totals_of(launches);
    Evidence evidence;
    for (const AdviceMetric metric : enumerators<AdviceMetric>) {
        Reading& reading = evidence.readings[metric];
        reading = read(counts_[metric], spec_of(metric).scale, totals);
        if (reading.measured || !rates_[metric]) continue;
        reading = read(*rates_[metric], spec_of(metric).scale, totals);
        reading.of_rates = reading.measured;
    }
    // The profiler writes 0 for the mean over no access at all.
    for (const AdviceMetric metric :
         {AdviceMetric::load_bytes_per_sector, AdviceMetric::store_bytes_per_sector}) {
        Reading& reading = evidence.readings[metric];
        if (reading.value && *reading.value <= 0) reading.value.reset();
    }
    return evidence;
}

}  // namespace roofwalk
