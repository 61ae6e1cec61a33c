// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/agent_connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "profiler/wire/agent_address.h"
#include "profiler/wire/backlog.h"
#include "profiler/wire/send_bytes.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

/// Bounded: an agent that never stops sending must not fill the memory, one that never reads neither [byte].
constexpr std::size_t most_waiting = std::size_t{256} << 20U;
constexpr std::size_t most_unsent = std::size_t{256} << 20U;

std::string reason(int number) {
    return std::error_code(number, std::generic_category()).message();
}

/// Who is at the other end, or listened there; absent when the kernel does not tell.
std::optional<ucred> peer_of(int socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? std::optional(peer)
                                                                          : std::nullopt;
}

bool is_of_this_user(int socket) {
    const auto peer = peer_of(socket);
    return peer && peer->uid == geteuid();
}

Error no_socket(const std::string& where, int number) {
    return {ErrorCode::not_profiled, "No socket can be made for the agent: " + reason(number), where, ""};
}

Error not_connected(pid_t process, int number) {
    const std::string where = fmt::format("process {}", process);
    if (number == EAGAIN)
        return {ErrorCode::not_profiled, "The agent does not answer", where,
                "Its program may be stopped. Let it go on, and attach again."};
    return {ErrorCode::not_profiled,
            number == ECONNREFUSED ? "No agent waits in this process"
                                   : "The agent in this process cannot be reached: " + reason(number),
            where, "`roofwalk-cli attach --list` tells whether another collector holds it."};
}

/// A new folder for this user alone, where the name of a socket has room.
Result<fs::path> private_folder() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    for (const char* parent : {runtime, "/tmp"}) {
        if (parent == nullptr || *parent != '/' || std::strlen(parent) > 60) continue;
        std::string folder = std::string(parent) + "/roofwalk-XXXXXX";
        if (mkdtemp(folder.data()) != nullptr) return fs::path(folder);
    }
    return tl::unexpected(no_socket("/tmp", errno));
}

}  // namespace

AgentConnection::AgentConnection(Descriptor socket)
    : socket_(std::move(socket)), room_(std::size_t{1} << 20U), writer_(room_) {}

void AgentConnection::empty_socket() {
    std::array<std::byte, 65536> part{};
    while (!gone_ && reader_.waiting() < most_waiting) {
        int passed = -1;
        const auto count = wire::receive_bytes(socket_.number(), part, passed);
        if (passed >= 0) take_backlog(Descriptor(passed));
        if (count > 0) {
            reader_.append(std::span(part).first(static_cast<std::size_t>(count)));
            received_ += static_cast<std::uint64_t>(count);
        } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
            take_backlog_of_agent();
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

/// Memory alone can be read without waiting for anybody: other files may be of a file system of the other
/// side.
void AgentConnection::take_backlog(Descriptor memory) {
    if (fcntl(memory.number(), F_GET_SEALS) >= 0) backlog_ = std::move(memory);
}

void AgentConnection::take_backlog_of_agent() {
    gone_ = true;
    if (backlog_.open()) {
        const wire::BacklogContent left = wire::read_backlog(backlog_.number(), received_);
        reader_.append(left.bytes);
        frames_ = left.frames;
    }
    reader_.finish();
}

std::uint64_t AgentConnection::missing_at_end() const {
    // The other side's word, which may be anything.
    constexpr std::uint64_t most = std::uint64_t{1} << 32U;
    const bool some = gone_ && !behind_ && frames_ > reader_.frames();
    return some && frames_ - reader_.frames() < most ? frames_ - reader_.frames() : 0;
}

bool AgentConnection::take(int most_records, const OnReading& on_reading) {
    for (int taken = 0; taken < most_records; ++taken) {
        const auto reading = reader_.next();
        if (!reading) return false;
        on_reading(*reading);
    }
    return true;
}

void AgentConnection::receive(const OnReading& on_reading) {
    constexpr int turns = 64;
    constexpr int records_of_a_turn = 64;
    behind_ = open();
    for (int turn = 0; turn < turns && behind_; ++turn) {
        empty_socket();
        behind_ = take(records_of_a_turn, on_reading);
    }
    if (gone_ && !behind_) close();
}

void AgentConnection::send_frame(std::span<const std::byte> frame) {
    if (unsent_.size() > most_unsent) return;
    unsent_.insert(unsent_.end(), frame.begin(), frame.end());
    send_on();
}

void AgentConnection::send_on() {
    if (!open() || unsent_.empty()) return;
    const auto sent = wire::send_bytes(socket_.number(), unsent_);
    unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(sent.bytes));
    // A side that is gone shows when it is read from, with what it said last.
    if (sent.error != 0 && sent.error != EAGAIN) unsent_.clear();
}

void AgentConnection::close() {
    socket_.reset();
    backlog_.reset();
    room_ = {};
    unsent_ = {};
}

Result<AgentListener> AgentListener::make() {
    auto folder = private_folder();
    if (!folder) return tl::unexpected(folder.error());
    AgentListener listener;
    listener.socket_path_ = *folder / "agents";
    listener.socket_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = listener.socket_path_.string();
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    if (!listener.socket_.open() ||
        bind(listener.socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        ::listen(listener.socket_.number(), SOMAXCONN) != 0)
        return tl::unexpected(no_socket(name, errno));
    return listener;
}

AgentListener::~AgentListener() {
    if (socket_path_.empty()) return;
    std::error_code ignored;
    fs::remove(socket_path_, ignored);
    fs::remove(socket_path_.parent_path(), ignored);
}

std::optional<AgentConnection> AgentListener::accept() const {
    for (;;) {
        Descriptor taken(accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (taken.open() && is_of_this_user(taken.number())) return AgentConnection(std::move(taken));
        if (!taken.open() && errno != EINTR && errno != ECONNABORTED) return std::nullopt;
    }
}

Result<AgentConnection> connect_to_agent(pid_t process) {
    const wire::SocketAddress at = wire::agent_address(process);
    // One that takes no connection would be waited for without end.
    Descriptor ours(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!ours.open()) return tl::unexpected(no_socket(fmt::format("process {}", process), errno));
    if (connect(ours.number(), reinterpret_cast<const sockaddr*>(&at.address), at.size) != 0)
        return tl::unexpected(not_connected(process, errno));
    if (!is_of_this_user(ours.number()))
        return unexpected(ErrorCode::not_profiled, "The process belongs to another user",
                          fmt::format("process {}", process), "Attach as its user.");
    // Any process can take a name, and the first one has it.
    if (const auto peer = peer_of(ours.number()); peer->pid != process)
        return unexpected(
            ErrorCode::not_profiled, "Another process waits under the name of this one's agent",
            fmt::format("process {}, process {}", process, peer->pid),
            "Where it runs in a container, attach from inside of it; else see what that process is.");
    return AgentConnection(std::move(ours));
}

}  // namespace roofwalk
