// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QFile>
#include <QTest>

#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_pytorch_trace {

using namespace roofwalk;

namespace {

std::string document() {
    QFile file(QString::fromStdString((test::data_folder() / "trace" / "pytorch.json").string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Result<Profile> read(const std::string& text) {
    return read_profile(std::as_bytes(std::span(text)), "trace.json");
}

std::string trace_of(const std::string& events) {
    return fmt::format(R"({{"schemaVersion": 1, "traceEvents": [{}]}})", events);
}

std::string kernel(const std::string& args, const std::string& times = R"("ts": 10.0, "dur": 2.5)") {
    return fmt::format(
        R"({{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, {}, "args": {{{}}}}})", times,
        args);
}

std::string range(const std::string& name, const std::string& times, const std::string& args = {}) {
    return fmt::format(
        R"({{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 5, "tid": 6, {}, "args": {{{}}}}})", name,
        times, args);
}

std::string path_of(const Profile& profile, std::size_t launch) {
    return nvtx_path(profile.nvtx_of(profile.launches[launch]));
}

}  // namespace

class TestPytorchTrace : public QObject {
    Q_OBJECT

  private slots:
    void a_list_of_events_alone_is_a_trace() {
        const std::string event = kernel(R"("grid": [2, 3, 4])");
        const auto whole = read(trace_of(event));
        const auto list = read(" [\n" + event + "]");
        QVERIFY(whole && list);
        QCOMPARE(list->launches.size(), std::size_t{1});
        QCOMPARE(list->launches[0].duration->value(), 2.5e-6);
        QVERIFY(list->launches[0].grid == whole->launches[0].grid);
        QVERIFY(!list->sources[0].partial);
        QVERIFY(!read(R"([{"name": "k", "duration_ns": 5}])"));
    }
    void kernels_have_times_geometry_and_gpu() {
        const auto profile = read(document());
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        const Launch& gemm = profile->launches[0];
        QCOMPARE(profile->kernel_of(gemm).name,
                 std::string("sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64"));
        QCOMPARE(gemm.duration->value(), 21.504e-6);
        // Since the first range of the trace, at 1000 µs.
        QVERIFY(std::abs(gemm.start->value() - 45.25e-6) < 1e-12);
        QVERIFY(gemm.grid == (Dim3{86, 1, 1}) && gemm.block == (Dim3{384, 1, 1}));
        QCOMPARE(gemm.stream, 7U);
        QVERIFY(gemm.work.empty() && gemm.traffic.empty());
        const Device& device = profile->device_of(gemm);
        QCOMPARE(device.name, std::string("NVIDIA H100 80GB HBM3"));
        QVERIFY(device.vendor == Vendor::nvidia);
        QVERIFY(device.compute_capability == (ComputeCapability{9, 0}));
        QCOMPARE(*device.sm_count, 132);
        QCOMPARE(device.memory_size->value(), 84929347584.0);
        QCOMPARE(*profile->sources[0].rank, 3U);
        QVERIFY(!profile->sources[0].partial && profile->warnings.empty());
    }
    void an_operation_reads_as_an_nvtx_range_of_pytorch_with_types() {
        const auto profile = read(document());
        QVERIFY(profile);
        const NvtxStack& stack = profile->nvtx_of(profile->launches[0]);
        QCOMPARE(stack.size(), std::size_t{3});
        QCOMPARE(stack[0], std::string("forward"));
        QCOMPARE(stack[1], std::string("aten::linear, sizes = [[64, 4096], [11008, 4096], []], types = "
                                       "[c10::Half, c10::Half, ]"));
        QCOMPARE(stack[2], std::string("aten::mm, sizes = [[64, 4096], [4096, 11008]], types = [c10::Half, "
                                       "c10::Half]"));
    }
    void what_else_an_attention_takes_is_kept() {
        const std::string args =
            R"("External id": 1, "Input Dims": [[2, 3], []], "Concrete Inputs": ["", "True"])";
        for (const auto& [name, kept] :
             {std::pair("aten::_flash_attention_forward", true), {"aten::sum", true}, {"aten::add", false}}) {
            const auto profile = read(
                trace_of(range(name, R"("ts": 0, "dur": 5)", args) + "," + kernel(R"("External id": 1)")));
            QVERIFY(profile);
            QCOMPARE(path_of(*profile, 0),
                     std::string(name) + ", sizes = [[2, 3], []]" + (kept ? ", inputs = [, True]" : ""));
        }
    }
    void without_an_external_id_the_call_tells_the_operation() {
        const auto profile = read(document());
        QVERIFY(profile);
        QCOMPARE(path_of(*profile, 1),
                 std::string("forward / aten::cat, sizes = [[64, 128], [64, 128], []], types = "
                             "[TensorList, TensorList, Scalar]"));
    }
    void what_has_ended_or_is_of_another_thread_is_not_around() {
        const std::string call =
            R"({"cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 6, "ts": 30, "dur": 1, )"
            R"("args": {"correlation": 9}})";
        const std::string before = range("before", R"("ts": 0, "dur": 30)");
        const std::string outer = range("outer", R"("ts": 0, "dur": 100)");
        const auto inside =
            read(trace_of(before + "," + outer + "," + call + "," + kernel(R"("correlation": 9)")));
        QVERIFY(inside);
        QCOMPARE(path_of(*inside, 0), std::string("outer"));
        std::string elsewhere = call;
        elsewhere.replace(elsewhere.find(R"("tid": 6)"), 8, R"("tid": 8)");
        const auto other = read(trace_of(outer + "," + elsewhere + "," + kernel(R"("correlation": 9)")));
        QVERIFY(other);
        QVERIFY(profile_has_no_range(*other));
    }
    void alike_operations_share_one_stack() {
        const std::string dims = R"("Input Dims": [[2, 3], [3, 4]], "External id": )";
        const auto profile =
            read(trace_of(range("aten::mm", R"("ts": 0, "dur": 5)", dims + "1") + "," +
                          range("aten::mm", R"("ts": 10, "dur": 5)", dims + "2") + "," +
                          kernel(R"("External id": 1)") + "," + kernel(R"("External id": 2)")));
        QVERIFY(profile);
        QCOMPARE(profile->nvtx_stacks.size(), std::size_t{2});
        QVERIFY(profile->launches[0].nvtx == profile->launches[1].nvtx);
        QVERIFY(profile->launches[0].range_call != profile->launches[1].range_call);
        QCOMPARE(path_of(*profile, 1), std::string("aten::mm, sizes = [[2, 3], [3, 4]]"));
    }
    void a_trace_without_shapes_says_how_to_get_them() {
        const auto profile = read(trace_of(range("aten::mm", R"("ts": 0, "dur": 5)", R"("External id": 1)") +
                                           "," + kernel(R"("External id": 1)")));
        QVERIFY(profile);
        QCOMPARE(path_of(*profile, 0), std::string("aten::mm"));
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::not_profiled);
        QVERIFY(profile->warnings[0].message.hint.find("record_shapes") != std::string::npos);
    }
    void an_id_of_several_operations_names_none() {
        const std::string call =
            R"({{"cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": {}, "ts": 30, "dur": 1, )"
            R"("args": {{"correlation": 9}}}})";
        const std::string two = range("aten::mm", R"("ts": 0, "dur": 100)", R"("External id": 1)") + "," +
                                range("aten::bmm", R"("ts": 200, "dur": 100)", R"("External id": 1)");
        const std::string both = R"("External id": 1, "correlation": 9)";
        // Its call tells which, unless calls differ too.
        const auto by_call =
            read(trace_of(two + "," + fmt::format(fmt::runtime(call), 6) + "," + kernel(both)));
        QVERIFY(by_call);
        QCOMPARE(path_of(*by_call, 0), std::string("aten::mm"));
        const auto none = read(trace_of(two + "," + fmt::format(fmt::runtime(call), 6) + "," +
                                        fmt::format(fmt::runtime(call), 7) + "," + kernel(both)));
        QVERIFY(none && profile_has_no_range(*none));
        QCOMPARE(none->warnings.size(), std::size_t{1});
        QVERIFY(none->warnings[0].message.code == ErrorCode::not_understood);
        QCOMPARE(none->warnings[0].launches.size(), std::size_t{1});
    }
    void all_calls_of_a_kernel_tell_its_operation_alike() {
        const std::string call =
            R"({{"cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": {}, "ts": {}, "dur": 1, )"
            R"("args": {{"correlation": 9}}}})";
        const auto calls = [&](int second_thread) {
            std::string events = range("aten::mm", R"("ts": 0, "dur": 100)");
            for (const auto& [thread, time] : {std::pair(6, 20), {second_thread, 30}, {6, 40}})
                events += "," + fmt::format(fmt::runtime(call), thread, time);
            return read(trace_of(events + "," + kernel(R"("correlation": 9)")));
        };
        const auto alike = calls(6);
        QVERIFY(alike);
        QCOMPARE(path_of(*alike, 0), std::string("aten::mm"));
        const auto differ = calls(7);
        QVERIFY(differ && profile_has_no_range(*differ));
        QVERIFY(differ->warnings[0].message.code == ErrorCode::not_understood);
        QCOMPARE(differ->warnings[0].launches.size(), std::size_t{1});
    }
    void a_trace_without_operations_says_how_to_get_them() {
        const auto profile = read(trace_of(kernel("")));
        QVERIFY(profile);
        QCOMPARE(profile->warnings.size(), std::size_t{1});
        QVERIFY(profile->warnings[0].message.code == ErrorCode::not_profiled);
        QVERIFY(profile->warnings[0].message.hint.find("ProfilerActivity.CPU") != std::string::npos);
    }
    void a_time_that_is_none_is_absent() {
        const auto profile = read(trace_of(kernel("", R"("ts": 1, "dur": 0)") + "," +
                                           kernel("", R"("ts": "soon", "dur": -1)") + "," +
                                           kernel("", R"("ts": 1e300, "dur": 3)")));
        QVERIFY(profile);
        QVERIFY(!profile->launches[0].duration && !profile->launches[1].duration);
        QVERIFY(!profile->launches[1].start && !profile->launches[2].start);
    }
    void a_time_below_zero_is_told_with_its_place() {
        const auto profile = read(trace_of(kernel("") + ",\n" + kernel("", R"("ts": 1, "dur": -5)") + ",\n" +
                                           kernel("", R"("ts": 2, "dur": -1)")));
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{3});
        QVERIFY(profile->launches[0].duration && !profile->launches[1].duration);
        const Error& warning = profile->warnings.back().message;
        QVERIFY2(warning.where.ends_with("line 2"), warning.where.c_str());
        QVERIFY2(warning.hint.find('2') != std::string::npos, warning.hint.c_str());
    }
    void times_that_are_ages_apart_are_none() {
        const auto profile = read(trace_of(range("before", R"("ts": -8.9e15, "dur": 5)") + "," +
                                           kernel("", R"("ts": 8.9e15, "dur": 3)")));
        QVERIFY(profile && !profile->launches[0].start && profile->launches[0].duration);
    }
    void a_cut_trace_keeps_its_kernels() {
        const std::string whole = document();
        const auto profile = read(whole.substr(0, whole.find("CatArrayBatchedCopy")));
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{1});
        QVERIFY(profile->sources[0].partial);
        QVERIFY(profile->warnings.back().message.code == ErrorCode::truncated);
        QCOMPARE(profile->nvtx_of(profile->launches[0]).size(), std::size_t{3});
    }
    void an_event_that_is_no_json_is_left_out_and_told() {
        const auto profile =
            read(trace_of(kernel("") + "," + kernel(R"("grid": [1, NaN, 1])") + "," + kernel("")));
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), std::size_t{2});
        QVERIFY(profile->sources[0].partial);
        QVERIFY(profile->warnings.back().message.code == ErrorCode::bad_json);
    }
    void a_trace_without_kernels_says_how_to_record_them() {
        for (const std::string& events : {std::string(), range("aten::mm", R"("ts": 0, "dur": 5)")}) {
            const auto profile = read(trace_of(events));
            QVERIFY(!profile);
            QVERIFY(profile.error().code == ErrorCode::bad_schema);
            QVERIFY(profile.error().hint.find("ProfilerActivity.CUDA") != std::string::npos);
        }
    }
    void ranges_deeper_than_any_are_kept_to_a_depth() {
        std::string events;
        for (int i = 0; i < 300; ++i)
            events +=
                range("deep", "\"ts\": " + std::to_string(i) + ", \"dur\": " + std::to_string(1000 - 2 * i),
                      "\"External id\": " + std::to_string(i + 1)) +
                ",";
        const auto profile = read(trace_of(events + kernel(R"("External id": 300)")));
        QVERIFY(profile);
        QCOMPARE(profile->nvtx_of(profile->launches[0]).size(), std::size_t{64});
    }

  private:
    static bool profile_has_no_range(const Profile& profile) {
        return profile.launches[0].nvtx == NvtxIndex::none;
    }
};

}  // namespace tst_pytorch_trace

ROOFWALK_TEST(tst_pytorch_trace, TestPytorchTrace, NoApplication)
#include "tst_pytorch_trace.moc"
