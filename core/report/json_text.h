// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"
#include "core/model/ceiling.h"
#include "core/model/profile.h"
#include "core/model/uncounted_work.h"

namespace roofwalk {

/// Writes JSON text front to back, so that a million launches need no tree. Commas are its business, the
/// nesting of begin and end is the caller's. Numbers are the shortest text that reads back as the same
/// double; what is no finite number becomes null. The same calls give the same bytes.
class JsonText {
  public:
    /// On one line `next_line` does nothing, as JSON Lines need it.
    explicit JsonText(bool one_line = false) : one_line_(one_line) {}

    void begin_object();
    void end_object();
    void begin_array();
    void end_array();
    void key(std::string_view name);
    /// Starts a new line before the next key, value or end.
    void next_line();
    /// Ends a line of JSON Lines.
    void end_line();

    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth);
    void value(double number);
    void value(std::uint32_t number);
    void value(std::int64_t number);
    void null();

    template <class Value>
    void member(std::string_view name, const Value& item) {
        key(name);
        value(item);
    }
    /// Null when absent.
    template <int F, int B, int T>
    void member(std::string_view name, const std::optional<Quantity<F, B, T>>& item) {
        key(name);
        item ? value(item->value()) : null();
    }
    /// Left out when absent, empty or no finite number.
    void known_member(std::string_view name, std::string_view text);
    void known_member(std::string_view name, std::optional<double> number);
    template <int F, int B, int T>
    void known_member(std::string_view name, const std::optional<Quantity<F, B, T>>& item) {
        if (item) known_member(name, std::optional(item->value()));
    }

    /// Members that are JSON text already; nothing when empty.
    void members(std::string_view text);

    [[nodiscard]] std::string take() { return std::move(out_); }

  private:
    void separate();
    void literal(std::string_view text);

    std::string out_;
    bool one_line_;
    bool comma_ = false;
    bool new_line_ = false;
};

/// Adds a text as a JSON string: quoted, escaped, valid UTF-8.
void append_json_string(std::string& out, std::string_view text);

/// The "launches" array of a warning, in the profile and report schemas.
void write_launches(JsonText& json, const Warning& warning);

/// The "ceilings" array of the profile and report schemas.
void write_ceilings(JsonText& json, const CeilingSet& ceilings);
/// The "sources" array of the report and comparison schemas. Of paths only the last part is written.
void write_sources(JsonText& json, const Profile& profile);
/// The last part of a path: folders may name their owner.
[[nodiscard]] std::string_view file_name(std::string_view path);
/// The member "uncounted_work" of both; an empty array where everything was counted.
void write_uncounted_work(JsonText& json, const UncountedWork& uncounted);

}  // namespace roofwalk
