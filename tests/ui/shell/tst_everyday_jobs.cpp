// SPDX-License-Identifier: GPL-3.0-or-later
#include <QContextMenuEvent>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <fstream>

#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_window.h"
#include "ui/panels/kernel_panel.h"

namespace tst_everyday_jobs {

using namespace roofwalk;
using test::ShownWindow;

namespace {

constexpr int most_actions = 2;

/// A report as it opens, and a person whose clicks and keys are counted. The name of a file, which the
/// desktop's dialog asks for, is not.
struct Person : ShownWindow {
    int actions = 0;

    /// With the kernel selected that a report opens with.
    [[nodiscard]] bool begin(const QString& path) {
        window.open({path});
        return shown && active && settle() && document().selection().has_value();
    }
    void press(const char* keys) {
        ++actions;
        QTest::keySequence(&window, QKeySequence(keys));
    }
    void press(QWidget& in, Qt::Key key) {
        ++actions;
        QTest::keyClick(&in, key);
    }
    void click(QWidget& widget, QPoint at) {
        ++actions;
        QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    }
    void click_row(int row) {
        click(*table().viewport(), table().visualRect(table().model()->index(row, 0)).center());
    }
    void right_click_row(int row) {
        ++actions;
        const QPoint at = table().visualRect(table().model()->index(row, 0)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, table().viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(table().viewport(), &event);
    }
    /// Of a menu that is open.
    [[nodiscard]] bool choose(const char* menu, const char* entry) {
        auto* open = window.findChild<QMenu*>(menu);
        if (open == nullptr || !QTest::qWaitFor([&] { return open->isVisible(); })) return false;
        auto* action = open->findChild<QAction*>(entry);
        if (action == nullptr) return false;
        click(*open, open->actionGeometry(action).center());
        return true;
    }
    [[nodiscard]] QString panel() {
        QStringList lines;
        for (const QLabel* label : window.findChild<KernelPanel*>()->findChildren<QLabel*>())
            lines.append(label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
        return lines.join('\n');
    }
};

}  // namespace

class TestEverydayJobs : public QObject {
    Q_OBJECT

  private slots:
    void the_binding_roof_is_told_as_the_report_opens() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        const auto bound = std::ranges::find(s.chart().scene()->roofs,
                                             *s.document().selected_point()->binding, &Roof::target);
        QVERIFY(bound != s.chart().scene()->roofs.end());
        QVERIFY2(s.panel().contains(QString::fromStdString(bound->name) + " roof"), qPrintable(s.panel()));
        QCOMPARE(s.actions, 0);
    }
    void what_to_do_about_a_kernel_is_a_click_away() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        const std::string first = s.document().selected_point()->name;
        s.click_row(1);
        QVERIFY(s.settle());
        QVERIFY(s.document().selected_point()->name != first);
        QVERIFY(s.panel().contains("What first?") && s.panel().contains("of the time of all kernels"));
        QVERIFY(s.actions <= most_actions);
    }
    void a_preset_is_a_key_and_a_click_data() {
        QTest::addColumn<QByteArray>("preset");
        for (const char* preset : {"preset_to_roof", "preset_tile", "preset_overlap"})
            QTest::newRow(preset) << QByteArray(preset);
    }
    void a_preset_is_a_key_and_a_click() {
        QFETCH(QByteArray, preset);
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        const std::vector<KernelPoint>& points = s.document().analysis()->points;
        const auto add = std::ranges::find_if(points, [](const KernelPoint& point) {
            return point.name.find("stream_add") != std::string::npos;
        });
        QVERIFY(add != points.end());
        s.document().select(static_cast<std::uint32_t>(add - points.begin()));
        QVERIFY(s.settle());
        s.press("I");
        QVERIFY(s.choose("what_if_menu", preset.constData()));
        QVERIFY(s.settle());
        QCOMPARE(s.document().spec().scenario.moves.size(), std::size_t{1});
        QVERIFY(s.actions <= most_actions);
    }
    void the_horizontal_gap_comes_with_the_operation_that_the_numbers_tell() {
        Person s;
        QVERIFY(s.begin(test::write_gemm_by_its_numbers(s.folder, "a.json")));
        QVERIFY(!s.document().selected_point()->target);
        auto* accept = s.window.findChild<KernelPanel*>()->findChild<QPushButton*>("accept_operation");
        QVERIFY(accept != nullptr);
        s.click(*accept, accept->rect().center());
        QTRY_VERIFY(s.document().selected_point() && s.document().selected_point()->target.has_value());
        QVERIFY(s.actions <= most_actions);
    }
    void the_horizontal_gap_comes_with_the_operation_that_is_typed_where_no_numbers_tell_it() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        QVERIFY(!s.document().selected_point()->target);
        s.press("T");
        auto* line = s.window.findChild<KernelPanel*>()->findChild<QLineEdit*>("page_input");
        QVERIFY(line != nullptr);
        QTRY_VERIFY(line->hasFocus());
        QCOMPARE(line->text(), QString("gemm m= n= k="));  // as its name says
        QTest::keyClicks(line, "1024");                    // behind the first =
        QCOMPARE(line->text(), QString("gemm m=1024 n= k="));
        QTest::keyClick(line, Qt::Key_Return);
        auto* fault = s.window.findChild<KernelPanel*>()->findChild<QLabel*>("input_fault");
        QTRY_VERIFY(fault->isVisible() && fault->accessibleName().startsWith("n has no value"));
        QVERIFY(s.document().spec().bindings.user.empty());

