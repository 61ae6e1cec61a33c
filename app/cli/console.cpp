// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/base/text.h"

namespace roofwalk::cli {

namespace {

constexpr std::chrono::milliseconds delay{200};

}  // namespace

void write_error_text(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void say(std::string_view line) {
    write_error_text(printable(line) + '\n');
}

void say_error(const Error& error) {
    say("roofwalk-cli: error: " + to_line(error));
}

int fail(const Error& error) {
    say_error(error);
    return exit_code_of(error.code);
}

void say_warning(std::string_view line) {
    say("roofwalk-cli: warning: " + std::string(line));
}

std::size_t terminal_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {}

ProgressLine::~ProgressLine() {
    if (shown_percent_ >= 0) write_error_text(wiped_line);
}

void ProgressLine::show(double share) {
    if (isatty(STDERR_FILENO) == 0 || std::chrono::steady_clock::now() - start_ < delay) return;
    const int percent = static_cast<int>(std::clamp(share, 0.0, 1.0) * 100);
    if (percent == shown_percent_) return;
    shown_percent_ = percent;
    write_error_text(fmt::format("\rReading {} {} %", printable(what_), percent));
}

}  // namespace roofwalk::cli
