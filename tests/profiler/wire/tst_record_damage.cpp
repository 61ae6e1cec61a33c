// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>

#include "profiler/wire/record_reader.h"
#include "tests/profiler/wire/wire_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_record_damage {

using namespace roofwalk;
using namespace roofwalk::test;
using wire::DamageKind;

namespace {

Stream three_launches() {
    Stream stream;
    for (int i = 0; i < 3; ++i)
        stream.add(made_launch());
    return stream;
}

/// `bytes` and a whole frame behind them.
Bytes before_a_frame(Bytes bytes) {
    Stream good;
    good.add(made_note());
    bytes.insert(bytes.end(), good.bytes().begin(), good.bytes().end());
    return bytes;
}

template <class Number>
void append_number(Bytes& bytes, Number number) {
    const auto raw = std::as_bytes(std::span(&number, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// A note, written by hand, whose text says that it is `length` bytes long.
Bytes note_with_text_length(std::uint32_t length, std::uint8_t level = 0) {
    Bytes payload;
    append_number(payload, level);
    append_number(payload, std::uint8_t{0});
    append_number(payload, length);
    payload.insert(payload.end(), 5, std::byte{'x'});
    append_number(payload, std::uint32_t{0});
    return payload;
}

constexpr auto note_kind = static_cast<std::uint16_t>(wire::RecordKind::note);

/// The bad frame is all of the damage, and the good one behind it is read.
void verify_passed_over(const Bytes& bad, DamageKind kind) {
    const Story story = read_all(before_a_frame(bad));
    QCOMPARE(story.records.size(), std::size_t{1});
    QCOMPARE(story.damages.size(), std::size_t{1});
    QVERIFY(story.damages.front() == (wire::Damage{kind, 0, bad.size()}));
}

}  // namespace

class TestRecordDamage : public QObject {
    Q_OBJECT

  private slots:
    void a_stream_cut_at_any_byte_loses_the_frame_in_flight_alone() {
        const Stream stream = three_launches();
        for (std::size_t cut = 0; cut <= stream.bytes().size(); ++cut) {
            const Story story = read_all(std::span(stream.bytes()).first(cut));
            std::size_t whole = 0;
            while (whole < 3 && stream.start_of(whole + 1) <= cut)
                ++whole;
            QCOMPARE(story.records.size(), whole);
            const std::size_t rest = cut - stream.start_of(whole);
            QCOMPARE(story.damages.size(), std::size_t{rest > 0 ? 1U : 0U});
            if (rest > 0)
                QVERIFY(story.damages.front() ==
                        (wire::Damage{DamageKind::cut, stream.start_of(whole), rest}));
        }
    }

    void a_flipped_bit_anywhere_costs_one_frame() {
        const Stream stream = three_launches();
        for (std::size_t at = stream.start_of(1); at < stream.start_of(2); ++at) {
            for (const unsigned bit : {0U, 7U}) {
                Bytes bytes = stream.bytes();
                bytes[at] ^= std::byte{1} << bit;
                const Story story = read_all(bytes);
                QCOMPARE(story.records.size(), std::size_t{2});
                QCOMPARE(story.records.back().missing, std::uint64_t{1});
                QCOMPARE(story.damages.size(), std::size_t{1});
                QCOMPARE(story.damages.front().offset, std::uint64_t{stream.start_of(1)});
                QCOMPARE(story.damages.front().length,
                         std::uint64_t{stream.start_of(2) - stream.start_of(1)});
            }
        }
    }

    void bytes_lost_in_the_middle_cost_the_frames_they_were_of() {
        const Stream stream = three_launches();
        for (std::size_t lost = 1; lost < stream.start_of(1); ++lost) {
            Bytes bytes = stream.bytes();
            const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(stream.start_of(1) + 3);
            bytes.erase(from, from + static_cast<std::ptrdiff_t>(lost));
            const Story story = read_all(bytes, 50);
            QVERIFY(!story.records.empty());
            QVERIFY(story.damages.size() == 1);
            if (lost <= stream.start_of(1) - 3) QCOMPARE(story.records.size(), std::size_t{2});
        }
    }

    void bytes_that_are_no_stream_are_passed_over() {
        Bytes noise(1000, std::byte{0xD7});
        verify_passed_over(noise, DamageKind::no_frame);
        const Story story = read_all(noise);
        QVERIFY(story.records.empty());
        QCOMPARE(story.damages.size(), std::size_t{1});
        QCOMPARE(story.damages.front().length, std::uint64_t{1000});
    }

    void a_length_beyond_the_bound_is_not_waited_for() {
        wire::FrameHeader header;
        header.kind = note_kind;
        header.length = std::numeric_limits<std::uint32_t>::max();
        Bytes bytes(wire::header_size);
        wire::write_header(std::span(bytes).first<wire::header_size>(), header);
        verify_passed_over(bytes, DamageKind::no_frame);
    }

    void a_length_beyond_the_end_hides_no_later_frame() {
        wire::FrameHeader header;
        header.kind = note_kind;
        header.length = 100'000;
        Bytes bytes(wire::header_size);
        wire::write_header(std::span(bytes).first<wire::header_size>(), header);
        verify_passed_over(bytes, DamageKind::cut);
    }

    void headers_inside_of_payloads_are_not_looked_at_for_ever() {
        // Each says that all that follows is its payload: 600,000 times 8 MiB to sum up, were all believed.
        Bytes bytes(wire::header_size + wire::longest_payload);
        for (std::size_t at = 0; at + wire::header_size < bytes.size(); at += wire::header_size) {
            const auto rest = bytes.size() - at - wire::header_size;
            wire::write_header(std::span(bytes).subspan(at).first<wire::header_size>(),
                               {wire::wire_version, note_kind, static_cast<std::uint32_t>(rest), 0, 1});
        }
        verify_passed_over(bytes, DamageKind::checksum);
    }

    void lying_lengths_inside_a_payload_are_found() {
        QCOMPARE(read_all(framed(note_kind, note_with_text_length(5))).records.size(), std::size_t{1});
        for (const std::uint32_t length : {4U, 6U, 10U, 16384U, 16385U, 0x7FFFFFFFU, 0xFFFFFFFFU})
            verify_passed_over(framed(note_kind, note_with_text_length(length)), DamageKind::malformed);
    }

    void lying_counts_of_lists_are_found() {
        for (const std::uint32_t count : {1U, 4096U, 4097U, 0xFFFFFFFFU}) {
            Bytes payload;
            append_number(payload, std::uint64_t{0});
            append_number(payload, count);
            verify_passed_over(framed(static_cast<std::uint16_t>(wire::RecordKind::metric_table), payload),
                               DamageKind::malformed);
        }
    }

    void values_that_cannot_be_are_found() {
        verify_passed_over(framed(note_kind, note_with_text_length(5, 3)), DamageKind::malformed);
        Stream orders;
        orders.add(wire::Orders{});
        Bytes payload(orders.bytes().begin() + wire::header_size, orders.bytes().end());
        payload.front() = std::byte{2};
        verify_passed_over(framed(static_cast<std::uint16_t>(wire::RecordKind::orders), payload),
                           DamageKind::malformed);
    }

    void bytes_left_over_are_found() {
        Bytes payload = note_with_text_length(5);
        payload.push_back(std::byte{0});
        verify_passed_over(framed(note_kind, payload), DamageKind::malformed);
    }

    void other_kinds_and_versions_are_named() {
        verify_passed_over(framed(999, note_with_text_length(5)), DamageKind::unknown_kind);
        wire::FrameHeader newer;
        newer.version = wire::wire_version + 1;
        verify_passed_over(framed(note_kind, note_with_text_length(5), newer), DamageKind::unknown_version);
    }
};

}  // namespace tst_record_damage

ROOFWALK_TEST(tst_record_damage, TestRecordDamage, NoApplication)
#include "tst_record_damage.moc"
