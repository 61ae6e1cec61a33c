// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/import/ncu/ncu_ceilings.h"
#include "core/import/ncu/ncu_tensor_work.h"
#include "core/import/ncu/ncu_traffic.h"
#include "core/import/ncu/ncu_values.h"
#include "core/import/ncu/ncu_work.h"
#include "core/model/launch.h"
#include "core/roofline/unit_throughput.h"

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, 72> evidence{
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.max.pct_of_peak_sustained_elapsed",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__maximum_warps_per_active_cycle_pct",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "sm__inst_executed.avg.per_cycle_active",
    "launch__waves_per_multiprocessor",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "launch__occupancy_limit_blocks",
    "launch__occupancy_limit_registers",
    "launch__occupancy_limit_shared_mem",
    "launch__occupancy_limit_warps",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
    "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "memory_l1_wavefronts_shared",
    "memory_l1_wavefronts_shared_ideal",
    "sm__cycles_active.avg",
    "gpc__cycles_elapsed.max",
    "sm__cycles_elapsed.avg.per_second",
    "smsp__cycles_elapsed.avg.per_second",
    "gpc__cycles_elapsed.avg.per_second",
    "lts__cycles_elapsed.avg.per_second",
    "l1tex__cycles_elapsed.avg.per_second",
    "dram__cycles_elapsed.avg.per_second",
    "sm__inst_executed.sum",
    "smsp__inst_executed.sum",
    "profiler__replayer_passes",
    "memory_l2_theoretical_sectors_global",
    "memory_l2_theoretical_sectors_global_ideal",
    "memory_l2_theoretical_sectors_local",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed",
    "sm__issue_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_shared_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_cbu_pred_on_any.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_adu.avg.pct_of_peak_sustained_elapsed",
    "sm__mio_pq_read_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "idc__request_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "smsp__average_warp_latency_per_inst_issued.ratio",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "dram__bytes.max",
    "dram__bytes.avg",
    "dram__bytes.max.per_second",
    "dram__bytes.avg.per_second",
};

constexpr std::string_view crossbar_requests =
    "l1tex__m_l1tex2xbar_req_cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view load_store_wavefronts =
    "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed";
/// What Nsight Compute names as the parts of `l1tex__throughput`.
constexpr std::array<std::string_view, 13> l1tex_parts{
    crossbar_requests,
    load_store_wavefronts,
    "l1tex__data_bank_reads.avg.pct_of_peak_sustained_elapsed",
    "l1tex__data_bank_writes.avg.pct_of_peak_sustained_elapsed",
    "l1tex__data_pipe_tex_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "l1tex__f_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "l1tex__lsu_writeback_active.avg.pct_of_peak_sustained_elapsed",
    "l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed",
    "l1tex__m_xbar2l1tex_read_sectors.avg.pct_of_peak_sustained_elapsed",
    "l1tex__m_xbar2l1tex_read_sectors_mem_dshared.avg.pct_of_peak_sustained_elapsed",
    "l1tex__tex_writeback_active.avg.pct_of_peak_sustained_elapsed",
    "l1tex__texin_sm2tex_req_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "l1tex__tmain_requests.avg.pct_of_peak_sustained_elapsed",
};

/// Whether `l1tex__throughput` counts a part twice: requests to the crossbar on cc 7.x and 8.6, wavefronts of
/// loads and stores on cc 7.5. Of other chips the figure itself tells: it is then twice the part to the
/// digit.
bool counts_twice(std::string_view part, const std::optional<ComputeCapability>& chip, double twice,
                  double throughput) {
    constexpr double same = 1e-4;
    if (part != crossbar_requests && part != load_store_wavefronts) return false;
    if (std::abs(twice - throughput) <= same * throughput) return true;
    if (!chip) return false;
    constexpr ComputeCapability turing{7, 5};
    return *chip == turing ||
           (part == crossbar_requests && (chip->major == 7 || *chip == ComputeCapability{8, 6}));
}

