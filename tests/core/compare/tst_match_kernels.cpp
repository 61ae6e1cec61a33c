// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/compare/run_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_match_kernels {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

KernelMatches match(const std::vector<LaunchFacts>& before, const std::vector<LaunchFacts>& after,
                    GroupBy group_by = GroupBy::launch) {
    const Run old_run(before, group_by);
    const Run new_run(after, group_by);
    return match_kernels(old_run.view(), new_run.view());
}

LaunchFacts named(std::string name, std::uint32_t blocks = 1, std::vector<std::string> nvtx = {}) {
    LaunchFacts facts;
    facts.name = std::move(name);
    facts.grid.x = blocks;
    facts.nvtx = std::move(nvtx);
    return facts;
}

/// "0>2 same, 1>0 other_shape", then what is left: "removed 1 2, added 0, ambiguous 1 2|3".
std::string words(const KernelMatches& matches) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const auto list = [](const std::vector<std::uint32_t>& points) {
        std::string numbers;
        for (const std::uint32_t point : points)
            numbers += (numbers.empty() ? "" : " ") + std::to_string(point);
        return numbers;
    };
    for (const KernelMatch& pair : matches.pairs)
        add(std::to_string(pair.before) + ">" + std::to_string(pair.after) + " " +
            std::string(id_of(pair.basis)) + (pair.by_order ? " by order" : ""));
    if (!matches.removed.empty()) add("removed " + list(matches.removed));
    if (!matches.added.empty()) add("added " + list(matches.added));
    for (const AmbiguousKernels& alike : matches.ambiguous)
        add("ambiguous " + list(alike.before) + "|" + list(alike.after));
    return text;
}

}  // namespace

class TestMatchKernels : public QObject {
    Q_OBJECT

