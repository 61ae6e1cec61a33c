// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/send_bytes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <csignal>

#include "tests/profiler/wire/wire_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_send_bytes {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Two ends of a stream socket.
struct Pair {
    std::array<int, 2> ends{-1, -1};

    Pair() { ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0; }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
    ~Pair() {
        for (std::size_t i = 0; i < ends.size(); ++i)
            shut(i);
    }
    void shut(std::size_t end) {
        if (ends[end] >= 0) close(ends[end]);
        ends[end] = -1;
    }

    bool ok = false;
};

Story read_socket(int socket) {
    Bytes all;
    Bytes part(65536);
    for (;;) {
        const auto count = read(socket, part.data(), part.size());
        if (count <= 0) return read_all(all);
        all.insert(all.end(), part.begin(), part.begin() + count);
    }
}

}  // namespace

class TestSendBytes : public QObject {
    Q_OBJECT

  private slots:
    void a_frame_goes_over_whole() {
        Pair pair;
        QVERIFY(pair.ok);
        Stream stream;
        stream.add(made_launch());
        const wire::SendResult sent = wire::send_bytes(pair.ends[0], stream.bytes());
        QCOMPARE(sent.bytes, stream.bytes().size());
        QCOMPARE(sent.error, 0);
        pair.shut(0);
        QCOMPARE(read_socket(pair.ends[1]).records.size(), std::size_t{1});
    }

    void a_reader_that_stalls_is_not_waited_for() {
        Pair pair;
        QVERIFY(pair.ok);
        const Bytes much(std::size_t{64} << 20U);
        const wire::SendResult sent = wire::send_bytes(pair.ends[0], much);
        QVERIFY(sent.bytes > 0 && sent.bytes < much.size());
        QCOMPARE(sent.error, EAGAIN);
    }

    void a_reader_that_is_gone_raises_no_signal_and_leaves_errno() {
        Pair pair;
        QVERIFY(pair.ok);
        pair.shut(1);
        errno = ENOTTY;
        const wire::SendResult sent = wire::send_bytes(pair.ends[0], Bytes(10));
        QCOMPARE(errno, ENOTTY);
        QCOMPARE(sent.bytes, std::size_t{0});
        QCOMPARE(sent.error, EPIPE);
    }

    void a_killed_program_loses_the_launch_in_flight_alone() {
        Pair pair;
        QVERIFY(pair.ok);
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            std::array<std::byte, 1024> room{};
            wire::RecordWriter writer(room);
            close(pair.ends[1]);
            for (;;) {
                auto rest = writer.frame(made_launch());
                while (!rest.empty()) {
                    const wire::SendResult sent = wire::send_bytes(pair.ends[0], rest);
                    if (sent.error != 0 && sent.error != EAGAIN) _exit(1);
                    rest = rest.subspan(sent.bytes);
                }
            }
        }
        pair.shut(0);
        Bytes all(200'000);
        std::size_t read_so_far = 0;
        while (read_so_far < all.size()) {
            const auto count = read(pair.ends[1], all.data() + read_so_far, all.size() - read_so_far);
            if (count <= 0) break;
            read_so_far += static_cast<std::size_t>(count);
        }
        kill(child, SIGKILL);
        Bytes part(4096);
        for (ssize_t count = 0; (count = read(pair.ends[1], part.data(), part.size())) > 0;)
            all.insert(all.end(), part.begin(), part.begin() + count);
        waitpid(child, nullptr, 0);
        const Story story = read_all(all);
        QVERIFY(story.records.size() > 100);
        for (const wire::ReadRecord& record : story.records)
            QCOMPARE(record.missing, std::uint64_t{0});
        QVERIFY(story.damages.size() <= 1);
        if (!story.damages.empty()) QVERIFY(story.damages.front().kind == wire::DamageKind::cut);
    }
};

}  // namespace tst_send_bytes

ROOFWALK_TEST(tst_send_bytes, TestSendBytes, NoApplication)
#include "tst_send_bytes.moc"
