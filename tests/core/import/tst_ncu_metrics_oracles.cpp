// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <cmath>

#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_ncu_metrics_oracles {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr double exact = 1e-9;
constexpr const char* no_samples = "samples are not beside this checkout";

QJsonArray kernels_of(std::string_view prefix) {
    const auto report = sample(prefix);
    if (report.empty()) return {};
    QFile file(QString::fromStdString(oracle_of(report).string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll())["kernels"].toArray();
}

FakeNcuMetrics metrics_of(const QJsonValue& kernel) {
    FakeNcuMetrics metrics;
    const QJsonObject entries = kernel["metrics"].toObject();
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
        if (const QJsonValue value = entry->toObject()["value"]; value.isDouble())
            metrics.values[entry.key().toStdString()] = value.toDouble();
    return metrics;
}

Device device_of_kernel(const QJsonValue& kernel) {
    Device device = device_of(kernel["cc"][0].toInt(), kernel["cc"][1].toInt(), 0);
    device.sm_count.reset();
    return device;
}

bool close(double a, double b) {
    return std::abs(a - b) <= exact * std::max(std::abs(a), std::abs(b));
}

/// Boundary of the traffic that a formula of the report speaks of.
std::optional<Boundary> boundary_of(const std::string& expression) {
    if (expression.find("dram__bytes") != std::string::npos) return Boundary::hbm_dram_rw;
    if (expression.find("xbar") != std::string::npos) return Boundary::l2_sm_return;
    if (expression.find("lsu_writeback") != std::string::npos) return Boundary::l1_writeback;
    return std::nullopt;
}

std::optional<Pipe> pipe_of(const std::string& expression) {
    if (expression.find("op_dfma_") != std::string::npos) return Pipe{PipeKind::fp64};
    if (expression.find("op_ffma_") != std::string::npos) return Pipe{PipeKind::fp32};
    if (expression.find("op_hfma_pred_on_x4") != std::string::npos) return Pipe{PipeKind::fp16};
    return std::nullopt;
}

}  // namespace

/// Our own arithmetic against the formulas that reports carry, which the oracles beside the samples evaluate.
class TestNcuMetricsOracles : public QObject {
    Q_OBJECT

  private slots:
    void our_peaks_equal_the_charts_of_the_report_data() {
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<int>("least");
        QTest::newRow("2020.3 A100") << "2020.3.0_a100" << 3;
        QTest::newRow("2022.1 A40") << "2022.1.1_a40" << 3;
        QTest::newRow("2023.1 A10G") << "2023.1.1_a10g_sgemm" << 5;
        QTest::newRow("2023.3 V100") << "2023.3.0_v100" << 3;
        QTest::newRow("2025.1 A100") << "2025.1.0_a100" << 6;
        QTest::newRow("2025.1 H100") << "2025.1.0_h100" << 6;
        QTest::newRow("2025.1 T4") << "2025.1.1_t4" << 6;
    }

    void our_peaks_equal_the_charts_of_the_report() {
        QFETCH(QString, prefix);
        QFETCH(int, least);
        const auto kernels = kernels_of(prefix.toStdString());
        if (kernels.isEmpty()) QSKIP(no_samples);
        for (const QJsonValue& kernel : kernels) {
            const auto applied = apply(metrics_of(kernel), device_of_kernel(kernel));
            int compared = 0;
            for (const QJsonValue& chart : kernel["rooflines"].toArray())
                for (const QJsonValue& roof : chart["roofs"].toArray()) {
                    const auto pipe = pipe_of(roof["work_expr"].toString().toStdString());
                    const auto boundary = boundary_of(roof["traffic_expr"].toString().toStdString());
                    if (pipe && roof["peak_work_per_s"].isDouble()) {
                        QVERIFY(
                            close(applied.ceiling(*pipe).value_or(0), roof["peak_work_per_s"].toDouble()));
                        ++compared;
                    }
                    if (boundary && roof["peak_bytes_per_s"].isDouble()) {
                        // The chart takes a wavefront a cycle for the peak of L1, which Turing does not
                        // reach.
                        const bool half = *boundary == Boundary::l1_writeback && prefix == "2025.1.1_t4";
                        QVERIFY(close(applied.ceiling(*boundary).value_or(0),
                                      roof["peak_bytes_per_s"].toDouble() / (half ? 2 : 1)));
                        ++compared;
                    }
                }
            QVERIFY(compared >= least);
        }
    }

    void our_work_and_traffic_equal_the_dots_of_the_report_data() {
        our_peaks_equal_the_charts_of_the_report_data();
    }

    void our_work_and_traffic_equal_the_dots_of_the_report() {
        QFETCH(QString, prefix);
        const auto kernels = kernels_of(prefix.toStdString());
        if (kernels.isEmpty()) QSKIP(no_samples);
        for (const QJsonValue& kernel : kernels) {
            const auto applied = apply(metrics_of(kernel), device_of_kernel(kernel));
            const double time = applied.launch.duration->value();
            int compared = 0;
            for (const QJsonValue& chart : kernel["rooflines"].toArray())
                for (qsizetype i = 0;
                     i < chart["points"].toArray().size() && i < chart["roofs"].toArray().size(); ++i) {
                    const QJsonValue point = chart["points"][i];
                    const QJsonValue roof = chart["roofs"][i];
                    const auto pipe = pipe_of(roof["work_expr"].toString().toStdString());
                    const auto boundary = boundary_of(roof["traffic_expr"].toString().toStdString());
                    if (!pipe || pipe->kind == PipeKind::fp16 || !boundary) continue;
                    if (point["work_per_s"].isDouble()) {
                        QVERIFY(
                            close(applied.work(*pipe).value_or(-1) / time, point["work_per_s"].toDouble()));
                        ++compared;
                    }
                    if (point["bytes_per_s"].isDouble()) {
                        QVERIFY(close(applied.bytes(*boundary).value_or(-1) / time,
                                      point["bytes_per_s"].toDouble()));
                        ++compared;
                    }
                }
            QVERIFY(compared >= 2);
        }
    }

    void matrix_product_on_a10g_has_two_n_cubed_flops() {
        const auto kernels = kernels_of("2023.1.1_a10g_sgemm");
        if (kernels.isEmpty()) QSKIP(no_samples);
        for (const QJsonValue& kernel : kernels)
            QCOMPARE(apply(metrics_of(kernel), device_of_kernel(kernel)).work({PipeKind::fp32}),
                     std::optional(2.0 * 1024 * 1024 * 1024));
    }

    void matrix_product_on_t4_has_two_n_cubed_flops() {
        const auto kernels = kernels_of("2025.1.1_t4");
        if (kernels.isEmpty()) QSKIP(no_samples);
        const auto applied = apply(metrics_of(kernels.at(2)), device_of_kernel(kernels.at(2)));
        QCOMPARE(applied.work({PipeKind::tensor_fp16}), std::optional(2.0 * 4096 * 4096 * 4096));
    }
};

}  // namespace tst_ncu_metrics_oracles

ROOFWALK_TEST(tst_ncu_metrics_oracles, TestNcuMetricsOracles, NoApplication)
#include "tst_ncu_metrics_oracles.moc"
