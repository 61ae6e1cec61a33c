// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/process_recording.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <span>

#include "core/base/text.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/model/kernel_name.h"
#include "core/operations/pytorch/pytorch_call.h"
#include "core/roofline/summary.h"
#include "profiler/plan/cupti_host.h"
#include "profiler/plan/metric_plan.h"
#include "profiler/wire/cupti_folders.h"
#include "profiler/wire/demangled.h"
#include "profiler/wire/uuid_text.h"

namespace roofwalk {

namespace {

/// Where these fail nothing has worked yet; later the same code comes after an error of the program.
bool is_a_beginning(std::string_view call) {
    return call.starts_with("cuptiSubscribe") || call == "cuptiProfilerInitialize" ||
           call == "cuptiProfilerDeviceSupported" || call == "cuptiDeviceGetChipName";
}

constexpr double hertz_per_kilohertz = 1000;
constexpr double seconds_per_nanosecond = 1e-9;
constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

/// Of mpirun, srun or torchrun, which all pass it in variables.
std::optional<std::uint32_t> rank_in(wire::TextList environment) {
    for (const std::string_view name : {"OMPI_COMM_WORLD_RANK=", "PMIX_RANK=", "PMI_RANK=",
                                        "MV2_COMM_WORLD_RANK=", "SLURM_PROCID=", "RANK="})
        for (const std::string_view entry : environment) {
            if (!entry.starts_with(name)) continue;
            if (const auto rank = parse_number<std::uint32_t>(entry.substr(name.size()))) return rank;
        }
    return std::nullopt;
}

template <class Number>
std::optional<int> whole(const std::optional<Number>& number) {
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<Hertz> clock_of(const std::optional<std::uint32_t>& kilohertz) {
    return kilohertz ? std::optional(Hertz(*kilohertz * hertz_per_kilohertz)) : std::nullopt;
}

/// "GPU-ef5c8d02-...": as nvidia-smi shows it; empty where the agent was not told.
std::string uuid_text(const std::array<std::uint8_t, 16>& bytes) {
    if (std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; })) return {};
    return wire::uuid_text("GPU", std::span<const std::uint8_t, 16>(bytes));
}

Device device_from(const wire::Device& told) {
    Device device;
    device.vendor = Vendor::nvidia;
    device.name = clean_utf8(told.name);
    device.chip = clean_utf8(told.chip);
    device.uuid = uuid_text(told.uuid);
    if (told.capability_major > 0)
        device.compute_capability = ComputeCapability{static_cast<int>(told.capability_major),
                                                      static_cast<int>(told.capability_minor)};
    if (told.sm_count > 0) device.sm_count = static_cast<int>(told.sm_count);
    device.boost_clock = clock_of(told.sm_clock_khz);
    device.memory_clock = clock_of(told.memory_clock_khz);
    device.memory_bus_bits = whole(told.memory_bus_bits);
    if (told.memory_bytes) device.memory_size = Bytes(static_cast<double>(*told.memory_bytes));
    return device;
}

Dim3 size_of(const wire::Extent& extent) {
    return {extent.x, extent.y, extent.z};
}

LaunchShape shape_of(const wire::KernelLaunch& launch) {
    return {std::string(launch.name),
            launch.device,
            {launch.grid.x, launch.grid.y, launch.grid.z},
            {launch.block.x, launch.block.y, launch.block.z},
            launch.dynamic_shared.value_or(0)};
}

/// What the launch itself says, under the names that reports have for it.
void add_launch_metrics(const wire::KernelLaunch& launch, std::map<std::string, double>& values) {
    const auto add = [&](const char* name, const auto& number) {
        if (number) values.emplace(name, static_cast<double>(*number));
    };
    add("launch__registers_per_thread", launch.registers);
    add("launch__shared_mem_per_block_static", launch.static_shared);
    add("launch__shared_mem_per_block_dynamic", launch.dynamic_shared);
    add("gpu__time_duration.sum", launch.duration_ns);
}

/// What plans B, D, F and G count, and E where it has what B does.
bool is_of_tensor_type(const std::pair<const std::string, double>& value) {
    return value.first.starts_with("sm__ops_path_tensor_");
}

void forget_figures(Launch& launch) {
    launch.duration.reset();
    launch.work.clear();
    launch.uncounted = {};
    launch.traffic.clear();
    launch.metrics.clear();
    launch.ceilings.reset();
}

std::optional<PlanKind> plan_of(const wire::KernelLaunch& launch) {
    for (const PlanKind plan : {PlanKind::memory, PlanKind::tensor, PlanKind::work, PlanKind::warp_tensor,
                                PlanKind::replay, PlanKind::warp_tensor_half, PlanKind::warp_tensor_integer})
        if (launch.plan == letter_of(plan)) return plan;
    return std::nullopt;
}

}  // namespace

