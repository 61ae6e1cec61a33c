// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <protozero/exception.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/import/ncu/ncu_container.h"
#include "core/import/ncu/ncu_metric_set.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/import/ncu/ncu_result.h"
#include "core/import/ncu/ncu_roofline_section.h"
#include "core/model/derived_time.h"
#include "core/model/kernel_name.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

namespace ncu {

namespace {

/// Turns results of one report into launches of a profile, one after the other. The session and the file
/// must outlive it.
class NcuProfileBuilder {
  public:
    explicit NcuProfileBuilder(const ReportHeader& session);
    NcuProfileBuilder(const NcuProfileBuilder&) = delete;
    NcuProfileBuilder& operator=(const NcuProfileBuilder&) = delete;
    ~NcuProfileBuilder() = default;

    /// Adds a result. False, and nothing is added, for one with neither a name nor metrics. Throws
    /// protozero::exception and adds nothing when it cannot be read.
    [[nodiscard]] bool add(std::string_view message, LaunchKind kind, const StringTable& names,
                           std::uint32_t process);

    /// Metric entries whose name the report does not define, over all results so far.
    [[nodiscard]] std::uint64_t unnamed_metrics() const { return unnamed_metrics_; }
    [[nodiscard]] Profile& profile() { return builder_.profile(); }

  private:
    /// Of the graph or range at hand: "CUDA graph of 2 kernels: scale, add", without arguments and namespaces
    /// and of a few of many; where the report does not tell them, its number among those.
    [[nodiscard]] std::string name_of_whole();
    void add(const ResultEntry& result, std::uint32_t process);
    void warn_of_grid(const Dim3& grid);
    KernelIndex kernel_index(const ResultEntry& result);
    DeviceIndex device_index();
    [[nodiscard]] Device device() const;
    [[nodiscard]] std::optional<std::uint32_t> arch() const;
    [[nodiscard]] const Value* attribute(std::string_view name) const;

    const ReportHeader& session_;
    roofwalk::ProfileBuilder builder_;
    MetricSet metrics_;  // of the result at hand
    LaunchKind kind_ = LaunchKind::kernel;
    NcuMetrics metrics_view_;
    std::vector<NcuRooflineChart> charts_;  // of the result at hand
    RooflineSections sections_;
    std::uint64_t unnamed_metrics_ = 0;
    std::uint64_t unnamed_wholes_ = 0;
};

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
    return metric.starts_with("launch__") || contains(metric, "__maximum_warps_");
}

std::string first_name(const ResultEntry& result) {
    for (const std::string_view name : {result.demangled_name, result.function_name, result.mangled_name})
        if (std::string clean = clean_utf8(name); !clean.empty()) return clean;
    return {};
}

NcuProfileBuilder::NcuProfileBuilder(const ReportHeader& session) : session_(session) {
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

}  // namespace

}  // namespace ncu

namespace {

constexpr std::uint64_t entries_between_reports = 64;
constexpr std::string_view again = "Copy the report again, or profile again.";

/// Reads the results of a report and keeps account of what could not be read.
class ReportReader {
  public:
    ReportReader(const ncu::Container& container, std::uint64_t file_size, const Progress& progress)
        : container_(container), file_size_(file_size), progress_(progress), builder_(container.session) {}

    /// False when reading was cancelled.
    [[nodiscard]] bool read_block(const ncu::Block& block) {
        const ncu::StringTable& names = container_.tables[block.table];
        ncu::EntryCursor entries(block);
        for (std::uint64_t i = 0; const auto entry = entries.next(); ++i) {
            if (i % entries_between_reports == 0 && !goes_on(entries.offset())) return false;
            const LaunchKind kind = entries.kind();
            if (kind != LaunchKind::kernel) ++range_results_;
            bool added = false;
            try {
                added = builder_.add(*entry, kind, names, block.process);
            } catch (const protozero::exception&) {
                added = false;
            }
            if (added)
                builder_.profile().launches.back().file_offset = entries.offset();
            else
                leave_out(kind, entries.offset());
        }
        if (entries.damaged() && !block.truncated && damaged_blocks_++ == 0)
            first_damaged_ = entries.offset();
        report(block.payload_offset + block.payload.size());
        return true;
    }

