// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace roofwalk {

/// Index of a text in the StringPool of its profile.
enum class TextId : std::uint32_t { none = 0 };

/// Texts that repeat over thousands of launches (metric names, derivations), each stored once. Text 0 is
/// empty.
class StringPool {
  public:
    StringPool();
    StringPool(const StringPool& other);
    StringPool(StringPool&&) = default;
    StringPool& operator=(const StringPool& other);
    StringPool& operator=(StringPool&&) = default;
    ~StringPool() = default;

    [[nodiscard]] TextId intern(std::string_view text);
    /// The id of a text that is already there, else TextId::none.
    [[nodiscard]] TextId find(std::string_view text) const;
    [[nodiscard]] std::string_view view(TextId id) const { return texts_[static_cast<std::size_t>(id)]; }

  private:
    std::deque<std::string> texts_;  // a deque keeps the views in index_ valid while it grows
    std::unordered_map<std::string_view, TextId> index_;
};

}  // namespace roofwalk
