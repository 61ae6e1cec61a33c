// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QTemporaryDir>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profiler/wire/record_reader.h"
#include "profiler/wire/record_writer.h"

namespace roofwalk::test {

struct HeardLaunch {
    std::uint64_t id = 0;
    std::string name;
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    wire::Extent grid;
    wire::Extent block;
    std::optional<std::uint32_t> registers;
    std::optional<std::uint32_t> dynamic_shared;
    std::optional<std::uint64_t> start_ns;
    std::optional<std::uint64_t> duration_ns;
    std::vector<std::string> nvtx;
    char plan = '-';
    std::uint32_t passes = 0;
    wire::LaunchStatus status = wire::LaunchStatus::timed;
    std::uint32_t table = 0;
    std::string image;
    std::uint32_t range = 0;
    std::optional<std::uint64_t> image_launch;
};

struct HeardNote {
    wire::NoteLevel level = wire::NoteLevel::information;
    std::optional<std::int32_t> code;
    std::string what;
    std::string where;
};

/// What one agent has said.
struct Heard {
    std::optional<wire::SessionStart> start;  ///< its numbers only
    std::vector<std::string> command;
    std::vector<std::string> ranks;
    std::vector<std::pair<std::uint32_t, std::string>> devices;  ///< ordinal and chip
    std::vector<std::uint32_t> tables;
    std::vector<HeardLaunch> launches;
    std::vector<std::uint64_t> awaited;  ///< ids of launches whose time was still to come
    std::vector<HeardNote> notes;
    wire::LaunchCounts counts;
    int times_counted = 0;  ///< records of counts
    std::optional<wire::SessionEnd> end;
    std::vector<std::uint32_t> cupti_versions;  ///< of each device; 0: not told
    std::uint64_t missing = 0;
    std::size_t damages = 0;
    std::uint64_t frames = 0;      ///< that were made, as far as the agent left word in its backlog
    std::uint64_t last_frame = 0;  ///< those up to the last one that came
    bool gone = false;             ///< the stream has ended

    /// Names of the launches in their order, each with its plan: "saxpy:A".
    [[nodiscard]] std::string told() const;
    [[nodiscard]] const HeardLaunch* find(const std::string& name) const;
};

/// Orders that keep what they refer to.
struct MadeOrders {
    bool armed = true;
    bool counters = true;
    bool work = true;
    std::uint32_t memory_first = 5;
    std::uint32_t memory_every = 20;
    std::vector<std::string_view> kernels;
    std::vector<std::string_view> except{"^nccl", "^nvshmem"};
    std::vector<std::string_view> nvtx_ranges;
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> count;
    std::string cupti;
    wire::Replay replay = wire::Replay::once;
};

/// A collector as plain as can be, and a program under it.
class AgentRun {
  public:
    explicit AgentRun(const QString& folder_name = QStringLiteral("run"));
    ~AgentRun();

    MadeOrders orders;
    bool sends_orders = true;
    bool sends_plans = true;
    bool reads = true;
    std::string plan_letters = "ABCD";
    std::uint32_t tensor_passes = 4;   ///< that plan B is said to have; on Hopper it has one
    bool replay_counts_types = false;  ///< plan E has the metrics of plan B; on Hopper it does
    std::function<void(const wire::KernelLaunch&)> on_launch;

    /// Starts the program with the agent; `environment` wins over what that needs.
    void start(const QStringList& commands, const std::map<QString, QString>& environment = {});

    /// Starts it without a collector to connect to: with the two variables that `roofwalk-cli check` prints.
    void start_dormant(const QStringList& commands, const std::map<QString, QString>& environment = {});

    /// Connects to the waiting agent; false when there is none.
    [[nodiscard]] bool attach();
    void detach();

    /// One command for a program that reads them; false when it does not say that it is done.
    [[nodiscard]] bool tell(const QString& command);

    /// Reads until `enough`, or for too long.
    bool pump_until(const std::function<bool()>& enough, int patience_ms = 20000);

    /// Reads until the program and its streams have ended.
    void finish();

    /// Starts, and reads until the end.
    void run(const QStringList& commands, const std::map<QString, QString>& environment = {});

    /// The same with a program that only loads the agent, and has no driver.
    void run_loader(const std::map<QString, QString>& environment);

    template <class Record>
    void send(std::size_t session, const Record& record) {
        std::vector<std::byte> room(1U << 20U);
        const auto frame = peers_[session].writer.frame_in(room, record);
        send_all(peers_[session].socket, frame);
    }
    void send_orders(std::size_t session);

    /// To the last agent.
    void send_plans_of(std::uint32_t device) { send_plans(sessions_.size() - 1, device); }

    /// Waits until the last agent, which has a device, has taken all that was sent to it.
    [[nodiscard]] bool settle();

    [[nodiscard]] static QString agent();
    [[nodiscard]] static QString cupti();
    [[nodiscard]] static QString cupti_12();
    /// Of a CUDA before 12.6.
    [[nodiscard]] static QString cupti_12_4();

    [[nodiscard]] QProcess& program() { return program_; }
    [[nodiscard]] const std::vector<Heard>& sessions() const { return sessions_; }
    [[nodiscard]] const Heard& only() const;

  private:
    struct Writer {
        wire::RecordWriter writer{{}};

        template <class Record>
        std::span<const std::byte> frame_in(std::vector<std::byte>& room, const Record& record) {
            writer.use(room);
            return writer.frame(record);
        }
    };
    struct Peer {
        int socket = -1;
        int backlog = -1;
        std::uint64_t received = 0;  ///< [byte]
        wire::RecordReader reader;
        Writer writer;
    };

    static void send_all(int socket, std::span<const std::byte> bytes);
    void add_peer(int socket);
    void pump_once(int timeout_ms);
    void read_from(std::size_t session);
    void hear(std::size_t session, const wire::ReadRecord& found);
    void send_plan(std::size_t session, std::uint32_t device, char letter, std::uint32_t table);
    void send_plans(std::size_t session, std::uint32_t device);
    void set_environment(const std::map<QString, QString>& environment, bool dormant);

    QTemporaryDir folder_;
    std::string socket_path_;
    int listener_ = -1;
    std::vector<Peer> peers_;
    std::vector<Heard> sessions_;
    std::uint32_t last_settled_ = 1000;
    QProcess program_;
};

}  // namespace roofwalk::test
