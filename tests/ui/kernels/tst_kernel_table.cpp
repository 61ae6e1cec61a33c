// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QScrollBar>
#include <QSet>

#include "core/roofline/summary.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_tip.h"
#include "tests/ui/shown_window.h"

namespace tst_kernel_table {

using namespace roofwalk;
using test::ShownWindow;

namespace {

void click_row(ShownWindow& s, int row, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    const QRect place = s.table().visualRect(s.table().model()->index(row, 0));
    QTest::mouseClick(s.table().viewport(), Qt::LeftButton, modifiers, place.center());
}

QImage header_sorted(QHeaderView& header, int column, Qt::SortOrder order) {
    header.setSortIndicator(column, order);
    return header.grab().toImage();
}

/// How wide the sort arrow is, row by row from above: `image` where it differs from `other`, in which the
/// arrow points the other way.
std::vector<int> arrow_widths(const QImage& image, const QImage& other) {
    QRect arrow;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != other.pixel(x, y)) arrow |= QRect(x, y, 1, 1);
    const QRgb background = image.pixel(arrow.left(), arrow.top() - 1);
    std::vector<int> widths;
    for (int y = arrow.top(); y <= arrow.bottom(); ++y) {
        int width = 0;
        for (int x = arrow.left(); x <= arrow.right(); ++x)
            width += image.pixel(x, y) != background ? 1 : 0;
        if (width > 0) widths.push_back(width);
    }
    return widths;
}

/// Kernels with long names and figures of every column but those of launches that differ.
QString write_long_names(const ShownWindow& s, const QString& name) {
    const QString path = s.folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
    file.write(R"json({"device": "A100 SXM4 80GB", "kernels": [
        {"name": "update_the_velocities_of_all_the_particles_of_a_cell", "flops": 2e8, "bytes": 1.2e9,
         "duration_ns": 1500000},
        {"name": "update_the_positions_of_all_the_particles_of_a_cell", "flops": 1e8, "bytes": 1.1e9,
         "duration_ns": 1200000}]})json");
    return path;
}

/// Where a column ends in the view [px].
int right_end(const QTableView& table, const char* column) {
    const int at = test::column_of(table, column);
    return table.columnViewportPosition(at) + table.columnWidth(at);
}

}  // namespace

class TestKernelTable : public QObject {
    Q_OBJECT