/// `l1tex__throughput` by elapsed cycles from its parts, of reports that state it by active cycles only. That
/// figure is the greatest of all parts by active cycles and of those that count twice by *elapsed* cycles, so
/// that scaling it by active / elapsed cycles says too little where one of the latter is the busiest (2070
/// SUPER, A40, RTX 3070, RTX 5000, V100). By elapsed cycles it is the greatest of all: of 27 launches whose
/// reports state both, to 3e-5. Absent where the parts do not explain what is stated.
std::optional<double> l1tex_of_parts(const NcuValues& values) {
    constexpr double explained = 0.85;  // passes of the shortest launches differ by a tenth
    const auto throughput = values.value("l1tex__throughput.avg.pct_of_peak_sustained_active");
    const auto active = values.value("sm__cycles_active.avg");
    const auto elapsed = values.value("gpc__cycles_elapsed.max");
    if (!throughput || !active || !elapsed || !(*active > 0)) return std::nullopt;
    double once = 0;
    double twice = 0;
    for (const std::string_view part : l1tex_parts) {
        const double share = values.value(part).value_or(0);
        once = std::max(once, share);
        if (counts_twice(part, values.device().compute_capability, 2 * share, *throughput))
            twice = std::max(twice, 2 * share);
    }
    const double stated = std::max(once * *elapsed / *active, twice);
    if (!(stated > 0) || stated < explained * *throughput) return std::nullopt;
    return std::max(once, twice);
}

/// `sm__instruction_throughput` by elapsed cycles, of reports that state it by active cycles only: scaled as
/// the instructions are.
std::optional<double> scaled_sm_instructions(const NcuValues& values) {
    const auto while_active = values.value("sm__instruction_throughput.avg.pct_of_peak_sustained_active");
    const auto active = values.value("sm__inst_executed.avg.per_cycle_active");
    const auto elapsed = values.value("sm__inst_executed.avg.per_cycle_elapsed");
    if (!while_active || !active || !elapsed || !(*active > 0) || *elapsed < 0) return std::nullopt;
    return *while_active * std::min(1.0, *elapsed / *active);
}

/// What Nsight Compute of 2019 calls shares of peaks on GPUs before Volta, and their names since.
struct OldName {
    std::string_view old_name;
    std::string_view name;
};
constexpr std::array<OldName, 5> shares_of_2019{{
    {"sm__sol_pct", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"ltc__sol_pct", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"fbpa__sol_pct", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"gpu__compute_memory_sol_pct", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"sm__active_warps_avg_per_active_cycle_pct", "sm__warps_active.avg.pct_of_peak_sustained_active"},
}};

/// Of PM sampling: when a launch began and ended in a pass [ns].
struct SampledPass {
    double start = 0;
    double end = 0;
};

std::vector<SampledPass> sampled_passes(const NcuMetrics& metrics) {
    std::vector<SampledPass> passes;
    const auto time_of = [&](std::string_view event) {
        std::optional<double> found;
        metrics.for_each_sample(fmt::format("profiler__timestamp_workload_{}_{}", event, passes.size()),
                                [&](double time, double) { found = found.value_or(time); });
        return found;
    };
    while (true) {
        const auto start = time_of("start");
        const auto end = time_of("end");
        if (!start || !end || *end <= *start) break;
        passes.push_back({*start, *end});
    }
    std::ranges::sort(passes, {}, &SampledPass::start);
    return passes;
}

/// The samples of a metric within the launch.
struct WithinLaunch {
    double samples = 0;
    std::optional<double> mean;  ///< of enough of them, over half of its time
};

