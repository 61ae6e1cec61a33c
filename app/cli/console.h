// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.h"

/// Words for people: lines on stderr.
namespace roofwalk::cli {

/// One line, printable().
void say(std::string_view line);
/// "roofwalk-cli: error: what (where). hint"
void say_error(const Error& error);
/// Says an error; the exit code that tells it.
[[nodiscard]] int fail(const Error& error);
void say_warning(std::string_view line);

/// Columns of the terminal on stdout; 0 when stdout is no terminal.
[[nodiscard]] std::size_t terminal_width();

/// One line on stderr that rewrites itself while a file is read; nothing when stderr is no terminal or the
/// reading is over before anybody could wonder.
class ProgressLine {
  public:
    explicit ProgressLine(std::string what);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();  ///< wipes the line

    void show(double share);

  private:
    std::string what_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    int shown_percent_ = -1;
};

}  // namespace roofwalk::cli
