// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/missing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/devices/match_device.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr std::string_view integer_instructions = "smsp__sass_thread_inst_executed_op_integer_pred_on.sum";

void add(std::vector<std::string>& names, const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
}

/// Of the type "f" the names of FADD, FMUL and FFMA; with the suffix "2" of FADD2, FMUL2 and FFMA2.
void add_instructions(std::vector<std::string>& names, std::string_view type, std::string_view suffix = "") {
    for (const char* operation : {"add", "mul", "fma"})
        names.push_back(
            fmt::format("smsp__sass_thread_inst_executed_op_{}{}{}_pred_on.sum", type, operation, suffix));
}

std::vector<std::string> floating_metrics(const Device& device) {
    std::vector<std::string> names;
    for (const char* type : {"f", "d"})
        add_instructions(names, type);
    add(names,
        metrics_of(
            {.packed_fp32 = has_packed_fp32(device.compute_capability), .fp16 = true, .tensor = true}));
    return names;
}

std::vector<std::string> work_metrics(OperationClass operations, const Device& device) {
    if (operations == OperationClass::integer) return integer_metrics();
    std::vector<std::string> names = floating_metrics(device);
    if (operations == OperationClass::all) names.emplace_back(integer_instructions);
    return names;
}

std::string sum_of(std::string_view counter) {
    return std::string(counter) + ".sum";
}

/// Of every kind of work one, each under its own name.
constexpr std::string_view roofline_charts = "roofline charts";

/// Empty: in no section of every version.
std::string_view section_of(Boundary boundary) {
    if (boundary == Boundary::l2_sm_sectors || boundary == Boundary::smem_wavefronts)
        return "section MemoryWorkloadAnalysis_Tables";
    const bool by_name = boundary == Boundary::l1_unified || boundary == Boundary::smem_requested;
    return by_name ? std::string_view() : roofline_charts;
}

/// Boundaries of a level that every measured launch of a kernel has bytes of; none without such a launch.
std::vector<Boundary> boundaries_counted(const Profile& profile, const KernelPoint& point,
                                         const Analysis& analysis, MemoryLevel level) {
    std::vector<Boundary> counted;
    if (point.failed == point.launches) return counted;
    const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
    for (const Boundary boundary : all_boundaries)
        if (level_of(boundary) == level && std::ranges::all_of(launches, [&](LaunchIndex index) {
                const Launch& launch = profile.at(index);
                return launch.failed || launch.find(boundary) != nullptr;
            }))
            counted.push_back(boundary);
    return counted;
}

/// The view that shows a boundary; empty for those of the default view.
std::string_view view_of(Boundary boundary) {
    const auto shows = [&](const AnalysisOptions& options) {
        return options.boundaries[level_of(boundary)] == boundary;
    };
    if (shows(AnalysisOptions{})) return "default view";
    if (shows(nsight_view())) return "Nsight view";
    if (shows(nersc_view())) return "NERSC view";
    return {};
}

/// Whether pipes tell of a kind of work. What FP32 does packed stands on the pipe of FP32.
bool is_counted(const std::vector<PipeLoad>& pipes, bool UncountedWork::*kind) {
    return std::ranges::any_of(pipes, [&](const PipeLoad& load) {
        if (counts_integers(load.pipe)) return false;
        if (is_tensor(load.pipe)) return kind == &UncountedWork::tensor;
        return (kind == &UncountedWork::fp32 && load.pipe.kind == PipeKind::fp32) ||
               (kind == &UncountedWork::fp64 && load.pipe.kind == PipeKind::fp64) ||
               (kind == &UncountedWork::fp16 && load.pipe.kind == PipeKind::fp16);
    });
}

}  // namespace

std::string other_boundaries_words(const MissingQuantity& missing) {
    std::string text;
    for (const Boundary boundary : missing.counted_at)
        if (const std::string_view view = view_of(boundary); !view.empty())
            text += fmt::format("{}{}, as the {} shows", text.empty() ? "counted: " : "; ",
                                name_of(boundary, MemoryName::dram), view);
    return text;
}

std::string unchecked_words(const KernelPoint& point) {
    std::vector<std::string> counted;
    for (const PipeLoad& load : point.pipes)
        if (!counts_integers(load.pipe)) counted.push_back(label_of(load.pipe));
    std::vector<std::string> missing;
    std::vector<std::string> in_some;  // launches, but not in every one
    for (const UncountedKind& kind : uncounted_kinds)
        if (point.unchecked.*kind.member)
            (is_counted(point.pipes, kind.member) ? in_some : missing).emplace_back(kind.label);
    std::string words;
    if (!missing.empty())
        words = fmt::format("only {} {} counted; {} work, if any, is missing", joined_with_and(counted),
                            counted.size() == 1 ? "was" : "were", joined_with_and(missing));
    if (!in_some.empty())
        words += fmt::format("{}{} work was not looked for in every launch", words.empty() ? "" : "; ",
                             joined_with_and(in_some));
    return words;
}

