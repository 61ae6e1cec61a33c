// SPDX-License-Identifier: GPL-3.0-or-later
// Records a program as the window does: with the session on a thread of its own, and the program's output
// shown here. Usage: watched_recording AGENT CUPTI FILE PROGRAM [ARGUMENT...]
#include <chrono>
#include <cstdio>
#include <thread>

#include "profiler/recording/live_source.h"

using namespace roofwalk;

int main(int argc, char** argv) {
    if (argc < 5) return 2;
    ProfileRequest request;
    request.launch.command.assign(argv + 4, argv + argc);
    request.output = argv[3];
    auto source = start_live_source(request, {argv[1], argv[2], true}, "Roofwalk test");
    if (!source) {
        std::fprintf(stderr, "%s\n", to_line(source.error()).c_str());
        return 1;
    }
    while (!(*source)->status().over()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        static_cast<void>((*source)->take_output());
    }
    return 0;
}
