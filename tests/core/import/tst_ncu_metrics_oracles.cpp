// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

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

nlohmann::json kernels_of(std::string_view prefix) {
    const auto report = sample(prefix);
    if (report.empty()) return {};
    std::ifstream file(oracle_of(report));
    return nlohmann::json::parse(file).at("kernels");
}

FakeNcuMetrics metrics_of(const nlohmann::json& kernel) {
    FakeNcuMetrics metrics;
    for (const auto& [name, entry] : kernel.at("metrics").items())
        if (entry.contains("value") && entry.at("value").is_number())
            metrics.values[name] = entry.at("value").get<double>();
    return metrics;
}

Device device_of_kernel(const nlohmann::json& kernel) {
    const auto capability = kernel.at("cc").get<std::array<int, 2>>();
    Device device = device_of(capability[0], capability[1], 0);
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
        if (kernels.empty()) QSKIP(no_samples);
        for (const auto& kernel : kernels) {
            const auto applied = apply(metrics_of(kernel), device_of_kernel(kernel));
            int compared = 0;
            for (const auto& chart : kernel.at("rooflines"))
                for (const auto& roof : chart.at("roofs")) {
                    const auto pipe = pipe_of(roof.at("work_expr").get<std::string>());
                    const auto boundary = boundary_of(roof.at("traffic_expr").get<std::string>());
                    if (pipe && roof.at("peak_work_per_s").is_number()) {
                        QVERIFY(close(applied.ceiling(*pipe).value_or(0),
                                      roof.at("peak_work_per_s").get<double>()));
                        ++compared;
                    }
                    if (boundary && roof.at("peak_bytes_per_s").is_number()) {
                        // The chart takes a wavefront a cycle for the peak of L1, which Turing does not
                        // reach.
                        const bool half = *boundary == Boundary::l1_writeback && prefix == "2025.1.1_t4";
                        QVERIFY(close(applied.ceiling(*boundary).value_or(0),
                                      roof.at("peak_bytes_per_s").get<double>() / (half ? 2 : 1)));
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
        if (kernels.empty()) QSKIP(no_samples);
        for (const auto& kernel : kernels) {
            const auto applied = apply(metrics_of(kernel), device_of_kernel(kernel));
            const double time = applied.launch.duration->value();
            int compared = 0;
            for (const auto& chart : kernel.at("rooflines"))
                for (std::size_t i = 0; i < chart.at("points").size() && i < chart.at("roofs").size(); ++i) {
                    const auto& point = chart.at("points")[i];
                    const auto& roof = chart.at("roofs")[i];
                    const auto pipe = pipe_of(roof.at("work_expr").get<std::string>());
                    const auto boundary = boundary_of(roof.at("traffic_expr").get<std::string>());
                    if (!pipe || pipe->kind == PipeKind::fp16 || !boundary) continue;
                    if (point.at("work_per_s").is_number()) {
                        QVERIFY(close(applied.work(*pipe).value_or(-1) / time,
                                      point.at("work_per_s").get<double>()));
                        ++compared;
                    }
                    if (point.at("bytes_per_s").is_number()) {
                        QVERIFY(close(applied.bytes(*boundary).value_or(-1) / time,
                                      point.at("bytes_per_s").get<double>()));
                        ++compared;
                    }
                }
            QVERIFY(compared >= 2);
        }
    }

    void matrix_product_on_a10g_has_two_n_cubed_flops() {
        const auto kernels = kernels_of("2023.1.1_a10g_sgemm");
        if (kernels.empty()) QSKIP(no_samples);
        for (const auto& kernel : kernels)
            QCOMPARE(apply(metrics_of(kernel), device_of_kernel(kernel)).work({PipeKind::fp32}),
                     std::optional(2.0 * 1024 * 1024 * 1024));
    }

    void matrix_product_on_t4_has_two_n_cubed_flops() {
        const auto kernels = kernels_of("2025.1.1_t4");
        if (kernels.empty()) QSKIP(no_samples);
        const auto applied = apply(metrics_of(kernels.at(2)), device_of_kernel(kernels.at(2)));
        QCOMPARE(applied.work({PipeKind::tensor_fp16}), std::optional(2.0 * 4096 * 4096 * 4096));
    }
};

}  // namespace tst_ncu_metrics_oracles

ROOFWALK_TEST(tst_ncu_metrics_oracles, TestNcuMetricsOracles, NoApplication)
#include "tst_ncu_metrics_oracles.moc"
