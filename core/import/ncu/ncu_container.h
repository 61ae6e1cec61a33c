// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/import/ncu/ncu_session.h"
#include "core/import/ncu/ncu_string_table.h"

namespace roofwalk::ncu {

/// A block of a report. Its payload is source entries, then results, then range results.
struct Block {
    std::uint64_t payload_offset = 0;
    std::string_view payload;
    bool truncated = false;  ///< the file ends inside the payload
    std::uint32_t sources = 0;
    std::uint32_t results = 0;
    std::uint32_t ranges = 0;
    std::uint32_t process = 0;
    std::size_t table = 0;  ///< index into Container::tables
};

/// The outer structure of a report. All views point into the file.
struct Container {
    std::vector<Block> blocks;        ///< those with results or a payload, in file order
    std::size_t names = 0;            ///< in all tables
    std::vector<StringTable> tables;  ///< never empty; more than one when the names start again
    Session session;
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
/// before any result is read, because a result may use names that only a later block defines. `name` stands
/// for the file in messages.
[[nodiscard]] Result<Container> scan_container(std::string_view file, const std::string& name);

/// Hands out the results of a block one by one.
class EntryCursor {
  public:
    explicit EntryCursor(const Block& block);

    /// The next result; range results after the ordinary ones. Empty at the end and at damage.
    [[nodiscard]] std::optional<std::string_view> next();
    [[nodiscard]] bool is_range() const { return returned_ > results_; }
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
    std::uint64_t total_;
    std::uint64_t returned_ = 0;
    std::uint32_t sources_;
    bool damaged_ = false;
};

/// "report.ncu-rep, offset 1234".
[[nodiscard]] std::string at_offset(const std::string& name, std::uint64_t offset);

}  // namespace roofwalk::ncu
