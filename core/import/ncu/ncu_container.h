// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/import/ncu/ncu_metric_set.h"
#include "core/model/launch.h"

namespace roofwalk::ncu {

/// A device of the session list; attribute names carry the prefix `device__attribute_`, as metrics do.
struct SessionDevice {
    std::uint32_t id = 0;
    std::vector<std::pair<std::string_view, Value>> attributes;

    [[nodiscard]] const Value* find(std::string_view name) const;
};

/// What a report says about the whole run, gathered from the pieces in its block headers.
struct ReportHeader {
    std::optional<std::int64_t> created;  ///< Unix time [s]
    std::string command_line;
    std::string tool_version;            ///< "2025.1.1.0"; empty before 2020.3
    std::vector<SessionDevice> devices;  ///< each once, though every part of a merged report lists them

    /// Merges one piece: single values replace, lists grow, up to so many devices in all. Throws
    /// protozero::exception.
    void add_piece(std::string_view message, std::size_t most_devices);
    /// The device of that id; without an id the only one. May be null.
    [[nodiscard]] const SessionDevice* device(std::optional<double> id) const;

  private:
    std::set<std::string_view> device_messages_;  ///< those of `devices`
};

/// The most different devices of a report of so many bytes: a device with its attributes fills some 8 KiB
/// there, beside the kernels that ran on it.
[[nodiscard]] constexpr std::size_t most_session_devices(std::size_t file_size) {
    return 1024 + file_size / 16384;
}

/// A block of a report. Its payload is source entries, then results of kernels, of ranges and of graphs.
struct Block {
    std::uint64_t payload_offset = 0;
    std::string_view payload;
    bool truncated = false;  ///< the file ends inside the payload
    std::uint32_t sources = 0;
    std::uint32_t results = 0;
    std::uint32_t ranges = 0;
    std::uint32_t graphs = 0;
    std::uint32_t process = 0;
    std::size_t table = 0;  ///< index into Container::tables
};

/// The outer structure of a report. All views point into the file.
struct Container {
    std::vector<Block> blocks;        ///< those with results or a payload, in file order
    std::size_t names = 0;            ///< in all tables
    std::vector<StringTable> tables;  ///< never empty; more than one when the names start again
    ReportHeader session;
    std::optional<Error> damage;  ///< where the walk over the blocks had to end early
};

/// The most blocks, and the most metric names, that a report of so many bytes may have. Both are far above
/// what a profiler writes, and keep what is gathered of a hostile file within the memory that open_profile()
/// promises.
[[nodiscard]] constexpr std::size_t most_container_parts(std::size_t file_size) {
    return (std::size_t{1} << 16U) + file_size / 64;
}
/// The most string tables of a report: more than that many reports are not merged into one.
inline constexpr std::size_t most_string_tables = 4096;

/// Whether a file starts as a report does, or is cut before it can be told: after "N", "NV" or "NVR".
[[nodiscard]] bool starts_report(std::string_view file);

/// Walks all block headers of a report that starts with "NVR\0". Strings are gathered over the whole file
/// before any result is read, because a result may use names that only a later block defines.
[[nodiscard]] Result<Container> scan_container(std::string_view file);

/// Hands out the results of a block one by one.
class EntryCursor {
  public:
    explicit EntryCursor(const Block& block);

    /// The next result: of kernels, then of ranges, then of graphs. Empty at the end and at damage.
    [[nodiscard]] std::optional<std::string_view> next();
    /// Of the last one.
    [[nodiscard]] LaunchKind kind() const {
        if (returned_ <= results_) return LaunchKind::kernel;
        return returned_ <= ranges_end_ ? LaunchKind::range : LaunchKind::graph;
    }
    /// Whether the entries do not fill the payload exactly. Known at the end.
    [[nodiscard]] bool damaged() const { return damaged_; }
    /// Where in the file the last entry starts, or where the damage is.
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

  private:
    std::optional<std::string_view> next_entry();

    std::string_view rest_;
    std::uint64_t rest_offset_;
    std::uint64_t offset_;
    std::uint64_t results_;
    std::uint64_t ranges_end_;
    std::uint64_t total_;
    std::uint64_t returned_ = 0;
    std::uint32_t sources_;
    bool damaged_ = false;
};

/// "offset 1234".
[[nodiscard]] std::string at_offset(std::uint64_t offset);

}  // namespace roofwalk::ncu
