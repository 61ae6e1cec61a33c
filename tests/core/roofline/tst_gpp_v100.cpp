// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/devices/device_ceilings.h"
#include "core/roofline/roofline.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_gpp_v100 {

using namespace roofwalk;
using namespace roofwalk::test;

/// The General Plasmon Pole kernel of BerkeleyGW on a V100, as published for the hierarchical roofline by
/// NERSC: L1 by the tag stage, L2 by all clients, six values of the parameter nw (field notes, section 6.2).
/// And what eight steps of tuning made of it (arXiv 2008.11326; section 6.4).
class TestGppV100 : public QObject {
    Q_OBJECT

    static constexpr double fma_roof = 7068.86e9;
    static constexpr double no_fma_roof = 3535.79e9;
    static constexpr double l1_roof = 14336e9;
    static constexpr double l2_roof = 2996.77e9;
    static constexpr double hbm_roof = 828.758e9;

    static KernelPoint gpp(double ai_l1, double ai_l2, double ai_hbm, double performance) {
        const double work = 1e12;
        const Profile profile = profile_of(
            machine({compute_ceiling(fp64, fma_roof)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, hbm_roof),
                                                        bandwidth_ceiling(Boundary::l2_all, l2_roof),
                                                        bandwidth_ceiling(Boundary::l1_tag, l1_roof)}),
            {launch(work / performance, {{fp64, work}},
                    {{Boundary::hbm_dram_rw, work / ai_hbm},
                     {Boundary::l2_all, work / ai_l2},
                     {Boundary::l1_tag, work / ai_l1}})});
        return point_of(profile, nersc_view());
    }

  private slots:
    void six_rows_bind_and_reach_as_published_data() {
        QTest::addColumn<double>("ai_l1");
        QTest::addColumn<double>("ai_l2");
        QTest::addColumn<double>("ai_hbm");
        QTest::addColumn<double>("gflops");
        QTest::addColumn<QList<double>>("gigabytes");
        QTest::addColumn<double>("roof_gflops");
        QTest::addColumn<QString>("binding");
        QTest::addColumn<double>("percent");
        QTest::addColumn<QString>("kernel_class");
        QTest::newRow("nw=1") << 0.8653 << 2.2503 << 2.5848 << 2085.76 << QList<double>{2410, 927, 807}
                              << 2142.0 << "DRAM" << 97.4 << "near the roof";
        QTest::newRow("nw=2") << 1.5565 << 3.3436 << 4.7389 << 3593.59 << QList<double>{2309, 1075, 758}
                              << 3927.0 << "DRAM" << 91.5 << "near the roof";
        QTest::newRow("nw=3") << 2.2221 << 3.2455 << 6.8930 << 4381.74 << QList<double>{1972, 1350, 636}
                              << 5713.0 << "DRAM" << 76.7 << "memory-bound";
        QTest::newRow("nw=4") << 2.8635 << 3.7664 << 9.0471 << 4625.54 << QList<double>{1615, 1228, 511}
                              << 7069.0 << "FP64" << 65.4 << "compute-bound";
        QTest::newRow("nw=5") << 3.4462 << 4.3565 << 11.0862 << 4599.76 << QList<double>{1335, 1056, 415}
                              << 7069.0 << "FP64" << 65.1 << "compute-bound";
        QTest::newRow("nw=6") << 4.0349 << 5.1820 << 13.2115 << 4692.21 << QList<double>{1163, 905, 355}
                              << 7069.0 << "FP64" << 66.4 << "compute-bound";
    }
    void six_rows_bind_and_reach_as_published() {
        QFETCH(double, ai_l1);
        QFETCH(double, ai_l2);
        QFETCH(double, ai_hbm);
        QFETCH(double, gflops);
        const KernelPoint point = gpp(ai_l1, ai_l2, ai_hbm, gflops * 1e9);

        QTEST(QString::fromStdString(label_of(*point.binding, point.memory)), "binding");
        QTEST(QString::fromUtf8(label_of(point.verdict.kernel_class).data()), "kernel_class");
        QFETCH(double, roof_gflops);
        QFETCH(double, percent);
        const double roof = (*point.work / *point.speed_of_light).value() / 1e9;
        QVERIFY2(std::abs(roof - roof_gflops) < 1, qPrintable(QString::number(roof)));
        const double reached = point.gap->efficiency() * 100;
        QVERIFY2(std::abs(reached - percent) < 0.051, qPrintable(QString::number(reached)));

        QFETCH(QList<double>, gigabytes);
        for (const MemoryLevel level : {MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::hbm}) {
            const double implied = (point.at(level)->bytes / *point.time).value() / 1e9;
            QVERIFY2(std::abs(implied - gigabytes.takeFirst()) < 0.51, qPrintable(QString::number(implied)));
        }
    }
    void every_level_gives_its_intensity_back() {
        const KernelPoint point = gpp(0.8653, 2.2503, 2.5848, 2085.76e9);
        QCOMPARE(point.at(MemoryLevel::l1)->intensity->value(), 0.8653);
        QCOMPARE(point.at(MemoryLevel::l2)->intensity->value(), 2.2503);
        QCOMPARE(point.at(MemoryLevel::hbm)->intensity->value(), 2.5848);
        QVERIFY(!point.at(MemoryLevel::smem));
    }
    void ridges_are_those_of_each_level() {
        const auto ridge = [](double peak, double bandwidth) {
            return ridge_point(FlopRate(peak), ByteRate(bandwidth)).value();
        };
        QVERIFY(std::abs(ridge(fma_roof, l1_roof) - 0.493) < 5e-4);
        QVERIFY(std::abs(ridge(fma_roof, l2_roof) - 2.359) < 5e-4);
        QVERIFY(std::abs(ridge(fma_roof, hbm_roof) - 8.529) < 1e-3);
        QVERIFY(std::abs(ridge(no_fma_roof, l1_roof) - 0.247) < 5e-4);
        QVERIFY(std::abs(ridge(no_fma_roof, l2_roof) - 1.180) < 5e-4);
        QVERIFY(std::abs(ridge(no_fma_roof, hbm_roof) - 4.266) < 1e-3);
    }
    void the_tuned_kernel_reaches_55_per_cent_and_70_of_its_fma_mix() {
        Device v100;
        v100.compute_capability = ComputeCapability{7, 0};
        v100.sm_count = 80;
        v100.boost_clock = Hertz(1.312e9);
        const FlopRate peak = ceilings_from_attributes(v100).find(fp64)->rate;
        QVERIFY(std::abs(peak.value() / 1e12 - 6.717) < 5e-4);
        const auto efficiency = [](double ceiling) {
            const Profile profile = profile_of(machine({compute_ceiling(fp64, ceiling)}, {}),
                                               {launch(1, {{fp64, 3.7e12}}, {{Boundary::hbm_dram_rw, 1e9}})});
            return point_of(profile).gap->efficiency();
        };
        QVERIFY(std::abs(efficiency(6.7e12) - 0.552) < 5e-4);
        // 58 % of its instructions are fused: (1 + 0.58) / 2 of the peak (Yang et al., arXiv 2008.11326).
        QVERIFY(std::abs(efficiency(5.3e12) - 0.698) < 5e-4);
    }
    void three_teaching_kernels_have_three_verdicts() {
        // A: 10,000 FP64 additions for 8 bytes, near the ceiling without FMA. B: the same at an occupancy of
        // 1/32. C: one addition for a load and a store, strided, so that most of each sector is wasted. None
        // has another level to wait for.
        const Device v100 = machine({compute_ceiling(fp64, no_fma_roof)},
                                    {bandwidth_ceiling(Boundary::hbm_dram_rw, hbm_roof)});
        const auto run = [&](double work, double bytes, double share) {
            const double seconds = std::max(work / no_fma_roof, bytes / hbm_roof) / share;
            return point_of(profile_of(v100, {launch(seconds, {{fp64, work}},
                                                     {{Boundary::hbm_dram_rw, bytes},
                                                      {Boundary::l2_sm_sectors, 0},
                                                      {Boundary::smem_wavefronts, 0}})}));
        };
        const KernelPoint a = run(1e13, 8e9, 0.95);
        const KernelPoint b = run(1e13, 8e9, 0.95 / 32);
        const KernelPoint c = run(1e9, 16e9, 0.7);
        QCOMPARE(a.at(MemoryLevel::hbm)->intensity->value(), 1250.0);
        QCOMPARE(b.at(MemoryLevel::hbm)->intensity->value(), 1250.0);
        QCOMPARE(c.at(MemoryLevel::hbm)->intensity->value(), 0.0625);
        QCOMPARE(a.verdict.kernel_class, KernelClass::near_roof);
        QCOMPARE(a.verdict.side, Side::compute);
        QCOMPARE(b.verdict.kernel_class, KernelClass::latency_bound);
        QCOMPARE(c.verdict.kernel_class, KernelClass::memory_bound);
        QCOMPARE(c.verdict.side, Side::memory);
    }
    void a_view_with_other_boundaries_combines_nothing_of_these() {
        const Profile profile = profile_of(
            machine({compute_ceiling(fp64, fma_roof)}, {bandwidth_ceiling(Boundary::l2_all, l2_roof)}),
            {launch(1, {{fp64, 1e12}}, {{Boundary::l2_sm_sectors, 1e12}, {Boundary::l2_all, 2e12}})});
        const KernelPoint point = point_of(profile, AnalysisOptions{});
        QCOMPARE(point.at(MemoryLevel::l2)->bytes.value(), 1e12);
        QVERIFY(!point.at(MemoryLevel::l2)->ceiling);
        QVERIFY(!point.at(MemoryLevel::l2)->bound);
    }
};

}  // namespace tst_gpp_v100

ROOFWALK_TEST(tst_gpp_v100, TestGppV100, NoApplication)
#include "tst_gpp_v100.moc"
