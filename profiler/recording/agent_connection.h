// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "profiler/recording/child_process.h"
#include "profiler/wire/record_reader.h"
#include "profiler/wire/record_writer.h"

namespace roofwalk {

/// The socket of one agent. Reading and writing never wait.
class AgentConnection {
  public:
    explicit AgentConnection(Descriptor socket);

    [[nodiscard]] int descriptor() const { return socket_.number(); }
    [[nodiscard]] bool open() const { return socket_.open(); }
    [[nodiscard]] bool has_more_to_send() const { return !unsent_.empty(); }

    using OnReading = std::function<void(const wire::Reading&)>;
    /// Takes a part of what has come, and all of it out of the socket, so that the other side need not drop
    /// records while we are busy. The connection is closed when that side is gone and all is taken.
    void receive(const OnReading& on_reading);
    /// Records that the other side dropped at last, when it is gone and all is taken: no record followed that
    /// could tell.
    [[nodiscard]] std::uint64_t missing_at_end() const;
    /// There is more to be taken than receive() took.
    [[nodiscard]] bool has_more_to_take() const { return behind_; }

    template <class Record>
    void send(const Record& record) {
        if (open()) send_frame(writer_.frame(record));
    }
    /// Sends what did not go before.
    void send_on();
    void close();

  private:
    void send_frame(std::span<const std::byte> frame);
    void empty_socket();
    void take_backlog(Descriptor memory);
    void take_backlog_of_agent();
    /// False when there was less to take.
    [[nodiscard]] bool take(int most_records, const OnReading& on_reading);

    Descriptor socket_;
    Descriptor backlog_;          ///< of the other side
    std::uint64_t received_ = 0;  ///< through the socket [byte]
    std::uint64_t frames_ = 0;    ///< that the other side made, as far as it left word
    wire::RecordReader reader_;
    std::vector<std::byte> room_;
    wire::RecordWriter writer_;
    std::vector<std::byte> unsent_;
    bool gone_ = false;  ///< the other side
    bool behind_ = false;
};

/// Where the agents of a program that is started here report to: a socket in a folder that only its user can
/// enter. Folder and socket are removed with the object.
class AgentListener {
  public:
    [[nodiscard]] static Result<AgentListener> make();

    AgentListener(AgentListener&& other) noexcept
        : socket_(std::move(other.socket_)), socket_path_(std::exchange(other.socket_path_, {})) {}
    AgentListener& operator=(AgentListener&&) = delete;
    ~AgentListener();

    [[nodiscard]] const std::filesystem::path& socket() const { return socket_path_; }
    [[nodiscard]] int descriptor() const { return socket_.number(); }
    /// The next agent of the same user that knocks; absent when none does.
    [[nodiscard]] std::optional<AgentConnection> accept() const;

  private:
    AgentListener() = default;

    Descriptor socket_;
    std::filesystem::path socket_path_;
};

/// A connection to the agent that waits in a running process of the same user: the kernel's word for both.
[[nodiscard]] Result<AgentConnection> connect_to_agent(pid_t process);

}  // namespace roofwalk
