// SPDX-License-Identifier: GPL-3.0-or-later
// Records a program as a window does, here and behind a command that reaches another machine, and asks the
// recording from several threads at once; then stops it, or goes away while it runs. Built with the thread
// sanitizer, which ends the program with exit code 66 where it sees a race. Usage: live_threads AGENT CUPTI
// FOLDER PROGRAM [ARGUMENT...]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "profiler/recording/live_source.h"

using namespace roofwalk;

namespace {

constexpr std::chrono::milliseconds between_looks{2};

std::unique_ptr<LiveProfileSource> start(const ProfileRequest& request, const RecordingOptions& choices) {
    auto source = start_live_source(request, choices, "Roofwalk threads");
    if (source) return *std::move(source);
    std::fprintf(stderr, "%s\n", to_line(source.error()).c_str());
    return nullptr;
}

/// Reads and asks until the recording is over; how many launches came.
std::size_t watch(LiveProfileSource& source, std::size_t stop_at) {
    std::atomic<bool> over = false;
    std::jthread asks([&] {
        std::uint64_t seen = 0;
        while (!over) {
            seen = std::max(seen, source.status().counts.seen);
            std::this_thread::sleep_for(between_looks);
        }
    });
    std::jthread listens([&] {
        std::size_t bytes = 0;
        while (!over) {
            bytes += source.take_output().size();
            std::this_thread::sleep_for(between_looks);
        }
    });
    std::size_t launches = 0;
    while (const auto profile = source.read({})) {
        launches = (*profile)->launches.size();
        if (launches >= stop_at) source.stop();
    }
    over = true;
    return launches;
}

constexpr std::size_t some = 50;

/// Watches one recording until some launches have come, and leaves another one while it runs.
bool record_twice(const ProfileRequest& request, const RecordingOptions& choices) {
    auto source = start(request, choices);
    if (!source) return false;
    if (const std::size_t launches = watch(*source, some); launches < some) {
        std::fprintf(stderr, "only %zu launches came: %s\n", launches, source->status().sentence.c_str());
        return false;
    }
    // A window that closes while the program runs.
    source = start(request, choices);
    return source && source->read({});
}

/// A false roofwalk-cli, as it would run on another machine; its path.
std::string remote_program(const std::filesystem::path& folder) {
    const std::filesystem::path program = folder / "roofwalk-cli";
    std::ofstream(program) <<
        R"(#!/bin/sh
echo '{"format":"roofwalk-profile","version":1,"recording":true}'
echo '{"more":{"devices":[{"id":"gpu0","name":"H100 SXM"}]}}'
i=0
while [ $i -lt 400 ]; do
  echo '{"name":"step","device":"gpu0","process":7,"duration_ns":1000,"launch":'$i'}'
  echo '{"more":{"counts":{"seen":'$i'}}}'
  echo "step $i" >&2
  i=$((i + 1))
done
cat
echo '{"end":{"whole":true}}'
)";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return program;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) return 2;
    const RecordingOptions choices{argv[1], argv[2], true};
    const std::filesystem::path folder(argv[3]);
    ProfileRequest request;
    request.launch.command.assign(argv + 4, argv + argc);
    request.output = folder / "threads-%p.jsonl";
    request.measuring.every_launch = true;
    if (!record_twice(request, choices)) return 1;
    request.launch.through = {"env", remote_program(folder)};
    request.output = folder / "remote-threads-%p.jsonl";
    return record_twice(request, choices) ? 0 : 1;
}
