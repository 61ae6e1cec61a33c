// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/record_sink.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTest>
#include <cerrno>

#include "tests/profiler/wire/wire_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_record_sink {

using namespace roofwalk;
using namespace roofwalk::test;
using agent::RecordSink;

namespace {

struct Pair {
    Pair() {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) qFatal("no sockets");
    }
    ~Pair() {
        close(ends[0]);
        close(ends[1]);
    }

    /// What the other side can read now.
    [[nodiscard]] Bytes read() const {
        Bytes bytes;
        Bytes room(1U << 20U);
        for (;;) {
            const auto taken = recv(ends[1], room.data(), room.size(), MSG_DONTWAIT);
            if (taken <= 0) return bytes;
            bytes.insert(bytes.end(), room.begin(), room.begin() + taken);
        }
    }

    int ends[2] = {-1, -1};
};

/// What waits, and a note behind it.
Bytes all_with_a_note(const Pair& pair, RecordSink& sink) {
    Bytes arrived;
    const auto read = [&] {
        const Bytes more = pair.read();
        arrived.insert(arrived.end(), more.begin(), more.end());
    };
    do
        read();
    while (!sink.drain());
    if (!sink.send(made_note())) return {};
    read();
    return arrived;
}

}  // namespace

class TestRecordSink : public QObject {
    Q_OBJECT

  private slots:
    void records_arrive_at_once() {
        const Pair pair;
        RecordSink sink;
        QVERIFY(!sink.send(made_note()));
        sink.open(pair.ends[0]);
        QVERIFY(sink.send(made_launch()) && sink.send(made_note()));
        QVERIFY(!sink.has_waiting());
        const Story story = read_all(pair.read());
        QCOMPARE(story.records.size(), std::size_t{2});
        QVERIFY(story.damages.empty());
    }

    void a_record_of_any_size_fits() {
        const Pair pair;
        RecordSink sink;
        sink.open(pair.ends[0]);
        const Bytes image(3U << 20U, std::byte{7});
        wire::KernelLaunch launch = made_launch();
        launch.counter_data = image;
        QVERIFY(sink.send(launch));
        Bytes arrived = pair.read();
        while (!sink.drain()) {
            const Bytes more = pair.read();
            arrived.insert(arrived.end(), more.begin(), more.end());
        }
        const Bytes rest = pair.read();
        arrived.insert(arrived.end(), rest.begin(), rest.end());
        const Story story = read_all(arrived);
        QCOMPARE(story.records.size(), std::size_t{1});
        QVERIFY(story.damages.empty());
    }

    void what_the_reader_does_not_take_is_kept_up_to_a_bound_and_then_dropped() {
        const Pair pair;
        RecordSink sink;
        sink.open(pair.ends[0]);
        std::size_t sent = 0;
        while (sink.dropped() < 10)
            if (sink.send(made_launch())) ++sent;
        const Bytes arrived = all_with_a_note(pair, sink);
        QVERIFY(arrived.size() >= RecordSink::most_waiting - 4096);
        const Story story = read_all(arrived);
        QVERIFY(story.damages.empty());
        QCOMPARE(story.records.size(), sent + 1);
        QCOMPARE(story.records.back().missing, sink.dropped());
    }

    void what_is_told_again_is_not_missed_when_it_is_dropped() {
        const Pair pair;
        RecordSink sink;
        sink.open(pair.ends[0]);
        while (sink.dropped() == 0)
            (void)sink.send(made_launch());
        for (int time = 0; time < 5; ++time)
            QVERIFY(!sink.send(made_launch(), RecordSink::Worth::none));
        QCOMPARE(sink.dropped(), std::uint64_t{1});
        const Bytes arrived = all_with_a_note(pair, sink);
        QCOMPARE(read_all(arrived).records.back().missing, std::uint64_t{1});
    }

    void a_reader_that_is_gone_is_no_error_of_the_program() {
        Pair pair;
        RecordSink sink;
        sink.open(pair.ends[0]);
        close(pair.ends[1]);
        pair.ends[1] = -1;
        errno = EDOM;
        QVERIFY(!sink.send(made_note()));
        QVERIFY(!sink.is_open());
        QVERIFY(!sink.send(made_note()));
        QVERIFY(sink.drain());
    }

    void a_descriptor_that_became_something_else_is_left_alone() {
        const Pair pair;
        const Pair of_program;
        RecordSink sink;
        sink.open(pair.ends[0]);
        QVERIFY(dup2(of_program.ends[0], pair.ends[0]) == pair.ends[0]);
        QVERIFY(!sink.send(made_note()));
        QVERIFY(!sink.is_open());
        QVERIFY(of_program.read().empty());
    }

    void a_new_reader_starts_with_a_new_stream() {
        const Pair first;
        const Pair second;
        RecordSink sink;
        sink.open(first.ends[0]);
        QVERIFY(sink.send(made_note()));
        sink.close();
        sink.open(second.ends[0]);
        QVERIFY(sink.send(made_note()));
        const Story story = read_all(second.read());
        QCOMPARE(story.records.front().sequence, std::uint64_t{0});
    }
};

}  // namespace tst_record_sink

ROOFWALK_TEST(tst_record_sink, TestRecordSink, NoApplication)
#include "tst_record_sink.moc"
