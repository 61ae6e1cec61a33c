// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/folder_tests.h"
#include "ui/workspace/picture.h"

namespace tst_picture {

using namespace roofwalk;

namespace {

Analysis analysis_of(std::initializer_list<double> times) {
    Analysis analysis;
    for (const double time : times) {
        KernelPoint& point = analysis.points.emplace_back();
        if (time >= 0) point.time = Seconds(time);
    }
    return analysis;
}

}  // namespace

class TestPicture : public QObject {
    Q_OBJECT

  private slots:
    void matching_ends_when_it_is_cancelled() {
        std::stop_source stop;
        const Progress progress{{}, stop.get_token()};
        const Analysis analysis = analysis_of({1, 2, 3});
        int asked = 0;
        const KernelFilter filter = [&](const KernelPoint& point) {
            ++asked;
            return point.time->value() > 1;
        };
        QVERIFY(matching_points(analysis, filter, progress) == (std::vector{false, true, true}));
        stop.request_stop();
        QVERIFY(!matching_points(analysis, filter, progress));
        QCOMPARE(asked, 3);
    }

    void without_a_filter_every_kernel_matches() {
        QVERIFY(matching_points(analysis_of({1, 2}), {}, {}) == std::vector<bool>());
    }

    void the_longest_shown_stands_in_for_a_hidden_selection() {
        const Analysis analysis = analysis_of({1, -1, 3, 5});
        SceneOptions options;
        QVERIFY(!drawn_selection(analysis, options, {}));
        options.selected = 3;
        options.also_selected = {0, 1, 2};
        QCOMPARE(drawn_selection(analysis, options, {}), std::optional(3U));
        QCOMPARE(drawn_selection(analysis, options, {true, true, true, true}), std::optional(3U));
        QCOMPARE(drawn_selection(analysis, options, {true, true, true, false}), std::optional(2U));
        QCOMPARE(drawn_selection(analysis, options, {true, true, false, false}), std::optional(0U));
        QCOMPARE(drawn_selection(analysis, options, {false, true, false, false}), std::optional(1U));
        QVERIFY(!drawn_selection(analysis, options, {false, false, false, false}));
    }
};

}  // namespace tst_picture

ROOFWALK_TEST(tst_picture, TestPicture, NoApplication)
#include "tst_picture.moc"
