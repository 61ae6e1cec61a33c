// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/missing.h"

#include <fmt/format.h>

namespace roofwalk {

namespace {

std::vector<std::string> work_metrics() {
    std::vector<std::string> names;
    for (const char* type : {"f", "d", "h"})
        for (const char* operation : {"add", "mul", "fma"})
            names.push_back(
                fmt::format("smsp__sass_thread_inst_executed_op_{}{}_pred_on.sum", type, operation));
    names.emplace_back("regex:sm__ops_path_tensor_.*");
    return names;
}

std::vector<std::string> integer_metrics() {
    return {"smsp__sass_thread_inst_executed_op_integer_pred_on.sum", "regex:sm__ops_path_tensor_src_int.*"};
}

}  // namespace

std::vector<std::string> metrics_of(Boundary boundary) {
    switch (boundary) {
        case Boundary::hbm_dram_rw:
            return {"dram__bytes_read.sum", "dram__bytes_write.sum"};
        case Boundary::l2_sm_sectors:
            return {"lts__t_sectors_srcunit_tex.sum"};
        case Boundary::l2_sm_return:
            return {"lts__lts2xbar_cycles_active.sum"};
        case Boundary::l2_all:
            return {"lts__t_bytes.sum"};
        case Boundary::l1_unified:
            return {"l1tex__data_pipe_lsu_wavefronts.sum"};
        case Boundary::l1_writeback:
            return {"l1tex__lsu_writeback_active_mem_lg.sum"};
        case Boundary::l1_tag:
            return {"l1tex__t_bytes.sum"};
        case Boundary::smem_wavefronts:
            return {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"};
        case Boundary::smem_requested:
            return {"sm__sass_data_bytes_mem_shared.sum"};
    }
    return {};
}

std::vector<MissingQuantity> missing_quantities(const KernelPoint& point, const AnalysisOptions& options) {
    std::vector<MissingQuantity> missing;
    if (!point.time) missing.push_back({"time", {"gpu__time_duration.sum"}});
    if (!point.work) {
        const bool integer = options.operations == OperationClass::integer;
        missing.push_back({integer ? "operations" : "FLOPs", integer ? integer_metrics() : work_metrics()});
    }
    for (const MemoryLevel level : all_levels) {
        const auto i = static_cast<std::size_t>(level);
        if (!options.levels[i] || point.levels[i]) continue;
        const Boundary boundary = options.boundaries[i];
        missing.push_back(
            {fmt::format("{} traffic ({})", label_of(level), id_of(boundary)), metrics_of(boundary)});
    }
    return missing;
}

}  // namespace roofwalk