std::string_view remedy_for_cupti(std::int32_t code, std::string_view call) {
    if (code == cupti_code::unknown && !is_a_beginning(call))
        return "An error of the program on the GPU ends counting too: look for one with compute-sanitizer.";
    if (call == wire::cupti_helper) return "Name the libcupti beside it with --cupti.";
    if (call.ends_with(wire::cupti_helper))
        return "Name the libcupti of a whole CUDA toolkit, which has it beside itself, with --cupti.";
    switch (code) {
        case cupti_code::insufficient_privileges:
            return "`roofwalk-cli check` says how to permit them.";
        case cupti_code::hardware_busy:
            return "End the other profiler, or pause the monitor (`dcgmi profile --pause`).";
        case cupti_code::multiple_subscribers_not_supported:
            return "Start the program without it: a tool of Nsight, cuda-gdb, compute-sanitizer, or a profiler that "
                   "the program itself begins, such as that of PyTorch.";
        case cupti_code::not_compatible:
        case cupti_code::not_initialized:
        case cupti_code::unknown:
            if (call == "cuptiRangeProfilerEnable")
                return "Start the program with that of CUDA 12.6 or later.";
            return "Install driver 580 or later for CUPTI 13 (525 for CUPTI 12), and none older than the CUDA toolkit "
                   "of this CUPTI.";
        case cupti_code::invalid_device:
        case cupti_code::not_supported:
        case cupti_code::invalid_chip_name:
            return "The CUPTI of a newer CUDA toolkit may have them; name it with --cupti.";
        case cupti_code::invalid_metric_name:
            return "Record with the CUPTI that the program has loaded, or with that of a newer CUDA toolkit: name it with "
                   "--cupti.";
        case cupti_code::virtualized_device_not_supported:
            return "Ask for a virtual GPU of a kind that can be profiled, with the plug-in parameter enable_profiling=1, or "
                   "record on a whole GPU.";
        case cupti_code::virtualized_device_insufficient_privileges:
            return "Ask for the plug-in parameter enable_profiling=1 of this virtual machine.";
        case cupti_code::confidential_computing_not_supported:
            return "Record on a machine whose GPU is not in that mode.";
        case cupti_code::cmp_device_not_supported:
            return "Record on another GPU.";
        case cupti_code::mig_device_not_supported:
            return "Record on an instance that has its memory to itself, or on an undivided GPU.";
        case cupti_code::sli_device_not_supported:
            return "Switch SLI off.";
        case cupti_code::wsl_device_not_supported:
            return "Update Windows, and its NVIDIA driver to 525 or later.";
        default:
            return "";
    }
}

ProcessRecording::ProcessRecording(const wire::SessionStart& start, std::string tool)
    : process_(start.process), start_ns_(start.start_ns) {
    SourceInfo source;
    source.format = SourceFormat::roofwalk_lines;
    source.tool = std::move(tool);
    source.created = static_cast<std::int64_t>(start.start_ns) / nanoseconds_per_second;
    source.rank = rank_in(start.rank_environment);
    for (const std::string_view word : start.command)
        source.command_line += (source.command_line.empty() ? "" : " ") + quote_shell_shown(word);
    profile().sources.push_back(std::move(source));
    lines_text_ = RecordingLines::header(profile());
}

void ProcessRecording::add(const wire::Device& told) {
    profile().at(device_index(told.device)) = device_from(told);
    lines_text_ += lines_.new_lines(profile());
}

DeviceIndex ProcessRecording::device_index(std::uint32_t ordinal) {
    return builder_.device({std::to_string(ordinal)}, [&] {
        Device device;
        device.name = fmt::format("GPU {}", ordinal);
        return device;
    });
}