/// What a sample stands for at most: the usual time between two. A gap is not sampled.
double usual_interval(std::vector<double> times) {
    std::ranges::sort(times);
    std::adjacent_difference(times.begin(), times.end(), times.begin());
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Each metric is sampled in one pass or some, whose time the samples have to cover.
WithinLaunch within_launch(const NcuMetrics& metrics, const std::vector<SampledPass>& passes,
                           std::string_view metric) {
    constexpr double enough = 0.5;
    std::vector<double> times;
    std::vector<double> values;
    metrics.for_each_sample(metric, [&](double time, double value) {
        times.push_back(time);
        values.push_back(value);
    });
    WithinLaunch within;
    if (times.empty()) return within;
    const double interval = usual_interval(times);
    std::set<const SampledPass*> sampled;
    double sum = 0;
    double covered = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto after = std::ranges::lower_bound(passes, times[i], {}, &SampledPass::start);
        if (after == passes.begin() || times[i] > std::prev(after)->end) continue;
        const SampledPass& pass = *std::prev(after);
        sampled.insert(&pass);
        ++within.samples;
        sum += values[i];
        const double before = std::max(i == 0 ? 0 : times[i - 1], times[i] - interval);
        covered += std::max(0.0, times[i] - std::max(before, pass.start));
    }
    double sampled_time = 0;
    for (const SampledPass* pass : sampled)
        sampled_time += pass->end - pass->start;
    if (within.samples >= least_pm_samples && covered >= enough * sampled_time)
        within.mean = sum / within.samples;
    return within;
}

/// What PM samples tell of the SM and of DRAM where no counter does.
void keep_samples(const NcuMetrics& metrics, bool of_sm, bool of_dram,
                  const std::function<bool(std::string_view, std::optional<double>)>& store) {
    if (!metrics.for_each_sample || !(of_sm || of_dram)) return;
    const std::vector<SampledPass> passes = sampled_passes(metrics);
    if (passes.empty()) return;
    constexpr std::array<std::string_view, 3> parts_of_sm{
        "inst_executed_realtime", "inst_executed_pipe_alu_realtime", "pipe_tensor_cycles_active_realtime"};
    double samples = 0;
    const auto mean_of = [&](std::string_view name) {
        const WithinLaunch within = within_launch(
            metrics, passes, fmt::format("pmsampling:{}.avg.pct_of_peak_sustained_elapsed", name));
        samples = std::max(samples, within.samples);
        return within.mean;
    };
    std::optional<double> sm;
    if (of_sm)
        for (const std::string_view part : parts_of_sm)
            sm = std::max(sm, mean_of(fmt::format("sm__{}", part)));
    store(sm_share_of_samples, sm);
    store(dram_share_of_samples, of_dram ? mean_of("dramc__throughput") : std::nullopt);
    store(pm_samples_within, samples > 0 ? std::optional(samples) : std::nullopt);
}

/// What the whole of memory reached, of its two parts ("Mem Busy", "Max Bandwidth") that the section of the
/// memory workload has: the larger, to the digit in every report of the samples that stores all three.
std::optional<double> memory_of_parts(const NcuValues& values) {
    const auto access =
        values.value("gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed");
    const auto request =
        values.value("gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed");
    return access && request ? std::max(access, request) : std::nullopt;
}

/// Keeps the metrics that advice and the kernel panel quote: throughputs, occupancy, launch resources, hit
/// rates, coalescing, spills, bank conflicts, stalls, busy pipes, clocks. Those a launch does not have are
/// left out.
void keep_evidence(const NcuValues& values, Launch& launch, Profile& profile) {
    const auto store = [&](std::string_view name, std::optional<double> number) {
        if (number) launch.metrics.push_back({profile.texts.intern(name), *number});
        return number.has_value();
    };
    constexpr std::string_view source_counters = "memory_";  // whose instances are places in the program
    for (const std::string_view name : evidence)
        store(name, name.starts_with(source_counters) ? values.source_counter(name) : values.value(name));
    for (const auto& [old_name, name] : shares_of_2019)
        if (!values.value(name)) store(name, values.value(old_name));
    if (!values.value(metric_of(HardwareUnit::memory)) && !values.value("gpu__compute_memory_sol_pct"))
        store(metric_of(HardwareUnit::memory), memory_of_parts(values));
    const bool sm = values.value(metric_of(HardwareUnit::sm)) ||
                    store(sm_instruction_throughput, values.value(sm_instruction_throughput)) ||
                    store(sm_instruction_throughput_scaled, scaled_sm_instructions(values));
    const bool dram = values.value(metric_of(HardwareUnit::dram)) || values.value("fbpa__sol_pct") ||
                      values.value("dram__throughput.avg.pct_of_peak_sustained_elapsed");
    const EnumArray<HardwareUnit, bool> told{
        true,
        values.value(metric_of(HardwareUnit::l1tex)) ||
            values.value("l1tex__throughput.avg.pct_of_peak_sustained_active"),
        values.value(metric_of(HardwareUnit::l2)) || values.value("ltc__sol_pct"),
        true,
        dram,
        true};
    bool of_bytes = false;
    for (const auto& [unit, metric] : shares_of_bytes)
        if (!told[unit] && store(metric, values.value(metric)) && unit == HardwareUnit::dram) of_bytes = true;
    keep_samples(values.metrics(), !sm, !dram && !of_bytes, store);
    if (const auto part = dram_part(values)) store(part->metric, part->bytes);
    if (!values.value(metric_of(HardwareUnit::l1tex))) store(l1tex_share_of_parts, l1tex_of_parts(values));
    if (const auto additions = half_additions(values); additions && *additions > 0)
        launch.metrics.push_back(
            {profile.texts.intern("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"), *additions});
}

