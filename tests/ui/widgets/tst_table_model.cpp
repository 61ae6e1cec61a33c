// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>
#include <numeric>

#include "core/report/report_columns.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/shown_tip.h"
#include "ui/widgets/table_model.h"

namespace tst_table_model {

using namespace roofwalk;

namespace {

std::shared_ptr<const Analysis> analysis_of(std::uint32_t count) {
    auto analysis = std::make_shared<Analysis>();
    for (std::uint32_t i = 0; i < count; ++i) {
        KernelPoint point;
        point.name = "kernel_" + std::to_string(i);
        point.launches = i + 1;
        point.time = Seconds(1e-6 * ((i * 7919) % count + 1));
        if (i % 3 != 0) point.gap = VerticalGap{1.0 + i};
        analysis->points.push_back(std::move(point));
    }
    return analysis;
}

std::vector<std::uint32_t> all_points(std::uint32_t count) {
    std::vector<std::uint32_t> points(count);
    std::iota(points.begin(), points.end(), 0U);
    return points;
}

void show(TableModel& model, const std::shared_ptr<const Analysis>& analysis,
          std::vector<std::uint32_t> points) {
    const auto point_at = [analysis](std::uint32_t point) -> const KernelPoint& {
        return analysis->points[point];
    };
    model.set_points(window_columns(point_columns(analysis->options), point_at), std::move(points));
}

QString text(const TableModel& model, int row, const char* column) {
    return model.index(row, model.column_of(column)).data().toString();
}

}  // namespace

class TestTableModel : public QObject {
    Q_OBJECT

  private slots:
    void ten_thousand_rows_satisfy_the_model_tester() {
        constexpr std::uint32_t count = 10'000;
        TableModel model(60);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        show(model, analysis_of(count), all_points(count));
        QCOMPARE(model.rowCount(), static_cast<int>(count));
        for (int column = 0; column < model.columnCount(); ++column) {
            model.sort(column, Qt::AscendingOrder);
            model.sort(column, Qt::DescendingOrder);
        }
        show(model, analysis_of(7), {1, 5});
        QCOMPARE(model.rowCount(), 2);
    }

    void rows_sort_by_their_numbers_not_their_texts() {
        TableModel model(60);
        show(model, analysis_of(12), all_points(12));
        model.sort(model.column_of("launches"), Qt::AscendingOrder);
        QCOMPARE(text(model, 1, "launches"), QString("2"));
        QCOMPARE(text(model, 11, "launches"), QString("12"));
        model.sort(model.column_of("kernel"), Qt::DescendingOrder);
        QCOMPARE(text(model, 0, "kernel"), QString("kernel_11"));  // 9 before 10, as people count
        QCOMPARE(text(model, 2, "kernel"), QString("kernel_9"));
    }

    void names_sort_whatever_their_case_and_classes_by_their_words() {
        auto analysis = std::make_shared<Analysis>();
        for (const auto& [name, kernel_class] :
             {std::pair("gemm<128, 16>", KernelClass::near_roof),
              std::pair("Gemm<128, 8>", KernelClass::compute_bound),
              std::pair("axpy", KernelClass::not_measured), std::pair("_copy", KernelClass::latency_bound)}) {
            analysis->points.emplace_back().name = name;
            analysis->points.back().verdict.kernel_class = kernel_class;
        }
        TableModel model(60);
        show(model, analysis, {0, 1, 2, 3});
        const auto column = [&](const char* id) {
            QStringList texts;
            for (int row = 0; row < model.rowCount(); ++row)
                texts.append(text(model, row, id));
            return texts;
        };
        model.sort(model.column_of("kernel"), Qt::AscendingOrder);
        QCOMPARE(column("kernel"), QStringList({"_copy", "axpy", "Gemm<128, 8>", "gemm<128, 16>"}));
        QStringList classes{"compute-bound", "latency-bound", "near the roof", "not measured"};
        model.sort(model.column_of("class"), Qt::AscendingOrder);
        QCOMPARE(column("class"), classes);
        model.sort(model.column_of("class"), Qt::DescendingOrder);
        std::reverse(classes.begin(), classes.begin() + 3);  // what is not known stays last
        QCOMPARE(column("class"), classes);
    }

