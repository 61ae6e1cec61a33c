// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/ui/profile_files.h"
#include "tests/ui/settled_document.h"

namespace tst_document {

using namespace roofwalk;
using test::open;
using test::settle;

namespace {

std::string name_of(const Document& document, std::uint32_t point) {
    return document.analysis()->points[point].name;
}

}  // namespace

class TestDocument : public QObject {
    Q_OBJECT

  private slots:
    void a_file_is_read_analysed_and_drawn() {
        QTemporaryDir folder;
        Document document;
        QSignalSpy opened(&document.loader(), &ReportLoader::opened);
        QVERIFY(document.empty());
        const QString path = test::write_three_kernels(folder, "a.json");
        open(document, {path});
        QVERIFY(!document.empty());
        QCOMPARE(document.analysis()->points.size(), std::size_t{3});
        QVERIFY(!document.scene()->dots.empty());
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.first().first().toStringList(), QStringList{path});
    }

    void a_file_that_cannot_be_read_keeps_what_was_open() {
        QTemporaryDir folder;
        Document document;
        const QString good = test::write_three_kernels(folder, "a.json");
        open(document, {good});
        QSignalSpy failed(&document, &Document::failed);
        const auto scene = document.scene();
        open(document, {test::write_broken_file(folder, "broken.json"), folder.filePath("absent.json")});
        QCOMPARE(failed.count(), 2);
        QCOMPARE(to_qt(document.files().front().path), good);
        QCOMPARE(document.scene(), scene);
    }

    void of_several_files_the_readable_ones_are_joined() {
        QTemporaryDir folder;
        Document document;
        QSignalSpy failed(&document, &Document::failed);
        open(document,
             {test::write_three_kernels(folder, "a.json"), test::write_broken_file(folder, "b.json"),
              test::write_many_kernels(folder, "c.json", 5)});
        QCOMPARE(document.files().size(), std::size_t{2});
        QCOMPARE(document.analysis()->points.size(), std::size_t{8});
        QCOMPARE(failed.count(), 1);
    }

