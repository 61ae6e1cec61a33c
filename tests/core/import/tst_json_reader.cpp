// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTest>
#include <string>

#include "core/import/json/json_reader.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_json_reader {

using namespace roofwalk;

namespace {

std::string full_form() {
    QFile file(QString::fromStdString((test::data_folder() / "json" / "full.json").string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}

Profile read(std::string_view text) {
    auto profile = read_json(text, "run.json");
    if (profile) return std::move(*profile);
    qWarning("%s", to_line(profile.error()).c_str());
    return {};
}

}  // namespace

class TestJsonReader : public QObject {
    Q_OBJECT

  private slots:
    void the_full_form_is_read() {
        const Profile profile = read(full_form());
        QCOMPARE(profile.launches.size(), 2U);
        QVERIFY(profile.warnings.empty());
        QCOMPARE(profile.sources.front().format, SourceFormat::roofwalk_json);
        QCOMPARE(profile.sources.front().tool, std::string("Nsight Compute 2025.1.1.0"));
        QCOMPARE(profile.sources.front().range_results, 2U);

        const Launch& launch = profile.launches[0];
        QCOMPARE(profile.kernel_of(launch).name, std::string("void saxpy<float>(int, float*)"));
        QCOMPARE(profile.kernel_of(launch).function_name, std::string("saxpy"));
        QVERIFY((launch.grid == Dim3{128, 2, 1}));
        QVERIFY((launch.block == Dim3{256, 1, 1}));
        QCOMPARE(launch.stream, 7U);
        QCOMPARE(launch.process, 42U);
        QVERIFY((profile.nvtx_of(launch) == NvtxStack{"step", "inner"}));
        QCOMPARE(launch.range_call, 6U);
        QCOMPARE(launch.duration->value(), 1600e-9);
        QCOMPARE(launch.start->value(), 1e-6);
        QVERIFY(launch.clocks_locked == true);
        QCOMPARE(*profile.metric(launch, "sm__cycles_elapsed.max"), 2048.5);
        QCOMPARE(profile.texts.view(launch.algorithm), std::string_view("saxpy n=1000000"));
        QVERIFY(profile.launches[1].algorithm == TextId::none);
    }

    void launches_of_one_number_are_one_in_recordings_only() {
        const std::string kernels = R"("kernels": [{"name": "k", "launch": 3, "duration_ns": 1},
                                                   {"name": "k", "launch": 3, "like": 3, "duration_ns": 2}]})";
        const Profile profile = read(R"({"device": "H100 SXM", )" + kernels);
        QCOMPARE(profile.launches.size(), 2U);
        QCOMPARE(profile.launches[1].duration, std::optional(Seconds(2e-9)));
        QVERIFY(profile.warnings.empty());
    }
    void an_algorithm_is_a_text_or_an_object() {
        const auto algorithm = [](const std::string& value) {
            const Profile profile =
                read(R"({"device":"H100","kernels":[{"name":"a","algorithm":)" + value + "}]}");
            return std::string(profile.texts.view(profile.launches.at(0).algorithm));
        };
        QCOMPARE(algorithm(R"("gemm m=1 n=2 k=3")"), std::string("gemm m=1 n=2 k=3"));
        QCOMPARE(algorithm(R"({"op":"gemm","m":4096,"dtype":"fp16","beta":0.5,"pipe":null})"),
                 std::string("gemm m=4096 dtype=fp16 beta=0.5"));
        QCOMPARE(algorithm(R"({"n":8,"flag":true,"work":"2 * n, or so","op":"custom"})"),
                 std::string("custom n=8 flag=yes work=\"2 * n, or so\""));
        QCOMPARE(algorithm("null"), std::string());
    }

    void an_algorithm_without_a_name_is_ignored_with_a_warning() {
        const Profile profile = read(R"({"device":"H100","kernels":[{"name":"a"},
            {"name":"a","algorithm":{"m":1}},{"name":"b","algorithm":{"m":2}}]})");
        QCOMPARE(profile.launches.size(), 3U);
        QVERIFY(profile.launches[1].algorithm == TextId::none);
        QCOMPARE(profile.warnings.size(), 1U);
        const Error warning = message_of(profile.warnings.front());
        QCOMPARE(warning.what, std::string("The algorithm does not name its operation and is left out"));
        QCOMPARE(warning.where, std::string("run.json, kernels[1].algorithm, line 2, and 1 more like it"));
        QCOMPARE(warning.hint, std::string(R"(Add its name: "op": "gemm".)"));
    }

    void work_and_traffic_keep_origin_boundary_and_source() {
        const Profile profile = read(full_form());
        const Launch& launch = profile.launches[0];
        QCOMPARE(launch.find(Pipe{PipeKind::fp32})->work.value(), 2e6);
        QVERIFY(launch.find(Pipe{PipeKind::fp32})->origin == Origin::measured);
        const WorkSample* tensor = launch.find(Pipe{PipeKind::tensor_fp16});
        QCOMPARE(tensor->work.value(), 0.0);
        QVERIFY(tensor->origin == Origin::estimated);
        QCOMPARE(std::string(profile.texts.view(tensor->source)), std::string("own words"));
        QCOMPARE(launch.find(Boundary::hbm_dram_rw)->total.value(), 12e6);
        QVERIFY(!launch.find(Boundary::hbm_dram_rw)->read);
        const TrafficSample* returned = launch.find(Boundary::l2_sm_return);
        QCOMPARE(returned->write->value(), 0.0);
        QCOMPARE(std::string(profile.texts.view(returned->source)), std::string("lts sectors * 32"));
        QCOMPARE(launch.find(Boundary::l2_sm_sectors)->total.value(), 7.0);
        QCOMPARE(launch.find(Boundary::smem_wavefronts)->total.value(), 0.0);
        QVERIFY(!launch.find(Boundary::l1_unified));
    }

    void devices_and_ceilings_are_read() {
        const Profile profile = read(full_form());
        const Device& device = profile.devices.front();
        QCOMPARE(device.name, std::string("NVIDIA A100-PCIE-40GB"));
        QVERIFY((device.compute_capability == ComputeCapability{8, 0}));
        QCOMPARE(*device.sm_count, 108);
        QCOMPARE(device.boost_clock->value(), 1.41e9);
        QCOMPARE(device.memory_size->value(), 42505273344.0);
        const ComputeCeiling* sparse = device.ceilings.find(Pipe{PipeKind::tensor_fp16, true});
        QCOMPARE(sparse->rate.value(), 6.24e14);
        QVERIFY(sparse->provenance.source == CeilingSource::table);
        QCOMPARE(device.ceilings.find(Boundary::hbm_dram_rw)->provenance.mix,
                 std::string("1 read : 1 write"));
        const Launch& launch = profile.launches[0];
        QCOMPARE(launch.ceilings->find(Boundary::l2_all)->rate.value(), 4e12);
        QVERIFY(launch.ceilings->find(Boundary::l2_all)->provenance.source == CeilingSource::user);
    }

    void what_was_not_measured_stays_absent() {
        const Profile profile = read(full_form());
        const Launch& failed = profile.launches[1];
        QVERIFY(failed.failed);
        QVERIFY(!failed.duration && !failed.start && !failed.clocks_locked && !failed.ceilings);
        QVERIFY(failed.work.empty() && failed.traffic.empty() && failed.metrics.empty());
        QVERIFY(failed.nvtx == NvtxIndex::none);
    }

    void the_short_form_is_read() {
        const Profile profile = read(
            R"({"device":"H100 SXM","kernels":[{"name":"saxpy","flops":2e8,"bytes":1.2e9,"duration_ns":1600000}]})");
        QCOMPARE(profile.devices.front().name, std::string("H100 SXM"));
        const Launch& launch = profile.launches.front();
        QVERIFY((launch.work.front().pipe == Pipe{PipeKind::fp32}));
        QCOMPARE(launch.work.front().work.value(), 2e8);
        QVERIFY(launch.work.front().origin == Origin::modelled);
        QVERIFY(launch.traffic.front().boundary == Boundary::hbm_dram_rw);
        QCOMPARE(launch.traffic.front().total.value(), 1.2e9);
        QCOMPARE(launch.duration->value(), 1.6e-3);
    }

    void the_short_form_takes_a_precision_and_several_devices() {
        const Profile profile = read(R"({"kernels":[
            {"name":"a","device":"V100","flops":1,"precision":"tensor.fp16"},
            {"name":"a","device":"H100","flops":1},{"name":"b","device":"V100"}]})");
        QCOMPARE(profile.devices.size(), 2U);
        QCOMPARE(profile.kernels.size(), 2U);
        QVERIFY((profile.launches[0].work.front().pipe == Pipe{PipeKind::tensor_fp16}));
        QVERIFY(profile.launches[2].device == profile.launches[0].device);
        QCOMPARE(profile.device_of(profile.launches[1]).name, std::string("H100"));
    }

    void json_lines_are_read() {
        const Profile profile = read(
            "{\"format\":\"roofwalk-profile\",\"version\":1,\"device\":\"H100\"}\r\n"
            "{\"name\":\"a\",\"ceilings\":[{\"kind\":\"compute\",\"pipe\":\"fp32\",\"rate\":1e13}]}\n\n"
            "{\"name\":\"b\",\"ceilings\":[{\"kind\":\"compute\",\"pipe\":\"fp32\",\"rate\":1e13}]}\n"
            "{\"name\":\"a\"}");
        QCOMPARE(profile.launches.size(), 3U);
        QCOMPARE(profile.kernels.size(), 2U);
        QCOMPARE(profile.sources.front().format, SourceFormat::roofwalk_lines);
        QVERIFY(!profile.sources.front().partial);
        QVERIFY(profile.launches[0].ceilings == profile.launches[1].ceilings);
        QVERIFY(!profile.launches[2].ceilings);
    }

    void kernels_may_stand_before_the_devices() {
        const Profile profile = read(R"({"kernels":[{"name":"a","device":"x"}],"version":1,
            "devices":[{"id":"x","name":"H100"}],"format":"roofwalk-profile"})");
        QCOMPARE(profile.device_of(profile.launches.front()).name, std::string("H100"));
    }

    void a_byte_order_mark_is_passed_over() {
        QCOMPARE(read("\xEF\xBB\xBF{\"device\":\"H100\",\"kernels\":[{\"name\":\"a\"}]}").launches.size(),
                 1U);
    }

    void kernels_with_equal_names_but_other_functions_stay_apart() {
        const Profile profile = read(R"({"device":"H100","kernels":[
            {"name":"a","function":"f"},{"name":"a","function":"g"},{"name":"a","function":"f"}]})");
        QCOMPARE(profile.kernels.size(), 2U);
        QVERIFY(profile.launches[0].kernel == profile.launches[2].kernel);
    }

    void an_unknown_field_is_named_once() {
        const Profile profile =
            read(R"({"device":"H100","kernels":[{"name":"a","duration":5},{"name":"b","duration":6}]})");
        QCOMPARE(profile.launches.size(), 2U);
        QCOMPARE(profile.warnings.size(), 1U);
        QVERIFY(profile.warnings.front().message.what.find("\"duration\"") != std::string::npos);
        QCOMPARE(profile.warnings.front().message.hint, std::string("Did you mean duration_ns?"));
        QVERIFY(!profile.sources.front().partial);
    }

    void a_time_under_another_name_is_told_its_own() {
        const Profile profile = read(R"({"device":"H100","kernels":[{"name":"a","time":0.001}]})");
        QCOMPARE(profile.warnings.size(), 1U);
        QCOMPARE(profile.warnings.front().message.hint,
                 std::string("Did you mean duration_ns, in nanoseconds?"));
        const Profile begun = read(R"({"device":"H100","kernels":[{"name":"a","timestamp":5}]})");
        QVERIFY(begun.warnings.front().message.hint.find("duration_ns") == std::string::npos);
    }

    void reading_can_be_cancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto profile = read_json(full_form(), "run.json", {{}, stop.get_token()});
        QVERIFY(!profile);
        QVERIFY(profile.error().code == ErrorCode::cancelled);
    }
};

}  // namespace tst_json_reader

ROOFWALK_TEST(tst_json_reader, TestJsonReader, NoApplication)
#include "tst_json_reader.moc"
