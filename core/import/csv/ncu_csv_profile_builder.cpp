// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/ncu_csv_profile_builder.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/text.h"
#include "core/import/csv/ncu_csv_number.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/model/derived_time.h"

namespace roofwalk {

namespace {

struct Label {
    std::string_view label;
    std::string_view metric;
};

/// "SM Frequency" is that of gpc in today's sections and that of smsp in older ones, so that it gets the name
/// that is looked up last.
constexpr std::array<Label, 54> labels{{
    {"Duration", "gpu__time_duration.sum"},
    {"Elapsed Cycles", "gpc__cycles_elapsed.max"},
    {"SM Frequency", "gpc__cycles_elapsed.avg.per_second"},
    {"DRAM Frequency", "dram__cycles_elapsed.avg.per_second"},
    {"DRAM Throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Cache Throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
    {"Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    {"Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active"},
    {"Registers Per Thread", "launch__registers_per_thread"},
    {"Waves Per SM", "launch__waves_per_multiprocessor"},
    {"Static Shared Memory Per Block", "launch__shared_mem_per_block_static"},
    {"Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"},
    {"Block Limit SM", "launch__occupancy_limit_blocks"},
    {"Block Limit Registers", "launch__occupancy_limit_registers"},
    {"Block Limit Shared Mem", "launch__occupancy_limit_shared_mem"},
    {"Block Limit Warps", "launch__occupancy_limit_warps"},
    {"# SMs", "device__attribute_multiprocessor_count"},
    {"SMs", "device__attribute_multiprocessor_count"},  // of a row whose "#" passed for that of a comment
    // Of the rooflines. "HFMA Operations" are left out, as what one is changed in 2025.
    {"DRAM Bandwidth", "dram__bytes.sum.per_second"},
    {"Theoretical DRAM Bytes Accessible", "dram__bytes.sum.peak_sustained"},
    {"Predicated-On DFMA Operations Per Cycle",
     "derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2"},
    {"Theoretical Predicated-On DFMA Operations",
     "derived__sm__sass_thread_inst_executed_op_dfma_pred_on_x2"},
    {"Predicated-On FFMA Operations Per Cycle",
     "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2"},
    {"Theoretical Predicated-On FFMA Operations",
     "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2"},
    {"Theoretical Predicated-On DFMA Thread Instructions Executed",
     "sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained"},
    {"Theoretical Predicated-On FFMA Thread Instructions Executed",
     "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained"},
    {"Theoretical Predicated-On HFMA Thread Instructions Executed",
     "sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained"},
    {"Predicated-On DADD Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On DMUL Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On DFMA Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On FADD Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On FMUL Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On FFMA Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On HADD Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On HMUL Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum.per_cycle_elapsed"},
    {"Predicated-On HFMA Thread Instructions Executed Per Cycle",
     "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.per_cycle_elapsed"},
    // Of the page Summary.
    {"Compute Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"# Registers", "launch__registers_per_thread"},
    // Until 2021.
    {"Memory Frequency", "dram__cycles_elapsed.avg.per_second"},
    {"Memory [%]", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL FB", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL L1/TEX Cache", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"SOL TEX", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"SOL L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL L2 Cache", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) [%]", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SM [%]", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1 Hit Rate", "l1tex__t_sector_hit_rate.pct"},
}};

/// What rooflines show of instructions that are two operations.
struct Doubled {
    std::string_view shown;
    std::string_view read;
};

constexpr std::array<Doubled, 4> doubled{{
    {"derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2",
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed"},
    {"derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2",
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed"},
    {"derived__sm__sass_thread_inst_executed_op_dfma_pred_on_x2",
     "sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained"},
    {"derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2",
     "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained"},
}};

constexpr std::size_t longest_repaired_name = std::size_t{64} << 10U;

/// Where ncu leaves out what encloses a name, it leaves out the bracket of "<unnamed>::" and "const::[lambda"
/// too.
std::string with_brackets(std::string name) {
    static const re2::RE2 unnamed(R"((^|[^<\w])unnamed>::)");
    static const re2::RE2 lambda(R"(operator \(\)\(\) lambda\()");
    if (name.size() > longest_repaired_name) return name;
    re2::RE2::GlobalReplace(&name, unnamed, R"(\1<unnamed>::)");
    re2::RE2::GlobalReplace(&name, lambda, "operator ()() const::[lambda(");
    return name;
}

/// The whole numbers in a text: 128, 1, 1 of "(128, 1, 1)" and of "128x1x1".
template <std::size_t N>
std::array<std::uint32_t, N> whole_numbers(std::string_view text, std::uint32_t missing) {
    std::array<std::uint32_t, N> numbers;
    numbers.fill(missing);
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (std::uint32_t& number : numbers) {
        while (at != end && (*at < '0' || *at > '9'))
            ++at;
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc()) break;
        at = stop;
    }
    return numbers;
}

std::uint32_t whole_number(std::string_view text) {
    return whole_numbers<1>(text, 0)[0];
}

/// "(128, 1, 1)" as ncu prints it, or "128x1x1"; absent for other texts with digits, x = 0 for those without,
/// as of a launch that failed.
std::optional<Dim3> extent(std::string_view text) {
    if (text.find_first_of("123456789") == std::string_view::npos) return Dim3{};
    if (text.find_first_not_of("0123456789 ,x()") != std::string_view::npos) return std::nullopt;
    const auto [x, y, z, more] = whole_numbers<4>(text, 0);
    if (x == 0 || more != 0) return std::nullopt;
    return Dim3{x, std::max(y, 1U), std::max(z, 1U)};
}

bool is_empty_extent(std::string_view text) {
    return !text.empty() && extent(text) == Dim3{};
}

/// What the rate of DRAM is of its peak, of rooflines without a time, which would tell the bytes.
std::optional<double> dram_percent(const NcuCsvKernel& kernel) {
    const auto& values = kernel.values;
    if (values.contains("gpu__time_duration.sum") || values.contains("gpc__cycles_elapsed.max")) return {};
    const auto rate = values.find("dram__bytes.sum.per_second");
    const auto peak = values.find("dram__bytes.sum.peak_sustained");
    const auto clock = values.find("dram__cycles_elapsed.avg.per_second");
    const bool tell = rate != values.end() && peak != values.end() && clock != values.end();
    return tell && peak->second * clock->second > 0
               ? std::optional(100 * rate->second / (peak->second * clock->second))
               : std::nullopt;
}

NcuMetrics view_of(const NcuCsvKernel& kernel) {
    NcuMetrics metrics;
    metrics.value = [&kernel](std::string_view name) -> std::optional<double> {
        const auto& values = kernel.values;
        if (const auto found = values.find(name); found != values.end()) return found->second;
        if (name == "dram__bytes.sum.pct_of_peak_sustained_elapsed") return dram_percent(kernel);
        const auto twice = std::ranges::find(doubled, name, &Doubled::read);
        if (twice == doubled.end()) return std::nullopt;
        const auto found = values.find(twice->shown);
        return found == values.end() ? std::nullopt : std::optional(found->second / 2);
    };
    metrics.for_each = [&kernel](const std::function<void(std::string_view, double)>& visit) {
        for (const auto& [name, value] : kernel.values)
            visit(name, value);
    };
    return metrics;
}

/// Of what instructions are counted by: a text is no such thing, unless it says that there is none.
bool counts_work(std::string_view metric) {
    return std::ranges::any_of(
        std::array<std::string_view, 4>{"inst_executed", "_ops_path_", "_pipe_", "sass__"},
        [&](std::string_view part) { return contains(metric, part); });
}

bool says_none(std::string_view printed) {
    return std::ranges::any_of(std::array<std::string_view, 4>{"n/a", "no data", "nan", "inf"},
                               [&](std::string_view part) { return contains(printed, part); });
}

/// No metric that has a text starts as a number does, and no text has control characters.
bool is_damaged(const std::pair<const std::string, std::string>& text) {
    const auto& [metric, printed] = text;
    return (printed.front() >= '0' && printed.front() <= '9') || !is_plain_text(printed) ||
           (counts_work(metric) && !says_none(printed));
}

Device device_of(const NcuCsvKernel& kernel, const NcuMetrics& metrics) {
    Device device =
        device_from_ncu_attributes(metrics, [&](std::string_view name) -> std::optional<std::string> {
            const auto found = kernel.texts.find(name);
            return found == kernel.texts.end() ? std::nullopt : std::optional(clean_utf8(found->second));
        });
    if (!device.compute_capability && kernel.capability.find('.') != std::string::npos) {
        const auto [major, minor] = whole_numbers<2>(kernel.capability, 0);
        if (major > 0 && major < 1000 && minor < 1000)
            device.compute_capability = ComputeCapability{static_cast<int>(major), static_cast<int>(minor)};
    }
    return device;
}

}  // namespace

std::string_view ncu_metric_of_label(std::string_view label, std::string_view unit) {
    if (label == "Memory Throughput")
        return unit == "%" ? "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
                           : "dram__bytes.sum.per_second";
    const auto known = std::ranges::find(labels, label, &Label::label);
    return known == labels.end() ? label : known->metric;
}

void NcuCsvKernel::set(std::string_view metric, std::string_view printed, std::optional<double> unit_factor) {
    if (const auto number = ncu_csv_number(printed, style); number && unit_factor)
        values.insert_or_assign(std::string(metric), *number * *unit_factor);
    else if (!printed.empty() && !printed.starts_with('{'))  // as "{35}", of instances without a sum
        texts.insert_or_assign(std::string(metric), std::string(printed));
}

void hand_out(const NcuCsvKernel& kernel, const MetricSearch& search) {
    const auto found = std::ranges::lower_bound(search.offsets, kernel.file_offset);
    if (found == search.offsets.end() || *found != kernel.file_offset) return;
    const auto index = static_cast<std::size_t>(found - search.offsets.begin());
    search.visit(index, {});
    for (const auto& [name, unit] : kernel.units) {
        if (!search.choice.names(name)) continue;
        StoredMetric metric{.name = name, .unit = unit};
        if (const auto number = kernel.values.find(name); number != kernel.values.end())
            metric.number = number->second;
        if (const auto text = kernel.texts.find(name); text != kernel.texts.end()) metric.text = text->second;
        search.visit(index, metric);
    }
}

void NcuCsvProfileBuilder::add(const NcuCsvKernel& kernel) {
    const NcuMetrics metrics = view_of(kernel);
    Launch launch;
    launch.kernel = builder_.kernel({kernel.name}, [&] {
        return Kernel{with_brackets(clean_utf8(kernel.name)), "", ""};
    });
    Device device = device_of(kernel, metrics);
    launch.device = builder_.device({kernel.device, kernel.capability, device.name}, [&] { return device; });
    launch.grid = extent(kernel.grid).value_or(Dim3{});
    launch.block = extent(kernel.block).value_or(Dim3{});
    launch.context = whole_number(kernel.context);
    launch.stream = whole_number(kernel.stream);
    launch.nvtx = builder_.nvtx(kernel.nvtx);
    launch.process = whole_number(kernel.process);
    launch.file_offset = kernel.file_offset;
    const auto time = kernel.texts.find("gpu__time_duration.sum");
    launch.failed = is_empty_extent(kernel.grid) || (time != kernel.texts.end() && time->second == "nan");
    warn_of_damaged_values(kernel);
    add_ncu_launch(metrics, std::move(launch), builder_.profile());
    // Without one of its counters the work that the others tell is not that of the kernel.
    if (std::ranges::any_of(kernel.texts,
                            [](const auto& text) { return counts_work(text.first) && is_damaged(text); }))
        builder_.profile().launches.back().work.clear();
    has_averages_ = has_averages_ || kernel.invocations.has_value();
    if (kernel.invocations) repeat_average(ncu_csv_number(*kernel.invocations, kernel.style));
}

void NcuCsvProfileBuilder::repeat_average(std::optional<double> invocations) {
    std::vector<Launch>& launches = builder_.profile().launches;
    Launch average = std::move(launches.back());
    launches.pop_back();
    for (WorkSample& work : average.work)
        work.origin = Origin::estimated;
    for (TrafficSample& traffic : average.traffic)
        traffic.origin = Origin::estimated;
    averages_.add(launches, std::move(average), invocations.value_or(0), builder_.profile().texts);
}

Profile NcuCsvProfileBuilder::take(SourceFormat format, bool partial) {
    averages_.warn(builder_.profile(), "Without --print-summary ncu writes what each launch did.");
    Profile profile = builder_.take();
    SourceInfo source;
    source.format = format;
    source.partial = partial || has_damaged_values_;
    profile.sources.push_back(std::move(source));
    warn_of_failed_launches(profile);
    doubt_derived_times(profile);
    if (has_averages_)
        profile.warnings.push_back(
            {{ErrorCode::not_understood, "The file holds averages: every launch of a kernel is shown alike",
              "", "Without --print-summary ncu writes what each launch did."},
             {}});
    return profile;
}

void NcuCsvProfileBuilder::warn_of_damaged_values(const NcuCsvKernel& kernel) {
    std::vector<std::string_view> damaged;
    for (const auto& text : kernel.texts)
        if (is_damaged(text)) damaged.push_back(text.first);
    if (!extent(kernel.grid)) damaged.emplace_back("Grid Size");
    if (!extent(kernel.block)) damaged.emplace_back("Block Size");
    if (damaged.empty()) return;
    has_damaged_values_ = true;
    const auto index = static_cast<LaunchIndex>(builder_.profile().launches.size());
    const std::string first = clean_utf8(damaged.front());
    builder_.profile().warnings.push_back(
        {{ErrorCode::corrupt,
          damaged.size() == 1
              ? fmt::format("A value of this kernel, {}, cannot be read and counts as not measured", first)
              : fmt::format("{} values of this kernel cannot be read, {} first, and count as not measured",
                            damaged.size(), first),
          fmt::format("kernel {}", static_cast<std::size_t>(index)),
          "The file was changed; write it again with ncu --csv."},
         {index}});
}

}  // namespace roofwalk