    void adding_keeps_what_is_open_and_the_same_file_is_there_once() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        open(document, {first});
        open(document, {test::write_many_kernels(folder, "b.json", 2)}, ReportLoader::Opening::add);
        QCOMPARE(document.analysis()->points.size(), std::size_t{5});
        open(document, {first}, ReportLoader::Opening::add);
        QCOMPARE(document.analysis()->points.size(), std::size_t{5});
        open(document, {first});
        QCOMPARE(document.analysis()->points.size(), std::size_t{3});
    }

    void reloading_reads_the_files_again() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_many_kernels(folder, "a.json", 2)});
        (void)test::write_many_kernels(folder, "a.json", 6);
        document.loader().reload();
        settle(document);
        QCOMPARE(document.analysis()->points.size(), std::size_t{6});
    }

    void the_newest_open_wins() {
        QTemporaryDir folder;
        Document document;
        QSignalSpy opened(&document.loader(), &ReportLoader::opened);
        document.loader().open({test::write_many_kernels(folder, "a.json", 2000)},
                               ReportLoader::Opening::replace);
        const QString second = test::write_three_kernels(folder, "b.json");
        open(document, {second});
        QCOMPARE(opened.count(), 1);
        QCOMPARE(to_qt(document.files().front().path), second);
    }

    void options_that_change_while_a_file_is_read_are_not_lost() {
        QTemporaryDir folder;
        Document document;
        document.loader().open({test::write_three_kernels(folder, "a.json")}, ReportLoader::Opening::replace);
        AnalysisOptions options = document.analysis_options();
        options.group_by = GroupBy::launch;
        document.set_analysis_options(options);
        settle(document);
        QTRY_COMPARE(document.analysis()->points.size(), std::size_t{4});
    }

    void a_selection_stays_with_its_kernel_when_launches_are_grouped_anew() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select(1U);
        const std::string name = name_of(document, 1);
        AnalysisOptions options = document.analysis_options();
        options.group_by = GroupBy::launch;
        document.set_analysis_options(options);
        settle(document);
        QVERIFY(document.selection().has_value());
        QCOMPARE(name_of(document, *document.selection()), name);
    }

    void kernels_are_walked_and_the_walk_wraps() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select_ranked(1);
        QCOMPARE(document.selected_point()->time->value(), 3e-3);
        document.select_ranked(1);
        QCOMPARE(document.selected_point()->time->value(), 6e-3);
        document.select_ranked(1);
        document.select_ranked(1);
        QCOMPARE(document.selected_point()->time->value(), 3e-3);
        document.select_ranked(-1);
        QCOMPARE(document.selected_point()->time->value(), 1e-3);
    }

    void a_filter_narrows_the_walk_and_the_chart() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        const auto before = document.scene();
        document.set_filter("time < 4ms");
        QTRY_COMPARE(matching_ranked(document.result()).size(), std::size_t{2});
        QTRY_VERIFY(document.scene() != before);
        for (const Dot& dot : document.scene()->dots)
            QVERIFY(document.result().matched(dot.point));
        for (const DotName& name : document.scene()->names)
            QVERIFY(name.dot < document.scene()->dots.size());
        QVERIFY(document.scene()->dots.size() < before->dots.size());
        document.set_filter({});
        QTRY_COMPARE(document.scene()->dots.size(), before->dots.size());
    }

    void a_faulty_filter_leaves_the_last_one_in_force() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.set_filter("sgemm");
        document.set_filter("gap > far");
        QVERIFY(document.filter_fault().contains("number"));
        QTRY_COMPARE(matching_ranked(document.result()).size(), std::size_t{1});
        document.set_filter("gap > 0");
        QVERIFY(document.filter_fault().isEmpty());
    }

    void a_filter_typed_during_an_analysis_is_the_one_in_force_in_the_end() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        AnalysisOptions options = document.analysis_options();
        options.group_by = GroupBy::launch;
        document.set_filter("sgemm");
        document.set_analysis_options(options);
        std::size_t told = 0;
        connect(&document, &Document::matches_changed, this,
                [&] { told = matching_ranked(document.result()).size(); });
        document.set_filter("stream");
        settle(document);
        QTRY_COMPARE(told, std::size_t{2});
        document.select(matching_ranked(document.result()).front());
        QTRY_COMPARE(document.scene()->options.selected, document.selection());
        QCOMPARE(matching_ranked(document.result()).size(), std::size_t{2});
    }

    void a_stopped_analysis_keeps_the_picture_and_brings_its_options_back() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_many_kernels(folder, "a.json", 20000)});
        const auto before = document.analysis();
        AnalysisOptions options = document.analysis_options();
        options.levels[MemoryLevel::l2] = false;
        QSignalSpy told(&document, &Document::options_changed);
        document.set_analysis_options(options);
        document.analysing().cancel();
        settle(document);
        QCOMPARE(document.analysis(), before);
        QVERIFY(document.analysis_options().levels == before->options.levels);
        QVERIFY(document.scene_options().levels == before->options.levels);
        QCOMPARE(told.count(), 2);
    }

    void after_a_stopped_analysis_a_level_that_binds_is_nobodys_choice() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_kernel_bound_by_l1(folder, "l1.json"),
                        test::write_many_kernels(folder, "a.json", 4000)});
        const AnalysisOptions before = document.analysis_options();
        constexpr MemoryLevel l1 = MemoryLevel::l1;
        QVERIFY(document.analysis()->options.levels[l1] && !before.levels[l1]);
        AnalysisOptions options = before;
        options.levels[MemoryLevel::l2] = false;
        document.set_analysis_options(options);
        document.analysing().cancel();
        settle(document);
        QVERIFY(document.analysis_options().levels == before.levels);
        QVERIFY(document.scene_options().levels == before.levels);
    }

    void files_that_a_stop_left_unread_are_named() {
        QTemporaryDir folder;
        std::stop_source stop;
        stop.request_stop();
        const std::string second = test::write_three_kernels(folder, "b.json").toStdString();
        const std::string third = test::write_three_kernels(folder, "c.json").toStdString();
        const LoadResult result =
            load_files({.paths = {test::write_three_kernels(folder, "a.json").toStdString(), second, third},
                        .kept = {},
                        .replaces = false},
                       {{}, stop.get_token()});
        QCOMPARE(result.failures.back().code, ErrorCode::cancelled);
        QCOMPARE(result.failures.back().where, second + ", " + third);
    }

    void the_longest_of_a_rectangle_is_selected() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select_points({1, 2});
        QCOMPARE(document.selected_point()->time->value(), 3e-3);
        QCOMPARE(document.focus().points(), (std::vector<std::uint32_t>{1, 2}));
        document.select_points({});
        QVERIFY(!document.selection().has_value() && document.focus().points().empty());
    }

    void a_toggled_kernel_joins_and_leaves_the_selection() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.toggle(0);
        document.toggle(2);
        QCOMPARE(document.selection(), std::optional(2U));
        QCOMPARE(document.focus().points(), (std::vector<std::uint32_t>{0, 2}));
        document.toggle(2);
        QCOMPARE(document.focus().points(), std::vector<std::uint32_t>{0});
        document.toggle(0);
        QVERIFY(!document.selection().has_value());
    }

    void an_empty_chart_says_that_the_filter_did_it() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.set_filter("no such kernel");
        QTRY_COMPARE(document.scene()->empty_note, std::string("No kernel matches the filter"));
        document.set_filter("");
        QTRY_VERIFY(document.scene()->empty_note.empty());
    }

    void scenes_that_nobody_would_see_are_not_built() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_many_kernels(folder, "a.json", 20000)});
        QThreadPool& pool = *QThreadPool::globalInstance();
        QVERIFY(pool.waitForDone());
        const int threads = pool.maxThreadCount();
        pool.setMaxThreadCount(32);
        for (std::uint32_t point = 0; point < 32; ++point)
            document.select(point);
        const int at_work = pool.activeThreadCount();
        pool.setMaxThreadCount(threads);
        QVERIFY2(at_work <= 1, qPrintable(QString::number(at_work)));
        QTRY_COMPARE(document.scene()->options.selected, std::optional(31U));
    }

    void the_filter_of_a_quick_hand_is_the_last_one_typed() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_many_kernels(folder, "a.json", 20000)});
        document.select(7U);
        for (const char* text : {"kernel_1", "kernel_12", "kernel_123"})
            document.set_filter(text);
        QTRY_COMPARE(matching_ranked(document.result()).size(), std::size_t{111});
        QTRY_VERIFY(document.scene()->shows(123) && !document.scene()->shows(12));
    }

    void a_filter_that_is_typed_anew_while_its_view_is_cut_short_is_made() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_many_kernels(folder, "a.json", 200)});
        QThreadPool& pool = *QThreadPool::globalInstance();
        QSemaphore held;
        for (int i = 0; i < pool.maxThreadCount(); ++i)
            pool.start([&held] { held.acquire(); });
        for (const char* text : {"kernel_1", "kernel_12", "kernel_1"})
            document.set_filter(text);
        held.release(pool.maxThreadCount());
        QTRY_COMPARE(matching_ranked(document.result()).size(), std::size_t{111});
        QTRY_VERIFY(document.scene()->shows(123) && !document.scene()->shows(23));
    }

    void a_filter_that_hides_the_selected_kernel_leads_to_the_first_that_it_shows() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        const auto sgemm = std::ranges::find_if(document.analysis()->points, [](const KernelPoint& point) {
            return point.name.find("sgemm") != std::string::npos;
        });
        const auto sgemm_point = static_cast<std::uint32_t>(sgemm - document.analysis()->points.begin());
        document.select(sgemm_point);
        QTRY_VERIFY(document.scene()->options.selected == document.selection());
        QVERIFY(!document.scene()->gaps.empty());
        document.set_filter("stream");
        QTRY_VERIFY(document.selection() != sgemm_point);
        QCOMPARE(document.selection(), first_to_look_at(document.result()));
        QTRY_VERIFY(document.scene()->options.selected == document.selection());
        document.set_filter("nothing of the kind");
        QTRY_VERIFY(matching_ranked(document.result()).empty());
        const Scene& scene = *document.scene();
        QVERIFY(document.selection() && scene.gaps.empty() && scene.joins.empty());
        QVERIFY(std::ranges::none_of(scene.roofs, &Roof::highlighted));
        document.set_filter("");
        QTRY_VERIFY(!document.scene()->gaps.empty());
    }

    void closing_one_file_keeps_the_others() {
        QTemporaryDir folder;
        Document document;
        const QString first = test::write_three_kernels(folder, "a.json");
        const QString second = test::write_many_kernels(folder, "b.json", 5);
        open(document, {first, second});
        QCOMPARE(document.analysis()->points.size(), std::size_t{8});
        document.select(0U);
        document.loader().close(first);
        QTRY_COMPARE(document.files().size(), std::size_t{1});
        QCOMPARE(to_qt(document.files().front().path), second);
        QCOMPARE(document.analysis()->points.size(), std::size_t{5});
        QVERIFY(!document.selection().has_value());
        document.loader().close("never opened");
        QCOMPARE(document.files().size(), std::size_t{1});
        document.loader().close(second);
        QVERIFY(document.empty());
    }

    void closing_empties_everything() {
        QTemporaryDir folder;
        Document document;
        open(document, {test::write_three_kernels(folder, "a.json")});
        document.select(0U);
        document.loader().close_all();
        QVERIFY(document.empty());
        QVERIFY(!document.analysis() && !document.scene());
        QVERIFY(document.selected_point() == nullptr);
        QVERIFY(matching_ranked(document.result()).empty());
    }
};

}  // namespace tst_document

ROOFWALK_TEST(tst_document, TestDocument, QCoreApplication)
#include "tst_document.moc"
