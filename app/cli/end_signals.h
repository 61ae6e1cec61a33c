// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

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

/// While it lives, a signal that ends a program asks work to stop that takes a stop token.
class StopOnSignal {
  public:
    StopOnSignal();

    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

  private:
    EndSignals signals_;
    std::stop_source stop_;
    std::jthread watch_;  // last: it ends before what it looks at
};

}  // namespace roofwalk::cli
