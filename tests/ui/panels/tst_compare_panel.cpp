// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

#include "tests/support/folder_tests.h"
#include "tests/ui/settled_document.h"
#include "tests/ui/shown_window.h"
#include "ui/widgets/qt_text.h"

namespace tst_compare_panel {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// A profile of stream_add and, where asked for, sgemm, in the short form.
QString write_run(const QTemporaryDir& folder, const QString& name, int add_us, double add_bytes,
                  bool with_gemm = true) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    const QString gemm = R"(, {"name": "sgemm", "flops": 8e9, "bytes": 1e8, "duration_ns": 900000})";
    file.write(QStringLiteral(R"({"device": "A100 SXM4 40GB", "kernels": [
        {"name": "stream_add", "flops": 1e8, "bytes": %1, "duration_ns": %2}%3]})")
                   .arg(add_bytes)
                   .arg(add_us * 1000)
                   .arg(with_gemm ? gemm : QString())
                   .toUtf8());
    return file.fileName();
}

/// A window with a run in which stream_add takes 2 ms and moves 1.2 GB.
struct WithRun : ShownWindow {
    WithRun() { opened = open({write_run(folder, "new.json", 2000, 1.2e9)}); }

    [[nodiscard]] bool compare_with(const QStringList& paths) {
        chooser.to_open = paths;
        action("compare_with").trigger();
        return QTest::qWaitFor([this, count = paths.size()] {
                   const auto& compared = document().result().comparison;
                   return compared && compared->older.size() == static_cast<std::size_t>(count);
               }) &&
               settle();
    }
    [[nodiscard]] QDockWidget& dock() { return *window.findChild<QDockWidget*>("dock_compare"); }
    [[nodiscard]] QTableView& lines() { return *window.findChild<QTableView*>("comparison_lines"); }
    [[nodiscard]] QString cell_of(int row, const char* column) {
        return lines().model()->index(row, test::column_of(lines(), column)).data().toString();
    }
    [[nodiscard]] QString sentence() {
        return window.findChild<QLabel*>("comparison_sentence")->accessibleName();
    }
    void click(int row) {
        QTest::mouseClick(lines().viewport(), Qt::LeftButton, {},
                          lines().visualRect(lines().model()->index(row, 0)).center());
    }

    bool opened = false;
};

}  // namespace

class TestComparePanel : public QObject {
    Q_OBJECT

  private slots:
    void an_older_report_brings_verdicts_and_arrows() {
        WithRun s;
        QVERIFY(s.opened);
        QVERIFY(s.dock().isHidden());
        s.dock().toggleViewAction()->trigger();
        QVERIFY2(s.sentence().contains("Compare with"), qPrintable(s.sentence()));
        s.dock().close();
        QVERIFY(!s.action("stop_comparing").isEnabled());

        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        QVERIFY(s.dock().isVisible());
        QCOMPARE(s.lines().model()->rowCount(), 2);
        QCOMPARE(s.cell_of(0, "kernel_or_step"), QString("stream_add"));
        QCOMPARE(s.cell_of(0, "verdict"), QString("right and up"));
        QCOMPARE(s.cell_of(0, "pace"), QString("2.00x faster"));
        QCOMPARE(s.cell_of(0, "time"), QString("4.00 ms → 2.00 ms"));
        QCOMPARE(s.cell_of(0, "bytes"), QString("HBM: 2.40 GB → 1.20 GB"));
        QCOMPARE(s.cell_of(1, "verdict"), QString("unchanged"));
        const QHeaderView& header = *s.lines().horizontalHeader();
        for (const int other : {20, 2000, 40}) {  // the last column follows the others
            s.lines().setColumnWidth(0, other);
            const int last = header.count() - 1;
            QVERIFY(header.sectionSize(last) >= header.sectionSizeHint(last));
            QVERIFY(header.length() >= s.lines().viewport()->width());
            QVERIFY(other != 2000 || header.sectionSize(last) < s.lines().viewport()->width());
        }
        QVERIFY2(s.sentence().contains("4.90 ms → 2.90 ms"), qPrintable(s.sentence()));
        QCOMPARE(s.document().scene()->paths.size(), std::size_t(1));
        QVERIFY(s.document().scene()->caption.find("old.json") != std::string::npos);
        QVERIFY(s.action("stop_comparing").isEnabled());
    }

