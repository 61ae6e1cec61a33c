// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_charts.h"

#include <array>

#include "core/import/ncu/ncu_ceilings.h"

namespace roofwalk {

namespace {

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

}  // namespace

CeilingSet ceilings_from_charts(const NcuValues& values) {
    CeilingSet ceilings;
    for (const NcuRooflineChart& chart : values.metrics().charts)
        for (const NcuRoof& roof : chart.roofs) {
            for (const auto& [metric, kind] : work_marks)
                if (usable(roof.peak_work) && roof.work_expression.find(metric) != std::string::npos &&
                    !ceilings.find(Pipe{kind}))
                    ceilings.compute.push_back({{kind},
                                                FlopRate(*roof.peak_work),
                                                provenance_of(values.sm_clock(), roof.work_expression)});
            for (const auto& [metric, boundary, unit] : traffic_marks)
                if (usable(roof.peak_traffic) && roof.traffic_expression.find(metric) != std::string::npos &&
                    !ceilings.find(boundary) &&
                    !(boundary == Boundary::l1_writeback && counter_peaks_exceed_l1(values.device())))
                    ceilings.bandwidth.push_back(
                        {boundary, ByteRate(*roof.peak_traffic),
                         provenance_of(values.clock(unit), roof.traffic_expression)});
        }
    return ceilings;
}

}  // namespace roofwalk
