// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/text.h"

namespace roofwalk::cli {

namespace {

constexpr std::chrono::milliseconds patience{200};
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// Length of the control character at the start of valid UTF-8: C0 and DEL take one byte, C1 two.
std::size_t control_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
    return byte(0) == 0xC2 && text.size() > 1 && byte(1) < 0xA0 ? 2 : 0;
}

}  // namespace

void say(std::string_view line) {
    fmt::print(stderr, "{}\n", line);
}

void say_error(const Error& error) {
    say("roofwalk-cli: error: " + printable(to_line(error)));
}

void say_warning(std::string_view line) {
    say("roofwalk-cli: warning: " + printable(line));
}

std::string printable(std::string_view text) {
    const std::string clean = clean_utf8(text);
    std::string safe;
    safe.reserve(clean.size());
    for (std::string_view rest = clean; !rest.empty();) {
        const std::size_t control = control_length(rest);
        if (control == 0)
            safe += rest.front();
        else
            safe += replacement_character;
        rest.remove_prefix(std::max<std::size_t>(control, 1));
    }
    return safe;
}

std::size_t terminal_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {}

ProgressLine::~ProgressLine() {
    if (shown_percent_ >= 0) fmt::print(stderr, "\r\x1B[K");
}

void ProgressLine::show(double share) {
    if (isatty(STDERR_FILENO) == 0 || std::chrono::steady_clock::now() - start_ < patience) return;
    const int percent = static_cast<int>(std::clamp(share, 0.0, 1.0) * 100);
    if (percent == shown_percent_) return;
    shown_percent_ = percent;
    fmt::print(stderr, "\rReading {} {} %", printable(what_), percent);
    std::fflush(stderr);
}

}  // namespace roofwalk::cli