    void missing_numbers_come_last_in_both_directions() {
        TableModel model(60);
        show(model, analysis_of(6), all_points(6));
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(model.column_of("vertical_gap"), order);
            QVERIFY(text(model, 3, "vertical_gap").endsWith('x'));
            QCOMPARE(text(model, 4, "vertical_gap"), QString::fromUtf8("–"));
            QCOMPARE(text(model, 5, "vertical_gap"), QString::fromUtf8("–"));
        }
    }

    void an_intensity_says_why_it_is_missing() {
        auto analysis = std::make_shared<Analysis>();
        analysis->points.resize(2);
        analysis->points[1].levels[MemoryLevel::hbm] = LevelPoint();
        TableModel model(60);
        show(model, analysis, {0, 1});
        QCOMPARE(text(model, 0, "hbm_intensity"), QString::fromUtf8("–"));
        QCOMPARE(text(model, 1, "hbm_intensity"), QString("no bytes"));
        const QModelIndex cell = model.index(1, model.column_of("hbm_intensity"));
        QVERIFY(cell.data(TableModel::missing_role).toBool());
        QVERIFY(!model.index(1, 0).data(TableModel::missing_role).toBool());
        analysis->points[1].levels[MemoryLevel::hbm]->bytes = Bytes(1);
        analysis->points[1].levels[MemoryLevel::hbm]->intensity = Intensity(0);
        analysis->points[1].work = Flops(0);
        QCOMPARE(text(model, 1, "hbm_intensity"), QString("no FLOP"));
        auto without = std::make_shared<Analysis>(*analysis);
        without->options.levels[MemoryLevel::hbm] = false;
        show(model, without, {0});
        QCOMPARE(text(model, 0, "hbm_intensity"), QString("not shown"));
    }

    void names_that_would_read_the_same_show_where_they_differ() {
        const std::string start =
            "cutlass::Kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::half_t, "
            "cutlass::layout::RowMajor, cutlass::Shape<128, 128, ";
        auto profile = std::make_shared<Profile>();
        auto analysis = std::make_shared<Analysis>();
        for (const std::string& name : {start + "64>>>", std::string("triad"), start + "32>>>"}) {
            profile->kernels.emplace_back().name = name;
            analysis->points.emplace_back().name = name;
        }
        TableModel model(60);
        model.set_names(profile);
        show(model, analysis, {0, 1, 2});
        QVERIFY2(text(model, 0, "kernel").endsWith("64>>>"), qPrintable(text(model, 0, "kernel")));
        QVERIFY(text(model, 2, "kernel").endsWith("32>>>"));
        QCOMPARE(model.index(0, 0).data(TableModel::similar_role).toString().toStdString(), start + "32>>>");
        QCOMPARE(model.index(1, 0).data(TableModel::similar_role).toString(), QString());
    }

    void a_lower_bound_says_so() {
        auto analysis = std::make_shared<Analysis>();
        KernelPoint point;
        point.performance = FlopRate(1e12);
        point.levels[MemoryLevel::hbm] = LevelPoint();
        point.levels[MemoryLevel::hbm]->bytes = Bytes(1);
        point.levels[MemoryLevel::hbm]->intensity = Intensity(2);
        point.uncounted.fp16 = true;
        analysis->points.push_back(point);
        TableModel model(60);
        show(model, analysis, {0});
        QCOMPARE(text(model, 0, "performance"), QString("≥ 1.00 TFLOP/s"));
        QCOMPARE(text(model, 0, "hbm_intensity"), QString("≥ 2.00 FLOP/byte"));
    }

