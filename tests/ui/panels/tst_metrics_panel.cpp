// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <fstream>

#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/ui/shown_window.h"

namespace tst_metrics_panel {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// A report with the panel in front.
struct WithPanel : ShownWindow {
    WithPanel() {
        const QString path = folder.filePath("full.ncu-rep");
        std::ofstream(path.toStdString(), std::ios::binary)
            << test::write_report(test::full_report_fixture());
        opened = open({path});
        dock().raise();
    }

    [[nodiscard]] QDockWidget& dock() { return *window.findChild<QDockWidget*>("dock_metrics"); }
    [[nodiscard]] QTableView& metrics() { return *window.findChild<QTableView*>("metrics"); }
    [[nodiscard]] QLineEdit& search() { return *window.findChild<QLineEdit*>("metric_search"); }
    [[nodiscard]] QString cell(int row, const char* column) {
        return metrics().model()->index(row, test::column_of(metrics(), column)).data().toString();
    }
    /// Selects a kernel and waits for its metrics.
    [[nodiscard]] bool select(std::uint32_t point) {
        document().select(point);
        return QTest::qWaitFor([&] { return metrics().isVisible() && metrics().model()->rowCount() > 0; });
    }
    [[nodiscard]] const KernelPoint& point(std::uint32_t index) {
        return document().analysis()->points[index];
    }

    bool opened = false;
};

}  // namespace

class TestMetricsPanel : public QObject {
    Q_OBJECT

  private slots:
    void a_kernel_that_is_selected_shows_every_metric_of_its_report() {
        WithPanel s;
        QVERIFY(s.opened);
        QVERIFY(s.select(0));
        QVERIFY(s.metrics().model()->rowCount() > 50);
        const QRect value = s.metrics().visualRect(s.metrics().model()->index(0, 1));
        QVERIFY2(s.metrics().viewport()->rect().contains(value), "the values are out of sight");
        // Names that are cut leave no room unused.
        QTRY_COMPARE(s.metrics().horizontalHeader()->length(), s.metrics().viewport()->width());
        QTest::keyClicks(&s.search(), "TIME duration");
        QCOMPARE(s.metrics().model()->rowCount(), 1);
        QCOMPARE(s.cell(0, "metric"), QString("gpu__time_duration.sum"));
        QCOMPARE(s.cell(0, "unit"), QString("ns"));
        const Launch& launch = s.document().profile()->at(LaunchIndex{0});
        QVERIFY(std::abs(s.cell(0, "launch_0").toDouble() * 1e-9 - launch.duration->value()) < 1e-12);
    }
    void launches_have_a_column_each() {
        WithPanel s;
        QVERIFY(s.opened);
        const auto& points = s.document().analysis()->points;
        const auto many =
            std::ranges::find_if(points, [&](const KernelPoint& point) { return point.launches > 1; });
        QVERIFY(many != points.end());
        QVERIFY(s.select(static_cast<std::uint32_t>(many - points.begin())));
        QCOMPARE(s.metrics().model()->columnCount(), 2 + static_cast<int>(many->launches));
    }
    void what_is_typed_that_no_name_holds_leaves_no_row() {
        WithPanel s;
        QVERIFY(s.opened);
        QVERIFY(s.select(0));
        const int all = s.metrics().model()->rowCount();
        QTest::keyClicks(&s.search(), "nothing_is_called_so");
        QCOMPARE(s.metrics().model()->rowCount(), 0);
        s.search().clear();
        QCOMPARE(s.metrics().model()->rowCount(), all);
    }
    void a_name_of_an_article_is_told_as_that_of_today() {
        WithPanel s;
        QVERIFY(s.opened);
        QVERIFY(s.select(0));
        QTest::keyClicks(&s.search(), "l2__throughput_percentage");
        QCOMPARE(s.metrics().model()->rowCount(), 0);
        const auto* sentence = s.window.findChild<QLabel*>("metrics_sentence");
        QString told = sentence->text();
        told.remove(QChar(0x200B));  // where a line may break
        QVERIFY2(told.contains("lts__throughput.avg.pct_of_peak_sustained_elapsed"), qPrintable(told));
    }
    void widths_that_a_person_gave_stay() {
        WithPanel s;
        QVERIFY(s.opened);
        QVERIFY(s.select(0));
        const int fitted = s.metrics().columnWidth(0);
        s.metrics().setColumnWidth(0, fitted + 70);
        s.metrics().setColumnWidth(1, 150);
        s.window.resize(s.window.width() + 60, s.window.height());
        QTest::keyClicks(&s.search(), "time");
        QCOMPARE(s.metrics().columnWidth(0), fitted + 70);
        QCOMPARE(s.metrics().columnWidth(1), 150);
    }
    void a_file_that_is_gone_is_told() {
        WithPanel s;
        QVERIFY(s.opened);
        s.document().select(std::nullopt);
        QVERIFY(QFile::remove(s.folder.filePath("full.ncu-rep")));
        s.document().select(0);
        const auto* sentence = s.window.findChild<QLabel*>("metrics_sentence");
        QVERIFY(QTest::qWaitFor([&] { return sentence->text().contains("full.ncu-rep"); }));
        QVERIFY(!s.metrics().isVisible());
    }
    void rows_are_copied_with_their_names() {
        WithPanel s;
        QVERIFY(s.opened);
        QVERIFY(s.select(0));
        QTest::keyClicks(&s.search(), "gpu__time_duration.sum");
        s.metrics().selectRow(0);
        s.metrics().setFocus();
        QTest::keySequence(&s.metrics(), QKeySequence::Copy);
        const QStringList copied = QApplication::clipboard()->text().split('\n');
        QCOMPARE(copied.value(0).section('\t', 0, 0),
                 s.metrics().model()->headerData(0, Qt::Horizontal).toString());
        QVERIFY(copied.value(1).startsWith("gpu__time_duration.sum\t"));
    }
    void without_a_kernel_it_says_what_to_do() {
        WithPanel s;
        QVERIFY(s.opened);
        s.document().select(std::nullopt);
        QVERIFY(!s.metrics().isVisible());
        QVERIFY(!s.window.findChild<QLabel*>("metrics_sentence")->text().isEmpty());
    }
};

}  // namespace tst_metrics_panel

ROOFWALK_TEST(tst_metrics_panel, TestMetricsPanel, QApplication)
#include "tst_metrics_panel.moc"
