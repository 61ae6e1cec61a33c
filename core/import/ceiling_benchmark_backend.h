// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/devices/measured_json.h"

namespace roofwalk {

/// A measurement that this user keeps.
struct StoredCeilings {
    std::shared_ptr<const MeasuredCeilings> measured;
    std::vector<std::string> stale = {};  ///< why it no longer holds, as sentences; empty: it does
    bool here = false;                    ///< the board is in this machine
    /// Of a board in this machine: what could not be compared with what it is now, as "ECC".
    std::vector<std::string> not_compared = {};
};

/// All that this user keeps.
struct CeilingStoreContent {
    std::vector<StoredCeilings> kept;
    std::vector<Error> problems;  ///< files that could not be read
};

/// What became of a measurement that was to be kept.
struct StoreOutcome {
    std::string sentence;  ///< where it is, or why another stays
    bool holds = false;    ///< later reports of its board use it
};

/// What can be measured on this machine at the moment.
struct CeilingBenchmarkOffer {
    std::optional<Error> obstacle;  ///< why nothing can be measured at all
    std::vector<ListedGpu> gpus;
};

using OnCeilingBenchmarkProgress = std::function<void(const CeilingBenchmarkProgress& progress)>;

/// How a window measures. All may take a while, and run on a worker thread.
struct CeilingBenchmarkBackend {
    std::function<CeilingStoreContent()> kept;
    std::function<CeilingBenchmarkOffer(std::stop_token stop)> look;
    /// Of the device with that UUID. After a stop what was measured until then, not complete; an error where
    /// that is nothing. `on_progress` is called from the thread of the call.
    std::function<Result<MeasuredCeilings>(const std::string& uuid, std::stop_token stop,
                                           const OnCeilingBenchmarkProgress& on_progress)>
        measure;
    /// Keeps a measurement for later reports, unless another has to stay.
    std::function<Result<StoreOutcome>(const MeasuredCeilings& measured)> keep;
};

}  // namespace roofwalk
