// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "profiler/agent/own_descriptor.h"

namespace roofwalk::agent {

/// Wakes the thread that watches descriptor() from any other. A pair of sockets: where the program has closed
/// one of them, that brings it no signal, and no file of its own is written to.
class Waker {
  public:
    Waker() = default;
    Waker(const Waker&) = delete;
    Waker& operator=(const Waker&) = delete;

    /// Opens it where it is not open, or not ours any more. For the thread that watches.
    bool keep_open();
    [[nodiscard]] int descriptor() const { return watched_.number(); }
    /// Forgets who woke it before. For the thread that watches.
    void clear() const;

    /// Waits for nothing; the thread that watches may miss it while it opens the descriptor.
    void wake();

    /// In a child that came by fork().
    void close();

  private:
    std::mutex mutex_;
    OwnDescriptor watched_;
    OwnDescriptor other_;
};

}  // namespace roofwalk::agent
