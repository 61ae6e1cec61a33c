// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTest>
#include <algorithm>

#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_proton_profile {

using namespace roofwalk;

namespace {

std::string document() {
    QFile file(QString::fromStdString((test::data_folder() / "trace" / "proton.hatchet").string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Result<Profile> read(const std::string& text) {
    return read_profile(std::as_bytes(std::span(text)), "proton.hatchet");
}

std::string tree_of(const std::string& metrics) {
    std::string text =
        R"([{"children": [{"children": [], "frame": {"name": "k"}, "metrics": {"device_id": "0",
        "device_type": "CUDA", HERE}}], "frame": {"name": "ROOT"}, "metrics": {}}, {}])";
    return text.replace(text.find("HERE"), 4, metrics);
}

std::vector<const Launch*> launches_of(const Profile& profile, std::string_view name) {
    std::vector<const Launch*> launches;
    for (const Launch& launch : profile.launches)
        if (profile.kernel_of(launch).name == name) launches.push_back(&launch);
    return launches;
}

}  // namespace

class TestProtonProfile : public QObject {
    Q_OBJECT

  private slots:
    void an_older_triton_spells_its_members_otherwise() {
        std::string text = document();
        for (const auto& [now, before] :
             {std::pair<std::string, std::string>("\"time (ns)\"", "\"Time (ns)\""),
              {"\"count\"", "\"Count\""},
              {"\"device_id\"", "\"DeviceId\""},
              {"\"device_type\"", "\"DeviceType\""}})
            for (auto at = text.find(now); at != std::string::npos; at = text.find(now))
                text.replace(at, now.size(), before);
        const auto today = read(document());
        const auto profile = read(text);
        QVERIFY(today && profile);
        QCOMPARE(profile->launches.size(), today->launches.size());
        for (std::size_t i = 0; i < profile->launches.size(); ++i) {
            QCOMPARE(profile->launches[i].duration, today->launches[i].duration);
            QCOMPARE(profile->device_of(profile->launches[i]).sm_count,
                     today->device_of(today->launches[i]).sm_count);
        }
    }
    void each_launch_has_the_average_of_its_frame() {
        const auto profile = read(document());
        QVERIFY(profile);
        const auto launches = launches_of(*profile, "matmul_kernel [M=8192, N=8192, K=512]");
        QCOMPARE(launches.size(), std::size_t{10});
        const Launch& launch = *launches[9];
        QCOMPARE(launch.duration->value(), 150e-6);
        QVERIFY(launch.duration_origin == TimeOrigin::alike);
        QCOMPARE(launch.work.size(), std::size_t{1});
        QVERIFY(launch.work[0].pipe == Pipe{PipeKind::tensor_fp16} &&
                launch.work[0].origin == Origin::modelled);
        QCOMPARE(launch.work[0].work.value(), 2.0 * 8192 * 8192 * 512);
        const TrafficSample* bytes = launch.find(Boundary::hbm_dram_rw);
        QVERIFY(bytes && bytes->origin == Origin::modelled);
        QCOMPARE(bytes->total.value(), 9227468.8);
        QCOMPARE(profile->nvtx_of(launch), NvtxStack{"step"});
    }
    void figures_of_a_scope_are_those_of_its_only_kernel() {
        const auto profile = read(document());
        QVERIFY(profile);
        const auto launches = launches_of(*profile, "nvjet_qqh_256x128");
        QCOMPARE(launches.size(), std::size_t{2});
        QVERIFY(launches[0]->work[0].pipe == Pipe{PipeKind::tensor_fp8});
        QCOMPARE(launches[0]->work[0].work.value(), 2.0 * 8192 * 8192 * 512);
        QCOMPARE(launches[0]->traffic[0].total.value(), 16777216.0);
        QCOMPARE(nvtx_path(profile->nvtx_of(*launches[0])),
                 std::string("step / cublas [M=8192, N=8192, K=512]"));
    }
    void figures_of_several_kernels_are_none_of_each_and_told() {
        const auto profile = read(document());
        QVERIFY(profile);
        const auto launches = launches_of(*profile, "softmax");
        QCOMPARE(launches.size(), std::size_t{1});
        QVERIFY(launches[0]->traffic.empty() && launches[0]->duration == Seconds(7e-6));
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::not_understood);
    }
    void what_tells_the_work_is_no_kernel_of_the_program() {
        std::string newer = document();
        constexpr std::string_view scope = "__proton_launch_metadata";
        newer.replace(newer.find(scope), scope.size(), "__proton_launch_metadata:matmul_kernel");
        for (const std::string& text : {document(), newer}) {
            const auto profile = read(text);
            QVERIFY(profile);
            QVERIFY(launches_of(*profile, "vectorized_elementwise_kernel").empty());
            QCOMPARE(profile->launches.size(), std::size_t{14});
        }
    }
    void a_figure_below_zero_is_none_and_told() {
        std::string text = document();
        text.replace(text.find("1500000"), 7, "-150000");
        const auto profile = read(text);
        QVERIFY(profile);
        const Launch& launch = *launches_of(*profile, "matmul_kernel [M=8192, N=8192, K=512]").front();
        QVERIFY(!launch.duration && !launch.work.empty());
        QVERIFY(std::ranges::any_of(profile->warnings, [](const Warning& warning) {
            return warning.message.code == ErrorCode::bad_schema;
        }));
    }
    void what_the_program_tells_of_itself_may_be_below_zero() {
        const auto profile = read(tree_of(R"x("time (ns)": 10, "loss": -1.25)x"));
        QVERIFY(profile);
        QVERIFY(profile->warnings.empty());
    }
    void a_profile_that_was_cut_keeps_the_frames_before_data() {
        QTest::addColumn<QString>("until");
        QTest::addColumn<int>("launches");
        QTest::newRow("no frame") << "ns)\":1500000" << 0;
        QTest::newRow("kernels") << "\"dropout" << 13;
        QTest::newRow("scope") << "\"step\"" << 14;
        QTest::newRow("GPU") << "clock_rate" << 14;
    }
    void a_profile_that_was_cut_keeps_the_frames_before() {
        QFETCH(QString, until);
        QFETCH(int, launches);
        const std::string text = document();
        const auto profile = read(text.substr(0, text.find(until.toStdString())));
        QCOMPARE(profile.has_value(), launches > 0);
        if (!profile) QVERIFY(profile.error().code == ErrorCode::truncated);
        if (!profile) return;
        QCOMPARE(profile->launches.size(), static_cast<std::size_t>(launches));
        QVERIFY(profile->sources[0].partial);
        QVERIFY(std::ranges::count(profile->warnings, ErrorCode::truncated,
                                   [](const Warning& warning) { return warning.message.code; }) == 1);
        const auto scoped = launches_of(*profile, "nvjet_qqh_256x128");
        QCOMPARE(scoped.size(), std::size_t{2});
        QCOMPARE(scoped[0]->duration->value(), 150e-6);
        QCOMPARE(scoped[0]->traffic[0].total.value(), 16777216.0);
        // The name of a scope is behind what it holds.
        QCOMPARE(nvtx_path(profile->nvtx_of(*scoped[0])),
                 std::string(until == "clock_rate" ? "step / " : "") + "cublas [M=8192, N=8192, K=512]");
    }
    void the_gpu_has_the_facts_of_the_file() {
        const auto profile = read(document());
        QVERIFY(profile);
        QCOMPARE(profile->devices.size(), std::size_t{1});
        const Device& device = profile->devices[0];
        QVERIFY(device.vendor == Vendor::nvidia && device.name.empty());
        QVERIFY(device.compute_capability == (ComputeCapability{9, 0}));
        QCOMPARE(*device.sm_count, 132);
        QCOMPARE(device.boost_clock->value(), 1.98e9);
        QCOMPARE(device.memory_clock->value(), 2.619e9);
        QCOMPARE(*device.memory_bus_bits, 5120);
    }
    void widths_are_pipes_and_what_is_negative_is_not_known() {
        const auto profile = read(tree_of(
            R"x("count": 1, "time (ns)": 10, "flops32": 3, "flops64": 4, "flops8": -1, "flops": 7, "bytes": -5)x"));
        QVERIFY(profile);
        const Launch& launch = profile->launches[0];
        QCOMPARE(launch.work.size(), std::size_t{2});
        QCOMPARE(launch.find(Pipe{PipeKind::fp32})->work.value(), 3.0);
        QCOMPARE(launch.find(Pipe{PipeKind::fp64})->work.value(), 4.0);
        QVERIFY(launch.traffic.empty());
        QVERIFY(launch.duration_origin == TimeOrigin::measured);
    }
    void a_count_that_is_none_or_too_many_takes_the_time_away_data() {
        QTest::addColumn<QString>("count");
        for (const char* count : {"0", "1.5", "-3", "1e12"})
            QTest::newRow(count) << count;
    }
    void a_count_that_is_none_or_too_many_takes_the_time_away() {
        QFETCH(QString, count);
        const auto profile = read(tree_of(R"x("time (ns)": 10, "count": )x" + count.toStdString()));
        QVERIFY(profile);
        // A count below 0 is no count, and the frame one launch.
        QCOMPARE(profile->launches.size(), std::size_t{1});
        QCOMPARE(profile->launches[0].duration.has_value(), count == "-3");
        QCOMPARE(profile->warnings.size(), std::size_t{1});
    }
    void a_tree_without_times_is_refused() {
        const auto profile = read(tree_of(R"("cycles": 10)"));
        QVERIFY(!profile);
        QVERIFY(profile.error().code == ErrorCode::bad_schema);
        QVERIFY(!read(document().substr(0, 200)));
    }
};

}  // namespace tst_proton_profile

ROOFWALK_TEST(tst_proton_profile, TestProtonProfile, NoApplication)
#include "tst_proton_profile.moc"
