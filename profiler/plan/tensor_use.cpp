// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/tensor_use.h"

namespace roofwalk {

namespace {

std::optional<double> value_of(const std::map<std::string, double>& values, const std::string& name) {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
}

}  // namespace

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