constexpr std::string_view mixed_launches_hint =
    "Counters of different launches were probably mixed, as application replay does when a program does not "
    "repeat itself. Profile again with kernel replay.";

/// DRAM bytes as a total and as read + write, when they differ by more than passes of one launch do.
std::optional<Error> dram_disagrees(const NcuValues& values) {
    constexpr double tolerance = 0.05;
    constexpr double least_bytes = 1e6;
    const auto total = values.total("dram__bytes");
    const auto read = values.total("dram__bytes_read");
    const auto write = values.total("dram__bytes_write");
    if (!total || !read || !write) return std::nullopt;
    const double parts = read->value + write->value;
    const double larger = std::max(total->value, parts);
    if (larger < least_bytes || std::abs(total->value - parts) <= tolerance * larger) return std::nullopt;
    return Error{ErrorCode::contradiction,
                 "dram__bytes counters disagree: the total is " + format(Bytes(total->value)) +
                     ", read + write are " + format(Bytes(parts)),
                 "", std::string(mixed_launches_hint)};
}

/// What cannot all be true, or what ran without being counted, in the counters of one launch.
std::vector<Error> contradictions(const NcuValues& values, const NcuTensorWork& tensor,
                                  const UncountedWork& uncounted) {
    std::vector<Error> found;
    if (shared_memory_counters_disagree(values)) {
        const double wavefronts = values.source_counter("memory_l1_wavefronts_shared").value_or(0);
        found.push_back({ErrorCode::contradiction,
                         "The instructions of this kernel made " + format_count(wavefronts) +
                             " shared-memory wavefronts, but the hardware counters saw no load or store; the "
                             "count by instruction is taken",
                         "", std::string(mixed_launches_hint)});
    }
    if (tensor.counters_disagree)
        found.push_back({ErrorCode::contradiction,
                         "This kernel executed tensor instructions, but the hardware counters saw no tensor "
                         "operation; the count by instruction is taken",
                         "", std::string(mixed_launches_hint)});
    if (auto dram = dram_disagrees(values)) found.push_back(std::move(*dram));
    if (uncounted.tensor)
        found.push_back(
            {ErrorCode::not_understood,
             "This kernel used the tensor cores, but nothing in the file tells how many operations "
             "they did",
             "",
             "Profile again with the set roofline, or with the set full of Nsight Compute 2025.1 or "
             "later."});
    if (uncounted.fp16)
        found.push_back(
            {ErrorCode::not_understood,
             "This kernel ran FP16 instructions that were not counted; its FLOPs are a lower bound", "",
             "Profile again with the set roofline."});
    return found;
}

void keep(const NcuWork& work, Launch& launch, StringPool& texts) {
    launch.work.push_back({work.pipe, work.origin, texts.intern(work.source), work.work});
    launch.instrumented |= work.instrumented;
}

void keep(const NcuTraffic& traffic, Launch& launch, StringPool& texts) {
    launch.traffic.push_back({traffic.boundary, traffic.origin, texts.intern(traffic.source), traffic.total,
                              traffic.read, traffic.write});
}

