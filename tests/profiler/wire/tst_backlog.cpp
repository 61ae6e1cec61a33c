// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/backlog.h"

#include <sys/stat.h>

#include <QTest>

#include "tests/profiler/wire/wire_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_backlog {

using namespace roofwalk;
using namespace roofwalk::test;
using wire::Backlog;
using wire::read_backlog;

namespace {

Bytes counting(std::size_t count, std::size_t first = 0) {
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::byte>((first + i) % 251);
    return bytes;
}

Bytes copy_of(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
}

/// A descriptor of a file that has these bytes.
int file_with(std::span<const std::byte> bytes) {
    const int made = memfd_create("test", MFD_CLOEXEC);
    return pwrite(made, bytes.data(), bytes.size(), 0) < 0 ? -1 : made;
}

Bytes head_of(std::uint64_t end, std::uint64_t frames) {
    Bytes bytes(wire::backlog_head_size);
    std::memcpy(bytes.data(), &end, sizeof(end));
    std::memcpy(bytes.data() + sizeof(end), &frames, sizeof(frames));
    return bytes;
}

}  // namespace

class TestBacklog : public QObject {
    Q_OBJECT

  private slots:
    void what_waits_goes_out_in_its_order() {
        Backlog backlog;
        QVERIFY(backlog.open());
        QCOMPARE(backlog.size(), std::size_t{0});
        backlog.append(counting(10));
        backlog.append(counting(5, 10));
        QCOMPARE(copy_of(backlog.front()), counting(15));
        backlog.passed(4);
        QCOMPARE(copy_of(backlog.front()), counting(11, 4));
    }

    void the_reader_goes_on_behind_what_came_through_the_socket() {
        Backlog backlog;
        QVERIFY(backlog.open());
        backlog.passed(1000);
        backlog.append(counting(50));
        backlog.passed(20);
        backlog.report_frames(7);
        // Less than was passed on when the reader did not get to all of it; the socket then still has it.
        const auto left = read_backlog(backlog.descriptor(), 1020);
        QCOMPARE(left.bytes, counting(30, 20));
        QCOMPARE(left.frames, std::uint64_t{7});
        QVERIFY(read_backlog(backlog.descriptor(), 1050).bytes.empty());
    }

    void bytes_that_never_waited_are_not_left_behind() {
        Backlog backlog;
        QVERIFY(backlog.open());
        backlog.append(counting(8));
        backlog.passed(8);
        backlog.passed(5000);
        QVERIFY(read_backlog(backlog.descriptor(), 5008).bytes.empty());
        QCOMPARE(backlog.size(), std::size_t{0});
    }

    void a_stream_is_longer_than_the_memory() {
        Backlog backlog;
        QVERIFY(backlog.open());
        backlog.passed(wire::backlog_room - 100);
        backlog.append(counting(300));
        QCOMPARE(copy_of(backlog.front()), counting(100));
        QCOMPARE(read_backlog(backlog.descriptor(), wire::backlog_room - 100).bytes, counting(300));
        QCOMPARE(read_backlog(backlog.descriptor(), wire::backlog_room + 50).bytes, counting(150, 150));
        backlog.passed(100);
        QCOMPARE(copy_of(backlog.front()), counting(200, 100));
    }

    void the_longest_frame_has_room() {
        Backlog backlog;
        QVERIFY(backlog.open());
        backlog.passed(12'345'678);
        const Bytes frame = counting(wire::header_size + wire::longest_payload);
        backlog.append(frame);
        QCOMPARE(read_backlog(backlog.descriptor(), 12'345'678).bytes, frame);
    }

    void a_new_stream_has_new_memory() {
        Backlog backlog;
        QVERIFY(backlog.open());
        backlog.append(counting(9));
        const int first = fcntl(backlog.descriptor(), F_DUPFD_CLOEXEC, 0);
        QVERIFY(backlog.open());
        QCOMPARE(backlog.size(), std::size_t{0});
        backlog.append(counting(2, 100));
        QCOMPARE(read_backlog(first, 0).bytes, counting(9));
        ::close(first);
    }

    void it_lives_on_when_the_writer_is_gone() {
        auto backlog = std::make_unique<Backlog>();
        QVERIFY(backlog->open());
        const int passed_on = fcntl(backlog->descriptor(), F_DUPFD_CLOEXEC, 0);
        backlog->append(counting(33));
        backlog.reset();
        QCOMPARE(read_backlog(passed_on, 0).bytes, counting(33));
        ::close(passed_on);
    }

    void a_program_that_may_write_no_large_file_is_not_signalled() {
        rlimit before{};
        QVERIFY(getrlimit(RLIMIT_FSIZE, &before) == 0);
        rlimit low = before;
        low.rlim_cur = 4096;
        QVERIFY(setrlimit(RLIMIT_FSIZE, &low) == 0);
        Backlog backlog;
        const bool opened = backlog.open();
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(opened);
        QCOMPARE(backlog.descriptor(), -1);
        backlog.append(counting(70));
        QCOMPARE(copy_of(backlog.front()), counting(70));
    }

    void what_the_other_side_wrote_there_is_not_believed_data() {
        QTest::addColumn<Bytes>("file");
        QTest::addColumn<quint64>("received");
        QTest::newRow("empty") << Bytes() << quint64{0};
        QTest::newRow("cut head") << Bytes(9) << quint64{0};
        QTest::newRow("no bytes behind the head") << head_of(100, 1) << quint64{0};
        QTest::newRow("end before what came") << head_of(100, 1) << quint64{101};
        QTest::newRow("end beyond all memory") << head_of(~std::uint64_t{0}, 1) << quint64{5};
        QTest::newRow("one byte too many") << head_of(wire::backlog_room + 1, 1) << quint64{0};
    }
    void what_the_other_side_wrote_there_is_not_believed() {
        QFETCH(const Bytes, file);
        QFETCH(const quint64, received);
        const int descriptor = file_with(file);
        QVERIFY(descriptor >= 0);
        QVERIFY(read_backlog(descriptor, received).bytes.empty());
        ::close(descriptor);
    }

    void what_is_no_file_is_empty() {
        std::array<int, 2> pipe_ends{};
        QVERIFY(pipe(pipe_ends.data()) == 0);
        QVERIFY(read_backlog(pipe_ends[0], 0).bytes.empty());
        QVERIFY(read_backlog(-1, 0).bytes.empty());
        for (const int end : pipe_ends)
            ::close(end);
    }
};

}  // namespace tst_backlog

ROOFWALK_TEST(tst_backlog, TestBacklog, NoApplication)
#include "tst_backlog.moc"
