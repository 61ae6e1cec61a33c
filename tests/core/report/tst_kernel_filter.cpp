// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QTest>

#include "core/report/kernel_filter.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_kernel_filter {

using namespace roofwalk;

namespace {

KernelPoint gemm() {
    KernelPoint point;
    point.name = "void gemm<float, (int)128>(float const*)";
    point.launches = 3;
    point.time = Seconds(5e-3);
    point.time_share = 0.25;
    point.work = Flops(7.5e9);
    point.performance = FlopRate(1.5e12);
    point.gap = VerticalGap{4};
    point.binding = CeilingTarget(Boundary::hbm_dram_rw);
    point.verdict.kernel_class = KernelClass::memory_bound;
    LevelPoint hbm;
    hbm.intensity = Intensity(12);
    point.levels[MemoryLevel::hbm] = hbm;
    return point;
}

}  // namespace

class TestKernelFilter : public QObject {
    Q_OBJECT

  private slots:
    void a_class_that_does_not_exist_is_an_error() {
        for (const char* wrong : {"class = foo", "class != foo", "class ~ foo", "not class = memory"}) {
            const auto filter = parse_kernel_filter(wrong);
            QVERIFY2(!filter, wrong);
            QVERIFY(filter.error().hint.find("memory-bound") != std::string::npos);
        }
        for (const char* right : {"class ~ memory", "class = Memory-Bound", "class = \"roof not known\""})
            QVERIFY2(parse_kernel_filter(right), right);
    }

    void a_class_is_found_as_the_table_shows_it() {
        KernelPoint busy = gemm();
        busy.verdict.busy = BusyUnit{HardwareUnit::l2, 0.9};
        const std::string shown = class_text(busy);
        QCOMPARE(shown, std::string("memory-bound (L2 busy)"));
        const auto finds = [](const std::string& filter, const KernelPoint& point) {
            const auto parsed = parse_kernel_filter(filter);
            return parsed && (*parsed)(point);
        };
        for (const std::string& filter :
             {"class = \"" + shown + "\"", "class ~ \"" + shown.substr(0, 16) + "\""}) {
            QVERIFY2(finds(filter, busy), filter.c_str());
            QVERIFY2(!finds(filter, gemm()), filter.c_str());
        }
        QVERIFY(finds("class != \"" + shown + "\"", gemm()) && finds("class = memory-bound", busy));
        KernelPoint issuing = gemm();
        issuing.verdict.kernel_class = KernelClass::low_use;
        issuing.verdict.busy = BusyUnit{HardwareUnit::sm, 0.7};
        for (const char* filter :
             {"class = SM-bound", "class != \"low use\"", "class ~ SM", "class != L2-bound"})
            QVERIFY2(finds(filter, issuing), filter);
        QVERIFY(!finds("class = SM-bound", busy) && !finds("class = L2-bound", issuing));
        KernelPoint unjudged = gemm();
        unjudged.verdict.left_unjudged = true;
        QVERIFY(finds("class = \"not judged\"", unjudged) && !finds("class = \"not judged\"", busy));
        KernelPoint unrun = gemm();
        unrun.verdict.launch_binds = true;
        QVERIFY(finds("class = \"bound by the launch\"", unrun));
        QVERIFY(!parse_kernel_filter("class = \"memory (L2 busy)\""));
    }

    void a_cause_behind_a_class_is_one_that_tables_show() {
        for (const char* wrong :
             {"class = \"memory-bound (nonsense)\"", "class != \"memory-bound (L2 busied)\"",
              "class ~ \"memory-bound (by nonsense\"", "class = \"memory-bound (L2 bus)\""})
            QVERIFY2(!parse_kernel_filter(wrong), wrong);
        for (const char* right :
             {"class = \"low use (L2, L1/SMEM not judged)\"", "class = \"SM-bound (low use of every roof)\"",
              "class = \"memory-bound (by bytes at least; no ceiling known for L2)\"",
              "class = \"compute-bound (launches near FP16 Tensor (FP16 acc.) sparse and DRAM)\"",
              "class = \"no FLOP (integer tensor work; time and work of 3 of 1,200 launches)\"",
              "class ~ \"above the roof (counters contra\"", "class ~ \"-bound (L1TEX busy\""})
            QVERIFY2(parse_kernel_filter(right), right);
    }

    void a_condition_finds_its_kernel_and_narrows_other_filters() {
        const KernelPoint point = gemm();
        const auto alone = equal_condition("name", point.name);
        QVERIFY(alone && (*parse_kernel_filter(*alone))(point));
        for (const char* filter : {"", "gemm", "gap > 2 or gap > 9"}) {
            const auto with = with_condition(filter, *alone);
            const auto without = with_condition(filter, "not " + *alone);
            QVERIFY2(with && without, filter);
            QVERIFY2((*parse_kernel_filter(*with))(point), with->c_str());
            QVERIFY2(!(*parse_kernel_filter(*without))(point), without->c_str());
        }
        QVERIFY(!with_condition("/ge.m/", *alone));
        QVERIFY(!equal_condition("name", "operator\"\"_x"));
    }