/// Launches that ran with the same clocks share one set.
std::shared_ptr<const CeilingSet> shared_set(CeilingSet ceilings, const Profile& profile) {
    if (ceilings.empty()) return nullptr;
    if (!profile.launches.empty()) {
        const auto& last = profile.launches.back().ceilings;
        if (last && *last == ceilings) return last;
    }
    return std::make_shared<const CeilingSet>(std::move(ceilings));
}

template <class Ceiling, class Key>
void add_missing(std::vector<Ceiling>& known, std::vector<Ceiling> more, Key key) {
    for (Ceiling& ceiling : more)
        if (std::ranges::none_of(known, [&](const Ceiling& entry) {
                return entry.*key == ceiling.*key && entry.provenance.source == ceiling.provenance.source;
            }))
            known.push_back(std::move(ceiling));
}

void keep_on_device(const CeilingSet& measured, Device& device) {
    CeilingSet boosted = at_boost_clock(measured, device);
    add_missing(device.ceilings.compute, std::move(boosted.compute), &ComputeCeiling::pipe);
    add_missing(device.ceilings.bandwidth, std::move(boosted.bandwidth), &BandwidthCeiling::boundary);
}

constexpr std::string_view attribute_prefix = "device__attribute_";
constexpr double hertz_per_kilohertz = 1000;

class Attributes {
  public:
    explicit Attributes(const NcuMetrics& metrics) : values_(metrics, nobody_) {}

    [[nodiscard]] std::optional<double> number(std::string_view name) const {
        const auto found = values_.value(std::string(attribute_prefix).append(name));
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
        return whole(values_.value(std::string(attribute_prefix).append(name)));
    }

  private:
    Device nobody_;
    NcuValues values_;
};

using Figures = std::array<double, 3>;  // time [s], DRAM bytes read and written

/// Absent for traffic so small that launches may agree by chance.
std::optional<Figures> figures_of(const Launch& launch) {
    constexpr double least_bytes = 1e6;
    const TrafficSample* dram = launch.find(Boundary::hbm_dram_rw);
    if (launch.failed || !launch.duration || dram == nullptr || !dram->read || !dram->write) return {};
    if (dram->total.value() < least_bytes) return {};
    return Figures{launch.duration->value(), dram->read->value(), dram->write->value()};
}

struct SharedCounters {
    std::size_t launch = 0;
    std::size_t other = 0;  ///< of another kernel, with the same figures
};

std::vector<SharedCounters> shared_counters(const Profile& profile) {
    std::map<Figures, std::vector<std::size_t>> launches;
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
        if (const auto figures = figures_of(profile.launches[i])) launches[*figures].push_back(i);

    std::vector<SharedCounters> found;
    for (const auto& [figures, same] : launches) {
        const auto of_another_kernel = [&, first = profile.launches[same.front()].kernel](std::size_t i) {
            return profile.launches[i].kernel != first;
        };
        const auto other = std::ranges::find_if(same, of_another_kernel);
        if (other == same.end()) continue;
        for (const std::size_t i : same)
            found.push_back({i, of_another_kernel(i) ? same.front() : *other});
    }
    std::ranges::sort(found, {}, &SharedCounters::launch);
    return found;
}

std::vector<LaunchIndex> launches_of(const std::vector<SharedCounters>& found) {
    std::vector<LaunchIndex> launches;
    for (const SharedCounters& shared : found)
        launches.push_back(static_cast<LaunchIndex>(shared.launch));
    return launches;
}

}  // namespace