std::vector<Notice> devices_without_ceilings(const Profile& profile, const Analysis& analysis,
                                             Audience audience) {
    const std::string_view means =
        audience == Audience::window
            ? "Type ceilings into the Ceilings panel, or choose there a GPU of the built-in table: "
            : "Give ceilings in the file, or name a GPU of the built-in table (--device list names all): ";
    constexpr std::size_t most_named = 12;
    std::vector<Notice> list;
    for (const ModelCeilings& model : analysis.models) {
        const Device& device = profile.at(model.device);
        // SMs and clock give an unnamed GPU the roofs of its pipes alone.
        const bool no_memory = device.name.empty() && !model.ceilings.find(Boundary::hbm_dram_rw);
        if (!model.ceilings.empty() && !no_memory) continue;
        const auto& of = device.compute_capability;
        const std::string instead =
            of ? fmt::format(", only the compute capability {}.{},", of->major, of->minor) : "";
        list.push_back({Severity::warning,
                        device.name.empty()
                            ? fmt::format("The file names no GPU{} and gives no {}, so no {} can be drawn",
                                          instead, model.ceilings.empty() ? "ceilings" : "bandwidth of DRAM",
                                          model.ceilings.empty() ? "roof" : "roof of DRAM")
                            : "No ceiling is known of '" + device.name + "', so no roof can be drawn",
                        "", fmt::format("{}{}.", means, known_device_names(device, most_named))});
    }
    return list;
}

std::vector<std::string> metrics_of(const UncountedWork& work) {
    std::vector<std::string> names;
    if (work.fp32) add_instructions(names, "f");
    if (work.fp64) add_instructions(names, "d");
    if (work.fp16) add_instructions(names, "h");
    if (work.packed_fp32) add_instructions(names, "f", "2");
    if (work.tensor) names.emplace_back("regex:sm__ops_path_tensor_.*");
    if (work.integer) add(names, integer_metrics());
    return names;
}

std::vector<std::string> integer_metrics() {
    return {std::string(integer_instructions), "regex:sm__ops_path_tensor_src_int.*"};
}

std::vector<std::string> metrics_of(Boundary boundary, const Device& device) {
    switch (boundary) {
        case Boundary::hbm_dram_rw:
            return {sum_of(dram_counters(device.compute_capability).read),
                    sum_of(dram_counters(device.compute_capability).write)};
        case Boundary::l2_sm_sectors:
            return {"lts__t_sectors_srcunit_tex.sum"};
        case Boundary::l2_sm_return:
            return {"lts__lts2xbar_cycles_active.sum"};
        case Boundary::l2_all:
            return {"lts__t_bytes.sum"};
        case Boundary::l1_unified:
            return {"l1tex__data_pipe_lsu_wavefronts.sum"};
        case Boundary::l1_writeback:
            return {sum_of(l1_writeback_counter(device.compute_capability))};
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

std::vector<MissingQuantity> missing_quantities(const Profile& profile, const KernelPoint& point,
                                                const Analysis& analysis) {
    if (point.lacks_contradicted) return {};  // what was refused would be collected again as it is
    const AnalysisOptions& options = analysis.options;
    const Device& device = device_of(profile, point, analysis);
    std::vector<MissingQuantity> missing;
    if (!point.time) missing.push_back({"time", {"gpu__time_duration.sum"}, {}, "section SpeedOfLight"});
    const KnownLaunches known = point.known.value_or(KnownLaunches{});
    const auto in_some = [](const std::string& what, bool alone) {
        return alone ? what + " of some launches" : what;
    };
    if (!point.measured_work() || known.alone_work) {
        const bool floating = options.operations == OperationClass::floating;
        missing.push_back({in_some(floating ? "FLOPs" : "operations", known.alone_work),
                           work_metrics(options.operations, device),
                           {},
                           floating ? roofline_charts : std::string_view()});
    }
    if (point.work && point.uncounted.any())
        missing.push_back({labels_of(point.uncounted) + " work",
                           metrics_of(point.uncounted),
                           {},
                           point.uncounted.integer ? std::string_view() : roofline_charts});
    for (const MemoryLevel level : all_levels) {
        const bool alone = known.alone_bytes[level];
        if (!options.levels[level] || (point.measured_level(level) && !alone)) continue;
        const Boundary boundary = options.boundaries[level];
        missing.push_back({in_some(fmt::format("{} traffic ({})", label_of(level, point.memory),
                                               name_of(boundary, point.memory)),
                                   alone),
                           metrics_of(boundary, device), boundaries_counted(profile, point, analysis, level),
                           section_of(boundary)});
    }
    return missing;
}

}  // namespace roofwalk
