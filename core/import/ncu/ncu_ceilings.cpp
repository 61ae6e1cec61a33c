// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/import/ncu/ncu_traffic.h"
#include "core/import/ncu/ncu_values.h"

namespace roofwalk {

namespace {

using MaybeAmount = std::optional<NcuAmount>;

MaybeAmount times(double factor, MaybeAmount amount) {
    if (amount && factor != 1) {
        amount->value *= factor;
        amount->formula = fmt::format("{:g} * ", factor) + amount->formula;
    }
    return amount;
}

/// From here on one rate is not the other, which misses by a factor of two or four.
constexpr double other_rate = 1.9;

/// Cycles of one pass over the time of another can give more than the DRAM has: then its highest clock. An
/// attribute that is not the data rate misses by a factor of two or four, and says nothing.
MaybeAmount dram_clock(const NcuValues& values) {
    constexpr double noise = 1.05;
    auto clock = values.clock("dram");
    const auto& most = values.device().memory_clock;
    if (!clock || !most || clock->value <= noise * most->value() ||
        clock->value >= other_rate * most->value())
        return clock;
    clock->formula += fmt::format(" (measured as {}, taken as the highest, {})", format(Hertz(clock->value)),
                                  format(*most));
    clock->value = most->value();
    return clock;
}

/// Two transfers a cycle over the bus: equal to the counter's peak on every GPU where both are stored.
MaybeAmount dram_bus_peak(const NcuValues& values) {
    const auto clock = dram_clock(values);
    const auto& bits = values.device().memory_bus_bits;
    if (!clock || !bits || *bits <= 0) return std::nullopt;
    return NcuAmount{2.0 * *bits / 8 * clock->value, "2 * memory bus width * " + clock->formula};
}

/// Nsight Compute of 2019 stores the data rate of GDDR5 by a name of its own, measured in another pass than
/// the highest clock allows at times. A figure that is far from it is another rate, and says nothing.
MaybeAmount dram_frequency_peak(const NcuValues& values) {
    constexpr std::string_view name = "dram__frequency";
    constexpr double least = 0.6;
    constexpr double most = 1.2;
    const auto rate = values.value(name);
    const auto& bits = values.device().memory_bus_bits;
    const auto& clock = values.device().memory_clock;
    if (!rate || !clock || !bits || *bits <= 0) return std::nullopt;
    const double highest = 2 * clock->value();
    if (*rate < least * highest || *rate > most * highest) return std::nullopt;
    return NcuAmount{*bits / 8.0 * std::min(*rate, highest),
                     *rate > highest ? fmt::format("memory bus width * 2 * {}", format(*clock))
                                     : fmt::format("memory bus width * {}", name)};
}

MaybeAmount dram_counter_peak(const NcuValues& values) {
    MaybeAmount peak;
    for (const std::string_view counter : {"dram__bytes", "dram__bytes_read", "dram__bytes_op_read"})
        if (!peak) peak = values.peak_rate(counter, "dram");
    // Nsight Compute of 2019 tells shares of HBM2 of twice what its bus moves.
    if (const auto bus = dram_bus_peak(values); peak && bus && peak->value >= other_rate * bus->value)
        return std::nullopt;
    const auto measured = values.clock("dram");
    if (peak && measured) {
        const auto possible = dram_clock(values);
        peak->value *= possible->value / measured->value;
        peak->formula += possible->formula.substr(measured->formula.size());
    }
    return peak;
}

MaybeAmount slice_count(const NcuValues& values) {
    const auto sum = values.value("lts__cycles_elapsed.sum");
    const auto average = values.value("lts__cycles_elapsed.avg");
    if (sum && average && *average > 0)
        return NcuAmount{*sum / *average, "(lts__cycles_elapsed.sum / lts__cycles_elapsed.avg)"};
    if (const auto slices = values.value("device__attribute_l2s_count"); slices && *slices > 0)
        return NcuAmount{*slices, "device__attribute_l2s_count"};
    return std::nullopt;
}

/// Counts a second of a counter of the L2 slices at its peak.
MaybeAmount slice_peak(const NcuValues& values, const std::string& counter) {
    const std::string peak_name = counter + ".avg.peak_sustained";
    const auto of_slice = values.value(peak_name);
    const auto clock = values.clock("lts");
    const auto slices = slice_count(values);
    if (of_slice && *of_slice > 0 && clock && slices)
        return NcuAmount{*of_slice * slices->value * clock->value,
                         peak_name + " * " + slices->formula + " * " + clock->formula};
    const auto cycles = values.value("lts__cycles_elapsed.sum");
    if (of_slice && *of_slice > 0 && cycles && *cycles > 0 && values.duration())
        return NcuAmount{*of_slice * *cycles / values.duration()->value,
                         peak_name + " * lts__cycles_elapsed.sum / " + values.duration()->formula};
    return values.peak_rate(counter, "lts");
}

Provenance at_measured_clock(CeilingSource source, const MaybeAmount& clock, std::string detail) {
    Provenance provenance;
    provenance.source = source;
    provenance.basis = ClockBasis::measured;
    if (clock) provenance.clock = Hertz(clock->value);
    provenance.detail = std::move(detail);
    return provenance;
}

class CeilingBuilder {
  public:
    CeilingBuilder(const NcuValues& values, CeilingSet set) : values_(values), set_(std::move(set)) {}

