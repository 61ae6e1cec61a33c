// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <variant>

#include "profiler/agent/clock.h"
#include "profiler/agent/controller.h"
#include "profiler/agent/guarded_descriptor.h"
#include "profiler/agent/nvtx_ranges.h"
#include "profiler/agent/record_sink.h"
#include "profiler/wire/agent_address.h"
#include "profiler/wire/record_reader.h"

namespace roofwalk::agent {

namespace {

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
    void take_socket(GuardedDescriptor made);
    void read();
    void lose();

    RecordSink& sink_;
    Controller& controller_;
    wire::RecordReader reader_;
    GuardedDescriptor socket_;
    GuardedDescriptor listener_;
    Waker waker_;
    pthread_t thread_{};
    std::atomic<bool> stopping_ = false;
};

constexpr int working_poll_ms = 100;
constexpr int idle_poll_ms = 1000;
constexpr std::uint64_t finish_timeout_ns = 500'000'000;
constexpr std::uint64_t join_timeout_ns = 1'000'000'000;
constexpr int wanted_send_buffer = 4 << 20;

bool is_of_this_user(int socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

void widen(int socket) {
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &wanted_send_buffer, sizeof(wanted_send_buffer));
}

bool CollectorLink::connect(const std::string& path) {
    sockaddr_un address{};
    if (path.empty() || path.size() >= sizeof(address.sun_path)) return false;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    // Not blocking: a collector that does not accept is like none.
    auto made =
        GuardedDescriptor::out_of_the_way(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!made.is_open()) return false;
    if (::connect(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        made.close();
        return false;
    }
    take_socket(made);
    return true;
}

bool CollectorLink::listen() {
    const wire::SocketAddress at = wire::agent_address(getpid());
    auto made =
        GuardedDescriptor::out_of_the_way(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!made.is_open()) return false;
    if (bind(made.number(), reinterpret_cast<const sockaddr*>(&at.address), at.size) != 0 ||
        ::listen(made.number(), 4) != 0) {
        made.close();
        return false;
    }
    listener_ = made;
    return true;
}

bool CollectorLink::start() {
    if (waker_.keep_open() && begin_thread()) return true;
    lose();
    listener_.close();
    return false;
}

bool CollectorLink::begin_thread() {
    sink_.notify(waker_);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(
        &thread_, nullptr,
        [](void* link) -> void* {
            static_cast<CollectorLink*>(link)->run();
            return nullptr;
        },
        this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (failed != 0) return false;
    pthread_setname_np(thread_, "roofwalk");
    return true;
}

void CollectorLink::take_socket(GuardedDescriptor made) {
    widen(made.number());
    socket_ = made;
    reader_ = {};
    sink_.open(made.number());
}

void CollectorLink::run() {
    try {
        while (!stopping_)
            serve();
    } catch (const std::exception&) {
        lose();
        listener_.close();
    }
}

void CollectorLink::reopen_descriptors() {
    waker_.keep_open();
    if (socket_.is_open() && !socket_.is_ours()) lose();
    if (!socket_.is_open() && !listener_.is_ours()) static_cast<void>(listen());
}

void CollectorLink::serve() {
    reopen_descriptors();
    std::array<pollfd, 3> watched{
        {{waker_.descriptor(), POLLIN, 0}, {listener_.number(), POLLIN, 0}, {socket_.number(), POLLIN, 0}}};
    if (sink_.has_waiting()) watched[2].events |= POLLOUT;
    const int timeout = controller_.is_at_work() ? working_poll_ms : idle_poll_ms;
    if (stopping_) return;
    if (poll(watched.data(), watched.size(), timeout) < 0 && errno != EINTR) return lose();
    if ((watched[0].revents & POLLIN) != 0) waker_.clear();
    if (stopping_) return;
    if ((watched[1].revents & POLLIN) != 0) accept();
    if ((watched[2].revents & POLLOUT) != 0) static_cast<void>(sink_.drain());
    if ((watched[2].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read();
    if (socket_.is_open() && !sink_.is_open()) lose();
    if (controller_.is_at_work()) controller_.poll();
}

void CollectorLink::accept() {
    // The program may have closed it while it was watched.
    if (!listener_.is_ours()) return;
    auto made = GuardedDescriptor::out_of_the_way(
        accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!made.is_open()) return;
    if (!is_of_this_user(made.number())) return made.close();
    // It serves one at a time, and those who come meanwhile shall know at once.
    listener_.close();
    take_socket(made);
    controller_.on_collector_connected();
}

void CollectorLink::read() {
    if (!socket_.is_ours()) return;
    std::array<std::byte, 65536> room;
    const auto taken = recv(socket_.number(), room.data(), room.size(), MSG_DONTWAIT);
    if (taken < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (taken <= 0) return lose();
    reader_.append(std::span(room).first(static_cast<std::size_t>(taken)));
    while (const auto reading = reader_.next())
        if (const auto* found = std::get_if<wire::ReadRecord>(&*reading)) controller_.take(found->record);
}

void CollectorLink::lose() {
    sink_.close();
    controller_.on_collector_lost();
    socket_.close();
}

bool CollectorLink::stop() {
    stopping_ = true;
    waker_.wake();
    // What joins in time by a clock that nobody sets needs a newer C library than the programs may have.
    constexpr timespec between{0, 100'000};
    const std::uint64_t end = steady_ns() + join_timeout_ns;
    int joined = pthread_tryjoin_np(thread_, nullptr);
    for (; joined == EBUSY && steady_ns() < end; joined = pthread_tryjoin_np(thread_, nullptr))
        nanosleep(&between, nullptr);
    return joined == 0;
}

void CollectorLink::finish() {
    const std::uint64_t end = steady_ns() + finish_timeout_ns;
    while (!sink_.drain() && !sink_.is_shared() && steady_ns() < end) {
        pollfd watched{socket_.number(), POLLOUT, 0};
        poll(&watched, 1, 10);
    }
}

void CollectorLink::forget() {
    socket_.close();
    listener_.close();
    waker_.close();
}

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