  private slots:
    void a_click_on_a_row_selects_on_the_chart() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        QVERIFY(s.settle());
        QVERIFY(s.chart().scene()->options.selected.has_value());
        QVERIFY(QString::fromStdString(s.document().selected_point()->name).contains("sgemm"));
    }

    void the_report_of_a_row_is_shown_where_several_are_open() {
        ShownWindow s;
        s.window.resize(1900, 800);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "rank0.json")}));
        const int report = test::column_of(s.table(), "source");
        QVERIFY(s.table().isColumnHidden(report));
        s.document().loader().open({test::write_three_kernels(s.folder, "rank1.json")},
                                   ReportLoader::Opening::add);
        QVERIFY(s.settle());
        QVERIFY(!s.table().isColumnHidden(report));
        QVERIFY(s.table().columnWidth(report) > 30);
        QStringList reports;
        for (int row = 0; row < s.table().model()->rowCount(); ++row)
            reports.append(s.cell(row, report));
        QCOMPARE(reports.count("rank0.json"), 3);
        QCOMPARE(reports.count("rank1.json"), 3);
        s.document().set_filter("source ~ rank1");
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
        s.document().loader().close(s.folder.filePath("rank1.json"));
        QVERIFY(s.settle());
        QVERIFY(s.table().isColumnHidden(report));
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

    void sorting_keeps_the_selected_kernel_and_a_filter_that_hides_it_leads_to_one_that_is_shown() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        const auto selected = s.document().selection();
        s.table().sortByColumn(test::column_of(s.table(), "kernel"), Qt::AscendingOrder);
        QCOMPARE(s.document().selection(), selected);
        s.filter().setText("stream");
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QTRY_VERIFY(s.document().selection() != selected);
        s.filter().clear();
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
        QVERIFY(s.cell(s.table().currentIndex().row(), 0).contains("stream"));
    }

    void the_kernel_with_most_to_gain_stands_first_also_where_fewer_bytes_bring_it() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        ShownWindow s;
        QVERIFY(s.open({QString::fromStdString(test::sample("2025.1.1_t4_wmma").string())}));
        QVERIFY(s.cell(0, 0).contains("wmma_gemm"));  // 73.0 us, 13.2 ms by fewer bytes; the other 216 us
        QHeaderView& header = *s.table().horizontalHeader();
        const int recoverable = test::column_of(s.table(), "recoverable_time");
        const QPoint heading(
            header.sectionViewportPosition(recoverable) + header.sectionSize(recoverable) / 2,
            header.height() / 2);
        QCOMPARE(header.sortIndicatorSection(), -1);  // of no column
        for (const int sorted : {recoverable, recoverable, -1}) {
            QTest::mouseClick(header.viewport(), Qt::LeftButton, Qt::NoModifier, heading);
            QCOMPARE(header.sortIndicatorSection(), sorted);
            const bool least_on_top = sorted >= 0 && header.sortIndicatorOrder() == Qt::AscendingOrder;
            QCOMPARE(s.cell(0, 0).contains("wmma_gemm"), !least_on_top);
        }
        s.filter().setText("recoverable > 100us");  // by the smaller end of its range
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QVERIFY(!s.cell(0, 0).contains("wmma_gemm"));
        s.filter().setText("fewer_bytes > 1ms");
        QTRY_VERIFY(s.cell(0, 0).contains("wmma_gemm"));
        QCOMPARE(s.table().model()->rowCount(), 1);
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
        s.filter().setFocus();
        QTest::keyClick(&s.filter(), Qt::Key_Return);
        QVERIFY(s.filter().hasFocus());  // what is typed to mend it is for the field, no key of the window
        s.filter().setText("gap > 1");
        QTRY_VERIFY(!fault->isVisible());
        click_row(s, 0);
        s.filter().setFocus();
        s.filter().setText("class = foo");
        QTRY_VERIFY(fault->isVisible());
        const auto selected = s.document().focus().points();
        QVERIFY(!selected.empty());
        QTest::keyClick(&s.filter(), Qt::Key_Escape);
        QVERIFY(s.filter().text().isEmpty() && !fault->isVisible());
        QCOMPARE(s.document().focus().points(), selected);
        QTest::keyClicks(&s.filter(), "class = foo");
        QTest::keyClick(&s.filter(), Qt::Key_Escape);  // before the pause that ends typing
        QVERIFY(s.filter().text().isEmpty());
        QCOMPARE(s.document().focus().points(), selected);
        s.filter().setText("gemm");
        QTRY_COMPARE(s.document().filter_text(), QString("gemm"));
        QTest::keyClick(&s.filter(), Qt::Key_Escape);  // as without a fault
        QVERIFY(s.document().focus().points().empty() && !s.filter().text().isEmpty());
        QTest::keyClick(&s.filter(), Qt::Key_Escape);
        QTRY_VERIFY(s.filter().text().isEmpty() && s.document().filter_text().isEmpty());
    }

    void what_a_filter_does_not_know_is_told_in_two_lines_with_what_is_near() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* fault = s.window.findChild<QLabel*>("filter_fault");
        for (const auto& [filter, near] :
             {std::pair("class = fast", "memory-bound"), std::pair("tim > 5%", "time"),
              std::pair("frobnicate > 12", "recoverable")}) {
            s.filter().setText(filter);
            QTRY_VERIFY2(fault->isVisible() && fault->text().contains(near), filter);
            QVERIFY2(fault->heightForWidth(fault->width()) <= 2 * fault->fontMetrics().lineSpacing() + 4,
                     qPrintable(fault->text()));
            QCOMPARE(fault->text(), s.filter().accessibleDescription());
        }
    }

    void a_fault_of_the_filter_takes_the_place_of_the_count() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* count = s.window.findChild<QLabel*>("kernel_count");
        s.filter().setText("gemm");
        QTRY_VERIFY(count->isVisible());
        s.filter().setText("gap > far");
        QTRY_VERIFY(s.window.findChild<QLabel*>("filter_fault")->isVisible());
        QVERIFY(!count->isVisible());
        s.filter().setText("gap > 1");
        QTRY_VERIFY(count->isVisible());
    }

    void a_long_fault_of_the_filter_is_whole_where_the_panel_is_low() {
        ShownWindow s;
        s.window.resize(911, 512);
        QVERIFY(s.open({test::write_many_kernels(s.folder, "many.json", 30)}));
        auto* fault = s.window.findChild<QLabel*>("filter_fault");
        s.filter().setText("class = \"" + QString("fast ").repeated(40) + "or slow\"");
        QTRY_VERIFY(fault->isVisible());
        QVERIFY(fault->text().size() < s.filter().accessibleDescription().size());
        QVERIFY(test::shown_tip(*fault, QPoint(5, 5)).contains("or slow"));
        QTRY_VERIFY2(
            fault->height() >= fault->heightForWidth(fault->width()),
            qPrintable(QString("%1 of %2").arg(fault->height()).arg(fault->heightForWidth(fault->width()))));
        QVERIFY(s.table().viewport()->height() >= s.table().verticalHeader()->defaultSectionSize());
        s.filter().clear();
        QTRY_VERIFY(!fault->isVisible());
    }

    void long_names_of_reports_have_a_column_that_tells_them_apart() {
        for (const int width : {1100, 1366, 1600, 1920, 2199, 2200, 2400}) {
            ShownWindow s;
            s.window.resize(width, 1000);
            const QString common = "training_run_of_the_large_transformer_with_flash_attention_";
            QVERIFY(s.open({write_long_names(s, common + "before.json")}));
            s.document().loader().open({write_long_names(s, common + "after.json")},
                                       ReportLoader::Opening::add);
            QVERIFY(s.settle());
            QTest::qWait(50);
            const int report = test::column_of(s.table(), "source");
            QVERIFY2(!s.table().isColumnHidden(report), qPrintable(QString::number(width)));
            const int tag = s.table().fontMetrics().horizontalAdvance(QString("…before"));
            QVERIFY2(s.table().columnWidth(report) > tag &&
                         right_end(s.table(), "source") <= s.table().viewport()->width(),
                     qPrintable(QString("%1: %2").arg(width).arg(s.table().columnWidth(report))));
        }
    }

    void control_and_shift_clicks_select_several_on_the_chart() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        click_row(s, 2, Qt::ControlModifier);
        QVERIFY(s.settle());
        QCOMPARE(s.document().focus().points().size(), std::size_t{2});
        QCOMPARE(s.chart().scene()->options.also_selected.size(), std::size_t{1});
        QCOMPARE(s.table().selectionModel()->selectedRows().size(), 2);
        click_row(s, 0);
        click_row(s, 2, Qt::ShiftModifier);
        QCOMPARE(s.document().focus().points().size(), std::size_t{3});
        click_row(s, 2, Qt::ControlModifier);
        QCOMPARE(s.document().focus().points().size(), std::size_t{2});
        click_row(s, 1);
        QCOMPARE(s.document().focus().points().size(), std::size_t{1});
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
        QCOMPARE(s.document().focus().points().size(), std::size_t{2});
        QCOMPARE(s.document().selection(), foremost);
        QCOMPARE(s.table().verticalScrollBar()->value(), 100);
        click_row(s, 104, Qt::ControlModifier);
        QCOMPARE(s.document().focus().points().size(), std::size_t{1});
        QVERIFY(s.settle());
        QCOMPARE(s.table().verticalScrollBar()->value(), 100);
    }

    void control_clicks_keep_selected_kernels_that_the_filter_hides() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        const std::uint32_t sgemm = *s.document().selection();
        click_row(s, 1, Qt::ControlModifier);
        s.document().set_filter("name ~ stream or name ~ copy");
        QTRY_COMPARE(s.table().model()->rowCount(), 2);
        QCOMPARE(s.document().focus().points().size(), std::size_t{2});
        click_row(s, 1, Qt::ControlModifier);
        QCOMPARE(s.document().focus().points().size(), std::size_t{3});
        click_row(s, 0, Qt::ControlModifier);
        QCOMPARE(s.document().focus().points().size(), std::size_t{2});
        const std::vector<std::uint32_t> left = s.document().focus().points();
        QVERIFY(std::ranges::find(left, sgemm) != left.end());
        click_row(s, 0);
        QCOMPARE(s.document().focus().points().size(), std::size_t{1});
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
        const int time = test::column_of(s.table(), "time");
        QVERIFY(s.cell(0, 0).contains("sgemm"));  // has most to gain, though another takes longer
        QHeaderView& header = *s.table().horizontalHeader();
        const QImage down = header_sorted(header, time, Qt::DescendingOrder);
        const QImage up = header_sorted(header, time, Qt::AscendingOrder);
        QVERIFY(down != up);
        const std::vector<int> narrowing = arrow_widths(down, up);
        const std::vector<int> widening = arrow_widths(up, down);
        QVERIFY(narrowing.size() > 2 && widening.size() > 2);
        QVERIFY(narrowing.front() > narrowing.back());
        QVERIFY(widening.front() < widening.back());
    }

    void columns_are_as_wide_as_another_file_needs() {
        ShownWindow s;
        s.window.resize(1900, 800);
        const auto write = [&](const char* name, const char* work) {
            QFile file(s.folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly)) return QString();
            file.write(
                QByteArray(R"({"device": "A100 SXM 80 GB", "kernels": [{"name": "k", "bytes": 1.2e8,)") +
                R"("duration_ns": 2000000, "flops": )" + work + "}]}");
            return file.fileName();
        };
        QVERIFY(s.open({write("short.json", "0")}));
        const int words = test::column_of(s.table(), "class");
        const int before = s.table().columnWidth(words);
        QVERIFY(s.open({write("long.json", "3.5e10")}));
        const int needed = static_cast<QAbstractItemView&>(s.table()).sizeHintForColumn(words);
        QVERIFY(needed > before);
        QVERIFY(s.table().columnWidth(words) >= needed);
    }

    void a_share_names_what_it_is_of_and_a_gap_where_that_is_not_the_roof_that_binds() {
        ShownWindow s;
        const auto cell = [&](const char* column) { return s.cell(0, test::column_of(s.table(), column)); };
        QVERIFY(s.open({test::write_kernel_with_busy_sm(s.folder, "a.json")}));
        QCOMPARE(cell("share_of_limit"), QString("70.0 % SM"));
        QVERIFY2(cell("vertical_gap").endsWith("x to FP32"), qPrintable(cell("vertical_gap")));
        QVERIFY(s.table()
                    .model()
                    ->index(0, test::column_of(s.table(), "share_of_limit"))
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("70.0 % of the limit of SM"));
        s.document().loader().close_all();
        QVERIFY(s.open({test::write_kernel_bound_by_l1(s.folder, "b.json")}));
        QVERIFY2(cell("share_of_limit").endsWith(" % L1"), qPrintable(cell("share_of_limit")));
        QVERIFY2(cell("vertical_gap").endsWith('x'), qPrintable(cell("vertical_gap")));
    }

    void names_get_the_room_that_is_left() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 4)}));
        const auto width = [&](const char* column) {
            return s.table().columnWidth(test::column_of(s.table(), column));
        };
        const int name = width("kernel");
        const int seen =
            name + width("time") + width("recoverable_time") + width("class") + width("share_of_limit");
        QVERIFY(seen <= s.table().viewport()->width());
        s.table().setColumnWidth(test::column_of(s.table(), "kernel"), name - 20);
        s.window.resize(s.window.width() + 200, s.window.height());
        QCOMPARE(width("kernel"), name - 20);
    }

    void what_is_read_first_is_in_sight_and_the_rest_comes_on_demand() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 60)}));
        const auto is_hidden = [&](const char* column) {
            return s.table().isColumnHidden(test::column_of(s.table(), column));
        };
        for (const QSize size : {QSize(1280, 800), QSize(1366, 768)}) {
            s.window.resize(size);
            QTRY_COMPARE(s.table().horizontalScrollBar()->maximum(), 0);
            for (const char* first : {"kernel", "time", "recoverable_time", "class", "share_of_limit"})
                QVERIFY2(!is_hidden(first), first);
            QVERIFY(right_end(s.table(), "share_of_limit") <= s.table().viewport()->width());
            QVERIFY(is_hidden("launches"));
        }
        auto* all = s.window.findChild<QAction*>("all_columns");
        QVERIFY(all && s.table().horizontalHeader()->actions().contains(all));
        all->trigger();
        QVERIFY(!is_hidden("launches") && !is_hidden("binding_ceiling"));
        QTRY_VERIFY(s.table().horizontalScrollBar()->maximum() > 0);
        all->trigger();
        QVERIFY(is_hidden("launches"));
    }

    void columns_that_come_beside_short_names_are_whole() {
        ShownWindow s;
        s.window.resize(1280, 800);
        QVERIFY(s.open({test::write_modelled_kernel(s.folder, "a.json")}));
        QTRY_COMPARE(s.table().horizontalScrollBar()->maximum(), 0);
        QCOMPARE(s.table().horizontalHeader()->length(), s.table().viewport()->width());
    }

    void on_a_laptop_classes_have_their_words_and_the_status_line_ends_with_a_word() {
        ShownWindow s;
        QVERIFY(s.open({write_long_names(s, "a.json")}));
        s.document().select(0);
        QVERIFY(s.settle());
        const int verdict = test::column_of(s.table(), "class");
        auto* foot = s.window.findChild<QLabel*>("session_sentence");
        for (const QSize size : {QSize(1280, 800), QSize(1366, 768)}) {
            s.window.resize(size);
            QTRY_COMPARE(s.table().horizontalScrollBar()->maximum(), 0);
            QVERIFY(s.table().columnWidth(verdict) >=
                    static_cast<QAbstractItemView&>(s.table()).sizeHintForColumn(verdict));
            QVERIFY(s.chart().width() >= size.width() * 0.6);
            const QString whole = foot->accessibleName();
            QString shown = foot->text();
            QVERIFY(!whole.isEmpty());
            QCOMPARE(test::tip_words(foot->toolTip()),
                     QString::fromStdString(whole_session_sentence(*s.document().analysis())));
            if (shown == whole) continue;
            QVERIFY2(shown.endsWith(" …") && whole.startsWith(shown.chopped(2)), qPrintable(shown));
            QVERIFY2(!whole[shown.size() - 2].isLetterOrNumber(), qPrintable(shown));
        }
    }

    void what_the_rows_stand_by_is_in_sight_in_every_width() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        // 287 us by fewer bytes before 165 us; 13.2 ms before 216 us; elsewhere each by what it can recover.
        for (const auto& [name, least, most] :
             {std::tuple("2023.1.1_a10g_sgemm", "152", "287 µs"),
              std::tuple("2025.1.1_t4_wmma", "0.073", "13.2 ms"), std::tuple("2025.4.1_rtx3090", "", "")}) {
            ShownWindow s;
            QVERIFY(s.open({QString::fromStdString(test::sample(name).string())}));
            const int recoverable = test::column_of(s.table(), "recoverable_time");
            const QStringList figures = s.cell(0, recoverable).split(u'–');
            QCOMPARE(figures.size(), *most == 0 ? 1 : 2);
            if (*most != 0) QCOMPARE(figures, QStringList({least, most}));
            QCOMPARE(s.cell(s.table().model()->rowCount() - 1, recoverable).count(u'–'), 0);
            for (const QSize size : {QSize(1280, 800), QSize(1366, 768), QSize(1900, 1000)}) {
                s.window.resize(size);
                QTRY_COMPARE(s.table().horizontalScrollBar()->maximum(), 0);
                const int needed = static_cast<QAbstractItemView&>(s.table()).sizeHintForColumn(recoverable);
                QTRY_VERIFY(s.table().columnWidth(recoverable) >= needed);
                QVERIFY(s.table().columnWidth(test::column_of(s.table(), "kernel")) >=
                        std::min(150, static_cast<QAbstractItemView&>(s.table()).sizeHintForColumn(0)));
                const int verdict = test::column_of(s.table(), "class");
                const int words = static_cast<QAbstractItemView&>(s.table()).sizeHintForColumn(verdict);
                if (size.width() == 1900 && std::string_view(name).ends_with("wmma"))
                    QTRY_VERIFY(s.table().columnWidth(verdict) >= words);
            }
        }
    }

    void a_small_window_has_the_share_of_the_limit_before_words_and_letters() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const char* name : {"2023.1.1_a10g_sgemm", "2023.3.0_h800", "2024.2.1_rtx3070",
                                 "2025.1.1_t4_wmma", "2024.1.1_gtx1660s", "2025.4.1_rtx3090"}) {
            ShownWindow s;
            s.window.resize(960, 640);
            QVERIFY(s.open({QString::fromStdString(test::sample(name).string())}));
            const int share = test::column_of(s.table(), "share_of_limit");
            QTRY_VERIFY2(!s.table().isColumnHidden(share), name);
            QTRY_COMPARE(s.table().horizontalScrollBar()->maximum(), 0);
            QVERIFY2(right_end(s.table(), "share_of_limit") <= s.table().viewport()->width(), name);
        }
    }

    void with_several_reports_what_decides_is_in_sight_and_the_report_where_there_is_room() {
        ShownWindow s;
        s.window.resize(1280, 800);
        QVERIFY(s.open({write_long_names(s, "run_of_the_large_model_rank_7_of_wednesday.json"),
                        write_long_names(s, "run_of_the_large_model_rank_12_of_wednesday.json")}));
        for (const char* column : {"kernel", "time", "recoverable_time", "class", "share_of_limit"})
            QTRY_VERIFY2(right_end(s.table(), column) <= s.table().viewport()->width(), column);
        QCOMPARE(s.table().horizontalScrollBar()->maximum(), 0);
        const int report = test::column_of(s.table(), "source");
        const QString tip = test::tip_words(s.table().model()->index(0, 0).data(Qt::ToolTipRole).toString());
        QVERIFY2(tip.contains("_of_wednesday.json"), qPrintable(tip));
        QSet<QString> reports;
        for (int row = 0; row < s.table().model()->rowCount(); ++row)
            reports.insert(s.table().model()->index(row, report).data(TableModel::brief_role).toString());
        QCOMPARE(reports.size(), 2);
        for (const QString& brief : reports)
            QVERIFY2(brief.size() <= 10 && (brief.contains('7') || brief.contains("12")), qPrintable(brief));
        const int verdict = test::column_of(s.table(), "class");
        const auto needs = [&](int column) {
            return static_cast<QAbstractItemView&>(s.table()).sizeHintForColumn(column);
        };
        s.window.resize(1366, 768);
        QTRY_VERIFY(!s.table().isColumnHidden(report));
        QTRY_VERIFY(s.table().columnWidth(report) >= needs(report));
        // Names before the words of the classes, which have their signs, and one word where that fits.
        QVERIFY(s.table().columnWidth(test::column_of(s.table(), "kernel")) >= 150);
        QCOMPARE(s.table().horizontalScrollBar()->maximum(), 0);
        s.window.resize(1900, 800);
        QTRY_VERIFY(!s.table().isColumnHidden(report));
        QTRY_VERIFY(s.table().columnWidth(verdict) >= needs(verdict));
        QTRY_VERIFY(right_end(s.table(), "source") <= s.table().viewport()->width());
    }

    void of_two_reports_on_a_laptop_classes_have_a_word() {
        const std::string first = test::sample("2023.1.1_a10g_sgemm");
        const std::string second = test::sample("2023.2.0_rtx3080_sgemm");
        if (first.empty() || second.empty()) QSKIP("samples are not beside this checkout");
        ShownWindow s;
        s.window.resize(1366, 768);
        QVERIFY(s.open({QString::fromStdString(first), QString::fromStdString(second)}));
        QTRY_VERIFY(!s.table().isColumnHidden(test::column_of(s.table(), "source")));
        const int beside_words = 34;  // the sign, and the air of a cell
        QTRY_VERIFY(s.table().columnWidth(test::column_of(s.table(), "class")) >=
                    s.table().fontMetrics().horizontalAdvance("memory") + beside_words);
        // Names give way to classes in full.
        const int name = s.table().columnWidth(test::column_of(s.table(), "kernel"));
        const bool in_full = s.table().columnWidth(test::column_of(s.table(), "class")) >=
                             s.table().fontMetrics().horizontalAdvance("memory-bound") + beside_words;
        QVERIFY2(name >= (in_full ? 116 : 150), qPrintable(QString::number(name)));
        QVERIFY(s.chart().width() >= s.window.width() * 0.6);
        QCOMPARE(s.table().horizontalScrollBar()->maximum(), 0);
    }

    void beside_numbers_of_launches_classes_have_a_word() {
        const auto samples = test::shipped_samples();
        const auto decode = std::ranges::find_if(
            samples, [](const auto& file) { return file.filename() == "llm-decode-h100.json"; });
        QVERIFY(decode != samples.end());
        ShownWindow s;
        s.window.resize(1366, 768);
        QVERIFY(s.open({QString::fromStdString(decode->string())}));
        s.document().change_analysis([](AnalysisOptions& options) { options.group_by = GroupBy::launch; });
        QTRY_VERIFY(!s.table().isColumnHidden(test::column_of(s.table(), "launch")));
        const int beside_words = 34;  // the sign, and the air of a cell
        QTRY_VERIFY(s.table().columnWidth(test::column_of(s.table(), "class")) >=
                    s.table().fontMetrics().horizontalAdvance("near roof") + beside_words);
        QCOMPARE(s.table().horizontalScrollBar()->maximum(), 0);
    }

    void launches_have_their_number_and_counters_filter() {
        const auto report = test::sample("2025.1.0_a100-sxm4_silu");
        if (report.empty()) QSKIP("samples are not beside this checkout");
        ShownWindow s;
        QVERIFY(s.open({QString::fromStdString(report.string())}));
        const int number = test::column_of(s.table(), "launch");
        QVERIFY(s.table().isColumnHidden(number));
        s.document().change_analysis([](AnalysisOptions& options) { options.group_by = GroupBy::launch; });
        QVERIFY(s.settle());
        QTRY_VERIFY(!s.table().isColumnHidden(number));
        QCOMPARE(s.table().model()->rowCount(), 3);
        QSet<QString> numbers;
        for (int row = 0; row < 3; ++row)
            numbers.insert(s.cell(row, number));
        QCOMPARE(numbers, QSet<QString>({"0", "1", "2"}));
        for (const auto& [filter, rows] :
             {std::pair("registers > 0", 3), std::pair("registers > 500", 0), std::pair("occupancy > 1%", 3),
              std::pair("stall.long_scoreboard > 1% and occupancy <= 100%", 3), std::pair("launch = 1", 1)}) {
            s.document().set_filter(filter);
            QVERIFY2(s.document().filter_fault().isEmpty(), qPrintable(s.document().filter_fault()));
            QVERIFY(s.settle());
            QTRY_VERIFY2(s.table().model()->rowCount() == rows, filter);
        }
    }

    void columns_in_which_no_kernel_has_a_figure_are_hidden() {
        ShownWindow s;
        const auto is_hidden = [&](const char* column) {
            return s.table().isColumnHidden(test::column_of(s.table(), column));
        };
        QVERIFY(s.open({test::write_kernel_without_flops(s.folder, "copy.json")}));
        s.window.findChild<QAction*>("all_columns")->trigger();
        for (const char* empty : {"performance", "hbm_intensity", "launch_range", "source"})
            QVERIFY2(is_hidden(empty), empty);
        for (const char* stays : {"kernel", "time", "recoverable_time", "class", "hbm_bandwidth", "launches"})
            QVERIFY2(!is_hidden(stays), stays);
        s.document().loader().open({test::write_three_kernels(s.folder, "a.json")},
                                   ReportLoader::Opening::add);
        QVERIFY(s.settle());
        for (const char* column : {"performance", "hbm_intensity", "source"})
            QVERIFY2(!is_hidden(column), column);
        // What a filter leaves does not move columns.
        s.document().set_filter("name ~ copy");
        QTRY_VERIFY(s.table().model()->rowCount() < 4);
        QVERIFY(!is_hidden("performance"));
    }

    void several_rows_are_copied_one_a_line_below_their_headings() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        click_row(s, 1, Qt::ShiftModifier);
        s.action("copy_row").trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].startsWith("Kernel\t"), qPrintable(lines[0]));
        QVERIFY(lines[1].startsWith("sgemm_tiled") && lines[2].startsWith("stream_add"));
        for (const QString& line : lines)
            QCOMPARE(line.count('\t'), lines[0].count('\t'));
    }

    void a_row_is_copied_with_its_uncut_name() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        click_row(s, 0);
        s.action("copy_row").trigger();
        const QString copied = QGuiApplication::clipboard()->text().section('\n', 1);
        QVERIFY2(copied.startsWith("sgemm_tiled<128, 8>\t3.00 ms"), qPrintable(copied));
    }
};

}  // namespace tst_kernel_table

ROOFWALK_TEST(tst_kernel_table, TestKernelTable, QApplication)
#include "tst_kernel_table.moc"