    void bandwidth(Boundary boundary, MaybeAmount peak, const MaybeAmount& clock,
                   CeilingSource source = CeilingSource::counters) {
        if (!peak || peak->value <= 0 || set_.find(boundary)) return;
        set_.bandwidth.push_back(
            {boundary, ByteRate(peak->value), at_measured_clock(source, clock, std::move(peak->formula))});
    }

    void compute(Pipe pipe, MaybeAmount peak) {
        if (!peak || peak->value <= 0 || set_.find(pipe)) return;
        set_.compute.push_back(
            {pipe, FlopRate(peak->value),
             at_measured_clock(CeilingSource::counters, values_.sm_clock(), std::move(peak->formula))});
    }

    [[nodiscard]] CeilingSet take() { return std::move(set_); }

  private:
    const NcuValues& values_;
    CeilingSet set_;
};

void add_vector_pipes(const NcuValues& values, CeilingBuilder& ceilings) {
    const auto peak = [&](double flops, std::string_view counter) -> MaybeAmount {
        const std::string name = std::string(counter) + ".sum.peak_sustained";
        const auto instructions = values.value(name);
        const auto clock = values.sm_clock();
        if (!instructions || !clock) return std::nullopt;
        return times(flops, NcuAmount{*instructions * clock->value, name + " * " + clock->formula});
    };
    ceilings.compute({PipeKind::fp64}, peak(2, "sm__sass_thread_inst_executed_op_dfma_pred_on"));
    ceilings.compute({PipeKind::fp32}, peak(2, "sm__sass_thread_inst_executed_op_ffma_pred_on"));
    ceilings.compute({PipeKind::fp16}, peak(4, "sm__sass_thread_inst_executed_op_hfma_pred_on"));
}

/// Hopper counts FP16 accumulation apart for HMMA (mma.sync) only; HGMMA (wgmma), which is faster, counts as
/// one type whatever it accumulates in. Their ceilings stand for different instructions.
void note_slower_instruction(const TensorPath& path, const std::vector<TensorPath>& paths, NcuAmount& peak) {
    const auto has = [](const TensorPath& one, std::string_view instruction) {
        return contains(one.counter, instruction);
    };
    if (path.pipe.kind == PipeKind::tensor_fp16_acc16 && has(path, "_op_hmma_") &&
        std::ranges::any_of(paths, [&](const TensorPath& other) { return has(other, "_op_hgmma_"); }))
        peak.formula += "; of HMMA instructions, HGMMA ones count as FP16 Tensor whatever they accumulate in";
}

/// Peaks of the instructions where a type has them, since the peak of the type is that of sparse operands;
/// the fastest instruction of a pipe is its ceiling.
void add_tensor_pipes(const NcuValues& values, const std::vector<TensorPath>& paths,
                      CeilingBuilder& ceilings) {
    struct PathPeak {
        const TensorPath* path;
        NcuAmount peak;
    };
    std::vector<PathPeak> peaks;
    std::set<std::string_view> types_with_instructions;
    for (const TensorPath& path : paths)
        if (auto peak = values.peak_rate(path.counter, "sm")) {
            if (path.one_instruction) types_with_instructions.insert(path.type);
            note_slower_instruction(path, paths, *peak);
            peaks.push_back({&path, std::move(*peak)});
        }
    std::erase_if(peaks, [&](const PathPeak& entry) {
        return !entry.path->one_instruction && types_with_instructions.contains(entry.path->type);
    });
    std::ranges::stable_sort(peaks, std::ranges::greater(),
                             [](const PathPeak& entry) { return entry.peak.value; });
    for (PathPeak& entry : peaks)
        ceilings.compute(entry.path->pipe, std::move(entry.peak));
}

/// Work over the share of time that kept the tensor pipe busy: exact on A100 and A40 where one type ran.
void add_tensor_pipe_from_share(const NcuValues& values, const std::vector<NcuWork>& work,
                                CeilingBuilder& ceilings) {
    constexpr std::string_view name = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
    constexpr double least_percent = 5;
    const auto percent = values.value(name);
    const auto is_tensor_work = [](const NcuWork& entry) { return is_tensor(entry.pipe); };
    if (!percent || *percent < least_percent || !values.duration() ||
        std::ranges::count_if(work, is_tensor_work) != 1)
        return;
    const NcuWork& only = *std::ranges::find_if(work, is_tensor_work);
    if (only.origin != Origin::measured) return;
    ceilings.compute(only.pipe, NcuAmount{only.work.value() / values.duration()->value / (*percent / 100),
                                          "work / duration / " + std::string(name)});
}

/// Bytes that the data stage of an SM moves in a cycle.
double stage_bytes(const Device& device) {
    const Architecture* architecture = architecture_of(device.compute_capability);
    return architecture != nullptr && architecture->l1_bytes > 0 ? architecture->l1_bytes
                                                                 : bytes_per_wavefront;
}

/// Bytes a second that the data stages of all SMs move, for L1 and shared memory together.
MaybeAmount data_stage_peak(const NcuValues& values) {
    auto peak = sm_cycle_rate(values);
    if (!peak) return std::nullopt;
    const double bytes = stage_bytes(values.device());
    peak->value *= bytes;
    peak->formula = fmt::format("{:g} B * {}", bytes, peak->formula);
    if (const std::string beside = l1_beside_ncu(values.device()); !beside.empty())
        peak->formula += "; " + beside;
    return peak;
}

void add_levels(const NcuValues& values, CeilingBuilder& ceilings) {
    const auto l2_clock = values.clock("lts");
    if (!has_no_dram(values.device())) {
        ceilings.bandwidth(Boundary::hbm_dram_rw, dram_counter_peak(values), dram_clock(values));
        ceilings.bandwidth(Boundary::hbm_dram_rw, dram_bus_peak(values), dram_clock(values),
                           CeilingSource::attributes);
        ceilings.bandwidth(Boundary::hbm_dram_rw, dram_frequency_peak(values), std::nullopt,
                           CeilingSource::attributes);
    }
    ceilings.bandwidth(Boundary::l2_sm_sectors,
                       times(bytes_per_sector, slice_peak(values, "lts__t_sectors_srcunit_tex")), l2_clock);
    if (values.total("lts__lts2xbar_cycles_active"))
        ceilings.bandwidth(Boundary::l2_sm_return,
                           times(bytes_per_sector, values.peak_rate("lts__lts2xbar_cycles_active", "lts")),
                           l2_clock);
    else
        ceilings.bandwidth(Boundary::l2_sm_return, values.peak_rate("l1tex__m_xbar2l1tex_read_bytes", "lts"),
                           l2_clock);
    ceilings.bandwidth(Boundary::l2_all, times(bytes_per_sector, slice_peak(values, "lts__t_sectors")),
                       l2_clock);
}

/// Whether counters of L1 and shared memory have a wavefront of 128 B in every cycle for their peak where the
/// data stage of the architecture moves less.
bool counter_peaks_exceed_l1(const Device& device) {
    return stage_bytes(device) < bytes_per_wavefront;
}

void add_l1_and_smem(const NcuValues& values, CeilingBuilder& ceilings) {
    const auto clock = values.clock("l1tex") ? values.clock("l1tex") : values.sm_clock();
    if (counter_peaks_exceed_l1(values.device())) {
        for (const Boundary boundary : {Boundary::l1_unified, Boundary::l1_writeback, Boundary::l1_tag,
                                        Boundary::smem_wavefronts, Boundary::smem_requested})
            ceilings.bandwidth(boundary, data_stage_peak(values), clock);
        // Where the number of SMs is not stored, the counter's peak tells it.
        ceilings.bandwidth(
            Boundary::l1_writeback,
            times(stage_bytes(values.device()),
                  values.peak_rate(l1_writeback_counter(values.device().compute_capability), "l1tex")),
            clock);
        return;
    }
    ceilings.bandwidth(
        Boundary::l1_writeback,
        times(bytes_per_wavefront,
              values.peak_rate(l1_writeback_counter(values.device().compute_capability), "l1tex")),
        clock);
    ceilings.bandwidth(Boundary::l1_tag, values.peak_rate("l1tex__t_bytes", "l1tex"), clock);
    ceilings.bandwidth(Boundary::l1_tag,
                       times(bytes_per_sector, values.peak_rate("l1tex__t_sectors", "l1tex")), clock);
    for (const Boundary boundary :
         {Boundary::l1_unified, Boundary::smem_wavefronts, Boundary::smem_requested})
        ceilings.bandwidth(boundary, data_stage_peak(values), clock);
}

struct WorkMark {
    std::string_view metric;  ///< part of a metric name that tells the pipe
    PipeKind kind;
};

struct TrafficMark {
    std::string_view metric;
    Boundary boundary;
    std::string_view clock_unit;
};

constexpr std::array<WorkMark, 3> work_marks{{
    {"op_dfma_pred_on", PipeKind::fp64},
    {"op_ffma_pred_on", PipeKind::fp32},
    {"op_hfma_pred_on_x4", PipeKind::fp16},
}};

constexpr std::array<TrafficMark, 4> traffic_marks{{
    {"dram__bytes", Boundary::hbm_dram_rw, "dram"},
    {"lts2xbar", Boundary::l2_sm_return, "lts"},
    {"xbar2l1tex_read_bytes", Boundary::l2_sm_return, "lts"},
    {"lsu_writeback", Boundary::l1_writeback, "l1tex"},
}};

Provenance provenance_of(const std::optional<NcuAmount>& clock, const std::string& expression) {
    Provenance provenance;
    provenance.source = CeilingSource::counters;
    provenance.basis = ClockBasis::measured;
    if (clock) provenance.clock = Hertz(clock->value);
    provenance.detail = expression + " (formula in the report)";
    return provenance;
}

bool usable(const std::optional<double>& peak) {
    return peak && *peak > 0;
}

/// The ceilings that the roofline charts of a report define for a launch, as far as they are ceilings of one
/// of our pipes or boundaries: FP64, FP32 and FP16 peaks, DRAM, L2 return and L1 write-back. FP16 peaks of
/// charts before 2025 count a packed instruction as one and are left out; so are tensor roofs, whose
/// aggregates are sparse peaks, and L1 on Turing, whose counter has twice the peak that it can reach.
CeilingSet ceilings_from_charts(const NcuValues& values) {
    CeilingSet ceilings;
    for (const NcuRooflineChart& chart : values.metrics().charts)
        for (const NcuRoof& roof : chart.roofs) {
            for (const auto& [metric, kind] : work_marks)
                if (usable(roof.peak_work) && contains(roof.work_expression, metric) &&
                    !ceilings.find(Pipe{kind}))
                    ceilings.compute.push_back({{kind},
                                                FlopRate(*roof.peak_work),
                                                provenance_of(values.sm_clock(), roof.work_expression)});
            for (const auto& [metric, boundary, unit] : traffic_marks)
                if (usable(roof.peak_traffic) && contains(roof.traffic_expression, metric) &&
                    !ceilings.find(boundary) &&
                    !(boundary == Boundary::l1_writeback && counter_peaks_exceed_l1(values.device())))
                    ceilings.bandwidth.push_back(
                        {boundary, ByteRate(*roof.peak_traffic),
                         provenance_of(values.clock(unit), roof.traffic_expression)});
        }
    return ceilings;
}

/// What the rate that was counted tells of it on a chip whose bytes a cycle are known.
std::optional<Hertz> counted_l2_clock(const CeilingSet& measured, const Device& device) {
    const BandwidthCeiling* counted = measured.find(Boundary::l2_sm_sectors);
    const auto bytes = l2_bytes_per_cycle(device);
    return counted != nullptr && bytes ? std::optional(Hertz(counted->rate.value() / *bytes)) : std::nullopt;
}

}  // namespace

std::optional<NcuAmount> dram_peak(const NcuValues& values) {
    auto peak = dram_counter_peak(values);
    if (!peak) peak = dram_bus_peak(values);
    return peak ? peak : dram_frequency_peak(values);
}

std::optional<NcuAmount> sm_cycle_rate(const NcuValues& values) {
    const auto& sms = values.device().sm_count;
    const auto clock = values.clock("l1tex") ? values.clock("l1tex") : values.sm_clock();
    if (!sms || *sms <= 0 || !clock) return std::nullopt;
    return NcuAmount{*sms * clock->value, fmt::format("{} SMs * {}", *sms, clock->formula)};
}

CeilingSet ceilings_at_measured_clocks(const NcuValues& values, const std::vector<TensorPath>& paths,
                                       const std::vector<NcuWork>& work) {
    CeilingBuilder ceilings(values, ceilings_from_charts(values));
    add_vector_pipes(values, ceilings);
    add_tensor_pipes(values, paths, ceilings);
    add_tensor_pipe_from_share(values, work, ceilings);
    add_levels(values, ceilings);
    add_l1_and_smem(values, ceilings);
    return ceilings.take();
}

CeilingSet at_boost_clock(const CeilingSet& measured, const Device& device) {
    CeilingSet boosted;
    // A clock that was measured can be reached, whatever the attribute says.
    const auto raised = [](auto ceiling, std::optional<Hertz> boost,
                           std::string_view clock = "the highest clock") {
        boost = std::max(boost, ceiling.provenance.clock);
        ceiling.rate = ceiling.rate * (*boost / *ceiling.provenance.clock);
        ceiling.provenance.basis = ClockBasis::boost;
        ceiling.provenance.clock = boost;
        ceiling.provenance.detail += fmt::format(", scaled to {}", clock);
        return ceiling;
    };
    const auto can_be_raised = [](const Provenance& provenance, const std::optional<Hertz>& boost) {
        return boost && provenance.clock && provenance.clock->value() > 0;
    };
    for (const ComputeCeiling& ceiling : measured.compute)
        if (can_be_raised(ceiling.provenance, device.boost_clock))
            boosted.compute.push_back(raised(ceiling, device.boost_clock));
    for (BandwidthCeiling ceiling : measured.bandwidth) {
        const LevelClock clock = memory_levels[level_of(ceiling.boundary)].clock;
        if (clock == LevelClock::l2) {
            const Architecture* architecture = architecture_of(device.compute_capability);
            const double own = architecture != nullptr ? architecture->l2.clock : 0;
            // Many reports store what L2 did and not at which clock, which need not be locked with that of
            // the SMs (854 MHz beside 585 on a T4): else it follows theirs as far as anyone knows.
            if (!ceiling.provenance.clock) ceiling.provenance.clock = counted_l2_clock(measured, device);
            const bool is_own = own > 0 && ceiling.provenance.clock;
            if (!ceiling.provenance.clock) ceiling.provenance.clock = measured.sm_clock();
            const auto boost = is_own ? std::max(Hertz(own), *ceiling.provenance.clock) : device.boost_clock;
            if (can_be_raised(ceiling.provenance, boost))
                boosted.bandwidth.push_back(raised(ceiling, boost,
                                                   is_own ? "the highest clock that counters show of L2"
                                                          : "the highest SM clock, taken for that of L2"));
            continue;
        }
        const auto& boost = clock == LevelClock::memory ? device.memory_clock : device.boost_clock;
        if (can_be_raised(ceiling.provenance, boost)) boosted.bandwidth.push_back(raised(ceiling, boost));
    }
    return boosted;
}

}  // namespace roofwalk