    Result<Profile> finish() {
        if (damaged_blocks_ > 0)
            damages_.push_back(
                {ErrorCode::corrupt,
                 damaged_blocks_ == 1
                     ? "A block of the report does not hold what its header announces"
                     : fmt::format("{} blocks of the report do not hold what their headers announce",
                                   damaged_blocks_),
                 ncu::at_offset(first_damaged_), std::string(again)});
        if (unread_kernels_ > 0)
            damages_.push_back({ErrorCode::corrupt,
                                unread_kernels_ == 1
                                    ? "A kernel of the report cannot be read and is left out"
                                    : fmt::format("{} kernels of the report cannot be read and are left out",
                                                  unread_kernels_),
                                ncu::at_offset(first_unread_), std::string(again)});
        Profile& profile = builder_.profile();
        if (container_.damage) {
            damages_.push_back(*container_.damage);
            damages_.back().hint += profile.launches.empty() ? " No whole kernel stands before the damage."
                                                             : " What stands before the damage is shown.";
        }
        if (profile.launches.empty()) return tl::unexpected(nothing_usable());
        profile.sources.push_back(source_info());
        warn_of_failed_launches(profile);
        doubt_derived_times(profile);
        warn_of_shared_counters(profile);
        std::vector<Warning> warnings;
        for (Error& damage : damages_)
            warnings.push_back({std::move(damage), {}});
        profile.warnings.insert(profile.warnings.begin(), std::make_move_iterator(warnings.begin()),
                                std::make_move_iterator(warnings.end()));
        add_remarks(profile);
        return std::move(profile);
    }

  private:
    void leave_out(LaunchKind kind, std::uint64_t offset) {
        if (kind != LaunchKind::kernel)
            ++unread_ranges_;
        else if (unread_kernels_++ == 0)
            first_unread_ = offset;
    }

    void report(std::uint64_t offset) const {
        progress_.at(static_cast<double>(offset) / static_cast<double>(file_size_));
    }

    /// Reports how far reading has come, or notes that it ends here.
    [[nodiscard]] bool goes_on(std::uint64_t offset) {
        if (!progress_.cancelled()) {
            report(offset);
            return true;
        }
        damages_.push_back({ErrorCode::cancelled, "Reading was stopped before the end of the report", "",
                            "Open the report again to see all of its kernels."});
        return false;
    }

    [[nodiscard]] Error nothing_usable() const {
        if (!damages_.empty()) return damages_.front();
        if (range_results_ > 0)
            return {ErrorCode::not_understood,
                    fmt::format(
                        "The report holds {} range or graph results that are not understood, and no kernels",
                        range_results_),
                    "", "Profile with kernel replay to get a result for each kernel."};
        return {ErrorCode::not_understood, "The report holds no kernels", "",
                "Profile again; -k, -s and -c of ncu choose which kernels are profiled."};
    }

    [[nodiscard]] SourceInfo source_info() const {
        const ncu::ReportHeader& session = container_.session;
        SourceInfo source;
        source.format = SourceFormat::ncu_report;
        if (!session.tool_version.empty()) source.tool = "Nsight Compute " + session.tool_version;
        source.command_line = session.command_line;
        source.created = session.created;
        source.partial = !damages_.empty();
        source.range_results = range_results_;
        return source;
    }

