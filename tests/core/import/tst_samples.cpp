// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTest>
#include <array>
#include <utility>

#include "core/import/json/json_reader.h"
#include "core/operations/gemm.h"
#include "core/roofline/analysis.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_samples {

using namespace roofwalk;

namespace {

constexpr double size = 4096;
constexpr double cube = size * size * size;

constexpr std::array gemm_steps{"gemm-walk-a100-1-naive.json", "gemm-walk-a100-2-tiled.json",
                                "gemm-walk-a100-3-registers.json", "gemm-walk-a100-4-pipelined.json",
                                "gemm-walk-a100-5-tensor.json"};

constexpr std::array gemv_steps{"gemv-walk-h100-1-naive.json", "gemv-walk-h100-2-vectorised.json",
                                "gemv-walk-h100-3-shared.json"};

Profile bundled(const std::string& name) {
    const auto path = test::data_folder() / ".." / ".." / "resources" / "samples" / name;
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto profile = read_json(file.readAll().toStdString(), name);
    if (profile) return std::move(*profile);
    qWarning("%s", to_line(profile.error()).c_str());
    return {};
}

Analysis each_launch(const Profile& profile) {
    AnalysisOptions options;
    options.group_by = GroupBy::launch;
    return analyse(profile, options);
}

double bytes(const Launch& launch, Boundary boundary) {
    return launch.find(boundary)->total.value();
}

/// What a level delivers that feeds output tiles of bm x bn elements of d bytes.
double tile_bytes(double bm, double bn, double d) {
    return cube * d * (1 / bm + 1 / bn);
}

/// Within what rounding the durations to three digits and more leaves.
void compare_share(double actual, double expected) {
    QVERIFY2(std::abs(actual - expected) < 0.002, qPrintable(QString::number(actual)));
}

}  // namespace

class TestSamples : public QObject {
    Q_OBJECT

  private slots:
    void all_samples_say_that_they_are_modelled_data() {
        QTest::addColumn<QString>("name");
        for (const char* step : gemm_steps)
            QTest::newRow(step) << step;
        for (const char* step : gemv_steps)
            QTest::newRow(step) << step;
        QTest::newRow("decode") << "llm-decode-h100.json";
    }

    void all_samples_say_that_they_are_modelled() {
        QFETCH(QString, name);
        const Profile profile = bundled(name.toStdString());
        QVERIFY(!profile.launches.empty());
        QVERIFY(profile.warnings.empty());
        QVERIFY(profile.sources.front().tool.find("modelled") != std::string::npos);
        for (const Launch& launch : profile.launches) {
            for (const WorkSample& sample : launch.work)
                QVERIFY(sample.origin == Origin::modelled && sample.source != TextId::none);
            for (const TrafficSample& sample : launch.traffic)
                QVERIFY(sample.origin == Origin::modelled && sample.source != TextId::none);
        }
    }

    void the_gemm_walk_follows_its_formulas() {
        std::vector<Launch> steps;
        const GemmShape shape{.m = size, .n = size, .k = size};
        for (const char* name : gemm_steps) {
            const Profile profile = bundled(name);
            QCOMPARE(profile.launches.size(), 1U);
            steps.push_back(profile.launches.front());
            QCOMPARE(steps.back().work.front().work.value(), gemm_work(shape).value());
        }
        const double output = size * size * 4;
        const Launch& naive = steps[0];
        QCOMPARE(bytes(naive, Boundary::hbm_dram_rw), tile_bytes(64, size, 4) + output);
        QCOMPARE(bytes(naive, Boundary::l2_sm_sectors), tile_bytes(1, 32, 4) + output);
        QCOMPARE(bytes(naive, Boundary::smem_wavefronts), 0.0);
        const Launch& tiled = steps[1];
        QCOMPARE(bytes(tiled, Boundary::hbm_dram_rw), tile_bytes(64, size, 4) + output);
        QCOMPARE(bytes(tiled, Boundary::l2_sm_sectors), tile_bytes(32, 32, 4) + output);
        QCOMPARE(bytes(tiled, Boundary::smem_wavefronts), cube / 32 * 256 + tile_bytes(32, 32, 4));
        for (const Launch& registers : {steps[2], steps[3]}) {
            QCOMPARE(bytes(registers, Boundary::hbm_dram_rw), tile_bytes(512, size, 4) + output);
            QCOMPARE(bytes(registers, Boundary::l2_sm_sectors), tile_bytes(128, 128, 4) + output);
            QCOMPARE(bytes(registers, Boundary::smem_wavefronts),
                     tile_bytes(32, 64, 4) + tile_bytes(128, 128, 4));
        }
        const Launch& tensor = steps[4];
        QCOMPARE(bytes(tensor, Boundary::hbm_dram_rw), gemm_bytes(shape).value());
        QCOMPARE(bytes(tensor, Boundary::l2_sm_sectors), tile_bytes(128, 256, 2) + output / 2);
        QCOMPARE(bytes(tensor, Boundary::smem_wavefronts), tile_bytes(64, 64, 2) + tile_bytes(128, 256, 2));
    }

