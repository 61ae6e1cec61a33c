// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>

#include "core/import/live_profile_source.h"
#include "core/model/profile.h"
#include "profiler/recording/child_process.h"

namespace roofwalk {

/// One recording from its start to its end. One thread calls step() until it is over.
class RecordingSession {
  public:
    RecordingSession() = default;
    RecordingSession(const RecordingSession&) = delete;
    RecordingSession& operator=(const RecordingSession&) = delete;
    virtual ~RecordingSession() = default;

    /// Waits at most `limit` for something to happen, and takes it. What a program with streams of its own
    /// writes goes to `on_text`.
    virtual void step(std::chrono::milliseconds limit, const OnChildText& on_text) = 0;

    /// No more launches: what is on its way is kept.
    virtual void stop() = 0;
    /// As stop(), at once.
    virtual void cancel() = 0;

    [[nodiscard]] virtual bool over() const = 0;
    [[nodiscard]] virtual RecordingStatus status() const = 0;
    /// All processes together.
    [[nodiscard]] virtual Profile snapshot() const = 0;
    /// Counts what has changed in the profile.
    [[nodiscard]] virtual std::uint64_t revision() const = 0;
};

}  // namespace roofwalk
