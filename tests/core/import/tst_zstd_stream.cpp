// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/compressed_file.h"

#include <QTest>

#include "tests/core/import/zstd_pack.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_zstd_stream {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Result<UnpackedFile> unpack(const std::string& packed, const Progress& progress = {}) {
    return unpack_zstd(std::as_bytes(std::span(packed)), progress);
}

std::string text_of(const UnpackedFile& unpacked) {
    std::string text;
    for (const std::byte byte : unpacked.bytes)
        text += std::to_integer<char>(byte);
    return text;
}

/// Text that does not shrink to nothing.
std::string some_text(std::size_t size) {
    std::string text(size, '\0');
    std::uint32_t state = 1;
    for (char& c : text) {
        state = state * 1664525U + 1013904223U;
        c = static_cast<char>('a' + (state >> 28U));
    }
    return text;
}

}  // namespace

class TestZstdStream : public QObject {
    Q_OBJECT

  private slots:
    void zstd_is_known_by_its_first_bytes() {
        const auto known = [](const std::string& text) { return is_zstd(std::as_bytes(std::span(text))); };
        QVERIFY(known(pack_zstd("text")));
        QVERIFY(known(zstd_skippable_frame("")));
        QVERIFY(!known("\x28\xB5\x2F"));
        QVERIFY(!known("NVR."));
        QVERIFY(!known(""));
    }
    void frames_with_and_without_a_size_are_unpacked() {
        const std::string text = some_text(3 << 20);
        for (const std::string& packed : {pack_zstd(text), pack_zstd_stream(text)}) {
            const auto unpacked = unpack(packed);
            QVERIFY(unpacked.has_value());
            QVERIFY(!unpacked->damage);
            QVERIFY(text_of(*unpacked) == text);
        }
    }
    void several_frames_follow_one_another() {
        const auto unpacked = unpack(zstd_skippable_frame("note") + pack_zstd("one, ") +
                                     zstd_skippable_frame("") + pack_zstd_stream("two"));
        QVERIFY(unpacked.has_value());
        QVERIFY(!unpacked->damage);
        QCOMPARE(text_of(*unpacked), std::string("one, two"));
    }
    void a_cut_keeps_what_came_before() {
        const std::string text = some_text(3 << 20);
        const std::string packed = pack_zstd(text);
        const auto unpacked = unpack(packed.substr(0, packed.size() / 2));
        QVERIFY(unpacked.has_value());
        QVERIFY(unpacked->damage && unpacked->damage->code == ErrorCode::truncated);
        QVERIFY(unpacked->damage->where.find("offset") != std::string::npos);
        QVERIFY(!unpacked->bytes.empty());
        QVERIFY(text.starts_with(text_of(*unpacked)));
    }
    void bytes_behind_the_last_frame_are_named() {
        const auto unpacked = unpack(pack_zstd("text") + "something else");
        QVERIFY(unpacked.has_value());
        QVERIFY(unpacked->damage && unpacked->damage->code == ErrorCode::corrupt);
        QCOMPARE(text_of(*unpacked), std::string("text"));
    }
    void damage_before_any_output_is_an_error() {
        const auto cut = unpack(pack_zstd("text").substr(0, 6));
        QVERIFY(!cut.has_value() && cut.error().code == ErrorCode::truncated);
        // A window of more than 128 MiB is refused before anything is allocated for it.
        const auto window = unpack(std::string("\x28\xB5\x2F\xFD\x00\xF8\x01\x00\x00", 9));
        QVERIFY(!window.has_value() && window.error().code == ErrorCode::corrupt);
    }
    void a_claimed_size_is_not_believed() {
        // A frame of 2^40 bytes by its header that holds "text" by its only block.
        const std::string header("\x28\xB5\x2F\xFD\xC0\x08\x00\x00\x00\x00\x00\x01\x00\x00", 14);
        const auto unpacked = unpack(header + std::string("\x21\x00\x00text", 7));
        QVERIFY(unpacked.has_value() ? unpacked->damage.has_value()
                                     : unpacked.error().code == ErrorCode::corrupt);
    }
    void a_bomb_is_refused() {
        const std::string packed = pack_zstd(std::string(std::size_t{96} << 20U, '\0'));
        QVERIFY(packed.size() < 100'000);
        const auto unpacked = unpack(packed);
        QVERIFY(!unpacked.has_value());
        QVERIFY(unpacked.error().code == ErrorCode::too_large);
        QVERIFY(!unpacked.error().hint.empty());
    }
    void padding_does_not_make_a_bomb_fit_data() {
        QTest::addColumn<QByteArray>("packed");
        const auto row = [](const char* tag, const std::string& packed) {
            QTest::newRow(tag) << QByteArray(packed.data(), static_cast<qsizetype>(packed.size()));
        };
        constexpr std::size_t mebibyte = std::size_t{1} << 20U;
        const std::string bomb = pack_zstd(std::string(96 * mebibyte, '\0'));
        const std::string padding(8 * mebibyte, 'x');
        row("behind it", bomb + padding);
        row("a skippable frame before it", zstd_skippable_frame(padding) + bomb);
        row("a skippable frame behind it", bomb + zstd_skippable_frame(padding));
        std::string frames = zstd_skippable_frame(padding);
        const std::string tiny = pack_zstd(std::string(mebibyte / 8, '\0'));
        for (int i = 0; i < 1000; ++i)
            frames += tiny + zstd_skippable_frame("");
        row("many tiny frames", frames);
        row("a real start", pack_zstd(some_text(mebibyte / 16)) + bomb + padding);
    }
    void padding_does_not_make_a_bomb_fit() {
        QFETCH(QByteArray, packed);
        const auto unpacked = unpack(packed.toStdString());
        QVERIFY(!unpacked.has_value());
        QVERIFY(unpacked.error().code == ErrorCode::too_large);
    }
    void skippable_frames_that_are_cut_are_told() {
        const std::string frame = zstd_skippable_frame("a note for other programs");
        const auto cut = unpack(pack_zstd("text") + frame.substr(0, frame.size() - 3));
        QVERIFY(cut.has_value() && cut->damage && cut->damage->code == ErrorCode::truncated);
        QCOMPARE(text_of(*cut), std::string("text"));
    }
    void what_cannot_be_read_is_not_unpacked_whole() {
        constexpr std::size_t mebibyte = std::size_t{1} << 20U;
        const std::string packed = pack_zstd(some_text(8 * mebibyte));
        const auto refused = unpack_zstd(std::as_bytes(std::span(packed)), {},
                                         [](std::span<const std::byte>) { return false; });
        QVERIFY(refused.has_value() && refused->bytes.size() <= 2 * mebibyte);
        std::size_t asked = 0;
        const auto whole =
            unpack_zstd(std::as_bytes(std::span(packed)), {}, [&](std::span<const std::byte> start) {
                ++asked;
                return start.size() >= mebibyte;
            });
        QVERIFY(whole.has_value() && whole->bytes.size() == 8 * mebibyte && asked == 1);
    }
    void the_limit_grows_with_the_input_up_to_4_gib() {
        constexpr std::size_t mebibyte = std::size_t{1} << 20U;
        QCOMPARE(unpacked_limit(0), 64 * mebibyte);
        QCOMPARE(unpacked_limit(mebibyte), 264 * mebibyte);
        QCOMPARE(unpacked_limit(21 * mebibyte), 4096 * mebibyte);
        QCOMPARE(unpacked_limit(std::size_t{1} << 60U), 4096 * mebibyte);
    }
    void unpacking_tells_where_it_is_and_keeps_what_it_has_when_stopped() {
        const std::string packed = pack_zstd(some_text(8 << 20));
        double last = 0;
        const auto unpacked = unpack(packed, {[&](double share) { last = share; }, {}});
        QVERIFY(unpacked.has_value());
        QCOMPARE(last, 1.0);
        std::stop_source stop;
        const Progress until_half{[&](double share) {
                                      if (share > 0.5) stop.request_stop();
                                  },
                                  stop.get_token()};
        const auto half = unpack(packed, until_half);
        QVERIFY(half.has_value() && half->damage && half->damage->code == ErrorCode::cancelled);
        QVERIFY(half->bytes.size() > (2U << 20U) && half->bytes.size() < (8U << 20U));
        const auto nothing = unpack(packed, until_half);
        QVERIFY(!nothing.has_value() && nothing.error().code == ErrorCode::cancelled);
    }
};

}  // namespace tst_zstd_stream

ROOFWALK_TEST(tst_zstd_stream, TestZstdStream, NoApplication)
#include "tst_zstd_stream.moc"
