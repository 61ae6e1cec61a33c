// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/import/compressed_file.h"
#include "core/import/open_profile.h"
#include "tests/core/import/counted_memory.h"
#include "tests/core/import/memory_bound.h"
#include "tests/core/import/zstd_pack.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"

namespace tst_memory_bound {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::size_t megabyte = 1'000'000;

std::string times(std::size_t count, std::string_view text) {
    std::string all;
    all.reserve(count * text.size());
    for (std::size_t i = 0; i < count; ++i)
        all += text;
    return all;
}

/// As many whole texts as fit.
std::string filled(std::size_t size, std::string_view text) {
    return times(size / text.size(), text);
}

std::string little_endian(std::size_t value) {
    std::string bytes;
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>((value >> shift) & 0xFFU);
    return bytes;
}

/// A protobuf field of bytes.
std::string field(unsigned number, const std::string& content) {
    std::string bytes(1, static_cast<char>(number << 3U | 2U));
    std::size_t size = content.size();
    for (; size >= 128; size >>= 7U)
        bytes += static_cast<char>((size & 127U) | 128U);
    bytes += static_cast<char>(size);
    return bytes + content;
}

std::string block(const std::string& header, const std::string& payload = {}) {
    return little_endian(header.size()) + header + payload;
}

/// A sound report of two kernels with something behind it.
std::string report_with(const std::string& tail) {
    return write_report(small_report_fixture()) + tail;
}

struct Read {
    std::size_t kernels = 0;
    std::size_t memory = 0;
    std::string words;  ///< of what is wrong with the file
};

Read read(const std::string& file) {
    count_memory();
    const auto profile = read_profile(std::as_bytes(std::span(file)), "test");
    Read result{profile ? profile->launches.size() : 0, most_memory(), {}};
    if (!profile) result.words = to_line(profile.error());
    if (profile)
        for (const Warning& warning : profile->warnings)
            result.words += to_line(warning.message) + '\n';
    return result;
}

const std::string results_1("\x10\x01", 2);  // field 2: one result
const std::string csv_header = "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"";

}  // namespace

class TestMemoryBound : public QObject {
    Q_OBJECT

  private slots:
    void a_hostile_file_takes_no_more_than_the_bound_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("words");
        const auto add = [](const char* name, const std::string& file, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << QString(words);
        };
        constexpr std::size_t size = 12 * megabyte;
        const std::string name = field(4, field(1, "a"));
        add("blocks that repeat one name", report_with(filled(size, block(name))),
            "The report starts its list of metric names more than 4096 times");
        add("blocks that claim a result and have no payload", report_with(filled(size, block(results_1))),
            "too many for its size");
        add("a block of empty names", report_with(block(field(4, filled(size, field(1, ""))))),
            "more names or devices than any report has");
        add("a block of devices", report_with(block(field(3, filled(size, field(6, ""))))),
            "more names or devices than any report has");
        add("a block of empty session pieces", report_with(block(filled(size, field(3, "")))),
            "more names or devices than any report has");
        const std::string metrics = field(7, "k") + filled(size, field(13, ""));
        const std::string result = little_endian(metrics.size()) + metrics;
        std::string sized = results_1 + "\x28";
        for (std::size_t rest = result.size(); rest > 0; rest >>= 7U)
            sized += static_cast<char>((rest & 127U) | (rest >= 128 ? 128U : 0U));
        add("a result of empty metrics", report_with(block(sized, result)), "cannot be read and is left out");