    void a_row_and_the_selected_kernel_follow_each_other() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        s.click(0);
        QVERIFY(s.settle());
        QCOMPARE(s.document().selected_point()->name, std::string("stream_add"));
        s.document().select_ranked(1);
        QVERIFY(s.settle());
        QCOMPARE(s.document().selected_point()->name, std::string("sgemm"));
        QCOMPARE(s.lines().currentIndex().row(), 1);
        s.document().select(std::nullopt);
        QVERIFY(s.settle());
        QVERIFY(s.lines().selectionModel()->selectedRows().isEmpty());
    }

    void the_details_tell_what_became_of_the_selected_kernel() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        s.click(0);
        QVERIFY(s.settle());
        const QString wanted = "Since old.json: right and up: 2.00x faster, 2.00x fewer bytes at HBM.";
        const auto labels = s.window.findChild<QDockWidget*>("dock_details")->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->accessibleName() == wanted || label->text() == wanted;
        }));
    }

    void several_older_reports_make_steps_by_the_time_they_were_written() {
        WithRun s;
        const QString first = write_run(s.folder, "z_first.json", 8000, 2.4e9);
        const QString second = write_run(s.folder, "a_second.json", 4000, 2.4e9);
        QFile file(first);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::currentDateTime().addSecs(-60), QFileDevice::FileModificationTime));
        file.close();
        QVERIFY(s.compare_with({second, first}));
        QCOMPARE(s.cell_of(0, "time"), QString("8.00 ms → 2.00 ms"));
        QCOMPARE(s.cell_of(1, "kernel_or_step").trimmed(), QString("report 1 → 2"));
        QCOMPARE(s.cell_of(1, "time"), QString("8.00 ms → 4.00 ms"));
        QCOMPARE(s.cell_of(2, "time"), QString("4.00 ms → 2.00 ms"));
        s.document().select_ranked(1);
        QVERIFY(s.settle());
        QCOMPARE(s.lines().currentIndex().row(), 0);  // the whole way, not a step of it
    }

    void kernels_of_one_report_only_are_listed() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 2000, 1.2e9, false)}));
        QCOMPARE(s.cell_of(1, "kernel_or_step"), QString("sgemm"));
        QCOMPARE(s.cell_of(1, "verdict"), QString("added"));
        QCOMPARE(s.cell_of(1, "time"), QString("900 µs"));
    }

    void kernels_that_nobody_can_tell_apart_are_listed_as_ambiguous() {
        WithRun s;
        const auto write = [&](const char* name, int launches) {
            QFile file(s.folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly)) return QString();
            const QStringList all(launches, R"({"name": "alike", "flops": 1e9, "bytes": 1e9,
                                               "duration_ns": 1000000})");
            file.write(QStringLiteral(R"({"device": "A100 SXM4 40GB", "kernels": [%1]})")
                           .arg(all.join(','))
                           .toUtf8());
            return file.fileName();
        };
        AnalysisOptions options = s.document().analysis_options();
        options.group_by = GroupBy::launch;
        s.document().set_analysis_options(options);
        QVERIFY(s.open({write("two.json", 2)}));
        QVERIFY(s.compare_with({write("one.json", 1)}));
        QVERIFY(s.dock().isVisible());
        QCOMPARE(s.lines().model()->rowCount(), 3);
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(s.cell_of(row, "kernel_or_step"), QString("alike"));
            QCOMPARE(s.cell_of(row, "verdict"), QString("ambiguous"));
            QCOMPARE(s.cell_of(row, "time"), QString("1.00 ms"));
        }
        QVERIFY2(s.sentence().contains("not to be told apart"), qPrintable(s.sentence()));
        QVERIFY(s.document().scene()->caption.find("ambiguous") != std::string::npos);
        QVERIFY(s.document().scene()->paths.empty());
    }

    void the_comparison_outlives_a_filter_other_options_and_a_reload() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        s.document().set_filter("sgemm");
        QVERIFY(s.settle());
        QTRY_VERIFY(s.document().scene()->paths.empty());  // the kernel with an arrow is hidden
        s.document().set_filter({});
        QTRY_COMPARE(s.document().scene()->paths.size(), std::size_t(1));

        AnalysisOptions options = s.document().analysis_options();
        options.group_by = GroupBy::launch;
        s.document().set_analysis_options(options);
        QVERIFY(s.settle());
        QCOMPARE(s.document().result().comparison->comparison.runs.back().analysis,
                 s.document().analysis().get());
        QCOMPARE(s.lines().model()->rowCount(), 2);

        s.document().loader().reload();
        QVERIFY(s.settle());
        QCOMPARE(s.cell_of(0, "pace"), QString("2.00x faster"));
    }

    void to_stop_and_to_close_everything_forget_the_older_reports() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        s.action("stop_comparing").trigger();
        QTRY_VERIFY(!s.document().result().comparison);
        QVERIFY(s.dock().isHidden());
        QTRY_VERIFY(s.document().scene()->paths.empty());

        QVERIFY(s.compare_with({s.folder.filePath("old.json")}));
        s.document().loader().close_all();
        QVERIFY(s.document().baselines().empty());
        QVERIFY(s.open({s.folder.filePath("new.json")}));
        QVERIFY(!s.document().result().comparison);
        QVERIFY(s.dock().isHidden());
    }

    void a_broken_older_report_is_told_and_the_comparison_stays() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        s.chooser.to_open = {test::write_broken_file(s.folder, "broken.ncu-rep")};
        s.action("compare_with").trigger();
        QTRY_VERIFY(s.messages().isVisible());
        QCOMPARE(s.document().baselines().size(), std::size_t(1));
        QCOMPARE(s.cell_of(0, "pace"), QString("2.00x faster"));
    }

    void noise_and_arrows_are_chosen_in_the_panel_and_kept_in_the_session() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 2200, 1.2e9)}));
        QCOMPARE(s.cell_of(0, "verdict"), QString("up"));
        QCOMPARE(s.document().scene()->paths.size(), std::size_t(1));
        auto& noise = *s.window.findChild<QDoubleSpinBox*>("comparison_noise");
        auto& arrows = *s.window.findChild<QSpinBox*>("comparison_arrows");
        QCOMPARE(noise.value(), 2.0);
        QCOMPARE(arrows.value(), 24);
        arrows.setValue(0);
        QTRY_VERIFY(s.document().scene()->paths.empty());
        QCOMPARE(s.cell_of(0, "verdict"), QString("up"));
        noise.setValue(15);
        QTRY_COMPARE(s.cell_of(0, "verdict"), QString("unchanged"));
        QCOMPARE(s.document().result().comparison->comparison.options.noise, 0.15);

        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        ShownWindow second;
        QVERIFY(second.open({s.chooser.to_save}));
        QCOMPARE(second.document().spec().view.comparison.noise, 0.15);
        QCOMPARE(second.document().spec().view.comparison.arrows, 0U);
        QCOMPARE(second.window.findChild<QDoubleSpinBox*>("comparison_noise")->value(), 15.0);
        QVERIFY(!second.window.isWindowModified());
        second.window.findChild<QSpinBox*>("comparison_arrows")->setValue(3);
        QVERIFY(second.window.isWindowModified());
    }

    void a_change_of_mind_changes_nothing() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        s.chooser.to_open.clear();
        s.action("compare_with").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.messages().isVisible());
        QCOMPARE(s.document().baselines().size(), std::size_t(1));
    }

    void the_numbers_are_written_in_the_format_of_the_name() {
        WithRun s;
        QVERIFY(s.compare_with({write_run(s.folder, "old.json", 4000, 2.4e9)}));
        const auto written = [&](const char* name) {
            s.chooser.to_save = s.folder.filePath(name);
            s.action("export_comparison").trigger();
            QFile file(s.chooser.to_save);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(written("c.csv").startsWith("kernel,from_run,to_run,verdict,speed_up,"));
        QVERIFY(written("c.json").contains("\"roofwalk-comparison\""));
        QVERIFY(written("c.md").startsWith("| Kernel |"));
        QVERIFY(!s.messages().isVisible());
        QVERIFY(written("c.txt").isEmpty());
        QVERIFY(s.messages().isVisible());
    }
};

}  // namespace tst_compare_panel

ROOFWALK_TEST(tst_compare_panel, TestComparePanel, QApplication)
#include "tst_compare_panel.moc"
