// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QLabel>

#include "tests/ui/shown_window.h"
#include "ui/kernels/kernel_column.h"

using namespace roofwalk;
using test::ShownWindow;

namespace {

void click_row(ShownWindow& s, int row) {
    const QRect place = s.table().visualRect(s.table().model()->index(row, 0));
    QTest::mouseClick(s.table().viewport(), Qt::LeftButton, {}, place.center());
}

}  // namespace

class TestKernelTable : public QObject {
    Q_OBJECT

  private slots:
    void a_click_on_a_row_selects_on_the_chart() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 1);
        QVERIFY(s.settle());
        QVERIFY(s.chart().scene()->options.selected.has_value());
        QVERIFY(QString::fromStdString(s.document().selected_point()->name).contains("sgemm"));
    }

    void a_click_on_a_dot_selects_the_row() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto& dots = s.chart().scene()->dots;
        const auto dot = std::ranges::find_if(dots, [](const Dot& d) { return d.level == MemoryLevel::l2; });
        QVERIFY(dot != dots.end());
        const std::uint32_t point = dot->point;
        QTest::mouseClick(&s.chart(), Qt::LeftButton, {},
                          s.chart().dot_position(static_cast<std::uint32_t>(dot - dots.begin())).toPoint());
        QCOMPARE(s.document().selection(), std::optional(point));
        QCOMPARE(s.table().selectionModel()->selectedRows().size(), 1);
        QVERIFY(s.cell(s.table().currentIndex().row(), 0).contains("sgemm"));
    }

    void clearing_the_selection_clears_the_row() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        s.action("clear_selection").trigger();
        QVERIFY(s.table().selectionModel()->selectedRows().isEmpty());
        click_row(s, 0);
        QVERIFY(s.document().selection().has_value());
    }

    void sorting_and_filtering_keep_the_selected_kernel() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 1);
        const auto selected = s.document().selection();
        s.table().sortByColumn(static_cast<int>(KernelColumn::name), Qt::AscendingOrder);
        QCOMPARE(s.document().selection(), selected);
        s.filter().setText("stream");
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QCOMPARE(s.document().selection(), selected);
        s.filter().clear();
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
        QVERIFY(s.cell(s.table().currentIndex().row(), 0).contains("sgemm"));
    }

    void a_faulty_filter_is_explained_below_the_field() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* fault = s.window.findChild<QLabel*>("filter_fault");
        QVERIFY(!fault->isVisible());
        s.filter().setText("gap > far");
        QTRY_VERIFY(fault->isVisible());
        QVERIFY(fault->text().contains("character 7"));
        QCOMPARE(s.table().model()->rowCount(), 3);
    }

    void a_row_is_copied_with_its_whole_name() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 1);
        s.action("copy_row").trigger();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith("void sgemm_tiled<128, 8>(float const*, float const*, float*)\t3.00 ms"),
                 qPrintable(copied));
    }
};

QTEST_MAIN(TestKernelTable)
#include "tst_kernel_table.moc"
