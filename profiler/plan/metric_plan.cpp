// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/metric_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "core/model/ncu_counters.h"

namespace roofwalk {

namespace {

/// Counters of tensor operations: an operation each, so that a fused multiply-add counts as two.
struct TensorMetrics {
    std::vector<std::string> metrics;
    std::string types;  ///< in words
    std::string
        leaves_out;  ///< operations that the chip can do and these do not count; empty when there are none
};

constexpr std::string_view sparse = "2:4 sparse operations";

/// Sums over dense and sparse operations need passes of their own, so that only the dense ones are asked for.
std::vector<std::string> dense(std::initializer_list<std::string_view> paths,
                               std::initializer_list<std::string_view> never_sparse) {
    std::vector<std::string> names;
    for (const std::string_view path : paths)
        names.push_back("sm__ops_path_tensor_" + std::string(path) + "_sparsity_off.sum");
    for (const std::string_view path : never_sparse)
        names.push_back("sm__ops_path_tensor_" + std::string(path) + ".sum");
    return names;
}

std::string with_sparse(std::string_view others) {
    return std::string(sparse) + ", " + std::string(others);
}

/// The tensor path that new code takes on the chip: wgmma on Hopper, tcgen05 on Blackwell of data centres,
/// mma.sync elsewhere. Absent on chips without tensor cores.
std::optional<TensorMetrics> tensor_metrics(ChipFamily family) {
    switch (family) {
        case ChipFamily::pascal:
        case ChipFamily::turing_without_tensor:
            return std::nullopt;
        case ChipFamily::volta:
            return TensorMetrics{dense({}, {"src_fp16_dst_fp16", "src_fp16_dst_fp32"}), "FP16", ""};
        case ChipFamily::turing:
            return TensorMetrics{dense({}, {"src_fp16_dst_fp16", "src_fp16_bf16_tf32_dst_fp32", "src_int8",
                                            "src_int4", "src_int1"}),
                                 "FP16, INT8, INT4, INT1", ""};
        case ChipFamily::ampere_100:
        case ChipFamily::ampere_10x:
            return TensorMetrics{dense({"src_bf16_dst_fp32", "src_fp16_dst_fp16", "src_fp16_dst_fp32",
                                        "src_tf32_dst_fp32", "src_int8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, INT8, FP64", with_sparse("INT4, INT1")};
        case ChipFamily::ada:
            return TensorMetrics{dense({"src_bf16_dst_fp32", "src_fp16_dst_fp16", "src_fp16_dst_fp32",
                                        "src_tf32_dst_fp32", "src_int8", "src_fp8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, INT8, FP8, FP64", with_sparse("INT4, INT1")};
        case ChipFamily::hopper:
            return TensorMetrics{dense({"op_hgmma_src_bf16_dst_fp32", "op_hgmma_src_fp16",
                                        "op_hgmma_src_tf32_dst_fp32", "src_fp8", "op_igmma_src_int8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, FP8, INT8 of wgmma, FP64",
                                 with_sparse("INT1, mma.sync (plans D, F, G)")};
        case ChipFamily::blackwell_100:
        case ChipFamily::blackwell_10b:
            return TensorMetrics{dense({"op_utchmma_src_bf16_dst_fp32", "op_utchmma_src_fp16_dst_fp32",
                                        "op_utchmma_src_tf32_dst_fp32", "op_utcqmma_src_fp4_fp6_fp8_dst_fp32",
                                        "op_utcomma_src_fp4_dst_fp32", "op_utcimma_src_int8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, FP8/FP6/FP4, INT8 of tcgen05, FP64",
                                 with_sparse("accumulation in FP16, mma.sync (plans D, F, G)")};
        case ChipFamily::blackwell_110:
            return TensorMetrics{dense({"op_utchmma_src_bf16_dst_fp32", "op_utchmma_src_fp16_dst_fp32",
                                        "op_utchmma_src_tf32_dst_fp32", "op_utcqmma_src_fp8_dst_fp32",
                                        "op_utcqmma_src_fp4_fp6_dst_fp32", "op_utcomma_src_fp4_dst_fp32"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, FP8, FP6/FP4 of tcgen05, FP64",
                                 with_sparse("accumulation in FP16, mma.sync (plans D, F, G)")};
        case ChipFamily::blackwell_20x:
            return TensorMetrics{dense({"op_hmma_src_bf16_dst_fp32", "op_hmma_src_fp16_dst_fp16",
                                        "op_hmma_src_fp16_dst_fp32", "op_hmma_src_tf32_dst_fp32",
                                        "op_imma_src_int8", "src_fp8_dst_fp32", "src_fp4_dst_fp32"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, INT8, FP8, FP4, FP64",
                                 with_sparse("FP6, accumulation of FP8 in FP16")};
    }
    return std::nullopt;
}

/// mma.sync where tensor_metrics() counts another path. More of these in one plan take several passes.
TensorMetrics warp_tensor_metrics(PlanKind kind) {
    const std::string left_out(sparse);
    switch (kind) {
        case PlanKind::warp_tensor_half:
            return {dense({"op_hmma_src_tf32_dst_fp32", "op_hmma_src_fp16_dst_fp16"}, {}),
                    "dense TF32, FP16 with FP16 accumulation of mma.sync", left_out};
        case PlanKind::warp_tensor_integer:
            return {dense({"op_imma_src_int8"}, {"src_fp64"}), "dense INT8 of mma.sync, FP64", left_out};
        default:
            return {dense({"op_hmma_src_bf16_dst_fp32", "op_hmma_src_fp16_dst_fp32"}, {}),
                    "dense BF16, FP16 with FP32 accumulation of mma.sync", left_out};
    }
}

bool counts_another_path(ChipFamily family) {
    switch (family) {
        case ChipFamily::hopper:
        case ChipFamily::blackwell_100:
        case ChipFamily::blackwell_110:
        case ChipFamily::blackwell_10b:
            return true;
        default:
            return false;
    }
}

using Names = std::vector<std::string>;

constexpr std::string_view shared_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared";

void add(Names& names, std::initializer_list<std::string_view> more) {
    names.insert(names.end(), more.begin(), more.end());
}

void add_clocks(Names& names, const Chip& chip) {
    add(names, {"sm__cycles_elapsed.max", "gpc__cycles_elapsed.max", "sm__cycles_elapsed.avg.per_second",
                "lts__cycles_elapsed.avg.per_second", "l1tex__cycles_elapsed.avg.per_second"});
    if (counts_dram(chip)) add(names, {"dram__cycles_elapsed.avg.per_second"});
}

/// Time, clocks, HBM and L2: what every plan of hardware counters measures.
Names time_and_memory(const Chip& chip) {
    Names names{"gpu__time_duration.sum"};
    add_clocks(names, chip);
    if (counts_dram(chip)) {
        const auto [read, write] = dram_counters(chip.capability);
        names.push_back(std::string(read) + ".sum");
        names.push_back(std::string(write) + ".sum");
    }
    add(names, {"lts__t_sectors_srcunit_tex.sum"});
    return names;
}

/// The total of all wavefronts counts shuffles too. Where a counter of the odd ones exists it is taken off,
/// elsewhere the kinds of access are counted one by one.
void add_shared_memory(Names& names, ChipFamily family) {
    const auto add_kinds = [&](std::initializer_list<std::string_view> kinds) {
        for (const std::string_view kind : kinds)
            names.push_back(std::string(shared_wavefronts) + std::string(kind) + ".sum");
    };
    switch (family) {
        case ChipFamily::pascal:
        case ChipFamily::volta:
        case ChipFamily::turing:
        case ChipFamily::turing_without_tensor:
        case ChipFamily::ampere_100:
        case ChipFamily::ampere_10x:
        case ChipFamily::ada:
            add_kinds({"_op_ld", "_op_st", "_op_atom"});
            break;
        case ChipFamily::blackwell_100:
        case ChipFamily::blackwell_110:
        case ChipFamily::blackwell_10b:
            add(names, {"l1tex__data_pipe_tc_wavefronts_mem_shared.sum"});
            [[fallthrough]];
        case ChipFamily::hopper:
        case ChipFamily::blackwell_20x:
            add_kinds({"", "_op_misc"});
            break;
    }
}

/// Rates for each cycle; they are properties of the chip and cost nothing.
void add_peaks(Names& names, const Chip& chip) {
    if (counts_dram(chip)) add(names, {"dram__bytes.sum.peak_sustained"});
    add(names, {"lts__t_sectors_srcunit_tex.sum.peak_sustained", "sm__cycles_elapsed.sum.peak_sustained"});
    names.push_back(std::string(shared_wavefronts) + ".sum.peak_sustained");
}

/// Counters that fit into the passes of plan A as they are.
void add_what_costs_nothing(Names& names, ChipFamily family) {
    add(names, {"lts__t_bytes.sum"});
    if (family != ChipFamily::ampere_100) add(names, {"l1tex__data_pipe_lsu_wavefronts.sum"});
    switch (family) {
        case ChipFamily::pascal:
        case ChipFamily::volta:
        case ChipFamily::turing:
        case ChipFamily::turing_without_tensor:
            add(names, {"sm__warps_active.avg.pct_of_peak_sustained_active"});
            break;
        case ChipFamily::ampere_100:
        case ChipFamily::hopper:
        case ChipFamily::blackwell_100:
            add(names, {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"});
            break;
        case ChipFamily::ampere_10x:
        case ChipFamily::ada:
        case ChipFamily::blackwell_110:
        case ChipFamily::blackwell_10b:
        case ChipFamily::blackwell_20x:
            add(names, {"smsp__issue_active.avg.pct_of_peak_sustained_active"});
            break;
    }
}

std::string memory_words(const Chip& chip) {
    return counts_dram(chip)
               ? fmt::format("time, clocks, {}, L2", label_of(architecture_of(chip.capability)->memory))
               : "time, clocks, L2";
}

constexpr std::string_view no_memory = "memory: this chip does not count it";

MetricPlan memory_plan(const Chip& chip) {
    MetricPlan plan{PlanKind::memory, time_and_memory(chip),
                    memory_words(chip) + ", shared memory, peaks, use of tensor cores", ""};
    add_shared_memory(plan.metrics, chip.family);
    add(plan.metrics, {"sm__inst_executed_pipe_tensor.sum"});
    if (chip.family == ChipFamily::hopper)
        add(plan.metrics,
            {"sm__inst_executed_pipe_tensor_op_hmma.sum", "sm__inst_executed_pipe_tensor_op_imma.sum",
             "sm__inst_executed_pipe_tensor_op_dmma.sum"});
    add_peaks(plan.metrics, chip);
    add_what_costs_nothing(plan.metrics, chip.family);
    const bool misses_copies = chip.family == ChipFamily::ampere_100 ||
                               chip.family == ChipFamily::ampere_10x || chip.family == ChipFamily::ada;
    if (misses_copies) plan.leaves_out = "asynchronous copies into shared memory (plan C)";
    if (!counts_dram(chip)) plan.leaves_out += (plan.leaves_out.empty() ? "" : ", ") + std::string(no_memory);
    return plan;
}

MetricPlan tensor_plan(PlanKind kind, const Chip& chip, const TensorMetrics& tensor) {
    MetricPlan plan{kind, time_and_memory(chip), tensor.types + "; " + memory_words(chip) + " again",
                    tensor.leaves_out};
    for (const std::string& metric : tensor.metrics) {
        plan.metrics.push_back(metric);
        plan.metrics.push_back(metric + ".peak_sustained");
    }
    return plan;
}

MetricPlan work_plan(const Chip& chip) {
    MetricPlan plan{
        PlanKind::work, {}, "FP64, FP32, FP16, integer; requested bytes, exact shared memory", ""};
    const auto add_operations = [&](std::initializer_list<std::string_view> operations) {
        for (const std::string_view operation : operations)
            plan.metrics.push_back("smsp__sass_thread_inst_executed_op_" + std::string(operation) +
                                   "_pred_on.sum");
    };
    add_operations({"dadd", "dmul", "dfma", "fadd", "fmul", "ffma", "hadd", "hmul", "hfma", "integer"});
    if (has_packed_fp32(chip.capability)) add_operations({"fadd2", "fmul2", "ffma2"});
    add(plan.metrics,
        {"sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", "sm__sass_data_bytes_mem_shared.sum",
         "sm__sass_data_bytes_mem_global.sum", "sm__sass_data_bytes_mem_local.sum"});
    // The peaks of the pipes, which are properties of the chip and cost nothing.
    for (const std::string_view operation : {"dfma", "ffma", "hfma"})
        plan.metrics.push_back("sm__sass_thread_inst_executed_op_" + std::string(operation) +
                               "_pred_on.sum.peak_sustained");
    return plan;
}

/// Where plan B adds no more than one pass to those of A and C: TU10x 0, GV100 and GH100 1 (CUPTI 13.0).
bool replays_types(ChipFamily family) {
    return family == ChipFamily::volta || family == ChipFamily::turing || family == ChipFamily::hopper;
}

MetricPlan replay_plan(const Chip& chip, const std::vector<MetricPlan>& plans) {
    std::vector<const MetricPlan*> parts;
    for (const MetricPlan& plan : plans)
        if (plan.kind == PlanKind::memory || plan.kind == PlanKind::work ||
            (plan.kind == PlanKind::tensor && replays_types(chip.family)))
            parts.push_back(&plan);
    Names names = metrics_of(parts);
    // They fit into the passes of the others; plan A alone would take one more for them.
    if (chip.family == ChipFamily::hopper)
        add(names, {"sm__inst_executed_pipe_tensor_op_gmma.sum",
                    "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum"});
    return {PlanKind::replay, std::move(names),
            fmt::format("{} on one launch, which is replayed: of kernels launched once",
                        parts.size() == 3 ? "A, B and C" : "A and C"),
            std::string(counts_dram(chip) ? "" : no_memory)};
}

}  // namespace

std::vector<MetricPlan> metric_plans(const Chip& chip) {
    std::vector<MetricPlan> plans{memory_plan(chip)};
    if (const auto tensor = tensor_metrics(chip.family))
        plans.push_back(tensor_plan(PlanKind::tensor, chip, *tensor));
    plans.push_back(work_plan(chip));
    if (counts_another_path(chip.family))
        for (const PlanKind kind : warp_tensor_plans)
            plans.push_back(tensor_plan(kind, chip, warp_tensor_metrics(kind)));
    plans.push_back(replay_plan(chip, plans));
    std::ranges::sort(plans, {}, &MetricPlan::kind);
    return plans;
}

bool replay_has_types(const std::vector<MetricPlan>& plans) {
    const auto types = std::ranges::find(plans, PlanKind::tensor, &MetricPlan::kind);
    const auto replay = std::ranges::find(plans, PlanKind::replay, &MetricPlan::kind);
    return types != plans.end() && replay != plans.end() &&
           std::ranges::all_of(types->metrics, [&](const std::string& metric) {
               return std::ranges::find(replay->metrics, metric) != replay->metrics.end();
           });
}

std::vector<std::string> metrics_of(const std::vector<const MetricPlan*>& plans) {
    Names names;
    for (const MetricPlan* plan : plans)
        for (const std::string& name : plan->metrics)
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

}  // namespace roofwalk
