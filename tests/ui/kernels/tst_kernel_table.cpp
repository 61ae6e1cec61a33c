// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QScrollBar>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/kernels/kernel_column.h"

namespace tst_kernel_table {

using namespace roofwalk;
using test::ShownWindow;

namespace {

void click_row(ShownWindow& s, int row, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    const QRect place = s.table().visualRect(s.table().model()->index(row, 0));
    QTest::mouseClick(s.table().viewport(), Qt::LeftButton, modifiers, place.center());
}

/// The header with the sort arrow of a column, minus itself without one.
std::vector<int> arrow_pixels_by_row(QHeaderView& header, int column, Qt::SortOrder order) {
    header.setSortIndicatorShown(false);
    const QImage plain = header.grab().toImage();
    header.setSortIndicatorShown(true);
    header.setSortIndicator(column, order);
    const QImage with_arrow = header.grab().toImage();
    const auto ratio = with_arrow.devicePixelRatioF();
    const int left = static_cast<int>((header.sectionViewportPosition(column)) * ratio);
    const int right = left + static_cast<int>(header.sectionSize(column) * ratio);
    std::vector<int> rows;
    for (int y = 0; y < plain.height(); ++y) {
        int changed = 0;
        for (int x = left; x < right; ++x)
            changed += plain.pixel(x, y) != with_arrow.pixel(x, y) ? 1 : 0;
        if (changed > 0) rows.push_back(changed);
    }
    return rows;
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
        QCOMPARE(s.filter().accessibleDescription(), fault->text());
        s.filter().clear();
        QTest::keyClicks(&s.filter(), "/gemm(/");
        QTRY_VERIFY(fault->text().contains("regular expression"));
        QVERIFY(fault->text().contains("The filter before it still holds."));
        s.filter().clear();
        QTRY_VERIFY(!fault->isVisible());
    }

    void control_and_shift_clicks_select_several_on_the_chart() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        click_row(s, 2, Qt::ControlModifier);
        QVERIFY(s.settle());
        QCOMPARE(s.document().selected_points().size(), std::size_t{2});
        QCOMPARE(s.chart().scene()->options.also_selected.size(), std::size_t{1});
        QCOMPARE(s.table().selectionModel()->selectedRows().size(), 2);
        click_row(s, 0);
        click_row(s, 2, Qt::ShiftModifier);
        QCOMPARE(s.document().selected_points().size(), std::size_t{3});
        click_row(s, 2, Qt::ControlModifier);
        QCOMPARE(s.document().selected_points().size(), std::size_t{2});
        click_row(s, 1);
        QCOMPARE(s.document().selected_points().size(), std::size_t{1});
    }

    void taking_a_row_out_of_the_selection_stays_where_it_is() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 200)}));
        click_row(s, 0);
        s.table().verticalScrollBar()->setValue(100);
        click_row(s, 102, Qt::ControlModifier);
        click_row(s, 104, Qt::ControlModifier);
        const auto foremost = s.document().selection();
        click_row(s, 102, Qt::ControlModifier);
        QCOMPARE(s.document().selected_points().size(), std::size_t{2});
        QCOMPARE(s.document().selection(), foremost);
        QCOMPARE(s.table().verticalScrollBar()->value(), 100);
        click_row(s, 104, Qt::ControlModifier);
        QCOMPARE(s.document().selected_points().size(), std::size_t{1});
        QVERIFY(s.settle());
        QCOMPARE(s.table().verticalScrollBar()->value(), 100);
    }

    void control_clicks_keep_selected_kernels_that_the_filter_hides() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 1);
        const std::uint32_t sgemm = *s.document().selection();
        s.document().set_filter("name ~ stream or name ~ copy");
        QTRY_COMPARE(s.table().model()->rowCount(), 2);
        click_row(s, 0, Qt::ControlModifier);
        QCOMPARE(s.document().selected_points().size(), std::size_t{2});
        click_row(s, 1, Qt::ControlModifier);
        QCOMPARE(s.document().selected_points().size(), std::size_t{3});
        click_row(s, 0, Qt::ControlModifier);
        click_row(s, 1, Qt::ControlModifier);
        QCOMPARE(s.document().selected_points(), std::vector<std::uint32_t>{sgemm});
        click_row(s, 0, Qt::ControlModifier);
        click_row(s, 1);
        QCOMPARE(s.document().selected_points().size(), std::size_t{1});
        QVERIFY(s.document().selection() != sgemm);
    }

    void a_rectangle_and_control_clicks_on_the_chart_select_rows() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 4)}));
        const QRect all = s.chart().rect().adjusted(80, 20, -25, -90);
        QTest::mousePress(&s.chart(), Qt::LeftButton, Qt::ShiftModifier, all.bottomRight());
        QTest::mouseMove(&s.chart(), all.center());
        QTest::mouseRelease(&s.chart(), Qt::LeftButton, Qt::ShiftModifier, all.topLeft());
        QCOMPARE(s.table().selectionModel()->selectedRows().size(), 4);
        QVERIFY(s.settle());
        const QPoint dot = s.chart().dot_position(0).toPoint();
        QTest::mouseClick(&s.chart(), Qt::LeftButton, Qt::ControlModifier, dot);
        QCOMPARE(s.table().selectionModel()->selectedRows().size(), 3);
        QTest::mouseClick(&s.chart(), Qt::LeftButton, Qt::NoModifier, dot);
        QCOMPARE(s.table().selectionModel()->selectedRows().size(), 1);
    }

    void with_the_largest_on_top_the_arrow_points_down() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const int time = static_cast<int>(KernelColumn::time);
        QCOMPARE(s.table().horizontalHeader()->sortIndicatorSection(), time);
        QCOMPARE(s.table().horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
        QVERIFY(s.cell(0, 0).contains("stream"));
        const auto down = arrow_pixels_by_row(*s.table().horizontalHeader(), time, Qt::DescendingOrder);
        QVERIFY(down.size() > 2);
        QVERIFY(down.front() > down.back());
        const auto up = arrow_pixels_by_row(*s.table().horizontalHeader(), time, Qt::AscendingOrder);
        QVERIFY(up.size() > 2);
        QVERIFY(up.front() < up.back());
    }

    void names_get_the_room_that_is_left() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 4)}));
        const auto width = [&](KernelColumn column) {
            return s.table().columnWidth(static_cast<int>(column));
        };
        const int name = width(KernelColumn::name);
        const int seen =
            name + width(KernelColumn::time) + width(KernelColumn::gap) + width(KernelColumn::verdict);
        QVERIFY(seen <= s.table().viewport()->width());
        s.table().setColumnWidth(static_cast<int>(KernelColumn::name), name - 20);
        s.window.resize(s.window.width() + 200, s.window.height());
        QCOMPARE(width(KernelColumn::name), name - 20);
    }

    void several_rows_are_copied_one_a_line() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        click_row(s, 1, Qt::ShiftModifier);
        s.action("copy_row").trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith("stream_add") && lines[1].startsWith("void sgemm_tiled"));
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

}  // namespace tst_kernel_table

ROOFWALK_TEST(tst_kernel_table, TestKernelTable, QApplication)
#include "tst_kernel_table.moc"
