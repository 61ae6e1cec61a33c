// SPDX-License-Identifier: GPL-3.0-or-later
// The whole process `roofwalk-cli report` and the reader alone, over report files.
// Usage: bench_process ROOFWALK_CLI FILE...
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "core/import/open_profile.h"
#include "tests/bench/bench.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

namespace fs = std::filesystem;

/// Runs `cli report file` with its output thrown away.
bool run_report(std::string cli, std::string file) {
    std::string verb = "report";
    char* const arguments[] = {cli.data(), verb.data(), file.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    int status = posix_spawn(&child, cli.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) return false;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Slowest {
    double seconds = 0;
    std::string file;

    void consider(double candidate, const std::string& name) {
        if (candidate > seconds) *this = {candidate, name};
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const std::string cli = argv[1];
    const std::vector<std::string> files(argv + 2, argv + argc);
    Slowest process;
    std::vector<double> processes;
    double bytes = 0;
    double reading = 0;
    for (const std::string& file : files) {
        if (!run_report(cli, file)) {
            fmt::print(stderr, "bench_process: report of {} failed\n", file);
            return 1;
        }
        processes.push_back(median_seconds(7, [&] { run_report(cli, file); }));
        process.consider(processes.back(), fs::path(file).filename());
        bytes += static_cast<double>(fs::file_size(file));
        reading += median_seconds(7, [&] { keep(open_profile(file)); });
    }
    print_row(fmt::format("report of {} samples, whole process, slowest ({})", files.size(), process.file),
              format(Seconds(process.seconds)), "≤ 50 ms");
    print_row("the same, median over samples", format(Seconds(median(processes))), "");
    print_row(fmt::format("reading those samples ({})", format(Bytes(bytes))),
              fmt::format("{}/s", format(Bytes(bytes / reading))), "≥ 500 MB/s");
}
