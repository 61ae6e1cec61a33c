// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTest>
#include <numeric>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_tip.h"
#include "ui/kernels/kernel_table_model.h"

namespace tst_kernel_table_model {

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

QString text(const KernelTableModel& model, int row, KernelColumn column) {
    return model.index(row, static_cast<int>(column)).data().toString();
}

}  // namespace

class TestKernelModel : public QObject {
    Q_OBJECT

  private slots:
    void ten_thousand_rows_satisfy_the_model_tester() {
        constexpr std::uint32_t count = 10'000;
        KernelTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set_points(analysis_of(count), all_points(count));
        QCOMPARE(model.rowCount(), static_cast<int>(count));
        for (int column = 0; column < model.columnCount(); ++column) {
            model.sort(column, Qt::AscendingOrder);
            model.sort(column, Qt::DescendingOrder);
        }
        model.set_points(analysis_of(7), {1, 5});
        QCOMPARE(model.rowCount(), 2);
    }

    void rows_sort_by_their_numbers_not_their_texts() {
        KernelTableModel model;
        model.set_points(analysis_of(12), all_points(12));
        model.sort(static_cast<int>(KernelColumn::launches), Qt::AscendingOrder);
        QCOMPARE(text(model, 1, KernelColumn::launches), QString("2"));
        QCOMPARE(text(model, 11, KernelColumn::launches), QString("12"));
        model.sort(static_cast<int>(KernelColumn::name), Qt::DescendingOrder);
        QCOMPARE(text(model, 0, KernelColumn::name), QString("kernel_9"));
    }

    void missing_numbers_come_last_in_both_directions() {
        KernelTableModel model;
        model.set_points(analysis_of(6), all_points(6));
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(static_cast<int>(KernelColumn::gap), order);
            QVERIFY(text(model, 3, KernelColumn::gap).endsWith('x'));
            QCOMPARE(text(model, 4, KernelColumn::gap), QString::fromUtf8("–"));
            QCOMPARE(text(model, 5, KernelColumn::gap), QString::fromUtf8("–"));
        }
    }

    void an_intensity_says_why_it_is_missing() {
        auto analysis = std::make_shared<Analysis>();
        analysis->points.resize(2);
        analysis->points[1].levels[MemoryLevel::hbm] = LevelPoint();
        KernelTableModel model;
        model.set_points(analysis, {0, 1});
        QCOMPARE(text(model, 0, KernelColumn::intensity), QString::fromUtf8("–"));
        QCOMPARE(text(model, 1, KernelColumn::intensity), QString("no bytes"));
        const QModelIndex cell = model.index(1, static_cast<int>(KernelColumn::intensity));
        QVERIFY(cell.data(KernelTableModel::missing_role).toBool());
        QVERIFY(!model.index(1, 0).data(KernelTableModel::missing_role).toBool());
        analysis->points[1].levels[MemoryLevel::hbm]->bytes = Bytes(1);
        analysis->points[1].levels[MemoryLevel::hbm]->intensity = Intensity(0);
        analysis->points[1].work = Flops(0);
        QCOMPARE(text(model, 1, KernelColumn::intensity), QString("no FLOP"));
        auto without = std::make_shared<Analysis>(*analysis);
        without->options.levels[MemoryLevel::hbm] = false;
        model.set_points(without, {0});
        QCOMPARE(text(model, 0, KernelColumn::intensity), QString("not shown"));
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
        KernelTableModel model;
        model.set_names(profile);
        model.set_points(analysis, {0, 1, 2});
        QVERIFY2(text(model, 0, KernelColumn::name).endsWith("64>>>"),
                 qPrintable(text(model, 0, KernelColumn::name)));
        QVERIFY(text(model, 2, KernelColumn::name).endsWith("32>>>"));
        QCOMPARE(model.index(0, 0).data(KernelTableModel::similar_role).toString().toStdString(),
                 start + "32>>>");
        QCOMPARE(model.index(1, 0).data(KernelTableModel::similar_role).toString(), QString());
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
        KernelTableModel model;
        model.set_points(analysis, {0});
        QCOMPARE(text(model, 0, KernelColumn::performance), QString("≥ 1.00 TFLOP/s"));
        QCOMPARE(text(model, 0, KernelColumn::intensity), QString("≥ 2.00 FLOP/byte"));
    }

    void an_index_follows_its_kernel_when_the_rows_are_sorted() {
        KernelTableModel model;
        model.set_points(analysis_of(20), all_points(20));
        model.sort(static_cast<int>(KernelColumn::launches), Qt::AscendingOrder);
        const QPersistentModelIndex third(model.index(2, 0));
        const std::uint32_t point = model.point_of(third);
        model.sort(static_cast<int>(KernelColumn::launches), Qt::DescendingOrder);
        QCOMPARE(model.point_of(third), point);
        QCOMPARE(third.row(), 17);
        QCOMPARE(model.row_of(point), std::optional(17));
    }

    void a_filtered_point_has_no_row() {
        KernelTableModel model;
        model.set_points(analysis_of(5), {0, 4});
        QVERIFY(!model.row_of(3).has_value());
    }

    void long_names_are_shortened_and_whole_in_the_tooltip_and_the_copied_row() {
        auto analysis = std::make_shared<Analysis>();
        KernelPoint point;
        point.name = "void ns::gemm<ns::config<float, 128, 8>, true>(" + std::string(200, 'x') + " const*)";
        analysis->points.push_back(point);
        KernelTableModel model;
        model.set_points(analysis, {0});
        const QModelIndex index = model.index(0, 0);
        QVERIFY(index.data().toString().size() <= 60);
        QVERIFY(test::tip_words(index.data(Qt::ToolTipRole).toString()).contains("gemm<ns::config"));
        QVERIFY(model.row_text(0).startsWith(QString::fromStdString(point.name) + '\t'));
    }
};

}  // namespace tst_kernel_table_model

ROOFWALK_TEST(tst_kernel_table_model, TestKernelModel, QCoreApplication)
#include "tst_kernel_table_model.moc"
