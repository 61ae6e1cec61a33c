// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/agent_connection.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <atomic>
#include <thread>

#include "profiler/wire/agent_address.h"
#include "profiler/wire/send_bytes.h"
#include "tests/support/folder_tests.h"
#include "tests/support/processes.h"
#include "tests/support/qt_strings.h"

namespace tst_agent_connection {

using namespace roofwalk;

namespace {

/// A process that listens under the name of the agent of another one, or of its own; ended with the object.
class Listener {
  public:
    explicit Listener(bool under_its_own_name) {
        std::array<int, 2> ready{};
        if (pipe(ready.data()) != 0) return;
        const pid_t named = getpid();
        process_ = fork();
        if (process_ == 0) {
            const wire::SocketAddress at = wire::agent_address(under_its_own_name ? getpid() : named);
            const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
            const bool listens = bind(socket, reinterpret_cast<const sockaddr*>(&at.address), at.size) == 0 &&
                                 listen(socket, 4) == 0;
            [[maybe_unused]] const auto told = write(ready[1], listens ? "y" : "n", 1);
            for (;;)
                pause();
        }
        char answer = 'n';
        listens_ = read(ready[0], &answer, 1) == 1 && answer == 'y';
        close(ready[0]);
        close(ready[1]);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() {
        if (process_ <= 0) return;
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }

    [[nodiscard]] bool listens() const { return listens_; }
    [[nodiscard]] pid_t process() const { return process_; }

  private:
    pid_t process_ = -1;
    bool listens_ = false;
};

struct Ends {
    AgentConnection ours;
    Descriptor theirs;
};

Ends connected() {
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) qFatal("no sockets");
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {AgentConnection(Descriptor(ends[0])), Descriptor(ends[1])};
}

}  // namespace

class TestAgentConnection : public QObject {
    Q_OBJECT

  private slots:
    void the_agent_of_a_process_is_in_that_process() {
        const Listener honest(true);
        QVERIFY(honest.listens());
        QVERIFY(connect_to_agent(honest.process()));
        const Listener pretends(false);
        QVERIFY(pretends.listens());
        const auto refused = connect_to_agent(getpid());
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::not_profiled);
        QVERIFY(refused.error().where.find(std::to_string(pretends.process())) != std::string::npos);
    }

    void an_agent_that_takes_no_connection_is_not_waited_for() {
        const Listener busy(true);
        QVERIFY(busy.listens());
        const wire::SocketAddress at = wire::agent_address(busy.process());
        std::vector<Descriptor> knocking;
        do {
            QVERIFY(knocking.size() < 100);
            knocking.emplace_back(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        } while (::connect(knocking.back().number(), reinterpret_cast<const sockaddr*>(&at.address),
                           at.size) == 0);
        QCOMPARE(errno, EAGAIN);
        QCOMPARE(in_a_fork([&] {
                     const auto refused = connect_to_agent(busy.process());
                     return !refused && refused.error().code == ErrorCode::not_profiled ? 0 : 1;
                 }),
                 0);
    }

    void an_agent_that_never_stops_sending_does_not_fill_the_memory() {
        Ends ends = connected();
        std::array<std::byte, 64> room{};
        wire::RecordWriter writer(room);
        const auto frame = writer.frame(wire::PlansSent{});
        std::vector<std::byte> many;
        while (many.size() < (std::size_t{1} << 20U))
            many.insert(many.end(), frame.begin(), frame.end());
        constexpr std::size_t most = std::size_t{2} << 30U;
        std::atomic<std::size_t> sent = 0;
        std::jthread flood([&, socket = ends.theirs.number()] {
            while (sent < most) {
                const auto taken = send(socket, many.data(), many.size(), MSG_NOSIGNAL);
                if (taken <= 0) return;
                sent += static_cast<std::size_t>(taken);
            }
        });
        const auto end_the_flood = qScopeGuard([&] { shutdown(ends.theirs.number(), SHUT_RDWR); });
        std::size_t records = 0;
        // The flood may begin late.
        while (sent < most && !ends.ours.has_more_to_take())
            ends.ours.receive([&](const wire::Reading&) { ++records; });
        // What is read of it is a part of this alone.
        QVERIFY2(sent < (std::size_t{320} << 20U), std::to_string(sent.load()).c_str());
        QVERIFY(records > 0);
        ends.ours.close();
    }

    void a_descriptor_that_is_no_memory_is_not_read() {
        std::array<int, 2> pipe_ends{-1, -1};
        QVERIFY(pipe(pipe_ends.data()) == 0);
        const int memory = memfd_create("test", MFD_CLOEXEC);
        const std::array<std::uint64_t, 2> head{0, 5};
        QVERIFY(pwrite(memory, head.data(), sizeof(head), 0) == sizeof(head));
        const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
        for (const int passed : {pipe_ends[0], file, memory}) {
            Ends ends = connected();
            std::array<std::byte, 64> room{};
            wire::RecordWriter writer(room);
            const auto frame = writer.frame(wire::PlansSent{});
            QCOMPARE(wire::send_bytes(ends.theirs.number(), frame, passed).bytes, frame.size());
            ends.theirs.reset();
            ends.ours.receive([](const wire::Reading&) {});
            QVERIFY(!ends.ours.open());
            QCOMPARE(ends.ours.missing_at_end(), passed == memory ? std::uint64_t{4} : std::uint64_t{0});
        }
        for (const int each : {pipe_ends[0], pipe_ends[1], memory, file})
            close(each);
    }
};

}  // namespace tst_agent_connection

ROOFWALK_TEST(tst_agent_connection, TestAgentConnection, NoApplication)
#include "tst_agent_connection.moc"
