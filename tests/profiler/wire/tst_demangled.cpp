// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/demangled.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_demangled {

using namespace roofwalk::wire;

namespace {

constexpr std::size_t longest = std::size_t{1} << 16U;

/// "S_", "S0_", "S1_" …: how a mangled name refers to its part of that number.
std::string reference(int part) {
    constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (part == 0) return "S_";
    std::string number;
    for (int rest = part - 1; number.empty() || rest > 0; rest /= 36)
        number.insert(number.begin(), digits[static_cast<std::size_t>(rest % 36)]);
    return "S" + number + "_";
}

/// A function of `count` parameters, each of which says the one before it twice.
std::string doubled(int count) {
    std::string name = "_Z1f1xIiiE";
    for (int part = 1; part < count; ++part)
        name += "S_I" + reference(part) + reference(part) + "E";
    return name;
}

/// Functions inside functions, each of which says the template arguments of the outer one twice.
std::string nested(int count) {
    std::string name = "_ZZ1fI1xIiEEvvE";
    for (int level = 1; level < count; ++level)
        name.insert(2, "Z").append("1fI1xIT_T_EEvvE");
    return name + "1gI1xIT_T_EEvT_";
}

}  // namespace

class TestDemangled : public QObject {
    Q_OBJECT

  private slots:
    void names_of_programs_are_demangled_data() {
        QTest::addColumn<QByteArray>("mangled");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("C") << QByteArray("saxpy") << QByteArray("saxpy");
        QTest::newRow("template") << QByteArray("_ZN2ns5saxpyIfEEvPT_")
                                  << QByteArray("void ns::saxpy<float>(float*)");
        QTest::newRow("no name of C++") << QByteArray("_Znonsense") << QByteArray("_Znonsense");
        QTest::newRow("lambdas in lambdas")
            << QByteArray(
                   "_ZN2at6native29vectorized_elementwise_kernelILi4EZZZNS0_15exp_kernel_cudaERNS_18"
                   "TensorIteratorBaseEENKUlvE_clEvENKUlvE0_clEvEUlfE_St5arrayIPcLm2EEEEviT0_T1_")
            << QByteArray("void at::native::vectorized_elementwise_kernel<4, at::native::exp_kernel_cuda(");
        QTest::newRow("many references")
            << QByteArray(
                   "_ZN6Kokkos4Impl33cuda_parallel_launch_local_memoryINS0_11ParallelForINS0_8ViewCopyINS_4Vie"
                   "wIPN6ArborX5PointILi3EdEEJNS_10LayoutLeftENS_6DeviceINS_6SerialENS_14AnonymousSpaceEEENS_1"
                   "2MemoryTraitsILj0EEEEEENS4_IPKS7_JS9_NSA_INS_4CudaESC_EESF_EEES9_SJ_Li1EiEENS_11RangePolic"
                   "yIJSJ_NS_9IndexTypeIiEEEEESJ_EEEEvT_")
            << QByteArray(
                   "void Kokkos::Impl::cuda_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<"
                   "Kokkos::Impl::ViewCopy<Kokkos::View<ArborX::Point<3, double>*, Kokkos::LayoutLeft, ");
    }
    void names_of_programs_are_demangled() {
        QFETCH(QByteArray, mangled);
        QFETCH(QByteArray, start);
        const std::string readable = demangled(mangled.toStdString());
        QVERIFY2(readable.starts_with(start.toStdString()), readable.c_str());
    }

    void a_few_bytes_never_stand_for_a_name_without_end_data() {
        QTest::addColumn<QByteArray>("mangled");
        for (const int count : {18, 24, 40, 90})
            QTest::addRow("references, %d", count) << QByteArray::fromStdString(doubled(count));
        for (const int count : {10, 20, 40, 60})
            QTest::addRow("template arguments, %d", count) << QByteArray::fromStdString(nested(count));
    }
    void a_few_bytes_never_stand_for_a_name_without_end() {
        QFETCH(QByteArray, mangled);
        QCOMPARE(demangled(mangled.toStdString()), mangled.toStdString());
    }

    void what_stays_short_is_demangled() {
        QVERIFY(demangled(doubled(3)).starts_with("f(x<int, int>, x<x<int, int>, x<int, int> >"));
        QVERIFY(demangled(doubled(10)).size() > 10'000 && demangled(doubled(10)).size() <= longest);
    }

    void names_of_a_megabyte_stay_as_they_are() {
        for (const std::string_view part : {"S_", "T_", "Z", "1a", "P", "N", "I", "_", "S"}) {
            std::string name = "_Z";
            while (name.size() < 1'000'000)
                name += part;
            QCOMPARE(demangled(name), name);
        }
    }
};

}  // namespace tst_demangled

ROOFWALK_TEST(tst_demangled, TestDemangled, NoApplication)
#include "tst_demangled.moc"
