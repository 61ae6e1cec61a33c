// SPDX-License-Identifier: GPL-3.0-or-later
// Records a program as the window does: with the session on a thread of its own, and the program's output
// shown here, on standard error; the log goes to standard output.
// Usage: watched_recording AGENT CUPTI FILE counted|every|timed PROGRAM [ARGUMENT...]
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "profiler/recording/live_source.h"

using namespace roofwalk;

int main(int argc, char** argv) {
    if (argc < 6) return 2;
    const std::string_view mode = argv[4];
    ProfileRequest request;
    request.launch.command.assign(argv + 5, argv + argc);
    request.output = argv[3];
    request.measuring.counters = mode != "timed";
    request.measuring.every_launch = mode == "every";
    auto source = start_live_source(request, {argv[1], argv[2], true}, "Roofwalk test");
    if (!source) {
        std::fprintf(stderr, "%s\n", to_line(source.error()).c_str());
        return 1;
    }
    const auto show = [&] {
        const std::string text = (*source)->take_output();
        std::fwrite(text.data(), 1, text.size(), stderr);
    };
    while (!(*source)->status().over()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        show();
    }
    show();
    return 0;
}
