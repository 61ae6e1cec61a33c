// SPDX-License-Identifier: GPL-3.0-or-later
// A program that launches no kernel and tells of some, as an agent in it would: scripted_program HOW [COUNT].
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "profiler/wire/agent_address.h"
#include "tests/profiler/recording/scripted_agent.h"

namespace {

using namespace roofwalk;
using namespace roofwalk::test;

std::filesystem::path socket_path() {
    const char* path = std::getenv(wire::agent_socket_variable);
    return path == nullptr ? "" : path;
}

/// Launches with plan A, or timed ones where there are no plans.
void tell_launches(ScriptedAgent& agent, std::uint64_t count) {
    const auto image = image_of({12'500, 4096, 2048, 0});
    agent.begin(static_cast<std::uint32_t>(getpid()));
    agent.tell_device();
    agent.hear(wire::RecordKind::plans_sent);
    for (std::uint64_t id = 1; id <= count; ++id) {
        wire::KernelLaunch launch = plain_launch(id);
        launch.duration_ns = 2500;
        if (!agent.plans.empty()) launch = counted_launch(id, 'A', agent.tables['A'], image);
        agent.tell(launch);
    }
    agent.tell(wire::LaunchCounts{count, count, 0, 0, 0});
}

void record_in_order(std::uint64_t count) {
    ScriptedAgent agent(socket_path());
    tell_launches(agent, count);
    agent.tell(wire::SessionEnd{});
}

/// Until the collector wants no more, then until somebody ends it.
[[noreturn]] void record_until_disarmed(std::uint64_t count) {
    ScriptedAgent agent(socket_path());
    tell_launches(agent, count);
    for (;;) {
        agent.forget_heard();
        agent.hear(wire::RecordKind::orders);
        if (!agent.heard_kind(wire::RecordKind::orders)) pause();
        agent.tell(wire::LaunchCounts{count, count, 0, 0, 0});
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string how = argc > 1 ? argv[1] : "";
    const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 3;
    std::puts("the program speaks");
    std::fflush(stdout);
    if (how == "normal") record_in_order(count);
    if (how == "waits") record_until_disarmed(count);
    if (how == "killed") {
        ScriptedAgent agent(socket_path());
        tell_launches(agent, count);
        raise(SIGKILL);
    }
    if (how == "children") {
        for (int i = 0; i < 2; ++i)
            if (fork() == 0) {
                record_in_order(count);
                _exit(0);
            }
        while (wait(nullptr) > 0) {
        }
    }
    return how == "silent" ? 7 : 0;
}
