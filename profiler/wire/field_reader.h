// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "profiler/wire/record.h"

namespace roofwalk::wire {

/// Where the entries of the lists of one record stand while it is looked at.
struct ListStorage {
    std::vector<std::vector<std::string_view>> texts;
    std::vector<MetricValue> values;
};

/// Takes fields out of a payload. Every length is compared with what is left before it is used.
class FieldReader {
  public:
    FieldReader(std::span<const std::byte> payload, ListStorage& lists) : rest_(payload), lists_(lists) {}

    template <class... Field>
    void operator()(Field&... field) {
        (get(field), ...);
    }

    /// Every field was there, every value is one that can be, and nothing is left over.
    [[nodiscard]] bool whole() const noexcept { return good_ && rest_.empty(); }

  private:
    /// `count` bytes, or none when there are fewer.
    std::span<const std::byte> take(std::size_t count) noexcept {
        if (!good_ || count > rest_.size()) {
            good_ = false;
            return {};
        }
        const auto taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }

    /// A number of things that need at least `smallest` bytes each.
    std::size_t get_count(std::size_t smallest, std::size_t most) noexcept {
        std::uint32_t count = 0;
        get(count);
        if (count > most || count > rest_.size() / smallest) good_ = false;
        return good_ ? count : 0;
    }

    template <class T>
    requires std::is_arithmetic_v<T>
    void get(T& value) noexcept {
        const auto bytes = take(sizeof(value));
        if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(value));
    }

    void get(bool& value) noexcept {
        std::uint8_t number = 0;
        get(number);
        if (number > 1) good_ = false;
        value = number == 1;
    }

    template <class T>
    requires std::is_enum_v<T>
    void get_enum(T& value, T last) noexcept {
        std::underlying_type_t<T> number{};
        get(number);
        if (number > static_cast<std::underlying_type_t<T>>(last))
            good_ = false;
        else
            value = static_cast<T>(number);
    }

    void get(LaunchStatus& status) noexcept { get_enum(status, LaunchStatus::awaited); }
    void get(NoteLevel& level) noexcept { get_enum(level, NoteLevel::error); }

    template <class T>
    void get(std::optional<T>& value) {
        bool present = false;
        get(present);
        value.reset();
        if (present) get(value.emplace());
    }

    void get(std::array<std::uint8_t, 16>& bytes) noexcept {
        const auto taken = take(bytes.size());
        if (!taken.empty()) std::memcpy(bytes.data(), taken.data(), taken.size());
    }

    void get(Extent& extent) noexcept { (*this)(extent.x, extent.y, extent.z); }

    void get(MetricValue& value) noexcept { (*this)(value.metric, value.value); }

    void get(Text& text) noexcept {
        const auto bytes = take(get_count(1, longest_text));
        text = bytes.empty() ? Text() : Text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    void get(Image& image) noexcept { image = take(get_count(1, rest_.size())); }

    void get(TextList& list) {
        std::vector<std::string_view> texts(get_count(sizeof(std::uint32_t), longest_list));
        for (std::string_view& text : texts)
            get(text);
        list = lists_.texts.emplace_back(std::move(texts));
    }

    void get(std::span<const MetricValue>& list) {
        lists_.values.assign(get_count(sizeof(std::uint32_t) + sizeof(double), longest_list), {});
        for (MetricValue& value : lists_.values)
            get(value);
        list = lists_.values;
    }

    std::span<const std::byte> rest_;
    ListStorage& lists_;
    bool good_ = true;
};

}  // namespace roofwalk::wire