KernelIndex ProcessRecording::kernel_index(std::string_view mangled) {
    const std::string name = clean_utf8(mangled);
    return builder_.kernel({name}, [&] {
        const std::string readable = name.empty() ? "(unnamed kernel)" : wire::demangled(name);
        return Kernel{readable, kernel_base_name(readable), readable == name ? std::string() : name};
    });
}

NvtxIndex ProcessRecording::nvtx_index(wire::TextList ranges) {
    NvtxStack stack;
    for (const std::string_view range : ranges)
        stack.push_back(clean_utf8(range));
    return builder_.nvtx(std::move(stack));
}

LaunchIndex ProcessRecording::keep_identity(const wire::KernelLaunch& told) {
    Launch launch;
    launch.kernel = kernel_index(told.name);
    launch.device = device_index(told.device);
    launch.nvtx = nvtx_index(told.nvtx);
    launch.grid = size_of(told.grid);
    launch.block = size_of(told.block);
    launch.context = told.context;
    launch.stream = told.stream;
    launch.process = process_;
    launch.failed = told.status == wire::LaunchStatus::failed;
    if (told.start_ns && *told.start_ns >= start_ns_)
        launch.start = Seconds(static_cast<double>(*told.start_ns - start_ns_) * seconds_per_nanosecond);
    const auto next = static_cast<LaunchIndex>(profile().launches.size());
    const auto [known, is_new] = numbered_.try_emplace(told.id, next);
    if (is_new)
        profile().launches.push_back(std::move(launch));
    else
        profile().at(known->second) = std::move(launch);
    return known->second;
}

std::vector<WantedPlan> ProcessRecording::add(const wire::KernelLaunch& told,
                                              std::map<std::string, double> values) {
    if (told.status == wire::LaunchStatus::awaited) {
        // Its time may have been quicker.
        if (!numbered_.contains(told.id)) awaited_.emplace(told.id, keep_identity(told));
        return {};
    }
    const LaunchIndex index = keep_identity(told);
    awaited_.erase(told.id);
    const LaunchShape shape = shape_of(told);
    const std::optional<PlanKind> plan = plan_of(told);
    const bool counted = plan && !values.empty() && told.status == wire::LaunchStatus::counted;
    if (counted) {
        add_launch_metrics(told, values);
        const PlanMeasurement measurement{told.id, shape, *plan, std::move(values), op_of(index)};
        for (const MergedLaunch& merged : merger_.add(measurement)) {
            keep_merged(merged);
            add_time_to_counted_work(merged, shape);
        }
        if (*plan == PlanKind::work && !alike_.contains(index) &&
            merger_.measured_alike(shape, measurement.op))
            record_like_earlier(index, told.id, shape);
        if (!is_base(*plan)) return {};
        for (auto& [op, numbers] : waiting_[shape])
            if (op.empty() || measurement.op.empty() || op == measurement.op)
                for (const std::uint64_t number : std::exchange(numbers, {}))
                    record_like_earlier(numbered_.at(number), number, shape);
        return plans_wanted(measurement);
    }
    if (told.duration_ns) {
        add_launch_metrics(told, values);
        take_figures_of(index, values);
        record_like_earlier(index, told.id, shape);
    } else if (told.status == wire::LaunchStatus::failed) {
        bare_.insert(index);
        write(index, told.id);
    } else {
        bare_.insert(index);
        record_like_earlier(index, told.id, shape);
    }
    return {};
}

std::string ProcessRecording::op_of(LaunchIndex index) const {
    const NvtxStack& ranges = profile().nvtx_of(profile().at(index));
    auto op = ranges.empty() ? std::nullopt : read_pytorch_call(ranges.back());
    return op ? std::move(op->text) : std::string();
}

/// A launch that was not measured, or only timed, or whose counters complete others.
void ProcessRecording::record_like_earlier(LaunchIndex index, std::uint64_t number,
                                           const LaunchShape& shape) {
    const std::string op = op_of(index);
    const auto other = merger_.measured_alike(shape, op);
    if (!other) {
        waiting_[shape][op].push_back(number);
        write(index, number);
        return;
    }
    bare_.erase(index);
    alike_.insert_or_assign(index, numbered_.at(*other));
    lines_text_ += lines_.launch_like(profile(), index, number, *other);
}

