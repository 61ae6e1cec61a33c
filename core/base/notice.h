// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace roofwalk {

/// Who reads what can be done: each is told of its own means, options or menus and panels.
enum class Audience : std::uint8_t { commands, window };

enum class Severity : std::uint8_t {
    information,  ///< news: nothing is wrong
    warning,      ///< what there is holds, with a reservation
    error,        ///< what was asked for was not done
};

/// What the button of a notice does.
enum class NoticeAction : std::uint8_t { none, join_runs, name_device, take_back, recover, open_recording };

/// What a person is told beside a result, in words. Why there is no result is an Error.
struct Notice {
    Severity severity = Severity::information;
    std::string text;   ///< what happened, one sentence
    std::string where;  ///< file, place, program; may be empty
    std::string hint;   ///< what a person can do; may be empty
    NoticeAction action = NoticeAction::none;

    friend bool operator==(const Notice&, const Notice&) = default;
};

/// How a failure, or a part of one, is told.
[[nodiscard]] Notice notice_of(const Error& error, Severity severity = Severity::error);

/// "text (where). hint" on one line, for stderr, logs and the clipboard.
[[nodiscard]] std::string to_line(const Notice& notice);

}  // namespace roofwalk
