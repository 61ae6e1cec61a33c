// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roofwalk::ncu {

/// Metric names of a report by id, and ids by name. Names are views into the file.
class StringTable {
  public:
    /// Whether one of `names` is already there: then they belong to a table of their own.
    [[nodiscard]] bool holds_any(const std::vector<std::string_view>& names) const;
    void append(const std::vector<std::string_view>& names);

    /// Names that are not text in UTF-8, as metrics never have: what they name cannot be told.
    [[nodiscard]] std::size_t damaged() const { return damaged_; }
    /// Names that stood there already: if one is too many, every later name belongs to another metric.
    [[nodiscard]] std::size_t repeated() const { return repeated_; }
    [[nodiscard]] std::size_t size() const { return names_.size(); }
    [[nodiscard]] std::string_view name(std::uint32_t id) const { return names_[id]; }
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;

  private:
    std::vector<std::string_view> names_;
    std::unordered_map<std::string_view, std::uint32_t> ids_;
    std::size_t damaged_ = 0;
    std::size_t repeated_ = 0;
};

}  // namespace roofwalk::ncu
