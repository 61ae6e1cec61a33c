// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>

#include "profiler/agent/agent_settings.h"
#include "profiler/agent/collector_link.h"
#include "profiler/agent/controller.h"
#include "profiler/agent/record_sink.h"

namespace roofwalk::agent {

namespace {

/// All of the agent in this process. Never destroyed: its thread, and CUPTI, may outlive every destructor.
struct Agent {
    explicit Agent(const AgentSettings& settings) : controller(settings, sink), link(sink, controller) {}

    RecordSink sink;
    Controller controller;
    CollectorLink link;
    const pid_t process = getpid();
};

std::atomic<Agent*> agent = nullptr;

void at_exit() {
    Agent* const here = agent.load();
    if (here == nullptr || here->process != getpid()) return;
    try {
        // A signal may have come into the midst of the agent, and its handler may have called exit().
        if (!here->link.stop() || !here->controller.is_at_rest()) return;
        here->controller.end();
        here->link.finish();
    } catch (const std::exception&) {
        // The last records are lost; the program ends as it wanted to.
    }
}

/// CUDA does not work in a child of fork(), and neither does the thread.
void in_child() {
    if (Agent* const here = agent.exchange(nullptr)) here->link.forget();
}

bool begin(const AgentSettings& settings) {
    auto* const made = new Agent(settings);
    const bool connected = made->link.connect(settings.socket);
    if (!connected && !made->link.listen()) {
        delete made;
        return false;
    }
    agent = made;
    made->controller.start(connected);
    if (connected) made->controller.collector_came();
    if (!made->link.start()) return false;
    pthread_atfork(nullptr, nullptr, &in_child);
    std::atexit(&at_exit);
    return true;
}

/// True when an agent is at work in this process.
bool begin_once(const AgentSettings& settings) noexcept {
    static std::atomic<pid_t> begun_in = 0;
    const int errno_before = errno;
    bool begun = false;
    try {
        begun = begun_in.exchange(getpid()) == getpid() ? agent.load() != nullptr : begin(settings);
    } catch (const std::exception&) {
        begun = false;
    }
    errno = errno_before;
    return begun;
}

}  // namespace

}  // namespace roofwalk::agent

/// The driver calls this at its start where CUDA_INJECTION64_PATH names this library. Whatever happens, the
/// program goes on.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    using namespace roofwalk::agent;
    begin_once(AgentSettings::from_environment());
    return 1;
}

/// For a debugger that has loaded this library into a running program: 1 when the agent waits for a
/// collector.
extern "C" __attribute__((visibility("default"))) int RoofwalkAgentListen() {
    using namespace roofwalk::agent;
    AgentSettings settings = AgentSettings::from_environment();
    settings.socket.clear();
    return begin_once(settings) ? 1 : 0;
}