    void add_remarks(Profile& profile) const {
        const auto remark = [&](std::string what, std::string hint) {
            profile.warnings.push_back(
                {{ErrorCode::not_understood, std::move(what), "", std::move(hint)}, {}});
        };
        if (unread_ranges_ > 0)
            remark(
                fmt::format("{} range or graph results are not understood and are left out", unread_ranges_),
                "Profile with kernel replay to get a result for each kernel.");
        if (container_.tables.size() > 1)
            remark(
                "The report defines its metric names more than once; each kernel is read with the names "
                "before it",
                "Compare a few metrics with Nsight Compute before relying on them.");
        std::size_t damaged_names = 0;
        std::size_t repeated_names = 0;
        for (const ncu::StringTable& table : container_.tables) {
            damaged_names += table.damaged();
            repeated_names += table.repeated();
        }
        if (repeated_names > 0)
            profile.warnings.push_back(
                {{ErrorCode::corrupt,
                  fmt::format("{} metric names stand twice in the report: values may stand under wrong names",
                              repeated_names),
                  "", std::string(again)},
                 {}});
        if (damaged_names > 0)
            profile.warnings.push_back(
                {{ErrorCode::corrupt,
                  fmt::format("{} metric names of the report are not text; their values are left out",
                              damaged_names),
                  "", std::string(again)},
                 {}});
        if (builder_.unnamed_metrics() > 0)
            remark(fmt::format("{} metric values have no name in the report and are left out",
                               builder_.unnamed_metrics()),
                   "The names stand at the end of a report: a cut report lacks them.");
    }

    const ncu::Container& container_;
    std::uint64_t file_size_;
    const Progress& progress_;
    ncu::NcuProfileBuilder builder_;
    std::vector<Error> damages_;
    std::uint64_t damaged_blocks_ = 0;
    std::uint64_t first_damaged_ = 0;
    std::uint64_t unread_kernels_ = 0;
    std::uint64_t first_unread_ = 0;
    std::uint32_t range_results_ = 0;
    std::uint32_t unread_ranges_ = 0;
};

std::string instance_text(const ncu::Value& id, std::size_t index) {
    if (id.kind == ncu::Value::Kind::text) return std::string(id.text);
    return id.finite() ? fmt::format("{:.0f}", id.number) : std::to_string(index);
}

StoredMetric stored(std::string_view name, const ncu::Value& value) {
    return {.name = name, .number = value.finite(), .text = value.text};
}

/// The metrics of one result, the one at `index` of those that are looked for.
void hand_out(const ncu::MetricSet& metrics, const MetricSearch& search, std::size_t index) {
    search.visit(index, {});
    metrics.for_each_entry([&](std::string_view name, const ncu::Value& value, std::string_view entry) {
        if (!search.choice.names(name)) return;
        StoredMetric whole = stored(name, value);
        ncu::MetricSet::for_each_instance_of(
            entry, [&](const ncu::Value&, const ncu::Value&) { ++whole.instances; });
        search.visit(index, whole);
        if (!search.choice.instances) return;
        ncu::MetricSet::for_each_instance_of(
            entry, [&, number = std::size_t{0}](const ncu::Value& id, const ncu::Value& instance) mutable {
                const std::string text = instance_text(id, number++);
                StoredMetric part = stored(name, instance);
                part.instance = text;
                search.visit(index, part);
            });
    });
}

}  // namespace

Result<void> search_ncu_report(std::string_view text, const MetricSearch& search, const Progress& progress) {
    const auto container = ncu::scan_container(text);
    if (!container) return tl::unexpected(container.error());
    ncu::MetricSet metrics;
    for (const ncu::Block& block : container->blocks) {
        ncu::EntryCursor entries(block);
        while (const auto entry = entries.next()) {
            const auto found = std::ranges::lower_bound(search.offsets, entries.offset());
            if (found == search.offsets.end() || *found != entries.offset()) continue;
            if (progress.cancelled()) return {};
            progress.at(static_cast<double>(entries.offset()) / static_cast<double>(text.size()));
            try {
                metrics.load(ncu::decode_result(*entry, entries.kind()).metrics,
                             container->tables[block.table]);
            } catch (const protozero::exception&) {
                continue;  // it could be read before: the file has changed
            }
            hand_out(metrics, search, static_cast<std::size_t>(found - search.offsets.begin()));
        }
    }
    return {};
}

Result<Profile> read_ncu_report(std::span<const std::byte> bytes, const std::string& name,
                                const Progress& progress) {
    const std::string_view file = as_text(bytes);
    const auto container = ncu::scan_container(file);
    if (!container) return of_file(tl::unexpected(container.error()), name);
    ReportReader reader(*container, file.size(), progress);
    for (const ncu::Block& block : container->blocks)
        if (!reader.read_block(block)) break;
    return of_file(reader.finish(), name);
}

}  // namespace roofwalk
