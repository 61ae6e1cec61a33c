// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/label_placer.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_label_placer {

using namespace roofwalk;

namespace {

constexpr RectF plot{0, 0, 20'000, 20'000};

std::vector<PlacedText> one_place(double x, double y) {
    PlacedText text;
    text.at = {x, y};
    text.text = "1.50x";
    return {text};
}

}  // namespace

class TestLabelPlacer : public QObject {
    Q_OBJECT

  private slots:
    void an_extra_label_crosses_one_line_but_not_two() {
        LabelPlacer placer(plot);
        placer.add_line({105, 0}, {105, 200});
        QVERIFY(placer.place({one_place(100, 100), LabelPriority::extra}));
        placer.add_line({505, 0}, {505, 200});
        placer.add_line({510, 0}, {510, 200});
        QVERIFY(!placer.place({one_place(500, 100), LabelPriority::extra}));
        QVERIFY(placer.place({one_place(500, 100), LabelPriority::needed}));
    }
    void a_pile_of_dots_stands_in_the_way_as_one_does_and_a_leader_may_end_at_each() {
        LabelPlacer placer(plot);
        for (std::uint32_t owner = 0; owner < 300; ++owner)
            placer.add_dot({100 + 0.0005 * owner, 100}, 6, owner);
        QVERIFY(!placer.place({one_place(95, 103), LabelPriority::clear}));
        QVERIFY(placer.is_hidden({100, 100}, 300));
        for (const std::uint32_t owner : {0U, 299U})
            QVERIFY(!placer.is_hidden({100, 100}, owner));
    }
    void the_place_that_covers_least_is_taken() {
        LabelPlacer placer(plot);
        placer.add_line({105, 0}, {105, 200});
        placer.add_line({110, 0}, {110, 200});
        placer.add_line({305, 0}, {305, 200});
        std::vector<PlacedText> places = one_place(100, 100);
        places.push_back(one_place(300, 100).front());
        const auto placed = placer.place({places, LabelPriority::needed});
        QVERIFY(placed);
        QCOMPARE(placed->at.x, 300.0);
        QVERIFY(placed->covers);
    }
    void a_line_is_covered_before_a_roof_and_before_a_long_leader() {
        LabelPlacer placer(plot);
        placer.add_roof({105, 0}, {105, 200});
        placer.add_line({305, 0}, {305, 200});
        std::vector<PlacedText> places = one_place(100, 100);
        places.push_back(one_place(300, 100).front());
        places.push_back(one_place(700, 100).front());
        places.back().leader = true;
        places.back().leader_to = {400, 96};
        const auto placed = placer.place({places, LabelPriority::needed});
        QVERIFY(placed);
        QCOMPARE(placed->at.x, 300.0);
    }
    void both_lines_of_a_label_stand_in_its_box_at_any_angle() {
        PlacedText text = one_place(100, 100).front();
        text.text = "saxpy: 1.50x below DRAM";
        text.second = 7;
        for (const double angle : {0.0, 35.0, 90.0, -60.0}) {
            text.angle = angle;
            const std::vector<PlacedText> lines = lines_of(text);
            QCOMPARE(lines.size(), std::size_t{2});
            const RectF whole = LabelBox(text).lengthened(0.01).bounds();
            for (const PlacedText& line : lines)
                QVERIFY(LabelBox(line).inside(
                    {whole.x - 0.01, whole.y - 0.01, whole.width + 0.02, whole.height + 0.02}));
            QVERIFY(!LabelBox(lines[0]).overlaps(LabelBox(lines[1])));
        }
    }
    void a_leader_leaves_words_sideways_half_way_up() {
        const PlacedText text = one_place(100, 100).front();
        const RectF box = LabelBox(text).bounds();
        const double middle = box.y + box.height / 2;
        for (const double x : {box.x - 60, box.right() + 60})
            for (const double y : {middle, box.bottom() + 20}) {
                const PointF start = LabelBox(text).leader_start({x, y});
                QCOMPARE(start.y, middle);
                QVERIFY(start.x < box.x || start.x > box.right());
            }
        QCOMPARE(LabelBox(text).leader_start({box.x + 3, box.bottom() + 40}).y, box.bottom());
    }
    void two_lines_are_as_wide_as_the_longer_one() {
        PlacedText text{.at = {100, 100}, .text = "name: a figure"};
        const double whole = width_of(text);
        text.second = 6;
        QCOMPARE(width_of(text), text_width("a figure", text.size));
        QVERIFY(width_of(text) < whole);
        const std::vector<PlacedText> lines = lines_of(text);
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0].text, std::string("name:"));
        for (const PlacedText& line : lines)
            QVERIFY(LabelBox(text).overlaps(LabelBox(line)));
    }
    void a_leader_runs_through_no_dot() {
        PlacedText above = one_place(300, 250).front();
        above.leader = true;
        above.leader_to = {310, 300};
        PlacedText below = above;
        below.at = {300, 360};
        LabelPlacer free(plot);
        free.add_dot({310, 306}, 6);
        QCOMPARE(free.place({std::vector{above, below}, LabelPriority::extra})->at.y, 250.0);
        LabelPlacer hindered(plot);
        hindered.add_dot({310, 306}, 6);
        hindered.add_dot({312, 275}, 8);
        QCOMPARE(hindered.place({std::vector{above, below}, LabelPriority::extra})->at.y, 360.0);
        for (const LabelPriority priority : {LabelPriority::asked, LabelPriority::needed})
            QVERIFY(!hindered.place({std::vector{above}, priority}));
    }
    void a_leader_touches_no_outline_but_its_own() {
        PlacedText label = one_place(300, 250).front();
        label.leader = true;
        label.leader_to = {310, 300};
        const auto leads_past = [&](std::uint32_t owner, double apart, MemoryLevel level) {
            LabelPlacer placer(plot);
            placer.add_dot({310 + apart, 280}, 6, owner, level);
            LabelRequest request{std::vector{label}, LabelPriority::asked, 2};
            request.in_any_crowd = true;
            return placer.place(request).has_value();
        };
        for (const double side : {-1.0, 1.0}) {
            QVERIFY(!leads_past(1, 6.9 * side, MemoryLevel::hbm) &&
                    leads_past(1, 7.3 * side, MemoryLevel::hbm));
            QVERIFY(leads_past(2, 6.9 * side, MemoryLevel::hbm));
            QVERIFY(!leads_past(1, 7.9 * side, MemoryLevel::l1) &&
                    leads_past(1, 9.6 * side, MemoryLevel::l1));
        }
    }
    void a_leader_ends_outside_of_all_dots_that_are_seen_as_one() {
        LabelPlacer placer(plot);
        placer.add_dot({300, 300}, 4);
        placer.add_dot({301, 300}, 8);
        placer.add_dot({304, 300}, 20);
        QCOMPARE(placer.outer_rim({300, 300}, 4, {1, 0}), 9.0);
        QCOMPARE(placer.outer_rim({300, 300}, 4, {-1, 0}), 7.0);
    }
    void a_leader_crosses_a_line_and_no_bar_but_ends_at_one() {
        PlacedText label = one_place(300, 250).front();
        label.leader = true;
        label.leader_to = {310, 320};
        LabelPlacer lined(plot);
        lined.add_line({290, 285}, {330, 285});
        QVERIFY(lined.place({std::vector{label}, LabelPriority::extra}));
        LabelPlacer barred(plot);
        barred.add_bar({290, 285}, {330, 285});
        QVERIFY(!barred.place({std::vector{label}, LabelPriority::needed}));
        label.leader_to = {310, 285};
        QVERIFY(barred.place({std::vector{label}, LabelPriority::extra}));
    }
    void a_marker_is_covered_with_its_corners() {
        const auto placed = [](MemoryLevel level, double x, double y) {
            LabelPlacer placer(plot);
            placer.add_dot({200, 200}, 20, {}, level);
            return placer.place({one_place(x, y), LabelPriority::clear}).has_value();
        };
        // Right of the circle of its area: over the corner of a diamond, beside the side of a square. Above
        // it: over the tip of a triangle.
        QVERIFY(placed(MemoryLevel::hbm, 222, 204) && placed(MemoryLevel::l2, 222, 204));
        QVERIFY(!placed(MemoryLevel::l1, 222, 204) && placed(MemoryLevel::l1, 227, 204));
        QVERIFY(placed(MemoryLevel::l2, 190, 175) && !placed(MemoryLevel::smem, 190, 175));
    }
    void before_it_covers_a_dot_a_label_looks_farther() {
        LabelPlacer placer(plot);
        placer.add_dot({310, 296}, 6);
        placer.add_line({805, 0}, {805, 400});
        int asked = 0;
        const auto request = [&](double x, LabelPriority priority) {
            return LabelRequest{.places = one_place(x, 300),
                                .priority = priority,
                                .farther = {[&] {
                                    ++asked;
                                    return one_place(600, 300 + 40 * asked);
                                }}};
        };
        QCOMPARE(placer.place(request(800, LabelPriority::needed))->at.x, 800.0);
        QCOMPARE(asked, 0);
        for (const LabelPriority priority :
             {LabelPriority::needed, LabelPriority::clear, LabelPriority::extra})
            QCOMPARE(placer.place(request(300, priority))->at.x, 600.0);
        QCOMPARE(asked, 3);
        placer.reserve({590, 400, 100, 200});
        QVERIFY(!placer.place(request(300, LabelPriority::clear)));
        QCOMPARE(placer.place(request(300, LabelPriority::needed))->at.x, 300.0);
    }
    void what_was_placed_is_forgotten() {
        LabelPlacer placer(plot);
        PlacedText led = one_place(300, 250).front();
        led.leader = true;
        led.leader_to = {310, 300};
        const LabelRequest request{std::vector{led}, LabelPriority::extra};
        const LabelPlacer::Placed before = placer.placed();
        QVERIFY(placer.place(request));
        QVERIFY(!placer.place(request));
        placer.go_back(before);
        const auto again = placer.place(request);
        QVERIFY(again);
        QVERIFY(!again->covers);
    }
    void thousands_of_extras_are_not_all_tried() {
        LabelPlacer placer(plot);
        int placed = 0;
        for (int i = 0; i < 1000; ++i)
            if (placer.place({one_place(100 + i % 100 * 100, 100 + i / 100 * 100), LabelPriority::extra}))
                ++placed;
        QVERIFY(placed >= 200);
        QVERIFY(placed < 1000);
        QVERIFY(placer.place({one_place(15'000, 15'000), LabelPriority::needed}));
    }
};

}  // namespace tst_label_placer

ROOFWALK_TEST(tst_label_placer, TestLabelPlacer, NoApplication)
#include "tst_label_placer.moc"
