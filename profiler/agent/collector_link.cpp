// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/collector_link.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <variant>

#include "profiler/agent/clock.h"
#include "profiler/wire/agent_address.h"

namespace roofwalk::agent {

namespace {

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

}  // namespace

bool CollectorLink::connect(const std::string& path) {
    sockaddr_un address{};
    if (path.empty() || path.size() >= sizeof(address.sun_path)) return false;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    // Not blocking: a collector that does not accept is like none.
    auto made = OwnDescriptor::out_of_the_way(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
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
    auto made = OwnDescriptor::out_of_the_way(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
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

void CollectorLink::take_socket(OwnDescriptor made) {
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
    auto made = OwnDescriptor::out_of_the_way(
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

}  // namespace roofwalk::agent
