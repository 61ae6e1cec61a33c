// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/launch_filter.h"
#include "profiler/wire/demangled.h"
#include "tests/support/folder_tests.h"

#include <QTest>
#include <array>

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
        QCOMPARE(QString::fromStdString(roofwalk::wire::demangled(mangled.toStdString())), demangled);
        QCOMPARE(QString::fromStdString(base_name(demangled.toStdString())), base);
    }

    void a_kernel_is_found_by_its_whole_name_or_by_that_without_arguments() {
        for (const std::string_view pattern :
             {"saxpy", "^saxpy$", "^void ns::saxpy<float>", "ns::", "sax|gemm"})
            QVERIFY(NamePatterns(std::array{pattern}).find_in_kernel("_ZN2ns5saxpyIfEEvPT_"));
        for (const std::string_view pattern : {"^sax$", "_ZN2ns", "gemm"})
            QVERIFY(!NamePatterns(std::array{pattern}).find_in_kernel("_ZN2ns5saxpyIfEEvPT_"));
    }

    void an_expression_that_the_library_refuses_is_found_nowhere() {
        const std::array<std::string_view, 2> patterns{"(", "b$"};
        QVERIFY(NamePatterns(patterns).find_in("ab") && !NamePatterns(patterns).find_in("("));
    }
};

}  // namespace tst_name_pattern

ROOFWALK_TEST(tst_name_pattern, TestNamePattern, NoApplication)
#include "tst_name_pattern.moc"
