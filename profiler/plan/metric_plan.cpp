// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/metric_plan.h"

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

namespace roofwalk {

namespace {

using Names = std::vector<std::string>;
using Paths = std::span<const std::string_view>;

constexpr std::string_view volta_paths[]{"src_fp16_dst_fp16", "src_fp16_dst_fp32"};
constexpr std::string_view turing_paths[]{"src_fp16_dst_fp16", "src_fp16_bf16_tf32_dst_fp32", "src_int8",
                                          "src_int4", "src_int1"};
constexpr std::string_view ada_paths[]{"src_bf16_dst_fp32", "src_fp16_dst_fp16", "src_fp16_dst_fp32",
                                       "src_tf32_dst_fp32", "src_int8",          "src_fp8"};
/// As Ada, without FP8.
constexpr Paths ampere_paths = Paths(ada_paths).first(std::size(ada_paths) - 1);
constexpr std::string_view hopper_paths[]{"op_hgmma_src_bf16_dst_fp32", "op_hgmma_src_fp16",
                                          "op_hgmma_src_tf32_dst_fp32", "src_fp8", "op_igmma_src_int8"};
constexpr std::string_view blackwell_100_paths[]{
    "op_utchmma_src_bf16_dst_fp32",        "op_utchmma_src_fp16_dst_fp32", "op_utchmma_src_tf32_dst_fp32",
    "op_utcqmma_src_fp4_fp6_fp8_dst_fp32", "op_utcomma_src_fp4_dst_fp32",  "op_utcimma_src_int8"};
constexpr std::string_view blackwell_110_paths[]{
    "op_utchmma_src_bf16_dst_fp32", "op_utchmma_src_fp16_dst_fp32",    "op_utchmma_src_tf32_dst_fp32",
    "op_utcqmma_src_fp8_dst_fp32",  "op_utcqmma_src_fp4_fp6_dst_fp32", "op_utcomma_src_fp4_dst_fp32"};
constexpr std::string_view blackwell_20x_paths[]{"op_hmma_src_bf16_dst_fp32", "op_hmma_src_fp16_dst_fp16",
                                                 "op_hmma_src_fp16_dst_fp32", "op_hmma_src_tf32_dst_fp32",
                                                 "op_imma_src_int8",          "src_fp8_dst_fp32",
                                                 "src_fp4_dst_fp32"};
constexpr std::string_view fp64_path[]{"src_fp64"};

/// Counters of tensor operations on the path that new code takes on the chip: wgmma on Hopper, tcgen05 on
/// Blackwell of data centres, mma.sync elsewhere. An operation each: a fused multiply-add counts as two.
struct TensorCounters {
    Paths dense;             ///< of which sparse operations are counted apart
    Paths never_sparse;      ///< both empty: no tensor cores
    std::string_view types;  ///< in words
    std::string_view
        leaves_out;  ///< sparse operations and these: the chip can do them; empty: all is counted
    bool newer_than_mma = false;  ///< mma.sync has counters of its own
    bool fits_in_replay = false;  ///< plan B adds no more than one pass to those of A and C: TU10x 0, GV100
                                  ///< and GH100 1 (CUPTI 13.0)
};

/// How shared memory is counted. The total of all wavefronts counts shuffles too: where a counter of the odd
/// ones exists it is taken off, elsewhere the kinds of access are counted one by one.
enum class SharedCounters : std::uint8_t { by_kind, total, total_and_tensor };

constexpr std::string_view warps_active = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr std::string_view tensor_active = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view issue_active = "smsp__issue_active.avg.pct_of_peak_sustained_active";

struct FamilyPlans {
    ChipFamily family;
    SharedCounters shared;
    std::string_view for_nothing;  ///< fits into the passes of plan A as it is
    bool misses_copies = false;    ///< asynchronous ones into shared memory
    TensorCounters tensor = {};
};

constexpr std::string_view of_tcgen05 = "accumulation in FP16, mma.sync (plans D, F, G)";
constexpr TensorCounters volta_tensor{{}, volta_paths, "FP16", "", false, true};
constexpr TensorCounters turing_tensor{{}, turing_paths, "FP16, INT8, INT4, INT1", "", false, true};
constexpr TensorCounters ampere_tensor{ampere_paths, fp64_path, "dense BF16, FP16, TF32, INT8, FP64",
                                       "INT4, INT1"};
constexpr TensorCounters ada_tensor{ada_paths, fp64_path, "dense BF16, FP16, TF32, INT8, FP8, FP64",
                                    "INT4, INT1"};
constexpr TensorCounters hopper_tensor{hopper_paths,
                                       fp64_path,
                                       "dense BF16, FP16, TF32, FP8, INT8 of wgmma, FP64",
                                       "INT1, mma.sync (plans D, F, G)",
                                       true,
                                       true};
constexpr TensorCounters blackwell_100_tensor{blackwell_100_paths, fp64_path,
                                              "dense BF16, FP16, TF32, FP8/FP6/FP4, INT8 of tcgen05, FP64",
                                              of_tcgen05, true};
constexpr TensorCounters blackwell_110_tensor{blackwell_110_paths, fp64_path,
                                              "dense BF16, FP16, TF32, FP8, FP6/FP4 of tcgen05, FP64",
                                              of_tcgen05, true};
constexpr TensorCounters blackwell_20x_tensor{blackwell_20x_paths, fp64_path,
                                              "dense BF16, FP16, TF32, INT8, FP8, FP4, FP64",
                                              "FP6, accumulation of FP8 in FP16"};

using enum SharedCounters;
constexpr EnumArray<ChipFamily, FamilyPlans, 12> family_plans{{
    {ChipFamily::pascal, by_kind, warps_active},
    {ChipFamily::volta, by_kind, warps_active, false, volta_tensor},
    {ChipFamily::turing, by_kind, warps_active, false, turing_tensor},
    {ChipFamily::turing_without_tensor, by_kind, warps_active},
    {ChipFamily::ampere_100, by_kind, tensor_active, true, ampere_tensor},
    {ChipFamily::ampere_10x, by_kind, issue_active, true, ampere_tensor},
    {ChipFamily::ada, by_kind, issue_active, true, ada_tensor},
    {ChipFamily::hopper, total, tensor_active, false, hopper_tensor},
    {ChipFamily::blackwell_100, total_and_tensor, tensor_active, false, blackwell_100_tensor},
    {ChipFamily::blackwell_110, total_and_tensor, issue_active, false, blackwell_110_tensor},
    {ChipFamily::blackwell_10b, total_and_tensor, issue_active, false, blackwell_100_tensor},
    {ChipFamily::blackwell_20x, total, issue_active, false, blackwell_20x_tensor},
}};
static_assert(is_in_order(family_plans, &FamilyPlans::family));

constexpr std::string_view sparse = "2:4 sparse operations";

/// Sums over dense and sparse operations need passes of their own, so that only the dense ones are asked for.
Names names_of(const TensorCounters& counters) {
    Names names;
    for (const std::string_view path : counters.dense)
        names.push_back(fmt::format("sm__ops_path_tensor_{}_sparsity_off.sum", path));
    for (const std::string_view path : counters.never_sparse)
        names.push_back(fmt::format("sm__ops_path_tensor_{}.sum", path));
    return names;
}

constexpr std::string_view half_paths[]{"op_hmma_src_tf32_dst_fp32", "op_hmma_src_fp16_dst_fp16"};
constexpr std::string_view integer_paths[]{"op_imma_src_int8"};
constexpr std::string_view float_paths[]{"op_hmma_src_bf16_dst_fp32", "op_hmma_src_fp16_dst_fp32"};

/// mma.sync where family_plans count another path. More of these in one plan take several passes.
TensorCounters warp_tensor_counters(PlanKind kind) {
    switch (kind) {
        case PlanKind::warp_tensor_half:
            return {half_paths, {}, "dense TF32, FP16 with FP16 accumulation of mma.sync", {}};
        case PlanKind::warp_tensor_integer:
            return {integer_paths, fp64_path, "dense INT8 of mma.sync, FP64", {}};
        default:
            return {float_paths, {}, "dense BF16, FP16 with FP32 accumulation of mma.sync", {}};
    }
}

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

void add_shared_memory(Names& names, SharedCounters counters) {
    const auto add_kinds = [&](std::initializer_list<std::string_view> kinds) {
        for (const std::string_view kind : kinds)
            names.push_back(std::string(shared_wavefronts) + std::string(kind) + ".sum");
    };
    if (counters == by_kind) return add_kinds({"_op_ld", "_op_st", "_op_atom"});
    if (counters == total_and_tensor) add(names, {"l1tex__data_pipe_tc_wavefronts_mem_shared.sum"});
    add_kinds({"", "_op_misc"});
}

/// Rates for each cycle; they are properties of the chip and cost nothing.
void add_peaks(Names& names, const Chip& chip) {
    if (counts_dram(chip)) add(names, {"dram__bytes.sum.peak_sustained"});
    add(names, {"lts__t_sectors_srcunit_tex.sum.peak_sustained", "sm__cycles_elapsed.sum.peak_sustained"});
    names.push_back(std::string(shared_wavefronts) + ".sum.peak_sustained");
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
    const FamilyPlans& family = family_plans[chip.family];
    add_shared_memory(plan.metrics, family.shared);
    add(plan.metrics, {"sm__inst_executed_pipe_tensor.sum"});
    if (chip.family == ChipFamily::hopper)
        add(plan.metrics,
            {"sm__inst_executed_pipe_tensor_op_hmma.sum", "sm__inst_executed_pipe_tensor_op_imma.sum",
             "sm__inst_executed_pipe_tensor_op_dmma.sum"});
    add_peaks(plan.metrics, chip);
    add(plan.metrics, {"lts__t_bytes.sum"});
    if (chip.family != ChipFamily::ampere_100) add(plan.metrics, {"l1tex__data_pipe_lsu_wavefronts.sum"});
    add(plan.metrics, {family.for_nothing});
    if (family.misses_copies) plan.leaves_out = "asynchronous copies into shared memory (plan C)";
    if (!counts_dram(chip)) plan.leaves_out += (plan.leaves_out.empty() ? "" : ", ") + std::string(no_memory);
    return plan;
}

MetricPlan tensor_plan(PlanKind kind, const Chip& chip, const TensorCounters& tensor) {
    std::string leaves_out(tensor.dense.empty() ? "" : sparse);
    if (!tensor.leaves_out.empty()) leaves_out.append(", ").append(tensor.leaves_out);
    MetricPlan plan{kind, time_and_memory(chip),
                    fmt::format("{}; {} again", tensor.types, memory_words(chip)), std::move(leaves_out)};
    for (const std::string& metric : names_of(tensor)) {
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

MetricPlan replay_plan(const Chip& chip, const std::vector<MetricPlan>& plans) {
    std::vector<const MetricPlan*> parts;
    for (const MetricPlan& plan : plans)
        if (plan.kind == PlanKind::memory || plan.kind == PlanKind::work ||
            (plan.kind == PlanKind::tensor && family_plans[chip.family].tensor.fits_in_replay))
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

std::optional<double> value_of(const std::map<std::string, double>& values, const std::string& name) {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
}

}  // namespace

std::vector<MetricPlan> metric_plans(const Chip& chip) {
    std::vector<MetricPlan> plans{memory_plan(chip)};
    const TensorCounters& tensor = family_plans[chip.family].tensor;
    if (!tensor.types.empty()) plans.push_back(tensor_plan(PlanKind::tensor, chip, tensor));
    plans.push_back(work_plan(chip));
    if (tensor.newer_than_mma)
        for (const PlanKind kind : warp_tensor_plans)
            plans.push_back(tensor_plan(kind, chip, warp_tensor_counters(kind)));
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

std::optional<TensorUse> tensor_use(const Chip& chip, const std::map<std::string, double>& values) {
    const std::string all = "sm__inst_executed_pipe_tensor";
    const auto instructions = value_of(values, all + ".sum");
    if (!instructions) return std::nullopt;
    TensorUse use{*instructions > 0, std::nullopt, std::nullopt, std::nullopt};
    if (chip.family == ChipFamily::hopper) {
        const auto half = value_of(values, all + "_op_hmma.sum");
        const auto integer = value_of(values, all + "_op_imma.sum");
        const auto fp64 = value_of(values, all + "_op_dmma.sum");
        const auto group = value_of(values, all + "_op_gmma.sum");
        const auto vector = value_of(values, all + "_op_hmma_type_hfma2.sum");
        if (half && integer && fp64 && group && vector) {
            const double by_warp = *instructions - *group - *vector;
            use.used = *instructions > *vector;
            use.by_warp_group = *group > 0;
            use.by_half = by_warp > *fp64 && *half > *vector;
            use.by_integer = *fp64 > 0 || (by_warp > 0 && *integer > 0);
        } else if (half && integer && fp64) {
            use.by_half = *half > 0;
            use.by_integer = *integer + *fp64 > 0;
            // HMMA and IMMA hold the instructions of warp groups too, HMMA the vectors (seen on an H100).
            if (*fp64 == *instructions) use.by_warp_group = false;
        }
    } else if (const auto operands = value_of(values, "l1tex__data_pipe_tc_wavefronts_mem_shared.sum")) {
        use.by_warp_group = *operands > 0;
        if (*operands == 0) use.by_half = use.by_integer = use.used;
    }
    return use;
}

std::vector<PlanKind> tensor_plans(const TensorUse& use) {
    std::vector<PlanKind> plans;
    if (!use.used) return plans;
    if (use.by_warp_group.value_or(true)) plans.push_back(PlanKind::tensor);
    if (use.by_half.value_or(true))
        plans.insert(plans.end(), {PlanKind::warp_tensor, PlanKind::warp_tensor_half});
    if (use.by_integer.value_or(true)) plans.push_back(PlanKind::warp_tensor_integer);
    return plans;
}

}  // namespace roofwalk