  private slots:
    void equal_kernels_match_wherever_they_stand() {
        QCOMPARE(words(match({named("a"), named("b"), named("c")}, {named("c"), named("a"), named("b")})),
                 std::string("0>1 same, 1>2 same, 2>0 same"));
    }
    void kernels_of_one_report_only_are_listed() {
        QCOMPARE(words(match({named("a"), named("gone")}, {named("new"), named("a")})),
                 std::string("0>1 same, removed 1, added 0"));
    }
    void shapes_tell_launches_of_one_kernel_apart() {
        QCOMPARE(words(match({named("a", 1), named("a", 2)}, {named("a", 2), named("a", 1)})),
                 std::string("0>1 same, 1>0 same"));
    }
    void nvtx_ranges_tell_launches_of_one_kernel_apart() {
        QCOMPARE(words(match({named("a", 1, {"forward"}), named("a", 1, {"backward"})},
                             {named("a", 1, {"backward"}), named("a", 1, {"forward"})})),
                 std::string("0>1 same, 1>0 same"));
    }
    void equally_many_alike_match_by_order() {
        QCOMPARE(words(match({named("a"), named("b"), named("a")}, {named("a"), named("a"), named("b")})),
                 std::string("0>0 same by order, 1>2 same, 2>1 same by order"));
    }
    void unequally_many_alike_are_not_guessed() {
        QCOMPARE(words(match({named("a"), named("a"), named("b")}, {named("b"), named("a")})),
                 std::string("2>0 same, ambiguous 0 1|1"));
    }
    void ranges_that_came_or_went_do_not_part_a_kernel() {
        QCOMPARE(words(match({named("a", 1, {"step"})}, {named("a")})), std::string("0>0 other_nvtx"));
    }
    void one_changed_shape_is_passed_over() {
        QCOMPARE(words(match({named("a", 1), named("a", 1)}, {named("a", 4), named("a", 4)})),
                 std::string("0>0 other_shape by order, 1>1 other_shape by order"));
    }
    void several_changed_shapes_are_not_guessed() {
        QCOMPARE(words(match({named("a", 1), named("a", 2)}, {named("a", 3), named("a", 4)})),
                 std::string("ambiguous 0 1|0 1"));
    }
    void what_matches_exactly_is_never_drawn_into_a_guess() {
        // Twelve launches against ten stay ambiguous even where other shapes would fill the numbers up.
        QCOMPARE(words(match({named("a", 1), named("a", 1), named("a", 2)},
                             {named("a", 1), named("a", 3), named("a", 3)})),
                 std::string("ambiguous 0 1|0, ambiguous 2|1 2"));
    }
    // As reports, ncu's CSV of the same run, other profilers and compilers write them.
    void a_kernel_is_found_in_other_spellings_data() {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("another");
        QTest::addColumn<bool>("found");
        const auto row = [](const char* tag, const char* one, const char* another, bool found = true) {
            QTest::newRow(tag) << one << another << found;
        };
        row("CSV",
            "void cutlass::Kernel2<cutlass_80_tensorop_i16832gemm_s8_128x64_128x3_tn_align4>(T1::Params)",
            "void Kernel2<cutlass_80_tensorop_i16832gemm_s8_128x64_128x3_tn_align4>(Params)");
        row("mangled",
            "void cutlass::Kernel2<cutlass_80_tensorop_i16832gemm_s8_128x64_128x3_tn_align4>(T1::Params)",
            "_ZN7cutlass7Kernel2I56cutlass_80_tensorop_i16832gemm_s8_128x64_128x3_tn_align4EEvNT_6ParamsE");
        row("function", "void cutlass::Kernel2<tile>(T1::Params)", "Kernel2");
        row("spaces", "jacobi(float const*, float*, float*, int)",
            "jacobi(float const *,float *,float *,int)");
        row("unsigned", "copyLayers(unsigned int, int *)", "copyLayers(unsigned,int*)");
        row("casts", "void smem_blocking<(int)32>(int, int, int, const float *, const float *, float *)",
            "void smem_blocking<32>(int, int, int, const float*, const float*, float*)");
        row("unnamed", "void at::native::<unnamed>::distribution<float, (int)4>(T1)",
            "void at::native::(anonymous namespace)::distribution<float, 4>(T1)");
        row("mangled unnamed",
            "void at::native::<unnamed>::distribution_elementwise_grid_stride_kernel<float>(T1)",
            "_ZN2at6native55_GLOBAL__N__c57f6ec9_22_DistributionUniform_cu_67fa25cf43distribution_elementwise_grid_stride_kernelIfEEvT_");
        row("no namespace of an argument", "void ns::k<ns::tile<1>, float>(ns::T)",
            "void k<tile<1>, float>(T)");
        row("other arguments", "void ns::k<(int)1>(int)", "void k<(int)2>(int)", false);
        row("other inner arguments", "void k<ns::tile<1>>(int)", "void k<tile<2>>(int)", false);
        row("other parameters", "k(unsigned int)", "k(int)", false);
        row("other namespace", "void one::k<1>(int)", "void other::k<1>(int)", false);
        row("other namespace of an argument", "void k<one::tile>()", "void k<other::tile>()", false);
        row("void within a name", "void id(int)", "id(int)");
        row("other mangled arguments", "_Z4gemmILi64EEvPf", "_Z4gemmILi128EEvPf", false);
        row("other mangled parameters", "_Z1fPf", "_Z1fPd", false);
        row("other function", "void ns::kernel<1>()", "void kernel2<1>()", false);
    }
    void a_kernel_is_found_in_other_spellings() {
        QFETCH(QString, one);
        QFETCH(QString, another);
        QFETCH(bool, found);
        const std::string expected = found ? "0>0 other_spelling" : "removed 0, added 0";
        const auto found_in = [](const QString& before, const QString& after) {
            const KernelMatches matches = match({named(before.toStdString())}, {named(after.toStdString())});
            const bool arguments =
                !matches.pairs.empty() && matches.pairs[0].basis == MatchBasis::other_arguments;
            return arguments ? std::string("removed 0, added 0") : words(matches);
        };
        QCOMPARE(found_in(one, another), expected);
        QCOMPARE(found_in(another, one), expected);
    }
    void what_may_be_several_spellings_is_none() {
        QCOMPARE(
            words(match({named("void cutlass::Kernel2<tile, (int)64>(T1::Params)"), named("jacobi(float*)")},
                        {named("jacobi"), named("void Kernel2<tile, 64>(Params)")})),
            std::string("0>1 other_spelling, 1>0 other_spelling"));
        // What has both is none of them by a part of its name.
        QCOMPARE(words(match({named("void ns::k<1>(int)"), named("void ns::k<2>(int)")},
                             {named("void ns::k<1>(int)"), named("k")})),
                 std::string("0>0 same, 1>1 other_spelling"));
        QCOMPARE(words(match({named("void k<1>(int)"), named("void k<2>(int)")},
                             {named("k<1>(int)"), named("k")})),
                 std::string("0>0 other_spelling, 1>1 other_spelling"));
        QCOMPARE(words(match({named("void ns::k<1>(int)"), named("void ns::k<2>(int)")},
                             {named("k"), named("k<1>(int)")})),
                 std::string("0>1 other_spelling, 1>0 other_spelling"));
        // One of three could be it.
        QCOMPARE(words(match({named("k<1>(int)"), named("k<1>(float)"), named("k<2>(int)")}, {named("k<1>")},
                             GroupBy::kernel)),
                 std::string("ambiguous 0 1 2|0"));
        QCOMPARE(words(match({named("k<1>(int)"), named("k<2>(int)")}, {named("k<1>")}, GroupBy::kernel)),
                 std::string("0>0 other_spelling, removed 1"));
        for (const char* other : {"void one::k<1>(float)", "void ns::k<2>(int)"})
            QCOMPARE(words(match({named("void ns::k<1>(int)"), named(other)}, {named("k")}, GroupBy::kernel)),
                     std::string("removed 0 1, added 0"));
        QCOMPARE(words(match({named("void ns::k<1>(int)")}, {named("void other::k<1>(int)")})),
                 std::string("removed 0, added 0"));
        QCOMPARE(words(match({named("k", 1, {"f (1)"})}, {named("k", 1, {"f"})}, GroupBy::nvtx)),
                 std::string("removed 0, added 0"));
    }
    void other_template_arguments_match_last() {
        QCOMPARE(words(match({named("void gemm<64>(float*)"), named("void gemm<32>(float*)")},
                             {named("void gemm<32>(float*)"), named("void gemm<128>(float*)", 7)})),
                 std::string("0>1 other_arguments, 1>0 same"));
        QCOMPARE(words(match({named("axpy(float*)")}, {named("void axpy<double>(double*)")})),
                 std::string("0>0 other_arguments"));
    }
    void several_instances_of_a_template_are_not_guessed() {
        QCOMPARE(words(match({named("void k<1>()"), named("void k<2>()")},
                             {named("void k<3>()"), named("void k<4>()")})),
                 std::string("ambiguous 0 1|0 1"));
        QCOMPARE(words(match({named("void k<1>()", 1), named("void k<2>()", 2)},
                             {named("void k<3>()", 2), named("void k<4>()", 1)})),
                 std::string("0>1 other_arguments, 1>0 other_arguments"));
    }
    void a_renamed_kernel_matches_by_its_range() {
        QCOMPARE(words(match({named("naive", 1, {"gemm"}), named("other")},
                             {named("tiled", 8, {"gemm"}), named("another")})),
                 std::string("0>0 other_name, removed 1, added 1"));
    }
    void kernels_are_matched_whatever_their_launches() {
        QCOMPARE(words(match({named("a", 1), named("a", 2), named("b")}, {named("b"), named("a", 9)},
                             GroupBy::kernel)),
                 std::string("0>1 other_shape, 1>0 same"));
    }
    void nvtx_groups_match_by_path_only() {
        QCOMPARE(words(match({named("a", 1, {"step (1)"}), named("a", 1, {"step (2)"})},
                             {named("b", 2, {"step (2)"}), named("b", 2, {"step (3)"})}, GroupBy::nvtx)),
                 std::string("1>0 other_shape, removed 0, added 1"));
    }
    void several_devices_are_kept_apart() {
        Device other = test_gpu();
        other.name = "Other GPU";
        LaunchFacts on_other = named("a");
        on_other.device = 1;
        const Run before({named("a"), on_other}, GroupBy::kernel, {test_gpu(), other});
        const Run after({on_other, named("a")}, GroupBy::kernel, {test_gpu(), other});
        QCOMPARE(words(match_kernels(before.view(), after.view())), std::string("0>1 same, 1>0 same"));
        // One device on each side may differ: the same program was profiled elsewhere.
        const Run elsewhere({named("a")}, GroupBy::kernel, {other});
        QCOMPARE(words(match_kernels(Run({named("a")}).view(), elsewhere.view())), std::string("0>0 same"));
    }
    void every_kernel_is_accounted_for_once() {
        std::vector<LaunchFacts> before;
        std::vector<LaunchFacts> after;
        for (std::uint32_t i = 0; i < 500; ++i) {
            before.push_back(
                named("void k<" + std::to_string(i % 7) + ">()", i % 5, {"r" + std::to_string(i % 3)}));
            after.push_back(
                named("void k<" + std::to_string(i % 11) + ">()", i % 4, {"r" + std::to_string(i % 2)}));
        }
        const KernelMatches matches = match(before, after);
        std::vector<int> seen_before(before.size());
        std::vector<int> seen_after(after.size());
        for (const KernelMatch& pair : matches.pairs) {
            ++seen_before[pair.before];
            ++seen_after[pair.after];
        }
        for (const std::uint32_t point : matches.removed)
            ++seen_before[point];
        for (const std::uint32_t point : matches.added)
            ++seen_after[point];
        for (const AmbiguousKernels& alike : matches.ambiguous) {
            QVERIFY(!alike.before.empty() && !alike.after.empty());
            for (const std::uint32_t point : alike.before)
                ++seen_before[point];
            for (const std::uint32_t point : alike.after)
                ++seen_after[point];
        }
        QCOMPARE(seen_before, std::vector<int>(before.size(), 1));
        QCOMPARE(seen_after, std::vector<int>(after.size(), 1));
    }
};

}  // namespace tst_match_kernels

ROOFWALK_TEST(tst_match_kernels, TestMatchKernels, NoApplication)
#include "tst_match_kernels.moc"
