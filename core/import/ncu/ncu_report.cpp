// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <protozero/exception.hpp>
#include <utility>
#include <vector>

#include "core/import/ncu/ncu_container.h"
#include "core/import/ncu/ncu_metrics.h"
#include "core/import/ncu/ncu_profile_builder.h"
#include "core/import/ncu/ncu_shared_counters.h"
#include "core/import/warning_place.h"
#include "core/model/derived_time.h"

namespace roofwalk {

namespace {

constexpr std::uint64_t entries_between_reports = 64;
constexpr std::string_view again = "Copy the report again, or profile again.";

/// Reads the results of a report and keeps account of what could not be read.
class ReportReader {
  public:
    ReportReader(const ncu::Container& container, const std::string& name, std::uint64_t file_size,
                 const Progress& progress)
        : container_(container),
          name_(name),
          file_size_(file_size),
          progress_(progress),
          builder_(container.session) {}

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
                 ncu::at_offset(name_, first_damaged_), std::string(again)});
        if (unread_kernels_ > 0)
            damages_.push_back({ErrorCode::corrupt,
                                unread_kernels_ == 1
                                    ? "A kernel of the report cannot be read and is left out"
                                    : fmt::format("{} kernels of the report cannot be read and are left out",
                                                  unread_kernels_),
                                ncu::at_offset(name_, first_unread_), std::string(again)});
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
        name_file(profile, name_);
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
        damages_.push_back({ErrorCode::cancelled, "Reading was stopped before the end of the report", name_,
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
                    name_, "Profile with kernel replay to get a result for each kernel."};
        return {ErrorCode::not_understood, "The report holds no kernels", name_,
                "Profile again; -k, -s and -c of ncu choose which kernels are profiled."};
    }

    [[nodiscard]] SourceInfo source_info() const {
        const ncu::Session& session = container_.session;
        SourceInfo source;
        source.path = name_;
        source.format = "Nsight Compute report";
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
                {{ErrorCode::not_understood, std::move(what), name_, std::move(hint)}, {}});
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
                  name_, std::string(again)},
                 {}});
        if (damaged_names > 0)
            profile.warnings.push_back(
                {{ErrorCode::corrupt,
                  fmt::format("{} metric names of the report are not text; their values are left out",
                              damaged_names),
                  name_, std::string(again)},
                 {}});
        if (builder_.unnamed_metrics() > 0)
            remark(fmt::format("{} metric values have no name in the report and are left out",
                               builder_.unnamed_metrics()),
                   "The names stand at the end of a report: a cut report lacks them.");
    }

    const ncu::Container& container_;
    const std::string& name_;
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

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes as characters
}

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

Result<void> search_ncu_report(std::span<const std::byte> bytes, const std::string& name,
                               const MetricSearch& search, const Progress& progress) {
    const auto container = ncu::scan_container(as_text(bytes), name);
    if (!container) return tl::unexpected(container.error());
    ncu::MetricSet metrics;
    for (const ncu::Block& block : container->blocks) {
        ncu::EntryCursor entries(block);
        while (const auto entry = entries.next()) {
            const auto found = std::ranges::lower_bound(search.offsets, entries.offset());
            if (found == search.offsets.end() || *found != entries.offset()) continue;
            if (progress.cancelled()) return {};
            progress.at(static_cast<double>(entries.offset()) / static_cast<double>(bytes.size()));
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
    const auto container = ncu::scan_container(file, name);
    if (!container) return tl::unexpected(container.error());
    ReportReader reader(*container, name, file.size(), progress);
    for (const ncu::Block& block : container->blocks)
        if (!reader.read_block(block)) break;
    return reader.finish();
}

}  // namespace roofwalk
