// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/end_signals.h"

#include <atomic>
#include <chrono>
#include <csignal>

namespace roofwalk::cli {

namespace {

std::atomic<int> asked_to_end = 0;  // by the number of the signal
static_assert(std::atomic<int>::is_always_lock_free, "a handler of signals writes it");

}  // namespace

EndSignals::EndSignals() {
    struct sigaction action {};
    action.sa_handler = [](int number) { asked_to_end = number; };
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        sigaction(number, &action, nullptr);
}

EndSignals::~EndSignals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        std::signal(number, SIG_DFL);
}

int EndSignals::take() {
    return asked_to_end.exchange(0);
}

StopOnSignal::StopOnSignal()
    : watch_([this](const std::stop_token& over) {
          constexpr std::chrono::milliseconds between_looks{50};
          while (!over.stop_requested() && !stop_.stop_requested()) {
              if (signals_.take() != 0) stop_.request_stop();
              std::this_thread::sleep_for(between_looks);
          }
      }) {}

}  // namespace roofwalk::cli
