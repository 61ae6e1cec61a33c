// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/model/profile.h"
#include "core/model/recording_parts.h"

namespace roofwalk {

/// Reads a recording (`#/$defs/header` and later lines of the published schema) while it is written, each
/// line once.
class RecordingReader {
  public:
    /// `name` stands for the file in messages.
    explicit RecordingReader(std::string name);
    RecordingReader(const RecordingReader&) = delete;
    RecordingReader& operator=(const RecordingReader&) = delete;
    ~RecordingReader();

    /// One whole line; the first one is the header. An error says what is wrong with it; its launch is not
    /// taken, and later lines still are. Without a header nothing is.
    [[nodiscard]] Result<void> add(std::string_view line);

    /// The header was read.
    [[nodiscard]] bool begun() const;
    /// The last line was read.
    [[nodiscard]] bool ended() const;
    [[nodiscard]] std::size_t launches() const;
    /// The last that the recording gave; absent where it gave none.
    [[nodiscard]] const std::optional<RecordingCounts>& counts() const;
    [[nodiscard]] const std::vector<Warning>& warnings() const;

    /// What was read until now. Launches that were not measured have the figures of those they are like.
    /// `over`: no more lines come, and a recording without its end is a part of one.
    [[nodiscard]] Profile profile(bool over) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace roofwalk
