// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/launch_filter.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_name_pattern {

using namespace roofwalk::agent;

class TestNamePattern : public QObject {
    Q_OBJECT

  private slots:
    void names_data() {
        QTest::addColumn<QString>("mangled");
        QTest::addColumn<QString>("demangled");
        QTest::addColumn<QString>("base");
        QTest::newRow("C") << "saxpy"
                           << "saxpy"
                           << "saxpy";
        QTest::newRow("C++") << "_Z5saxpyPfS_f"
                             << "saxpy(float*, float*, float)"
                             << "saxpy";
        QTest::newRow("template") << "_ZN2ns5saxpyIfEEvPT_"
                                  << "void ns::saxpy<float>(float*)"
                                  << "saxpy";
        QTest::newRow("anonymous") << "_ZN12_GLOBAL__N_14copyEPf"
                                   << "(anonymous namespace)::copy(float*)"
                                   << "copy";
        QTest::newRow("broken") << "_Znonsense"
                                << "_Znonsense"
                                << "_Znonsense";
        QTest::newRow("none") << ""
                              << ""
                              << "";
        QTest::newRow("library") << "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
                                 << "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
                                 << "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    }

    void names() {
        QFETCH(QString, mangled);
        QFETCH(QString, demangled);
        QFETCH(QString, base);
        const KernelName name = KernelName::of(mangled.toStdString());
        QCOMPARE(QString::fromStdString(name.demangled), demangled);
        QCOMPARE(QString::fromStdString(name.base), base);
    }

    void patterns() {
        QVERIFY(matches("", ""));
        QVERIFY(!matches("", "a"));
        QVERIFY(matches("*", ""));
        QVERIFY(matches("a*c", "abbc") && matches("a*c", "ac") && !matches("a*c", "acb"));
        QVERIFY(matches("*b*b", "abcb") && !matches("*b*b", "ab"));
        QVERIFY(matches("nccl*", "ncclDevKernel") && !matches("nccl*", "my_nccl"));
        QVERIFY(!matches("gemm", "gemm2") && !matches("gemm2", "gemm"));
        QVERIFY(!matches(std::string(20, '*') + "b", std::string(2000, 'a')));
    }

    void any_way_to_write_it_is_right() {
        const KernelName name = KernelName::of("_ZN2ns5saxpyIfEEvPT_");
        for (const char* const pattern : {"saxpy", "void ns::saxpy<float>*", "_ZN2ns5saxpy*", "*saxpy*"})
            QVERIFY(name.is_like(pattern));
        QVERIFY(!name.is_like("sax") && !name.is_like("ns"));
    }
};

}  // namespace tst_name_pattern

ROOFWALK_TEST(tst_name_pattern, TestNamePattern, NoApplication)
#include "tst_name_pattern.moc"
