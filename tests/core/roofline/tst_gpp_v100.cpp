// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/roofline.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/qt_strings.h"

using namespace roofwalk;
using namespace roofwalk::test;

/// The General Plasmon Pole kernel of BerkeleyGW on a V100, as published for the hierarchical roofline by
/// NERSC: L1 by the tag stage, L2 by all clients, six values of the parameter nw.
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
        QTest::addColumn<double>("roof_gflops");
        QTest::addColumn<QString>("binding");
        QTest::addColumn<double>("percent");
        QTest::addColumn<QString>("kernel_class");
        QTest::newRow("nw=1") << 0.8653 << 2.2503 << 2.5848 << 2085.76 << 2142.0 << "HBM" << 97.4
                              << "well optimised";
        QTest::newRow("nw=2") << 1.5565 << 3.3436 << 4.7389 << 3593.59 << 3927.0 << "HBM" << 91.5
                              << "well optimised";
        QTest::newRow("nw=3") << 2.2221 << 3.2455 << 6.8930 << 4381.74 << 5713.0 << "HBM" << 76.7
                              << "memory-bound";
        QTest::newRow("nw=4") << 2.8635 << 3.7664 << 9.0471 << 4625.54 << 7069.0 << "FP64" << 65.4
                              << "compute-bound";
        QTest::newRow("nw=5") << 3.4462 << 4.3565 << 11.0862 << 4599.76 << 7069.0 << "FP64" << 65.1
                              << "compute-bound";
        QTest::newRow("nw=6") << 4.0349 << 5.1820 << 13.2115 << 4692.21 << 7069.0 << "FP64" << 66.4
                              << "compute-bound";
    }
    void six_rows_bind_and_reach_as_published() {
        QFETCH(double, ai_l1);
        QFETCH(double, ai_l2);
        QFETCH(double, ai_hbm);
        QFETCH(double, gflops);
        const KernelPoint point = gpp(ai_l1, ai_l2, ai_hbm, gflops * 1e9);

        QTEST(QString::fromStdString(label_of(*point.binding)), "binding");
        QTEST(QString::fromUtf8(label_of(point.verdict.kernel_class).data()), "kernel_class");
        QFETCH(double, roof_gflops);
        QFETCH(double, percent);
        const double roof = (*point.work / *point.speed_of_light).value() / 1e9;
        QVERIFY2(std::abs(roof - roof_gflops) < 1, qPrintable(QString::number(roof)));
        const double reached = point.gap->efficiency() * 100;
        QVERIFY2(std::abs(reached - percent) < 0.051, qPrintable(QString::number(reached)));
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

QTEST_APPLESS_MAIN(TestGppV100)
#include "tst_gpp_v100.moc"
