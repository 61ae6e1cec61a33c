// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a selection when options, filter and files change.
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/ui/profile_files.h"
#include "tests/ui/settled_document.h"

namespace tst_document_selection {

using namespace roofwalk;
using test::open;
using test::settle;

namespace {

using Points = std::vector<std::uint32_t>;

void group(Document& document, GroupBy group_by) {
    AnalysisOptions options = document.analysis_options();
    options.group_by = group_by;
    document.set_analysis_options(options);
    settle(document);
}

std::uint32_t point_called(const Document& document, std::string_view name) {
    const auto& points = document.analysis()->points;
    const auto found = std::ranges::find_if(
        points, [&](const KernelPoint& point) { return point.name.find(name) != std::string::npos; });
    return static_cast<std::uint32_t>(found - points.begin());
}

QStringList selected_names(const Document& document) {
    QStringList names;
    for (const std::uint32_t point : document.focus().points())
        names.append(QString::fromStdString(document.analysis()->points[point].name).section('(', 0, 0));
    return names;
}

}  // namespace

class TestDocumentSelection : public QObject {
    Q_OBJECT

  private slots:
    void another_clock_keeps_the_whole_selection() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select_points({0, 1, 2}, 1U);
        AnalysisOptions options = document.analysis_options();
        options.clock = ClockBasis::boost;
        document.set_analysis_options(options);
        settle(document);
        QCOMPARE(document.selection(), std::optional(1U));
        QCOMPARE(document.focus().points(), (Points{0, 1, 2}));
        QTRY_COMPARE(document.scene()->options.also_selected, (Points{0, 2}));
    }

    void grouping_by_launch_and_back_keeps_the_selected_kernels() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select_points({0, 2}, 2U);
        group(document, GroupBy::launch);
        QCOMPARE(document.analysis()->points.size(), std::size_t{4});
        QCOMPARE(selected_names(document), (QStringList{"stream_add", "copy_indices"}));
        QCOMPARE(document.selected_point()->name, std::string("copy_indices"));
        document.select_points({0, 2, 3}, 3U);  // 0 and 3 are the launches of one kernel
        group(document, GroupBy::kernel);
        QCOMPARE(document.focus().points(), (Points{0, 2}));
        QCOMPARE(document.selection(), std::optional(0U));
        QTRY_COMPARE(document.scene()->options.selected, std::optional(0U));
    }

    void a_selection_made_during_an_analysis_is_drawn() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select(0U);
        AnalysisOptions options = document.analysis_options();
        options.clock = ClockBasis::boost;
        document.set_analysis_options(options);
        document.select_points({1, 2}, 2U);
        settle(document);
        QTRY_COMPARE(document.scene()->options.selected, std::optional(2U));
        QCOMPARE(document.scene()->options.also_selected, Points{1});
    }

    void reloading_keeps_the_selection_by_name_and_order() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        group(document, GroupBy::launch);
        document.select_points({1, 3}, 3U);
        document.loader().reload();
        settle(document);
        QCOMPARE(document.focus().points(), (Points{1, 3}));
        QCOMPARE(document.selection(), std::optional(3U));
        QTRY_COMPARE(document.scene()->options.selected, std::optional(3U));
    }

    void a_kernel_that_a_reload_no_longer_finds_leaves_the_selection() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_many_kernels(folder, "a.json", 6)});
        document.select_points({1, 2, 5}, 5U);
        (void)test::write_many_kernels(folder, "a.json", 4);
        document.loader().reload();
        settle(document);
        QCOMPARE(selected_names(document), (QStringList{"kernel_1", "kernel_2"}));
        QCOMPARE(document.selected_point()->name, std::string("kernel_1"));
    }

    void files_that_come_and_go_leave_the_selection_in_the_others() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        open(document, {first, test::write_many_kernels(folder, "b.json", 2)});
        document.select_points({point_called(document, "sgemm"), point_called(document, "kernel_1")});
        open(document, {test::write_three_kernels(folder, "c.json")}, ReportLoader::Opening::add);
        QCOMPARE(selected_names(document), (QStringList{"void sgemm_tiled<128, 8>", "kernel_1"}));
        document.loader().close(first);
        settle(document);
        QCOMPARE(selected_names(document), QStringList{"kernel_1"});
    }

    void other_files_end_the_selection() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select_points({0, 1});
        open(document, {test::write_three_kernels(folder, "b.json")});
        QVERIFY(document.focus().points().empty());
    }

    void a_hidden_foremost_kernel_gives_way_to_the_longest_that_is_shown() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        const std::uint32_t sgemm = point_called(document, "sgemm");
        const std::uint32_t stream = point_called(document, "stream");
        const std::uint32_t copy = point_called(document, "copy");
        document.select_points({sgemm, stream, copy}, sgemm);
        QCOMPARE(drawn_selection(document.result(), document.focus()), std::optional(sgemm));
        document.set_filter("not sgemm");
        document.set_filter("name ~ stream or name ~ copy");
        QTRY_COMPARE(matching_ranked(document.result()).size(), std::size_t{2});
        QCOMPARE(document.selection(), std::optional(sgemm));
        QCOMPARE(drawn_selection(document.result(), document.focus()), std::optional(stream));
        QCOMPARE(document.scene()->options.selected, std::optional(stream));
        QCOMPARE(document.scene()->options.also_selected, Points{copy});
        QVERIFY(std::ranges::all_of(document.scene()->gaps,
                                    [&](const GapMark& gap) { return gap.point == stream; }));
        document.set_filter("nothing of the kind");
        QTRY_VERIFY(!drawn_selection(document.result(), document.focus()));
        QVERIFY(!document.scene()->options.selected);
        document.set_filter("");
        QTRY_COMPARE(document.scene()->options.selected, std::optional(sgemm));
    }
};

}  // namespace tst_document_selection

ROOFWALK_TEST(tst_document_selection, TestDocumentSelection, QCoreApplication)
#include "tst_document_selection.moc"