        QTest::keyClicks(line, " n=1024 k=1024");  // each name of the text stands once
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY(fault->accessibleName().contains("given twice"));
        line->setText("gemm m=1024 n=1024 k=1024 dtype=fp32");
        s.press(*line, Qt::Key_Return);
        QTRY_VERIFY(s.document().selected_point() && s.document().selected_point()->target.has_value());
        QCOMPARE(
            s.document().selected_point()->target->bytes.value() / s.document().selected_point()->launches,
            3.0 * 1024 * 1024 * 4);
        QCOMPARE(s.actions, most_actions);
        s.press("Ctrl+Z");
        QTRY_VERIFY(!s.document().selected_point()->target);
    }
    void a_click_takes_the_proposed_operation_away_and_its_fault_is_in_sight() {
        Person s;
        s.window.resize(1280, 620);
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        auto* panel = s.window.findChild<KernelPanel*>();
        auto* line = panel->findChild<QLineEdit*>("page_input");
        QVERIFY(line != nullptr && !line->text().isEmpty());
        panel->ensureWidgetVisible(line, 0, 0);
        s.click(*line, line->rect().center());
        QTest::keyClicks(line, "nothing m=8");
        QCOMPARE(line->text(), QString("nothing m=8"));
        QTest::keyClick(line, Qt::Key_Return);
        auto* fault = panel->findChild<QLabel*>("input_fault");
        QTRY_VERIFY(fault->isVisible() && fault->visibleRegion().boundingRect() == fault->rect());
        s.click(*line, line->rect().center());  // to mend it: nothing is selected
        QVERIFY(!line->hasSelectedText());
    }
    void what_accepts_the_operation_is_in_sight_as_the_report_opens() {
        const auto report = test::sample("2023.1.1_a10g_sgemm");
        if (report.empty()) QSKIP("samples are not beside this checkout");
        Person s;
        s.window.resize(1280, 800);
        QVERIFY(s.begin(QString::fromStdString(report.string())));
        auto* accept = s.window.findChild<KernelPanel*>()->findChild<QPushButton*>("accept_operation");
        QVERIFY(accept != nullptr);
        QTRY_COMPARE(accept->visibleRegion().boundingRect(), accept->rect());
    }
    void a_figure_is_exported_with_a_key_and_another() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        s.press("Ctrl+E");
        QTRY_VERIFY(QApplication::activeModalWidget() != nullptr);
        s.press(*QApplication::activeModalWidget(), Qt::Key_Return);
        const auto figures = [&] { return QDir(s.folder.path()).entryList({"*.svg", "*.pdf", "*.png"}); };
        QTRY_COMPARE(figures().size(), 1);  // beside the report
        QVERIFY(s.actions <= most_actions);
    }
    void a_baseline_is_compared_with_one_key() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        s.chooser.to_open = {test::write_three_kernels(s.folder, "old.json")};
        s.press("Ctrl+B");
        QTRY_VERIFY(s.document().result().comparison != nullptr);
        QVERIFY(s.actions <= most_actions);
    }
    void a_kernel_is_isolated_from_its_row() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        s.right_click_row(1);
        QVERIFY(s.choose("chart_menu", "menu_isolate"));
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QVERIFY(s.actions <= most_actions);
    }
    void a_kernel_is_hidden_from_its_row() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        s.right_click_row(0);
        QVERIFY(s.choose("chart_menu", "menu_hide"));
        QTRY_COMPARE(s.table().model()->rowCount(), 2);
        QVERIFY(s.actions <= most_actions);
    }
    void the_next_kernel_is_a_click_in_the_details() {
        Person s;
        QVERIFY(s.begin(test::write_three_kernels(s.folder, "a.json")));
        const auto first = s.document().selection();
        const auto buttons = s.window.findChild<KernelPanel*>()->findChildren<QPushButton*>();
        const auto next = std::ranges::find_if(
            buttons, [](const QPushButton* button) { return button->objectName().startsWith("kernel_"); });
        QVERIFY(next != buttons.end());
        QTRY_COMPARE((*next)->visibleRegion().boundingRect(), (*next)->rect());
        s.click(**next, (*next)->rect().center());
        QTRY_VERIFY(s.document().selection() && s.document().selection() != first);
        QCOMPARE(s.actions, 1);
    }
    void the_metrics_of_a_kernel_are_its_row_and_a_tab() {
        Person s;
        const QString path = s.folder.filePath("full.ncu-rep");
        std::ofstream(path.toStdString(), std::ios::binary)
            << test::write_report(test::full_report_fixture());
        QVERIFY(s.begin(path));
        s.click_row(s.table().model()->rowCount() - 1);
        auto* metrics = s.window.findChild<QTableView*>("metrics");
        const auto bars = s.window.findChildren<QTabBar*>();
        const auto bar = std::ranges::find_if(bars, [](const QTabBar* each) {
            return each->isVisible() && each->count() == 3 && each->tabText(2) == "Metrics";
        });
        QVERIFY(bar != bars.end());
        s.click(**bar, (*bar)->tabRect(2).center());
        QTRY_VERIFY(metrics->isVisible() && metrics->model()->rowCount() > 0);
        QCOMPARE(s.actions, most_actions);
    }
};

}  // namespace tst_everyday_jobs

ROOFWALK_TEST(tst_everyday_jobs, TestEverydayJobs, QApplication)
#include "tst_everyday_jobs.moc"
