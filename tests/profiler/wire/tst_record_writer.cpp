// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/record_writer.h"

#include <QTest>

#include "tests/profiler/wire/wire_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_record_writer {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// What a reader gets for the text of a note.
std::string text_that_arrives(const std::string& what) {
    Bytes room(1U << 20U);
    wire::RecordWriter writer(room);
    wire::RecordReader reader;
    reader.append(writer.frame(wire::Note{wire::NoteLevel::error, {}, what, {}}));
    const auto reading = reader.next();
    return std::string(std::get<wire::Note>(std::get<wire::ReadRecord>(*reading).record).what);
}

}  // namespace

class TestRecordWriter : public QObject {
    Q_OBJECT

  private slots:
    void a_record_that_does_not_fit_gives_nothing_and_is_missed() {
        Bytes room(wire::header_size + 40);
        wire::RecordWriter writer(room);
        QVERIFY(writer.frame(made_launch()).empty());
        const auto frame = writer.frame(wire::SessionEnd{1, 2});
        QVERIFY(!frame.empty());
        const Story story = read_all(frame);
        QCOMPARE(story.records.size(), std::size_t{1});
        QCOMPARE(story.records.front().missing, std::uint64_t{1});
    }

    void a_larger_buffer_goes_on_where_the_small_one_ended() {
        Bytes small(wire::header_size + 40);
        Bytes large(1024);
        wire::RecordWriter writer(small);
        QVERIFY(!writer.frame(wire::SessionEnd{1, 2}).empty());
        writer.use(large);
        const Story story = read_all(writer.frame(made_launch()));
        QCOMPARE(story.records.size(), std::size_t{1});
        QCOMPARE(story.records.front().sequence, std::uint64_t{1});
    }

    void no_room_at_all_gives_nothing() {
        wire::RecordWriter writer({});
        QVERIFY(writer.frame(made_note()).empty());
    }

    void a_frame_ends_where_its_buffer_may() {
        Bytes room(1024);
        const std::size_t needed = wire::RecordWriter(room).frame(made_launch()).size();
        for (std::size_t size = 0; size < needed; ++size)
            QVERIFY(wire::RecordWriter(std::span(room).first(size)).frame(made_launch()).empty());
        QCOMPARE(wire::RecordWriter(std::span(room).first(needed)).frame(made_launch()).size(), needed);
    }

    void a_long_text_is_cut_between_two_letters() {
        const std::string fitting(wire::longest_text, 'a');
        QCOMPARE(text_that_arrives(fitting).size(), wire::longest_text);
        QCOMPARE(text_that_arrives(fitting + "b"), fitting);
        const std::string before(wire::longest_text - 1, 'a');
        QCOMPARE(text_that_arrives(before + "é"), before);
    }

    void a_long_list_is_cut() {
        const std::vector<std::string_view> names(wire::longest_list + 5, "m");
        Stream stream;
        stream.add(wire::MetricTable{0, 0, names});
        wire::RecordReader reader;
        reader.append(stream.bytes());
        const auto reading = reader.next();
        QVERIFY(reading);
        QCOMPARE(std::get<wire::MetricTable>(std::get<wire::ReadRecord>(*reading).record).metrics.size(),
                 wire::longest_list);
    }

    void an_image_is_never_cut() {
        const Bytes image(5000);
        Bytes room(4096);
        wire::RecordWriter writer(room);
        wire::Device device;
        device.counter_availability = image;
        QVERIFY(writer.frame(device).empty());
    }

    void the_checksum_is_that_of_everybody() {
        constexpr std::string_view digits = "123456789";
        QCOMPARE(wire::checksum_of(std::as_bytes(std::span(digits))), 0xCBF43926U);
    }
};

}  // namespace tst_record_writer

ROOFWALK_TEST(tst_record_writer, TestRecordWriter, NoApplication)
#include "tst_record_writer.moc"