std::vector<WantedPlan> ProcessRecording::plans_wanted(const PlanMeasurement& measurement) {
    if (tensor_shapes_.contains(measurement.shape)) return {};
    const Chip* chip = find_chip(profile().at(device_index(measurement.shape.device)).chip);
    const auto use = chip == nullptr ? std::nullopt : tensor_use(*chip, measurement.values);
    if (!use) return {};
    // Plan A cannot tell vectors in the tensor pipe from its own instructions, where plan E has said that
    // they are that.
    if (use->used || measurement.plan == PlanKind::replay) tensor_shapes_.insert(measurement.shape);
    if (!use->used) return {};
    std::vector<WantedPlan> wanted;
    for (const PlanKind plan : tensor_plans(*use))
        if (plan != PlanKind::tensor || !std::ranges::any_of(measurement.values, is_of_tensor_type))
            wanted.push_back({measurement.shape, plan});
    return wanted;
}

/// What several plans count of one unit is left out until all of them are there: some types would stand for
/// all. So is what plans B and E, which nobody has to ask for, count of a path that was not taken.
std::map<std::string, double> ProcessRecording::whole_values(const MergedLaunch& merged,
                                                             DeviceIndex device) const {
    std::map<std::string, double> values = merged.values;
    const Chip* chip = find_chip(profile().at(device).chip);
    const auto is_had = [&](PlanKind plan) {
        return std::ranges::find(merged.plans, plan) != merged.plans.end();
    };
    if (chip == nullptr || std::ranges::none_of(values, is_of_tensor_type)) return values;
    const auto use = tensor_use(*chip, values);
    const std::vector<PlanKind> needed = tensor_plans(use.value_or(TensorUse{true, {}, {}, {}}));
    if (std::ranges::all_of(needed, [&](PlanKind plan) { return !counts_warp_tensor(plan) || is_had(plan); }))
        return values;
    const auto counts_some = [](const auto& value) { return is_of_tensor_type(value) && value.second > 0; };
    const bool needs_groups = use ? std::ranges::find(needed, PlanKind::tensor) != needed.end()
                                  : std::ranges::any_of(values, counts_some);
    std::vector<std::string> of_groups;
    for (MetricPlan& plan : metric_plans(*chip))
        if (plan.kind == PlanKind::tensor && needs_groups) of_groups = std::move(plan.metrics);
    std::erase_if(values, [&](const auto& value) {
        return is_of_tensor_type(value) && std::ranges::find(of_groups, value.first) == of_groups.end();
    });
    return values;
}