        constexpr std::size_t texts = 4 * megabyte;
        const std::string json = R"({"device":"V100","kernels":[{"name":"a"})";
        add("JSON with many empty kernels", json + filled(texts, ",{}") + "]}", "kernels[1]");
        add("JSON with many kernels of a name", json + filled(texts, R"(,{"name":"a"})") + "]}", "");
        add("JSON Lines with many kernels of a name",
            "{\"format\":\"roofwalk-profile\",\"version\":1,\"device\":\"V100\"}\n" +
                filled(texts, "{\"name\":\"a\"}\n"),
            "");
        add("JSON with deep brackets", filled(texts, "["), "");
        add("JSON with many unknown fields",
            R"({"device":"V100","kernels":[{"name":"a","x":[)" + filled(texts, "0,") + "0]}]}", "");
        const std::string trace = R"({"traceEvents":[{"cat":"kernel","name":"a"})";
        add("a trace with many ranges",
            trace + filled(texts, R"(,{"cat":"cpu_op","ts":1,"name":"a"})") + "]}", "");
        add("a trace with many kernels",
            trace + filled(megabyte / 10, R"(,{"cat":"kernel","name":"a"})") + "]}", "");
        std::string counts;
        for (int i = 0; i < 3; ++i)
            counts += R"x({"frame":{"name":"a"},"metrics":{"time (ns)":1,"count":400000}},)x";
        add("Proton with many launches", R"([{"frame":{"name":"ROOT"},"children":[)" + counts + "{}]}]",
            "One launch is kept of");
        add("CSV with many columns", csv_header + filled(texts, ",") + "\n0,a,1\n",
            "A line has more than 65536 fields");
        std::string labels = "Section: x\n------ - -\n";
        for (int i = 100'000; i < 200'000; ++i)
            labels += std::to_string(i) + " b 1\n";
        add("text of ncu with many labels", labels + "------ - -\n", "");
        add("text of ncu with many kernels",
            filled(megabyte, "k (1, 1, 1)x(1, 1, 1), Context 1, Stream 7\nSection: x\n- - -\na b 1\n- - -\n"),
            "");
        add("CSV with many kernels", csv_header + "\n" + filled(megabyte / 10, "\"0\",\"a\",1\n"), "");
    }
    void a_hostile_file_takes_no_more_than_the_bound() {
        QFETCH(QByteArray, file);
        QFETCH(QString, words);
        const std::string bytes = file.toStdString();
        const Read result = read(bytes);
        const std::size_t bound = memory_bound(bytes.size(), result.kernels);
        QVERIFY2(result.memory <= bound, qPrintable(QString("%1 MB of %2 MB, %3 kernels")
                                                        .arg(result.memory / megabyte)
                                                        .arg(bound / megabyte)
                                                        .arg(result.kernels)));
        QVERIFY2(QString::fromStdString(result.words).contains(words), result.words.c_str());
    }
    void what_stands_before_the_hostile_part_is_kept() {
        const std::string name = field(4, field(1, "a"));
        QCOMPARE(read(report_with(filled(megabyte, block(name)))).kernels, std::size_t{2});
        QCOMPARE(read(report_with(filled(megabyte, block(results_1)))).kernels, std::size_t{2});
    }
    void a_frame_that_lies_takes_no_more_than_what_comes_out() {
        // 2^40 bytes by its header, "text" by its only block.
        const std::string lying("\x28\xB5\x2F\xFD\xC0\x08\x00\x00\x00\x00\x00\x01\x00\x00\x21\x00\x00text",
                                21);
        QVERIFY(read(lying).memory < 4 * megabyte);
    }
    void a_packed_report_takes_what_unpacking_and_reading_may() {
        const std::string tail = filled(24 * megabyte, block(results_1));
        const std::string report = report_with(tail);
        const std::string packed = pack_zstd(report);
        QVERIFY(packed.size() < megabyte);
        const Read result = read(packed);
        QCOMPARE(result.kernels, std::size_t{2});
        QVERIFY(result.memory <=
                unpacking_memory_bound(report.size()) + memory_bound(report.size(), result.kernels));
        const std::string packed_bomb = pack_zstd(report_with(filled(120 * megabyte, block(results_1))));
        const Read bomb = read(packed_bomb);
        QCOMPARE(bomb.kernels, std::size_t{0});
        QVERIFY2(bomb.words.find("too much for its size") != std::string::npos, bomb.words.c_str());
        QVERIFY(bomb.memory <= unpacking_memory_bound(unpacked_limit(packed_bomb.size())));
    }
    void padding_a_packed_file_allows_no_more_memory() {
        const std::string padding = zstd_skippable_frame(std::string(8 * megabyte, 'x'));
        const std::string zeros = pack_zstd(std::string(96 * megabyte, '\0'));
        for (const std::string& file : {zeros + padding, padding + zeros}) {
            const Read unknown = read(file);
            QVERIFY(unknown.kernels == 0 && unknown.memory < 8 * megabyte);
        }
        const std::string report = pack_zstd(report_with(filled(96 * megabyte, block(results_1))));
        for (const std::string& file : {report + padding, padding + report}) {
            const Read bomb = read(file);
            QVERIFY2(bomb.words.find("too much for its size") != std::string::npos, bomb.words.c_str());
            QVERIFY(bomb.memory <= unpacking_memory_bound(unpacked_limit(report.size())));
        }
    }
    void many_honest_kernels_stay_within_the_bound_and_are_read_whole_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<std::size_t>("kernels");
        QTest::addColumn<QString>("words");
        const auto add = [](const char* name, const std::string& file, std::size_t kernels,
                            const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << kernels << QString(words);
        };
        constexpr std::size_t many = 20'000;
        FixtureKernel kernel = small_report_fixture().kernels[0];
        add("a report of measured kernels", write_report(repeated_fixture(kernel, many / 10)), many / 10, "");
        kernel.grid = {0, 0, 0};
        add("a report of kernels without counters", write_report(repeated_fixture(kernel, many)), many,
            "could not measure 20000 kernels");
        std::string lines = "{\"format\":\"roofwalk-profile\",\"version\":1,\"device\":\"V100\"}\n";
        for (std::size_t i = 0; i < many; ++i)
            lines += "{\"name\":\"k" + std::to_string(i % 50) +
                     "\",\"duration_ns\":" + std::to_string(1000 + i) +
                     ",\"flops\":{\"fp32\":1e6},\"bytes\":{\"hbm\":1e6}}\n";
        add("JSON Lines of measured kernels", lines, many, "");
    }
    void many_honest_kernels_stay_within_the_bound_and_are_read_whole() {
        QFETCH(QByteArray, file);
        QFETCH(std::size_t, kernels);
        QFETCH(QString, words);
        const std::string bytes = file.toStdString();
        const Read result = read(bytes);
        QCOMPARE(result.kernels, kernels);
        QVERIFY2(result.words.empty() == words.isEmpty(), result.words.c_str());
        QVERIFY2(QString::fromStdString(result.words).contains(words), result.words.c_str());
        QVERIFY(result.memory <= memory_bound(bytes.size(), kernels));
    }
    void a_real_profile_stays_far_below_the_bound() {
        const std::string report = write_report(full_report_fixture());
        const Read result = read(report);
        QCOMPARE(result.kernels, std::size_t{8});
        QVERIFY(result.memory < memory_bound(report.size(), result.kernels) - memory_allowance / 2);
    }
};

}  // namespace tst_memory_bound

ROOFWALK_TEST(tst_memory_bound, TestMemoryBound, NoApplication)
#include "tst_memory_bound.moc"
