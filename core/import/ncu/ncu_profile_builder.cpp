// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_profile_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/model/kernel_name.h"

namespace roofwalk::ncu {

namespace {

constexpr std::string_view device_index_name = "device__attribute_device_index";
constexpr std::string_view display_name = "device__attribute_display_name";

bool is_empty(const ResultEntry& result) {
    return std::ranges::find(result.grid, 0U) != result.grid.end() || result.block.x == 0 ||
           result.block.y == 0 || result.block.z == 0;
}

/// A kernel that could not be measured has an empty grid and block, and NaN where its time should be.
bool has_failed(const ResultEntry& result, LaunchKind kind, const MetricSet& metrics) {
    if (kind == LaunchKind::kernel && is_empty(result)) return true;
    const Value* time = metrics.find("gpu__time_duration.sum");
    return time != nullptr && time->kind == Value::Kind::number && std::isnan(time->number);
}

/// Of a graph or a range these are the figures of one of its kernels, or of all where they agree.
bool is_of_one_kernel(std::string_view metric) {
    return metric.starts_with("launch__") || metric.find("__maximum_warps_") != std::string_view::npos;
}

std::string first_name(const ResultEntry& result) {
    for (const std::string_view name : {result.demangled_name, result.function_name, result.mangled_name})
        if (std::string clean = clean_utf8(name); !clean.empty()) return clean;
    return {};
}

}  // namespace

NcuProfileBuilder::NcuProfileBuilder(const Session& session) : session_(session) {
    const auto is_known = [this](std::string_view name) {
        return kind_ == LaunchKind::kernel || !is_of_one_kernel(name);
    };
    metrics_view_.value = [this, is_known](std::string_view name) {
        return is_known(name) ? metrics_.finite(name) : std::nullopt;
    };
    metrics_view_.instance_sum = [this, is_known](std::string_view name) {
        return is_known(name) ? metrics_.instance_sum(name) : std::nullopt;
    };
    metrics_view_.opcode_count = [this](std::string_view opcode) { return metrics_.opcode_count(opcode); };
    metrics_view_.for_each_instance = [this](std::string_view metric, const NumberVisitor& visit) {
        metrics_.for_each_instance(metric, visit);
    };
    metrics_view_.for_each_sample = [this](std::string_view metric,
                                           const std::function<void(double, double)>& visit) {
        metrics_.for_each_sample(metric, visit);
    };
    metrics_view_.for_each = [this](const NumberVisitor& visit) { metrics_.for_each_finite(visit); };
}

bool NcuProfileBuilder::add(std::string_view message, LaunchKind kind, const StringTable& names,
                            std::uint32_t process) {
    ResultEntry result = decode_result(message, kind);
    if (result.metrics.empty() && first_name(result).empty()) return false;
    metrics_.load(result.metrics, names);
    kind_ = kind;
    std::string whole;
    if (kind != LaunchKind::kernel) result.demangled_name = whole = name_of_whole();
    add(result, process);
    return true;
}

std::string NcuProfileBuilder::name_of_whole() {
    std::vector<std::string_view> kernels;
    metrics_.for_each_entry([&](std::string_view name, const Value&, std::string_view entry) {
        if (name != "launch__kernel_name") return;
        MetricSet::for_each_instance_of(entry, [&](const Value&, const Value& kernel) {
            if (kernel.kind == Value::Kind::text) kernels.push_back(kernel.text);
        });
    });
    if (kernels.empty()) return fmt::format("{} {}", label_of(kind_), ++unnamed_wholes_);
    constexpr std::size_t most_named = 8;
    std::set<std::string> named;
    std::string listed;
    for (const std::string_view kernel : kernels) {
        const std::string base = kernel_base_name(clean_utf8(kernel));
        const auto [bare, is_new] = named.insert(base.substr(base.rfind(':') + 1));
        if (!is_new) continue;
        listed.append(listed.empty() ? ": " : ", ");
        if (named.size() > most_named) {
            listed.append("…");
            break;
        }
        listed.append(*bare);
    }
    return fmt::format("{} of {} kernel{}{}", label_of(kind_), kernels.size(), kernels.size() == 1 ? "" : "s",
                       listed);
}

void NcuProfileBuilder::add(const ResultEntry& result, std::uint32_t process) {
    const bool failed = has_failed(result, kind_, metrics_);
    charts_.clear();
    if (!failed)
        for (const std::string_view section : result.sections)
            evaluate_roofline_section(sections_.decoded(section), arch(), metrics_view_.value, charts_);
    metrics_view_.charts = charts_;

    // A report names its version from 2020.3 on, and that is when grids are counted in blocks.
    const BlockCount grid = grid_in_blocks(
        result, {metrics_.finite("launch__grid_size"), metrics_.finite("launch__thread_count")},
        session_.tool_version.empty());
    Launch launch;
    launch.kind = kind_;
    launch.nvtx = builder_.nvtx(decode_nvtx_stack(result.nvtx, result.thread));
    launch.kernel = kernel_index(result);
    launch.device = device_index();
    launch.grid = grid.blocks;
    launch.block = result.block;
    launch.context = result.context;
    launch.stream = result.stream;
    launch.process = process;
    launch.thread = result.thread;
    launch.failed = failed;
    launch.clocks_locked = result.clocks_locked;
    if (grid.contradicted && !is_empty(result)) warn_of_grid(grid.blocks);
    add_ncu_launch(metrics_view_, std::move(launch), builder_.profile());
    unnamed_metrics_ += metrics_.unnamed();
}

void NcuProfileBuilder::warn_of_grid(const Dim3& grid) {
    const auto index = static_cast<LaunchIndex>(builder_.profile().launches.size());
    builder_.profile().warnings.push_back(
        {{ErrorCode::contradiction,
          fmt::format("The grid is stored as {} x {} x {} blocks, but the launch metrics give another number "
                      "of blocks",
                      grid.x, grid.y, grid.z),
          fmt::format("kernel {}", static_cast<std::size_t>(index)),
          "Copy the report again, or profile again."},
         {index}});
}

KernelIndex NcuProfileBuilder::kernel_index(const ResultEntry& result) {
    return builder_.kernel({result.demangled_name, result.mangled_name, result.function_name}, [&] {
        std::string name = first_name(result);
        return Kernel{name.empty() ? "(unnamed kernel)" : std::move(name), clean_utf8(result.function_name),
                      clean_utf8(result.mangled_name)};
    });
}

DeviceIndex NcuProfileBuilder::device_index() {
    const std::optional<double> number = metrics_.finite(device_index_name);
    return builder_.device(
        {number ? fmt::format("{}", *number) : "", metrics_.text(display_name).value_or("")},
        [this] { return device(); });
}

Device NcuProfileBuilder::device() const {
    NcuMetrics attributes = metrics_view_;
    attributes.value = [this](std::string_view name) {
        const Value* value = attribute(name);
        return value == nullptr ? std::nullopt : value->finite();
    };
    return device_from_ncu_attributes(attributes,
                                      [this](std::string_view name) -> std::optional<std::string> {
                                          const Value* value = attribute(name);
                                          if (value == nullptr || value->kind != Value::Kind::text)
                                              return std::nullopt;
                                          return clean_utf8(value->text);
                                      });
}

/// A device attribute of the result at hand, or of the session's device list where the result has none.
const Value* NcuProfileBuilder::attribute(std::string_view name) const {
    const Value* value = metrics_.find(name);
    if (value != nullptr && value->kind != Value::Kind::none) return value;
    const SessionDevice* device = session_.device(metrics_.finite(device_index_name));
    return device == nullptr ? nullptr : device->find(name);
}

std::optional<std::uint32_t> NcuProfileBuilder::arch() const {
    const Value* major = attribute("device__attribute_compute_capability_major");
    const Value* minor = attribute("device__attribute_compute_capability_minor");
    if (major == nullptr || minor == nullptr || !major->finite() || !minor->finite()) return std::nullopt;
    const double arch = major->number * 10 + minor->number;
    if (arch < 0 || arch > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(arch);
}

}  // namespace roofwalk::ncu
