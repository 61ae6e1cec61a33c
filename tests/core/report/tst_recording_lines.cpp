// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recording_lines.h"

#include <QTest>

#include "core/import/json/json_reader.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/schema.h"

namespace tst_recording_lines {

using namespace roofwalk;

namespace {

/// A profile with a source and one kernel, as a recording begins.
Profile begun() {
    Profile profile;
    profile.sources.emplace_back().tool = "Roofwalk 1.0";
    profile.sources.front().rank = 3;
    profile.devices.emplace_back().name = "GPU";
    profile.kernels.push_back({"saxpy(float*)", "saxpy", "_Z5saxpyPf"});
    return profile;
}

LaunchIndex add_launch(Profile& profile, double microseconds) {
    Launch launch;
    launch.process = 17;
    if (microseconds > 0) {
        launch.duration = Seconds(microseconds * 1e-6);
        launch.traffic.push_back(
            {Boundary::hbm_dram_rw, Origin::measured, profile.texts.intern("dram"), Bytes(4096), {}, {}});
    }
    profile.launches.push_back(launch);
    return static_cast<LaunchIndex>(profile.launches.size() - 1);
}

Profile read_back(const std::string& text) {
    auto read = read_json(text, "run.jsonl", {});
    if (read) return *std::move(read);
    Profile nothing;
    nothing.warnings.push_back({read.error(), {}});
    return nothing;
}

}  // namespace

class TestRecordingLines : public QObject {
    Q_OBJECT

  private slots:
    void every_beginning_of_whole_lines_can_be_read() {
        Profile profile = begun();
        RecordingLines lines;
        std::string text = RecordingLines::header(profile);
        text += lines.launch(profile, add_launch(profile, 10), 1);
        QCOMPARE(text.back(), '\n');
        const Profile half = read_back(text);
        QCOMPARE(half.launches.size(), std::size_t{1});
        QVERIFY(half.sources.front().partial);
        QVERIFY(half.warnings.front().message.what.find("no end") != std::string::npos);

        text += lines.launch(profile, add_launch(profile, 20), 2);
        text += RecordingLines::end("");
        const Profile whole = read_back(text);
        QCOMPARE(whole.launches.size(), std::size_t{2});
        QVERIFY(!whole.sources.front().partial && whole.warnings.empty());
        QCOMPARE(whole.sources.front().rank, std::optional(3U));
        QCOMPARE(whole.kernels.front().mangled_name, std::string("_Z5saxpyPf"));
        QCOMPARE(whole.texts.view(whole.launches[1].traffic[0].source), std::string_view("dram"));
    }

    void a_torn_last_line_costs_that_line_only() {
        Profile profile = begun();
        RecordingLines lines;
        const std::string before =
            RecordingLines::header(profile) + lines.launch(profile, add_launch(profile, 10), 1);
        const std::string last = lines.launch(profile, add_launch(profile, 20), 2);
        for (const std::size_t kept : {std::size_t{1}, last.size() / 2, last.size() - 2}) {
            const Profile read = read_back(before + last.substr(0, kept));
            QCOMPARE(read.launches.size(), std::size_t{1});
            QVERIFY(read.sources.front().partial);
        }
    }

    void a_later_line_of_a_launch_stands_for_the_earlier_one() {
        Profile profile = begun();
        RecordingLines lines;
        std::string text = RecordingLines::header(profile);
        const LaunchIndex first = add_launch(profile, 10);
        text += lines.launch(profile, first, 1);
        text += lines.launch(profile, add_launch(profile, 20), 2);
        profile.launches[0].work.push_back({{PipeKind::fp32}, Origin::measured, TextId::none, Flops(64)});
        text += lines.launch(profile, first, 1) + RecordingLines::end("");
        const Profile read = read_back(text);
        QCOMPARE(read.launches.size(), std::size_t{2});
        QVERIFY(read.launches[0].find(Pipe{PipeKind::fp32}));
        QCOMPARE(read.launches[1].duration->value(), 20e-6);
    }

    void a_launch_that_was_not_measured_has_the_figures_of_its_like() {
        Profile profile = begun();
        RecordingLines lines;
        std::string text = RecordingLines::header(profile);
        text += lines.launch(profile, add_launch(profile, 10), 1);
        text += lines.launch_like(profile, add_launch(profile, 0), 2, 1);
        text += lines.launch_like(profile, add_launch(profile, 0), 3, 99) + RecordingLines::end("");
        const std::string counts = RecordingLines::counts({.seen = 3, .recorded = 1, .sampled_out = 2});
        QCOMPARE(test::against_schema(text + counts + RecordingLines::end("It was killed")), std::string());
        const Profile read = read_back(text);
        QCOMPARE(read.launches.size(), std::size_t{3});
        QCOMPARE(read.launches[1].duration->value(), 10e-6);
        QCOMPARE(read.launches[1].traffic.front().origin, Origin::estimated);
        QVERIFY(!read.launches[2].duration);
        QCOMPARE(read.warnings.size(), std::size_t{1});
        QVERIFY((read.warnings[0].launches == std::vector{LaunchIndex{1}}));
    }

    void devices_may_come_later_and_become_better_known() {
        Profile profile = begun();
        RecordingLines lines;
        std::string text = RecordingLines::header(profile);
        text += lines.launch(profile, add_launch(profile, 10), 1);
        profile.devices.emplace_back().name = "second";
        profile.devices[0].sm_count = 132;
        profile.launches[0].device = DeviceIndex{1};
        text += lines.launch(profile, LaunchIndex{0}, 1) + RecordingLines::end("");
        const Profile read = read_back(text);
        QCOMPARE(read.devices.size(), std::size_t{2});
        QCOMPARE(read.devices[0].sm_count, std::optional(132));
        QCOMPARE(read.device_of(read.launches[0]).name, std::string("second"));
    }

    void a_cut_recording_says_why() {
        Profile profile = begun();
        RecordingLines lines;
        const Profile read =
            read_back(RecordingLines::header(profile) + lines.launch(profile, add_launch(profile, 10), 1) +
                      RecordingLines::end("Process 17 was killed"));
        QVERIFY(read.sources.front().partial);
        QCOMPARE(read.warnings.front().message.what,
                 std::string("Process 17 was killed; the launches recorded until then are kept"));
        QCOMPARE(read.warnings.front().message.code, ErrorCode::truncated);
    }

    void other_files_have_no_such_lines() {
        const Profile read = read_back(R"({"format":"roofwalk-profile","version":1,"devices":[{"id":"g"}]})"
                                       "\n"
                                       R"({"name":"k","device":"g","duration_ns":5})"
                                       "\n"
                                       R"({"end":{"whole":true}})"
                                       "\n");
        QCOMPARE(read.launches.size(), std::size_t{1});
        QVERIFY(read.sources.front().partial);
    }
};

}  // namespace tst_recording_lines

ROOFWALK_TEST(tst_recording_lines, TestRecordingLines, NoApplication)
#include "tst_recording_lines.moc"