void ProcessRecording::take_figures_of(LaunchIndex index, const std::map<std::string, double>& values) {
    NcuMetrics metrics;
    metrics.value = [&](std::string_view name) -> std::optional<double> {
        const auto found = values.find(std::string(name));
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    metrics.for_each = [&](const std::function<void(std::string_view, double)>& visit) {
        for (const auto& [name, value] : values)
            visit(name, value);
    };
    Launch launch = profile().at(index);
    forget_figures(launch);
    std::vector<Warning> before = std::exchange(profile().warnings, {});
    apply_ncu_metrics(metrics, profile().device_of(launch), index, launch, profile());
    // What is not counted yet stands with the launch, and the cure of reports is none here.
    for (Warning& warning : std::exchange(profile().warnings, std::move(before)))
        if (warning.message.code == ErrorCode::contradiction) warn(std::move(warning.message));
    profile().at(index) = std::move(launch);
}

/// Says of work that another launch was counted for it, and what speaks for that one.
void ProcessRecording::name_other_launches(const MergedLaunch& merged, Launch& launch) {
    const auto launch_with = [&](auto fits) -> std::optional<std::string> {
        for (std::size_t i = 1; i < merged.plans.size(); ++i)
            if (fits(merged.plans[i]))
                return fmt::format("launch {}, of the same kernel and geometry{}", merged.launches[i],
                                   merged.agreeing[i] ? ", and alike in time and bytes" : "");
        return std::nullopt;
    };
    const auto vector =
        launch_with([](PlanKind plan) { return plan == PlanKind::work || plan == PlanKind::replay; });
    auto tensor =
        launch_with([](PlanKind plan) { return plan == PlanKind::tensor || counts_warp_tensor(plan); });
    if (!tensor) tensor = launch_with([](PlanKind plan) { return plan == PlanKind::replay; });
    for (WorkSample& sample : launch.work)
        if (const auto other = is_tensor(sample.pipe) ? tensor : vector)
            sample.source = profile().texts.intern(
                fmt::format("{} (of {})", profile().texts.view(sample.source), *other));
}

void ProcessRecording::keep_merged(const MergedLaunch& merged) {
    const std::uint64_t number = merged.launches.front();
    const LaunchIndex index = numbered_.at(number);
    take_figures_of(index, whole_values(merged, profile().at(index).device));
    name_other_launches(merged, profile().at(index));
    alike_.erase(index);
    write(index, number);
}

/// Plan C measures no time: a launch that had it before any with plan A stands like that now.
void ProcessRecording::add_time_to_counted_work(const MergedLaunch& merged, const LaunchShape& shape) {
    for (std::size_t i = 1; i < merged.launches.size(); ++i) {
        const LaunchIndex index = numbered_.at(merged.launches[i]);
        if (merged.plans[i] != PlanKind::work || alike_.contains(index)) continue;
        if (merger_.measured_alike(shape)) record_like_earlier(index, merged.launches[i], shape);
    }
}

void ProcessRecording::write(LaunchIndex index, std::uint64_t number) {
    lines_text_ += lines_.launch(profile(), index, number);
}

void ProcessRecording::warn(Error problem) {
    // Nobody reads more of them, and a program of a million launches may have a million.
    constexpr std::size_t most_problems = 100;
    if (problems_.size() >= most_problems || std::ranges::find(problems_, problem) != problems_.end()) return;
    problems_.push_back(problem);
    profile().warnings.push_back({std::move(problem), {}});
    lines_text_ += lines_.new_lines(profile());
}

void ProcessRecording::add(const wire::LaunchCounts& counts) {
    counts_ = counts;
    write_counts();
}

RecordingCounts ProcessRecording::counts() const {
    return {std::max<std::uint64_t>(counts_.seen, launches()),
            std::max<std::uint64_t>(counts_.recorded, measured()), counts_.filtered, counts_.sampled_out,
            std::max(counts_.dropped, lost_)};
}

void ProcessRecording::write_counts() {
    const RecordingCounts now = counts();
    if (now == counts_written_) return;
    counts_written_ = now;
    profile().sources.front().left_out = left_out_by(now);
    lines_text_ += RecordingLines::counts(now);
}

void ProcessRecording::add(const wire::Note& note) {
    if (note.level == wire::NoteLevel::information) return;
    std::string where = clean_utf8(note.where);
    if (note.code) where += fmt::format("{}code {}", where.empty() ? "" : ", ", *note.code);
    const std::string_view remedy = note.code ? remedy_for_cupti(*note.code, note.where) : std::string_view();
    warn({ErrorCode::not_profiled, clean_utf8(note.what), std::move(where), std::string(remedy)});
}

void ProcessRecording::give_up_awaiting(const std::string& cut) {
    if (awaited_.empty()) return;
    for (const auto& [number, index] : awaited_)
        write(index, number);
    warn({ErrorCode::not_profiled,
          fmt::format("No time came for {} of the launches of process {}", awaited_.size(), process_), cut,
          "Kernels are known, and totals of time lack them."});
}

void ProcessRecording::end(const std::string& cut) {
    if (std::exchange(ended_, true)) return;
    if (const std::uint64_t dropped = counts().dropped; dropped > 0)
        warn({ErrorCode::not_profiled,
              fmt::format("The figures of {} were left out, because the recorder did not keep up",
                          rows_counted(dropped, GroupBy::launch)),
              "", "Totals lack them. Record fewer kernels with --kernel, --skip and --count."});
    give_up_awaiting(cut);
    write_counts();
    if (!cut.empty()) profile().sources.front().partial = true;
    lines_text_ += RecordingLines::end(cut);
}

Profile ProcessRecording::snapshot() const {
    Profile now = profile();
    std::vector<LaunchIndex> estimated;
    for (const auto& [index, other] : alike_) {
        take_figures(profile().at(other), now.at(index));
        estimated.push_back(index);
    }
    if (!estimated.empty()) now.warnings.push_back(warning_of_alike_launches(std::move(estimated)));
    return now;
}

}  // namespace roofwalk
