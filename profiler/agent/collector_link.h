// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <atomic>
#include <string>

#include "profiler/agent/controller.h"
#include "profiler/agent/own_descriptor.h"
#include "profiler/agent/record_sink.h"
#include "profiler/wire/record_reader.h"

namespace roofwalk::agent {

/// The agent's end of the socket, and the one thread that reads from it and takes along what it did not take
/// at once. The thread lets no signal of the program reach it.
class CollectorLink {
  public:
    CollectorLink(RecordSink& sink, Controller& controller) : sink_(sink), controller_(controller) {}

    /// Connects to the collector of this path, if it is there now.
    [[nodiscard]] bool connect(const std::string& path);

    /// Waits for collectors of the same user at the address of this process.
    [[nodiscard]] bool listen();

    /// Starts the thread. False when there can be none.
    [[nodiscard]] bool start();

    /// Ends the thread: from now on nothing happens behind the program's back. False when it does not end in
    /// time.
    [[nodiscard]] bool stop();

    /// Gives what stands in memory a moment to leave, where the collector could not read it there.
    void finish();

    /// In a child that came by fork(): closes what belongs to the parent.
    void forget();

  private:
    [[nodiscard]] bool begin_thread();
    void run();
    void serve();
    void reopen_descriptors();
    void accept();
    void take_socket(OwnDescriptor made);
    void read();
    void lose();

    RecordSink& sink_;
    Controller& controller_;
    wire::RecordReader reader_;
    OwnDescriptor socket_;
    OwnDescriptor listener_;
    Waker waker_;
    pthread_t thread_{};
    std::atomic<bool> stopping_ = false;
};

}  // namespace roofwalk::agent