    void an_index_follows_its_kernel_when_the_rows_are_sorted() {
        TableModel model(60);
        show(model, analysis_of(20), all_points(20));
        model.sort(model.column_of("launches"), Qt::AscendingOrder);
        const QPersistentModelIndex third(model.index(2, 0));
        const std::optional<std::uint32_t> point = model.point_of(third.row());
        model.sort(model.column_of("launches"), Qt::DescendingOrder);
        QCOMPARE(model.point_of(third.row()), point);
        QCOMPARE(third.row(), 17);
        QCOMPARE(model.row_of(*point), std::optional(17));
    }

    void lines_keep_their_order_and_name_the_points_that_they_tell_of() {
        TableModel model(60);
        const TableModel::Column words{
            {.id = "line", .title = "Line", .kind = ColumnKind::words},
            [](std::uint32_t line) { return word_cell("line " + std::to_string(line)); }};
        model.set_lines({words}, {std::nullopt, 7, 3, 7});
        QCOMPARE(text(model, 2, "line"), QString("line 2"));
        QVERIFY(!model.point_of(0));
        QCOMPARE(model.row_of(7), std::optional(1));
        QVERIFY(!model.row_of(8));
        QVERIFY((model.rows_of({3, 7}) == std::vector<std::pair<int, int>>{{1, 3}}));
        const QPersistentModelIndex second(model.index(1, 0));
        TableModel::Column others = words;
        others.cell = [](std::uint32_t) { return word_cell("other"); };
        model.set_columns({others});
        QVERIFY(second.isValid());
        QCOMPARE(second.data().toString(), QString("other"));
    }

    void a_box_is_told_and_not_ticked() {
        TableModel model(60);
        const TableModel::Column moves{{.id = "move", .kind = ColumnKind::words},
                                       [](std::uint32_t) { return word_cell("tile"); }};
        const TableModel::Column plain{{.id = "state", .kind = ColumnKind::words},
                                       [](std::uint32_t) { return word_cell("made"); }};
        model.set_lines({moves, plain}, {std::nullopt});
        model.set_box("move", [](int) { return true; });
        QSignalSpy switched(&model, &TableModel::switch_wanted);
        QSignalSpy renamed(&model, &TableModel::name_wanted);
        const QModelIndex box = model.index(0, 0);
        QCOMPARE(box.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
        QVERIFY(!model.index(0, 1).data(Qt::CheckStateRole).isValid());
        QVERIFY(!model.flags(model.index(0, 1)).testFlag(Qt::ItemIsEditable));
        QVERIFY(model.setData(box, Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(model.setData(box, "fuse", Qt::EditRole));
        QVERIFY(!model.setData(box, "tile", Qt::EditRole));
        QCOMPARE(switched.count(), 1);
        QCOMPARE(renamed.count(), 1);
        QCOMPARE(box.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
    }

    void a_filtered_point_has_no_row() {
        TableModel model(60);
        show(model, analysis_of(5), {0, 4});
        QVERIFY(!model.row_of(3).has_value());
    }

    void long_names_are_shortened_and_whole_in_the_tooltip_and_the_copied_row() {
        auto analysis = std::make_shared<Analysis>();
        KernelPoint point;
        point.name = "void ns::gemm<ns::config<float, 128, 8>, true>(" + std::string(200, 'x') + " const*)";
        analysis->points.push_back(point);
        TableModel model(60);
        show(model, analysis, {0});
        const QModelIndex index = model.index(0, 0);
        QVERIFY(index.data().toString().size() <= 60);
        QVERIFY(test::tip_words(index.data(Qt::ToolTipRole).toString()).contains("gemm<ns::config"));
        QVERIFY(model.row_text(0).startsWith("ns::gemm<ns::config<float, 128, 8>, true>\t"));
    }
};

}  // namespace tst_table_model

ROOFWALK_TEST(tst_table_model, TestTableModel, QCoreApplication)
#include "tst_table_model.moc"