void apply_ncu_metrics(const NcuMetrics& metrics, const Device& device, LaunchIndex index, Launch& launch,
                       Profile& profile) {
    const NcuValues values(metrics, device);
    // What cannot be is refused, and said, where all readers meet.
    launch.duration = values.impossible_duration();
    if (const auto& duration = values.duration()) {
        launch.duration = Seconds(duration->value);
        launch.duration_source = profile.texts.intern(duration->formula);
    }
    if (values.derives_duration()) launch.duration_origin = TimeOrigin::derived;

    const std::vector<TensorPath> paths = tensor_paths(values);
    const std::vector<NcuWork> vector_work = vector_pipe_work(values);
    const NcuTensorWork tensor = tensor_work(values, paths);
    for (const auto* list : {&vector_work, &tensor.work})
        for (const NcuWork& work : *list)
            keep(work, launch, profile.texts);
    launch.uncounted = uncounted_vector_work(values, launch.work);
    launch.uncounted.tensor = tensor.unknown;
    launch.unchecked = unchecked_work(values, launch, tensor.unchecked);

    if (const auto hbm = hbm_traffic(values)) keep(*hbm, launch, profile.texts);
    for (const NcuTraffic& traffic : cache_traffic(values))
        keep(traffic, launch, profile.texts);
    for (const NcuTraffic& traffic : shared_memory_traffic(values))
        keep(traffic, launch, profile.texts);
    keep_evidence(values, launch, profile);

    for (Error& message : contradictions(values, tensor, launch.uncounted)) {
        message.where = fmt::format("kernel {}", static_cast<std::size_t>(index));
        profile.warnings.push_back({std::move(message), {index}});
    }

    CeilingSet measured = ceilings_at_measured_clocks(values, paths, tensor.work);
    const auto device_slot = static_cast<std::size_t>(launch.device);
    if (device_slot < profile.devices.size()) keep_on_device(measured, profile.devices[device_slot]);
    launch.ceilings = shared_set(std::move(measured), profile);
}

void add_ncu_launch(const NcuMetrics& metrics, Launch launch, Profile& profile) {
    const auto index = static_cast<LaunchIndex>(profile.launches.size());
    if (!launch.failed) apply_ncu_metrics(metrics, profile.device_of(launch), index, launch, profile);
    profile.launches.push_back(std::move(launch));
}

void warn_of_failed_launches(Profile& profile) {
    constexpr std::size_t most_warnings = 20;
    std::vector<LaunchIndex> failed;
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
        if (profile.launches[i].failed) failed.push_back(static_cast<LaunchIndex>(i));
    const bool many = failed.size() > most_warnings;
    for (const LaunchIndex launch : failed) {
        const std::string what =
            many ? fmt::format("The profiler could not measure {} kernels, this one first", failed.size())
                 : "The profiler could not measure this kernel";
        profile.warnings.push_back({{ErrorCode::failed_kernel, what,
                                     fmt::format("kernel {}, {}", static_cast<std::size_t>(launch),
                                                 profile.kernel_of(profile.at(launch)).name),
                                     "Profile it again; ncu prints the reason while it runs."},
                                    many ? failed : std::vector{launch}});
        if (many) return;
    }
}

Device device_from_ncu_attributes(
    const NcuMetrics& metrics, const std::function<std::optional<std::string>(std::string_view name)>& text) {
    const Attributes attributes(metrics);
    Device device;
    device.vendor = Vendor::nvidia;
    if (text) device.name = text(std::string(attribute_prefix) + "display_name").value_or(std::string());

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

void warn_of_shared_counters(Profile& profile) {
    constexpr std::size_t most_warnings = 20;
    const std::vector<SharedCounters> found = shared_counters(profile);
    const bool many = found.size() > most_warnings;
    for (const auto& [launch, other] : found) {
        const auto name = [&](std::size_t i) {
            return fmt::format("kernel {}, {}", i, profile.kernel_of(profile.launches[i]).name);
        };
        std::string what =
            fmt::format("Time and dram__bytes of this kernel are exactly those of {}", name(other));
        if (many) what += fmt::format(", and so with {} kernels of the report", found.size());
        profile.warnings.push_back(
            {{ErrorCode::contradiction, what + ": one launch's counters were given to several", name(launch),
              "Application replay does so when a program does not repeat itself. Profile again with "
              "kernel replay."},
             many ? launches_of(found) : std::vector{static_cast<LaunchIndex>(launch)}});
        if (many) return;
    }
}

}  // namespace roofwalk
