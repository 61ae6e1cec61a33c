// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <string>

#include "profiler/agent/collector_link.h"
#include "profiler/agent/controller.h"
#include "profiler/agent/nvtx_ranges.h"
#include "profiler/agent/record_sink.h"
#include "profiler/wire/agent_environment.h"

namespace roofwalk::agent {

namespace {

void at_exit();
void on_cupti_used();
void on_thread_uses_cuda();

/// What the environment of the program says, or a debugger. Empty: not said.
struct Settings {
    std::string socket;  ///< path of the collector's socket
    std::string cupti;   ///< path of the libcupti to load
    /// The calling thread was stopped in the midst of something: nothing is made on it but the agent, its
    /// socket, its thread and exit handlers.
    bool on_borrowed_thread = false;
};

Settings settings_of_environment() {
    const auto text_of = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    return {text_of(wire::agent_socket_variable), text_of(wire::agent_cupti_variable)};
}

/// All of the agent in this process. Never destroyed: its thread, and CUPTI, may outlive every destructor.
struct Agent {
    RecordSink sink;
    Controller controller{sink, {&on_cupti_used, &on_thread_uses_cuda}};
    CollectorLink link{sink, controller};
    const pid_t process = getpid();
    std::atomic<bool> measuring_ends = false;
    bool has_ended_measuring = false;
};

std::atomic<Agent*> agent = nullptr;

/// The agent, where it is that of this process and has not been asked for the last time.
Agent* agent_that_measures() {
    Agent* const here = agent.load();
    return here != nullptr && here->process == getpid() && !here->measuring_ends ? here : nullptr;
}

/// Exit handlers run last in, first out, and so do the destructors of what CUPTI makes at its first use:
/// those would be gone by the time of a handler that was there before them. This one is therefore registered
/// anew whenever CUPTI may have made something; the one that runs first has a CUPTI that is whole, and calls
/// it for the last time.
void at_exit() {
    Agent* const here = agent_that_measures();
    if (here == nullptr || here->measuring_ends.exchange(true)) return;
    try {
        const bool has_no_thread = here->link.stop();
        // A signal may have come into the midst of the agent, and its handler may have called exit().
        if (!here->controller.end_launches() || !has_no_thread) return;
        here->controller.end_measuring();
        here->has_ended_measuring = true;
    } catch (const std::exception&) {
        // The last records are lost; the program ends as it wanted to.
    }
}

/// What the thread that calls exit() has for itself is destroyed before the first handler runs, which may be
/// the destructor of what CUPTI makes just then on the thread of the agent: here that comes to its end, and
/// has a handler. Threads that have nothing to do with CUDA, and call exit() all the same, are not known.
struct EndOfThread {
    bool is_awaited = false;
    ~EndOfThread() {
        Agent* const here = is_awaited ? agent_that_measures() : nullptr;
        if (here == nullptr) return;
        try {
            here->controller.take_times();
        } catch (const std::exception&) {
            // As above.
        }
    }
};
thread_local EndOfThread end_of_thread;

void on_cupti_used() {
    std::atexit(&at_exit);
}

void on_thread_uses_cuda() {
    end_of_thread.is_awaited = true;
}

/// The handler that was registered before the program could register those that launch kernels.
void at_end_of_exit() {
    at_exit();
    Agent* const here = agent.load();
    if (here == nullptr || here->process != getpid() || !here->has_ended_measuring) return;
    try {
        here->controller.report_end();
        here->link.finish();
    } catch (const std::exception&) {
        // As above.
    }
}

/// CUDA does not work in a child of fork(), and neither does the thread.
void in_child() {
    if (Agent* const here = agent.exchange(nullptr)) here->link.forget();
}

bool begin(const Settings& settings) {
    auto* const made = new Agent;
    const bool connected = made->link.connect(settings.socket);
    if (!connected && !made->link.listen()) {
        delete made;
        return false;
    }
    agent = made;
    if (!settings.on_borrowed_thread) on_thread_uses_cuda();
    if (connected) {
        made->controller.start(settings.cupti);
        made->controller.on_collector_connected();
    } else {
        made->controller.start_on_orders(settings.cupti);
    }
    if (!made->link.start()) {
        agent = nullptr;  // nobody would read, and no thread ends at the end
        return false;
    }
    pthread_atfork(nullptr, nullptr, &in_child);
    std::atexit(&at_end_of_exit);
    return true;
}

/// True when an agent is at work in this process.
bool begin_once(const Settings& settings) noexcept {
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
    begin_once(settings_of_environment());
    return 1;
}

/// NVTX calls this where NVTX_INJECTION64_PATH names this library: once for each module of the program that
/// uses it.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    roofwalk::agent::NvtxExportTable get_export_table) {
    return roofwalk::agent::watch_nvtx(get_export_table) ? 1 : 0;
}

/// For a debugger that has loaded this library into a running program: 1 when the agent waits for a
/// collector. `cupti` is the path of the libcupti to load; empty: what the environment says.
extern "C" __attribute__((visibility("default"))) int RoofwalkAgentListen(const char* cupti) {
    using namespace roofwalk::agent;
    Settings settings = settings_of_environment();
    settings.socket.clear();
    if (*cupti != '\0') settings.cupti = cupti;
    settings.on_borrowed_thread = true;
    return begin_once(settings) ? 1 : 0;
}
