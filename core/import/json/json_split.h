// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace roofwalk {

/// Part of a text.
struct JsonRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

/// Where a text stops being JSON.
struct JsonDamage {
    std::size_t offset = 0;
    bool cut_off = false;  ///< the text ends inside a value, else something stands where it cannot
};

/// A profile cut into its header and the array of its kernels without reading either, so that a large file
/// is never held as a tree, and what stands before a damage can still be read.
struct JsonDocument {
    std::string header;                  ///< the outer object as text, without its "kernels"
    std::optional<std::size_t> kernels;  ///< offset of the "[" of the array; absent when there is none
    bool kernels_twice = false;
    std::size_t end = 0;               ///< offset behind the outer object
    std::optional<JsonDamage> damage;  ///< of the outer object
};

[[nodiscard]] JsonDocument split_json_document(std::string_view text);

/// Walks over the items of an array, finding only where each begins and ends.
class JsonArrayCursor {
  public:
    /// `open` is the offset of the "[".
    JsonArrayCursor(std::string_view text, std::size_t open) : text_(text), at_(open + 1) {}

    /// The next item; absent behind the last one and at a damage.
    [[nodiscard]] std::optional<JsonRange> next();
    /// Where the array stopped being one.
    [[nodiscard]] const std::optional<JsonDamage>& damage() const { return damage_; }

  private:
    std::string_view text_;
    std::size_t at_;
    bool first_ = true;
    std::optional<JsonDamage> damage_;
};

/// Offset of the first character at or behind `at` that is no white space.
[[nodiscard]] std::size_t skip_json_space(std::string_view text, std::size_t at);
/// Offset of the "[" of the array that is the value of a key, which ends at `key_end`; absent of another
/// value.
[[nodiscard]] std::optional<std::size_t> array_behind_key(std::string_view text, std::size_t key_end);
/// Number of the line that holds an offset, from 1.
[[nodiscard]] std::size_t line_of(std::string_view text, std::size_t offset);

}  // namespace roofwalk
