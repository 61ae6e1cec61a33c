// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/end_signals.h"

#include <chrono>
#include <csignal>

namespace roofwalk::cli {

namespace {

volatile std::sig_atomic_t asked_to_end = 0;  // by the number of the signal

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
    const int number = asked_to_end;
    asked_to_end = 0;
    return number;
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
