// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/report/selection_page.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_selection_page {

using namespace roofwalk;

namespace {

KernelPoint point_of(double time, double work, double bytes) {
    KernelPoint point;
    point.launches = 1;
    point.time = Seconds(time);
    point.time_share = time / 4;
    point.work = Flops(work);
    LevelPoint hbm;
    hbm.bytes = Bytes(bytes);
    point.levels[MemoryLevel::hbm] = hbm;
    return point;
}

}  // namespace

class TestSelectionPage : public QObject {
    Q_OBJECT

  private slots:
    void time_work_and_bytes_are_summed() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 3e12, 2e12), point_of(1, 9e12, 9e12)};
        const SelectionSum sum = sum_points(analysis, {0, 1});
        QCOMPARE(sum.time->value(), 3.0);
        QCOMPARE(sum.time_share, 0.75);
        QCOMPARE(sum.work->value(), 4e12);
        QCOMPARE(sum.bytes[MemoryLevel::hbm]->value(), 4e12);
        QCOMPARE(selection_sentence(sum), std::string("2 kernels selected: 3.00 s, 75.0 % of the time."));
        const FactTable table = sum_facts(sum, analysis);
        QCOMPARE(table.rows.size(), std::size_t{4});
        QCOMPARE(table.rows[2].cells[2].text, std::string("1.33 TFLOP/s"));
        QCOMPARE(table.rows[3].cells[2].text, std::string("1.00 FLOP/byte"));
    }

    void a_sum_that_lacks_a_part_is_not_shown() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 3e12, 2e12)};
        analysis.points[1].work.reset();
        analysis.points[1].levels = {};
        const SelectionSum sum = sum_points(analysis, {0, 1});
        QVERIFY(sum.time && !sum.work);
        QVERIFY(!sum.bytes[MemoryLevel::hbm]);
        const FactTable table = sum_facts(sum, analysis);
        QCOMPARE(table.rows.size(), std::size_t{3});
        QCOMPARE(table.rows[2].cells[1].text, std::string("–"));
    }

    void reports_are_told_apart_where_there_is_little_room() {
        Analysis analysis;
        analysis.several_reports = true;
        for (const char* rank : {"7", "12"}) {
            analysis.points.push_back(point_of(1, 1e12, 2e12));
            const std::string name =
                "run_of_the_large_model_rank_" + std::string(rank) + "_of_wednesday.json";
            analysis.points.back().modelled = true;  // nothing is to be measured
            analysis.points.back().source = std::make_shared<const ReportName>(ReportName{name, {}});
        }
        const TextPage page = session_page({}, analysis);
        const auto block = std::ranges::find_if(page.blocks, [](const TextBlock& each) {
            return !each.facts.headers.empty() && each.facts.headers.front() == "Report";
        });
        QVERIFY(block != page.blocks.end());
        const auto& rows = block->facts.rows;
        QCOMPARE(rows.size(), std::size_t{2});
        QVERIFY(rows[0].cells[0].text.find("7") != std::string::npos);
        QVERIFY(rows[1].cells[0].text.find("12") != std::string::npos);
        QCOMPARE(rows[0].cells[0].note, analysis.points[0].source->whole);
    }

    void the_page_of_a_session_tells_of_what_a_filter_leaves() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 1e12, 2e12)};
        for (KernelPoint& point : analysis.points)
            point.modelled = true;  // nothing is to be measured
        const auto kernels = [&](const std::vector<bool>& matches) {
            const TextPage page = session_page({}, analysis, matches);
            return std::ranges::find_if(page.blocks,
                                        [](const TextBlock& each) {
                                            return !each.facts.headers.empty() &&
                                                   each.facts.headers.front() == "Class";
                                        })
                ->facts.rows.at(0)
                .cells.at(1)
                .text;
        };
        QCOMPARE(kernels({}), std::string("2"));
        QCOMPARE(kernels({true, false}), std::string("1"));
    }

    void what_has_no_time_has_no_share_of_it() {
        Analysis analysis;
        analysis.points = {point_of(1, 0, 2e12), point_of(2, 0, 2e12)};
        analysis.points[1].time.reset();
        analysis.points[1].time_share = 0;
        const FactTable sum = sum_facts(sum_points(analysis, {0, 1}), analysis);
        QCOMPARE(sum.rows[1].cells[2].text, std::string("–"));
        QCOMPARE(sum.rows[3].cells[2].text, std::string("no FLOP"));
        const FactTable each = longest_facts(analysis, {0, 1});
        QCOMPARE(each.rows[0].cells[2].text, std::string("25.0 %"));
        QCOMPARE(each.rows[1].cells[2].text, std::string("–"));
    }

    void a_side_without_a_time_has_no_share_of_it() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 0, 2e12)};
        analysis.points[0].verdict.side = Side::memory;
        analysis.points[0].compute_ceiling = FlopRate(4e12);
        analysis.points[1].time.reset();
        analysis.points[1].time_share = 0;
        for (KernelPoint& point : analysis.points)
            point.modelled = true;  // nothing is to be measured
        const TextPage page = session_page({}, analysis);
        const auto block = std::ranges::find_if(page.blocks, [](const TextBlock& each) {
            return !each.facts.headers.empty() && each.facts.headers.front() == "Side of the ridge";
        });
        QVERIFY(block != page.blocks.end());
        const auto& rows = block->facts.rows;
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].cells[2].text, std::string("25.0 %"));
        QCOMPARE(rows[1].cells[2].text, std::string("–"));
    }

    void a_side_of_launches_alone_has_their_share() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12)};
        analysis.points[0].verdict.side = Side::memory;
        analysis.points[0].compute_ceiling = FlopRate(4e12);
        analysis.points[0].share_by_side = {0.75, 0, 0.25};
        analysis.points[0].modelled = true;
        const TextPage page = session_page({}, analysis);
        const auto block = std::ranges::find_if(page.blocks, [](const TextBlock& each) {
            return !each.facts.headers.empty() && each.facts.headers.front() == "Side of the ridge";
        });
        QVERIFY(block != page.blocks.end());
        const auto& rows = block->facts.rows;
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[1].cells[0].text, std::string("compute side"));
        QCOMPARE(rows[1].cells[2].text, std::string("6.25 %"));
    }

    void work_that_was_not_wholly_counted_stays_a_lower_bound() {
        Analysis analysis;
        analysis.points = {point_of(1, 1e12, 2e12), point_of(2, 3e12, 2e12)};
        analysis.points[0].uncounted.packed_fp32 = true;
        const FactTable table = sum_facts(sum_points(analysis, {0, 1}), analysis);
        QCOMPARE(table.rows[2].cells[1].text, std::string("≥ 4.00 TFLOP"));
        QCOMPARE(table.rows[2].cells[2].text, std::string("≥ 1.33 TFLOP/s"));
        QCOMPARE(table.rows[3].cells[2].text, std::string("≥ 1.00 FLOP/byte"));
    }
};

}  // namespace tst_selection_page

ROOFWALK_TEST(tst_selection_page, TestSelectionPage, NoApplication)
#include "tst_selection_page.moc"