    // S2-17 divides 1.2, 2.9 and 3.1 by 3.35: 35.8, 86.6 and 92.5 %. The files count both vectors too:
    // 33,570,816 bytes take 10.0211 us at 3.35 TB/s, of 27.96, 11.57 and 10.824 us.
    void the_gemv_walk_has_the_times_of_S2_17() {
        constexpr std::array microseconds{28.0, 11.6, 10.8};
        constexpr std::array per_cent{35.84, 86.61, 92.58};
        for (std::size_t i = 0; i < gemv_steps.size(); ++i) {
            const Profile profile = bundled(gemv_steps[i]);
            const KernelPoint point = each_launch(profile).points.at(0);
            QVERIFY(std::abs(point.time->value() * 1e6 - microseconds[i]) <= 0.05);
            QVERIFY(std::abs(point.gap->efficiency() * 100 - per_cent[i]) <= 0.01);
            QCOMPARE(point.work->value(), 2 * size * size);
            QCOMPARE(point.at(MemoryLevel::hbm)->bytes.value(), 2 * (size * size + 2 * size));
        }
    }

    void the_gemm_walk_meets_the_ceilings_that_its_steps_are_about() {
        constexpr double waves = 1024.0 / (10 * 108);
        constexpr double multiply = 128.0 * 128 * 8 / 64;                 // cycles
        constexpr double fetch = 8192.0 / (5120.0 / 108) + 8192.0 / 128;  // cycles, but for the latency
        constexpr double latency = 500;
        const std::array<std::pair<CeilingTarget, double>, 5> expected{
            {{Boundary::l2_sm_sectors, 0.70},
             {Boundary::smem_wavefronts, 0.88},
             {Pipe{PipeKind::fp32}, waves * multiply / (multiply + latency + fetch)},
             {Pipe{PipeKind::fp32}, waves},
             {Pipe{PipeKind::tensor_fp16}, 0.80}}};
        QVERIFY(latency + fetch < multiply);  // so that it is hidden
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const Analysis analysis = each_launch(bundled(gemm_steps[i]));
            QVERIFY(analysis.points[0].binding == expected[i].first);
            compare_share(analysis.points[0].gap->efficiency(), expected[i].second);
        }
    }

    void the_decode_layer_follows_its_formulas() {
        const Profile profile = bundled("llm-decode-h100.json");
        QCOMPARE(profile.launches.size(), 8U);
        const auto compare_gemv = [&](std::size_t index, double k, double n) {
            const GemmShape shape{.m = 1, .n = n, .k = k};
            QCOMPARE(profile.launches[index].work.front().work.value(), gemm_work(shape).value());
            QCOMPARE(bytes(profile.launches[index], Boundary::hbm_dram_rw), gemm_bytes(shape).value());
        };
        compare_gemv(1, size, 3 * size);
        compare_gemv(3, size, size);
        compare_gemv(5, size, 2 * 11008);
        compare_gemv(7, 11008, size);
        for (const Launch& launch : profile.launches)
            QCOMPARE(bytes(launch, Boundary::l2_sm_sectors), bytes(launch, Boundary::hbm_dram_rw));
        QVERIFY(!profile.launches[1].find(Boundary::smem_wavefronts));
        constexpr double warps = 32;
        QCOMPARE(bytes(profile.launches[0], Boundary::smem_wavefronts), (warps + 1 + 1 + warps) * 128);
        QCOMPARE(bytes(profile.launches[6], Boundary::smem_wavefronts), 0.0);
    }

    void the_decode_layer_has_the_intensities_of_the_literature() {
        const Analysis analysis = each_launch(bundled("llm-decode-h100.json"));
        const std::array expected{1.25, 1.0, 1.0, 1.0, 1.25, 1.0, 0.5, 1.0};
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double intensity = analysis.points[i].at(MemoryLevel::hbm)->intensity->value();
            QVERIFY2(std::abs(intensity - expected[i]) < 1e-3, qPrintable(QString::number(intensity)));
        }
        compare_share(analysis.points[1].gap->efficiency(), 0.87);
        compare_share(analysis.points[2].gap->efficiency(), 0.75);
        QVERIFY(analysis.points[0].verdict.kernel_class == KernelClass::latency_bound);
        QVERIFY(analysis.points[1].verdict.kernel_class == KernelClass::near_roof);
    }
};

}  // namespace tst_samples

ROOFWALK_TEST(tst_samples, TestSamples, NoApplication)
#include "tst_samples.moc"
