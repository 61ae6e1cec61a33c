// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <random>

#include "core/import/open_profile.h"
#include "tests/core/import/zstd_pack.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"

namespace tst_bad_input {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

const std::string full_json =
    R"({"format":"roofwalk-profile","version":1,"devices":[{"id":"g","name":"GPU","sm_count":108,)"
    R"("ceilings":[{"kind":"bandwidth","boundary":"hbm/dram-rw","rate":2e12}]}],"kernels":[)"
    R"({"name":"a","device":"g","duration_ns":1000,"flops":{"fp32":1e6},"bytes":{"hbm":{"read":1e6,"write":5}}},)"
    R"({"name":"b","device":"g","duration_ns":2000,"flops":{"fp64":3},"bytes":{"l2":7},"nvtx":["x"]}]})";
const std::string json_lines =
    "{\"format\":\"roofwalk-profile\",\"version\":1,\"device\":\"V100\"}\n"
    "{\"name\":\"a\",\"duration_ns\":1000,\"flops\":1e6,\"bytes\":1e6}\n"
    "{\"name\":\"b\",\"duration_ns\":2000,\"flops\":2e6,\"bytes\":1e6}\n";
const std::string csv_long =
    "==PROF== Connected to process 77\n"
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream",)"
    R"("Section Name","Metric Name","Metric Unit","Metric Value")"
    "\n"
    R"csv("0","77","app","127.0.0.1","a ""quoted"" (int)","t","1","7","s","gpu__time_duration.sum","nsecond","1,600")csv"
    "\n"
    R"("1","77","app","127.0.0.1","b","t","1","7","s","gpu__time_duration.sum","usecond","2.5")"
    "\n";
const std::string csv_wide =
    R"("ID","Process ID","Kernel Name","Context","Stream","gpu__time_duration.sum","dram__bytes.sum")"
    "\n"
    R"("","","","","","usecond","Mbyte")"
    "\n"
    R"("0","77","a","1","7","1.5","2.25")"
    "\n"
    R"("1","77","b","1","7","3","4,000")"
    "\n";

Result<Profile> read(const std::string& content) {
    return read_profile(std::as_bytes(std::span(content)), "test");
}

void add_formats() {
    QTest::addColumn<QByteArray>("whole");
    const auto add = [](const char* name, const std::string& content) {
        QTest::newRow(name) << QByteArray::fromStdString(content);
    };
    const std::string report = write_report(small_report_fixture());
    add("report", report);
    add("compressed report", pack_zstd_stream(report));
    add("compressed report of two frames", pack_zstd(report.substr(0, 900)) + pack_zstd(report.substr(900)));
    add("JSON", full_json);
    add("JSON Lines", json_lines);
    add("CSV, long", csv_long);
    add("CSV, wide", csv_wide);
}

/// What must hold of anything that was read: indices inside the profile, numbers that are numbers, words for
/// a person beside everything that is partial.
bool is_sound(const Profile& profile) {
    const auto number = [](const auto& quantity) { return !quantity || std::isfinite(quantity->value()); };
    const bool launches_are = std::ranges::all_of(profile.launches, [&](const Launch& launch) {
        return static_cast<std::size_t>(launch.kernel) < profile.kernels.size() &&
               static_cast<std::size_t>(launch.device) < profile.devices.size() &&
               static_cast<std::size_t>(launch.nvtx) < profile.nvtx_stacks.size() &&
               number(launch.duration) && std::ranges::all_of(launch.work, [](const WorkSample& sample) {
                   return std::isfinite(sample.work.value()) && sample.work.value() >= 0;
               });
    });
    const bool partial = profile.sources.size() == 1 && profile.sources[0].partial;
    return launches_are && !profile.launches.empty() && profile.sources.size() == 1 &&
           (!partial || !profile.warnings.empty());
}

bool is_explained(const Error& error) {
    return !error.what.empty() && !error.where.empty();
}

bool is_handled(const Result<Profile>& profile) {
    return profile ? is_sound(*profile) : is_explained(profile.error());
}

}  // namespace

class TestBadInput : public QObject {
    Q_OBJECT

  private slots:
    void a_file_cut_at_any_byte_keeps_whole_kernels_or_says_why_not_data() { add_formats(); }
    void a_file_cut_at_any_byte_keeps_whole_kernels_or_says_why_not() {
        QFETCH(QByteArray, whole);
        const std::string content = whole.toStdString();
        const auto expected = read(content);
        QVERIFY2(expected && !expected->sources[0].partial, expected ? "" : expected.error().what.c_str());
        QCOMPARE(expected->launches.size(), std::size_t{2});
        for (std::size_t size = 0; size < content.size(); ++size) {
            const auto profile = read(content.substr(0, size));
            QVERIFY2(is_handled(profile), qPrintable(QString::number(size)));
            if (profile) QVERIFY(profile->launches.size() <= 2);
        }
    }
    void flipped_bits_are_read_or_refused_without_harm_data() { add_formats(); }
    void flipped_bits_are_read_or_refused_without_harm() {
        QFETCH(QByteArray, whole);
        std::mt19937 random(2026);
        std::uniform_int_distribution<qsizetype> place(0, whole.size() - 1);
        std::uniform_int_distribution<unsigned> bit(0, 7);
        for (int round = 0; round < 2000; ++round) {
            std::string damaged = whole.toStdString();
            for (int flips = 1 + round % 4; flips > 0; --flips) {
                char& byte = damaged[static_cast<std::size_t>(place(random))];
                byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << bit(random)));
            }
            QVERIFY2(is_handled(read(damaged)), qPrintable(QString::number(round)));
        }
    }
};

}  // namespace tst_bad_input

ROOFWALK_TEST(tst_bad_input, TestBadInput, NoApplication)
#include "tst_bad_input.moc"
