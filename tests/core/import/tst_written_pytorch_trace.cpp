// SPDX-License-Identifier: GPL-3.0-or-later
// A trace that PyTorch wrote on the CPU (tests/data/trace/pytorch_cpu.py), and what kernels of its operations
// would be.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>
#include <memory>

#include "core/import/open_profile.h"
#include "core/model/profile_builder.h"
#include "core/operations/op_binding.h"
#include "core/roofline/analysis.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_written_pytorch_trace {

using namespace roofwalk;

namespace {

QByteArray written(const std::string& name = "pytorch_cpu.json") {
    QFile file(QString::fromStdString((test::data_folder() / "trace" / name).string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Result<Profile> read(const QByteArray& text) {
    return read_profile(std::as_bytes(std::span(text.data(), static_cast<std::size_t>(text.size()))),
                        "trace.json");
}

/// Those that start a kernel on a GPU.
constexpr std::string_view with_a_kernel =
    " index_select native_layer_norm pow mean rsqrt mul add_ add addmm gelu mkldnn_convolution "
    "native_batch_norm clamp_min _scaled_dot_product_flash_attention_for_cpu _softmax bmm cat gather index "
    "sum ";

/// With a kernel for each call of these, as Kineto writes it for a GPU. Without an external id it is found by
/// its call.
Profile with_kernels(bool by_call) {
    QJsonObject trace = QJsonDocument::fromJson(written()).object();
    QJsonArray events = trace["traceEvents"].toArray();
    const qsizetype before = events.size();
    for (qsizetype i = 0; i < before; ++i) {
        const QJsonObject event = events[i].toObject();
        const std::string name = event["name"].toString().section("::", 1).toStdString();
        if (event["cat"] != QJsonValue("cpu_op") ||
            with_a_kernel.find(" " + name + " ") == std::string_view::npos)
            continue;
        const double end = event["ts"].toDouble() + event["dur"].toDouble();
        const int correlation = 10'000 + static_cast<int>(i);
        QJsonObject args{{"correlation", correlation}, {"device", 0}, {"stream", 7}};
        events.append(QJsonObject{{"ph", "X"},
                                  {"cat", "cuda_runtime"},
                                  {"name", "cudaLaunchKernel"},
                                  {"pid", event["pid"]},
                                  {"tid", event["tid"]},
                                  {"ts", end - 0.002},
                                  {"dur", 0.001},
                                  {"args", QJsonObject{{"correlation", correlation}}}});
        if (!by_call) args["External id"] = event["args"].toObject()["External id"];
        events.append(QJsonObject{{"ph", "X"},
                                  {"cat", "kernel"},
                                  {"name", event["name"]},
                                  {"pid", 0},
                                  {"tid", 7},
                                  {"ts", end + 5},
                                  {"dur", 2},
                                  {"args", args}});
    }
    trace["traceEvents"] = events;
    auto profile = read(QJsonDocument(trace).toJson());
    return profile ? std::move(*profile) : Profile();
}

/// Those of kernels of this name, by launch.
QStringList operations_of(const Profile& profile, const LaunchOperations& operations,
                          const std::string& kernel) {
    QStringList texts;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        if (profile.kernel_of(profile.launches[i]).name != kernel) continue;
        const auto operation = operations.of(static_cast<LaunchIndex>(i));
        texts.append(operation ? QString::fromStdString(operation->text) : "none");
    }
    return texts;
}

}  // namespace

class TestWrittenPytorchTrace : public QObject {
    Q_OBJECT

  private slots:
    void of_the_cpu_alone_it_says_what_is_missing() {
        const auto profile = read(written());
        QVERIFY(!profile && profile.error().code == ErrorCode::bad_schema);
        QVERIFY(profile.error().what.find("CPU") != std::string::npos);
        QVERIFY(profile.error().hint.find("ProfilerActivity.CUDA") != std::string::npos);
    }
    void operators_nest_with_sizes_and_types() {
        const Profile profile = with_kernels(false);
        QVERIFY(profile.launches.size() > 20);
        for (const Launch& launch : profile.launches) {
            if (profile.kernel_of(launch).name != "aten::addmm") continue;
            const NvtxStack& stack = profile.nvtx_of(launch);
            QCOMPARE(stack.size(), std::size_t{3});
            QCOMPARE(stack[0], std::string("step"));
            QCOMPARE(stack[1], std::string("aten::linear, sizes = [[2, 16, 64], [256, 64], [256]], types = "
                                           "[float, float, float]"));
            QVERIFY2(stack[2].starts_with("aten::addmm, sizes = [[256], [32, 64], [64, 256], [], []]"),
                     stack[2].c_str());
            return;
        }
        QFAIL("no kernel within aten::linear");
    }
    void kernels_are_bound_to_what_was_called_data() {
        QTest::addColumn<bool>("by_call");
        QTest::addColumn<QStringList>("texts");
        const auto add = [](const char* kernel, const QStringList& texts) {
            for (const bool by_call : {false, true})
                QTest::addRow("%s%s", kernel, by_call ? " by its call" : "") << by_call << texts;
        };
        add("aten::index_select", {"embedding tokens=32 dim=64 vocab=100 dtype=fp32"});
        add("aten::native_layer_norm", {"layernorm rows=32 cols=64 dtype=fp32"});
        add("aten::addmm", {"gemm m=32 n=256 k=64 dtype=fp32", "gemm m=32 n=32 k=64 dtype=bf16"});
        add("aten::gelu", {"elementwise n=8192 dtype=fp32"});
        add("aten::_softmax", {"softmax rows=32 cols=256 dtype=fp32"});
        add("aten::mkldnn_convolution",
            {"conv2d batch=2 channels=3 height=32 filters=8 kernel_h=3 stride=2 padding=1 dtype=fp32"});
        add("aten::native_batch_norm", {"batchnorm channels=8 positions=512 dtype=fp32"});
        add("aten::clamp_min", {"elementwise n=4096 dtype=fp32"});
        add("aten::_scaled_dot_product_flash_attention_for_cpu",
            {"attention_prefill seq=16 head_dim=16 heads=4 batch=2 causal=1 dtype=fp32"});
        add("aten::bmm", QStringList(2, "gemm m=16 n=16 k=64 batch=2 dtype=fp32"));
        add("aten::cat", {"copy n=1024"});
        add("aten::gather", {"gather n=128 dtype=fp32"});
        // A list of tensors that may be missing has no sizes in a trace.
        add("aten::index", {"none"});
        // A norm by its parts is one operation of several kernels; x * 0.5 stands behind it.
        add("aten::rsqrt", {"none"});
        add("aten::mul", {"none", "none", "elementwise n=2048 dtype=fp32"});
        add("aten::add", {"elementwise n=2048 inputs=2 dtype=fp32"});
    }
    void kernels_are_bound_to_what_was_called() {
        QFETCH(const bool, by_call);
        QFETCH(const QStringList, texts);
        const Profile profile = with_kernels(by_call);
        const std::string kernel = QString(QTest::currentDataTag()).section(' ', 0, 0).toStdString();
        QCOMPARE(operations_of(profile, bind_operations(profile, {}), kernel), texts);
    }
    // The ranges that PyTorch pushed for the same step, an inner one behind two spaces more: no types, no
    // values, but which call made each input. They tell the stride of the convolution, and along which
    // dimension x[:, i] picks.
    void ranges_of_nvtx_bind_what_was_called() {
        ProfileBuilder builder;
        builder.profile().sources.emplace_back();
        builder.profile().devices.emplace_back();
        NvtxStack stack;
        for (const QByteArray& line : written("pytorch_cpu_nvtx.txt").split('\n')) {
            const QByteArray range = line.trimmed();
            if (range.isEmpty()) continue;
            stack.resize(static_cast<std::size_t>(line.indexOf(range)) / 2);
            stack.push_back(range.toStdString());
            const std::string name = range.left(range.indexOf(',')).toStdString();
            if (with_a_kernel.find(" " + name.substr(name.find("::") + 2) + " ") == std::string_view::npos)
                continue;
            Launch& launch = builder.profile().launches.emplace_back();
            launch.kernel = builder.kernel({name}, [&] { return Kernel{name, {}, {}}; });
            launch.nvtx = builder.nvtx(stack);
            launch.duration = Seconds(1e-5);
        }
        const Profile profile = builder.take();
        const LaunchOperations operations = bind_operations(profile, {});
        const auto is = [&](const char* kernel, const QStringList& texts) {
            const QStringList bound = operations_of(profile, operations, kernel);
            if (bound != texts) qWarning("%s: %s", kernel, qPrintable(bound.join("; ")));
            return bound == texts;
        };
        QVERIFY(is("aten::index_select", {"embedding tokens=32 dim=64 vocab=100"}));
        QVERIFY(is("aten::native_layer_norm", {"layernorm rows=32 cols=64"}));
        QVERIFY(is("aten::addmm", {"gemm m=32 n=256 k=64", "gemm m=32 n=32 k=64"}));
        QVERIFY(is("aten::_softmax", {"softmax rows=32 cols=256"}));
        QVERIFY(is("aten::mkldnn_convolution",
                   {"conv2d batch=2 channels=3 height=32 filters=8 kernel_h=3 stride=2 padding=1"}));
        QVERIFY(is("aten::native_batch_norm", {"batchnorm channels=8 positions=512"}));
        QVERIFY(is("aten::_scaled_dot_product_flash_attention_for_cpu",
                   {"attention_prefill seq=16 head_dim=16 heads=4 batch=2"}));
        QVERIFY(is("aten::bmm", QStringList(2, "gemm m=16 n=16 k=64 batch=2")));
        QVERIFY(is("aten::cat", {"copy n=1024"}));
        QVERIFY(is("aten::index", {"embedding tokens=3 dim=64 vocab=16"}));
        QVERIFY(is("aten::gather", {"gather n=128"}));
    }
    // Parts of a trace of an H100, of calls in a known order: each kernel, and how many carry its operation
    // out.
    void kernels_of_a_gpu_are_bound_data() {
        QTest::addColumn<QStringList>("texts");
        const QString conv =
            "conv2d batch=16 channels=64 height=56 filters=128 kernel_h=3 padding=1 dtype=bf16";
        const QString attention = "seq=1024 head_dim=64 heads=16 batch=2 causal=1 dtype=bf16";
        const auto times = [](int count, const QString& text) {
            return QStringList(count, QString("%1: %2").arg(count).arg(text));
        };
        QTest::newRow("products") << QStringList{"1: gemm m=2048 n=2048 k=2048 dtype=fp32",
                                                 "1: gemm m=2048 n=2048 k=1024 dtype=tf32"} +
                                         times(2, "gemm m=1000 n=333 k=777 dtype=bf16") +
                                         times(2, "gemv m=4096 n=4096 dtype=bf16") +
                                         QStringList{"1: gemm m=512 n=512 k=512 dtype=complex64",
                                                     "1: gemm m=1024 n=1024 k=1024 dtype=int8 c=int32",
                                                     "1: gemm m=1024 n=1024 k=1024 dtype=fp8 c=bf16", "none",
                                                     "none"};
        QTest::newRow("convolutions")
            << times(4, conv) +
                   times(1,
                         "conv2d batch=16 channels=64 height=56 filters=64 kernel_h=3 "
                         "padding=1 groups=64 dtype=bf16") +
                   times(4,
                         "conv2d batch=16 channels=32 height=112 filters=64 kernel_h=2 "
                         "stride=2 dtype=bf16 pass=data") +
                   times(10, conv + " pass=backward");
        QTest::newRow("attention") << times(1, "attention_prefill " + attention) +
                                          times(4, "attention_backward " + attention) +
                                          times(2,
                                                "attention_decode context=4096 head_dim=128 heads=32 batch=2 "
                                                "query_output=1 dtype=bf16") +
                                          times(1,
                                                "attention_prefill seq=512 head_dim=128 heads=32 kv_heads=8 "
                                                "batch=2 causal=0 dtype=bf16") +
                                          times(1, "embedding tokens=4096 dim=1024 vocab=32000 dtype=bf16");
        QTest::newRow("others") << times(2, "layernorm rows=128 cols=25088 weights=0 dtype=bf16") +
                                       QStringList{"1: elementwise n=1 inputs=0 flops=0 dtype=bf16",
                                                   "1: custom flops=0 read=50331648 write=33554432",
                                                   "1: elementwise n=4096 dtype=int64"} +
                                       times(3, "sort n=16777216 indices=8 dtype=bf16") +
                                       QStringList{
                                           "1: fft n=4096 batch=1024 dtype=fp32",
                                           "1: custom flops=6422528 read=6422528 write=8028160",
                                           "1: custom flops=3211264 read=6422528 write=1605632",
                                           "1: elementwise n=4194304 dtype=fp32",
                                           "1: elementwise n=4194304 inputs=2 dtype=fp32",
                                           "1: elementwise n=4194304 inputs=4 outputs=3 flops=14 dtype=fp32"};
    }
    void kernels_of_a_gpu_are_bound() {
        QFETCH(const QStringList, texts);
        const auto profile = read(written(std::string("pytorch_gpu_") + QTest::currentDataTag() + ".json"));
        QVERIFY(profile && profile->warnings.empty());
        const LaunchOperations told = bind_operations(*profile, {});
        QStringList bound;
        for (std::size_t i = 0; i < told.of_launch.size(); ++i) {
            const bool part = i < told.execution_of.size() && told.execution_of[i] > 0;
            const auto count = part ? told.launches_of_execution[told.execution_of[i] - 1] : 1;
            bound.append(told.of_launch[i] == 0 ? QString("none")
                                                : QString("%1: %2").arg(count).arg(QString::fromStdString(
                                                      told.operations[told.of_launch[i] - 1]->text)));
        }
        QCOMPARE(bound, texts);
    }
    void what_several_kernels_carry_out_is_summed() {
        AnalysisOptions options;
        options.group_by = GroupBy::operation;
        const Profile profile = with_kernels(false);
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis analysis = analyse(profile, options);
        const auto norm =
            std::ranges::find(analysis.points, "rmsnorm rows=32 cols=64 dtype=fp32", &KernelPoint::name);
        QVERIFY(norm != analysis.points.end());
        QCOMPARE(norm->target->bytes.value(), (2 * 32 * 64 + 64) * 4.0);
    }
};

}  // namespace tst_written_pytorch_trace

ROOFWALK_TEST(tst_written_pytorch_trace, TestWrittenPytorchTrace, NoApplication)
#include "tst_written_pytorch_trace.moc"
