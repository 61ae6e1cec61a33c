// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roofwalk::cli {

/// While it lives, the signals that end a program (SIGINT, SIGTERM, SIGHUP) are noted. They are not ignored:
/// a program that is started would inherit that.
class EndSignals {
  public:
    EndSignals();
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;
    ~EndSignals();

    /// The signal since the last call; 0 when none came.
    [[nodiscard]] int take();
};

}  // namespace roofwalk::cli
