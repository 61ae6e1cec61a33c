// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

namespace roofwalk {

/// How long work tells its caller where it is, and how the caller ends it. Both parts may be left empty.
struct Progress {
    std::function<void(double)> report;  ///< called with the share done, 0 to 1, from the working thread
    std::stop_token stop;                ///< when stop is requested, work ends early and keeps what it has

    void at(double share) const {
        if (report) report(share);
    }
    [[nodiscard]] bool cancelled() const { return stop.stop_requested(); }
};

}  // namespace roofwalk
