// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "profiler/recording/launch_plan.h"
#include "profiler/recording/ncu_log.h"
#include "profiler/recording/recording_session.h"

namespace roofwalk {

struct NcuLimits {
    std::chrono::milliseconds drain{
        60'000};  ///< for its report after the stop: replays of one launch may be long
    std::chrono::milliseconds cancel{3'000};  ///< for its report after a cancel
    std::chrono::milliseconds grace{1'000};   ///< to end when it is asked to, before it is killed
};

/// A recording by Nsight Compute, which starts the program and writes a report of its own. Until that is
/// there nothing is known but how many launches it has measured; then status() names the report, and
/// snapshot() stays empty.
class NcuSession : public RecordingSession {
  public:
    /// `plan` is that of plan_ncu().
    [[nodiscard]] static Result<std::unique_ptr<NcuSession>> start(const LaunchPlan& plan,
                                                                   const NcuLimits& limits = {});

    void step(std::chrono::milliseconds limit, const OnChildText& on_text) override;
    /// What is measured by then is kept: ncu ends the program and writes its report.
    void stop() override;
    void cancel() override;
    [[nodiscard]] bool over() const override { return status_.over(); }
    [[nodiscard]] RecordingStatus status() const override;
    [[nodiscard]] Profile snapshot() const override { return {}; }
    [[nodiscard]] std::uint64_t revision() const override { return 0; }

  private:
    using Clock = std::chrono::steady_clock;

    NcuSession(ChildProcess child, const NcuLimits& limits);
    void finish(const ChildEnd& end);

    ChildProcess child_;
    NcuLimits limits_;
    NcuLog log_;
    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> stopped_;
    bool cancelled_ = false;
    RecordingStatus status_;
};

}  // namespace roofwalk