    void filters_select_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("selected");
        const auto row = [](const char* text, bool selected) { QTest::newRow(text) << text << selected; };
        row("GEMM", true);
        row("stream", false);
        row("gemm<float", true);
        row("/gemm<\\w+/", true);
        row("/^gemm/", true);  // as the table shows the name
        row("/^void/", true);  // the whole name
        row("/^half/", false);
        row("gemm<float, 128>", true);  // as the table shows it
        row("gemm|stream", true);       // with what is in no name, an expression too
        row("^gemm", true);
        row("^gemv", false);
        row("gemm<.*128", true);
        row("float*", false);
        row("const*)", true);
        row("(", true);                            // half an expression is text
        row("name = \"gemm<float, 128>\"", true);  // as the table shows it
        row("name ~ \"<float, 128\"", true);
        row("name = \"gemm<float, (int)128>\"", true);
        row("name = \"void gemm<float, (int)128>(float const*)\"", true);
        row("name = gemm", false);
        row("verdict = memory-bound", true);
        row("gap > 2", true);
        row("gap>2", true);
        row("gap > 2x", true);
        row("gap > -1", true);
        row("gap > 1e-3 and gap < 2.5E1", true);
        row("perf >= 1.5e12 FLOP/s", true);
        row("gap < 2", false);
        row("gap > 2 and time > 5%", true);
        row("gap > 2 and time > 50%", false);
        row("gap > 9 or time >= 5ms", true);
        row("not gap > 2", false);
        row("not (gap > 9 or time < 1 ms)", true);
        row("roof = 25%", true);
        row("roof > 25", false);
        row("perf >= 1.5 TFLOP/s", true);
        row("perf > 1.5T", false);
        row("ai = 12", true);
        row("ai.l2 > 0", false);
        row("not ai.l2 > 0", false);
        row("ai.l2 > 0 or gap > 2", true);
        row("not (ai.l2 > 0 and gap > 9)", true);
        row("not (ai.l2 > 0 and gap > 2)", false);
        row("not (ai.l2 > 0 or gap > 9)", false);
        row("launches != 3", false);
        row("class ~ memory", true);
        row("class = memory-bound", true);
        row("class = \"memory-bound\"", true);
        row("bound = hbm", true);
        row("bound != HBM", false);
        row("bound = dram", true);
        row("bound ~ \"DRAM\"", true);
        row("bound ~ hb", true);
        row("bound ~ dra", true);
        row("bound ~ hd", false);
        row("bound = l2", false);
        row("dram_bytes < 1 TB", true);
        row("of_limit = 25%", true);  // as the table heads it
        row("of limit = 25%", true);
        row("\"Of limit\"=25%", true);
        row("\"Of limit\"=60%", false);
        row("\"Bound by\"=DRAM", true);
        row("\"Bound by\"~DRAM", true);
        row("\"Grid\"=nothing", false);
        row("not \"Of limit\" > 25%", true);
        row("of_time<26%", true);
        row("gap > 2 and bound by = hbm", true);
        row("AI DRAM = 12", true);
        row("gemm<3", false);  // no comparison: a template that is not yet whole
        row("name ~ \"gemm<float\"", true);
        row("gap > 9 and gap > 1 or launches = 3", true);
    }

    void filters_select() {
        QFETCH(QString, text);
        QFETCH(bool, selected);
        const Result<KernelFilter> filter = parse_kernel_filter(text.toStdString());
        QVERIFY2(filter.has_value(), filter ? "" : filter.error().what.c_str());
        QCOMPARE((*filter)(gemm()), selected);
    }

    void memory_is_found_by_either_name_where_a_limit_is_told() {
        KernelPoint point = gemm();
        point.name = "dram_copy";
        for (const MemoryName memory : {MemoryName::hbm, MemoryName::dram}) {
            point.memory = memory;
            for (const char* text : {"bound = hbm", "bound = dram", "bound ~ hb", "bound ~ \"DRA\""})
                QVERIFY2((*parse_kernel_filter(text))(point), text);
            for (const char* text : {"bound != hbm", "bound != dram", "name ~ hbm", "name = hbm_copy"})
                QVERIFY2(!(*parse_kernel_filter(text))(point), text);
        }
    }

    void an_empty_text_filters_nothing() { QVERIFY(!*parse_kernel_filter("  ")); }

    void a_missing_number_is_in_no_comparison() {
        const KernelPoint nothing;
        for (const char* text : {"gap > 0", "gap <= 0", "time > 0%", "perf < 1T", "roof != 5"})
            QVERIFY2(!(*parse_kernel_filter(text))(nothing), text);
    }

    void what_is_unknown_matches_no_negation_either() {
        const KernelPoint nothing;
        for (const char* text : {"not gap > 2", "not time > 5%", "bound != hbm", "not bound = hbm",
                                 "not (gap > 2 or perf > 1T)", "not (gap > 2 and perf > 1T)"})
            QVERIFY2(!(*parse_kernel_filter(text))(nothing), text);
        QVERIFY((*parse_kernel_filter("not name = stream"))(nothing));
    }

    void faults_say_what_was_expected_and_where_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("where");
        QTest::newRow("unknown column") << "gapp > 2"
                                        << "There is no column \"gapp\""
                                        << "character 1";
        QTest::newRow("unknown column below zero") << "gapp > -2"
                                                   << "There is no column \"gapp\""
                                                   << "character 1";
        QTest::newRow("unknown column of two words") << "of limits > 2"
                                                     << "There is no column \"of limits\""
                                                     << "character 1";
        QTest::newRow("unknown column without blanks") << "gapp>3"
                                                       << "There is no column \"gapp\""
                                                       << "character 1";
        QTest::newRow("unknown column, a share") << "gapp<3% and gap > 2"
                                                 << "There is no column \"gapp\""
                                                 << "character 1";
        QTest::newRow("unknown column in quotes") << "\"Bound bye\"=DRAM"
                                                  << "There is no column \"Bound bye\""
                                                  << "character 1";
        QTest::newRow("no value") << "gap >"
                                  << "compared with a number"
                                  << "at the end";
        QTest::newRow("word for a number") << "gap > far"
                                           << "compared with a number"
                                           << "character 7";
        QTest::newRow("a number too large") << "gap > 1e400"
                                            << "1e400"
                                            << "character 7";
        QTest::newRow("time without unit") << "time > 5"
                                           << "unit"
                                           << "character 8";
        QTest::newRow("a share of one, or of a hundred") << "roof > 0.6"
                                                         << "in per cent"
                                                         << "character 8";
        QTest::newRow("unit of another kind") << "gap > 5ms"
                                              << "without a unit"
                                              << "character 7";
        QTest::newRow("text in order") << "name > a"
                                       << "compare it with ="
                                       << "character 8";
        QTest::newRow("open parenthesis") << "(gap > 2"
                                          << "parenthesis"
                                          << "at the end";
        QTest::newRow("two in a row") << "(gap > 2) gap > 3"
                                      << "and"
                                      << "character 11";
        QTest::newRow("contains a number") << "gap ~ 2"
                                           << "~ is for texts"
                                           << "character 7";
        QTest::newRow("regular expression") << "/gemm(/"
                                            << "regular expression is not valid"
                                            << "/gemm(/";
        QTest::newRow("after a letter of two bytes") << "name = \"µ\" or gap > far"
                                                     << "compared with a number"
                                                     << "character 21";
    }

    void faults_say_what_was_expected_and_where() {
        QFETCH(QString, text);
        QFETCH(QString, what);
        QFETCH(QString, where);
        const Result<KernelFilter> filter = parse_kernel_filter(text.toStdString());
        QVERIFY(!filter.has_value());
        QCOMPARE(filter.error().code, ErrorCode::bad_argument);
        QVERIFY2(QString::fromStdString(filter.error().what).contains(what), filter.error().what.c_str());
        QVERIFY2(QString::fromStdString(filter.error().where).contains(where), filter.error().where.c_str());
    }

    void a_fault_names_what_is_near_or_some_of_what_there_is() {
        const auto hint = [](std::string_view text) { return parse_kernel_filter(text).error().hint; };
        QCOMPARE(hint("tim > 5%"), std::string("Did you mean time?"));
        QVERIFY(hint("class = \"memory bound\"").find("memory-bound") != std::string::npos);
        const std::string none = hint("class = frobnicate");
        QVERIFY2(none.ends_with(" and others.") && none.size() < 90, none.c_str());
        QVERIFY2(hint("hbm > 1").find("hbm_b") != std::string::npos, hint("hbm > 1").c_str());
        const std::string strange = hint("foo > 3");
        for (const KernelColumn& column : filter_columns())
            if (column.column.window > 0 && column.column.place == ColumnPlace::main &&
                column.column.gives_way == 0)
                QVERIFY2(strange.find(column.column.word) != std::string::npos, strange.c_str());
    }

    void endless_nesting_is_refused() {
        const Result<KernelFilter> filter = parse_kernel_filter("gap > 1 and " + std::string(10000, '('));
        QVERIFY(!filter.has_value());
        QVERIFY(filter.error().what.find("nested") != std::string::npos);
    }

    void a_condition_of_sixteen_kibibytes_is_the_longest() {
        const std::string part = "gap > 1 and ";
        std::string longest;
        while (longest.size() + part.size() + 7 <= std::size_t{16} << 10U)
            longest += part;
        QVERIFY(parse_kernel_filter(longest + "gap > 1").has_value());
        const Result<KernelFilter> longer = parse_kernel_filter(longest + part + "gap > 1");
        QVERIFY(!longer.has_value());
        QCOMPARE(longer.error().code, ErrorCode::bad_argument);
    }
};

}  // namespace tst_kernel_filter

ROOFWALK_TEST(tst_kernel_filter, TestKernelFilter, NoApplication)
#include "tst_kernel_filter.moc"
