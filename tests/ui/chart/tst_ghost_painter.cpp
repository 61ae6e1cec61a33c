// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/chart/ghost_painter.h"

#include <QTest>

namespace tst_ghost_painter {

using namespace roofwalk;

class TestGhostPainter : public QObject {
    Q_OBJECT

  private slots:
    void words_beside_a_carried_dot_stay_in_the_plot_and_off_the_legend() {
        const QRectF plot(60, 20, 600, 400);
        const QSizeF size(180, 60);
        const QRectF legend(500, 330, 150, 80);
        for (double x = plot.left(); x <= plot.right(); x += 20)
            for (double y = plot.top(); y <= plot.bottom(); y += 20) {
                const QRectF place = place_of_words({x, y}, size, plot, legend);
                QVERIFY(plot.contains(place));
                QVERIFY(!place.contains(QPointF(x, y)));
                QVERIFY2(!place.intersects(legend), qPrintable(QStringLiteral("at %1, %2").arg(x).arg(y)));
            }
    }

    void they_do_not_hide_where_the_dot_comes_from() {
        const QRectF plot(0, 0, 600, 400);
        const std::vector<QRectF> origin{{140, 140, 20, 20}};
        const QRectF place = place_of_words({100, 100}, {120, 60}, plot, {}, origin);
        QVERIFY(!place.intersects(origin.front()));
        QVERIFY(plot.contains(place));
    }

    void they_stand_beside_all_dots_of_a_kernel_where_they_are_large() {
        const QRectF plot(0, 0, 600, 400);
        const std::vector<QRectF> dots{
            {80, 80, 40, 40}, {30, 80, 40, 40}, {80, 130, 40, 40}, {30, 130, 40, 40}};
        const QRectF place = place_of_words({100, 100}, {120, 90}, plot, {}, dots);
        for (const QRectF& dot : dots)
            QVERIFY(!place.intersects(dot));
    }

    void they_hide_no_label_where_there_is_room_near_by() {
        const QRectF plot(0, 0, 900, 600);
        const std::vector<LabelBox> labels{LabelBox(RectF{250, 200, 400, 220})};
        const QRectF place = place_of_words({450, 300}, {120, 60}, plot, {}, {}, labels);
        QVERIFY(plot.contains(place));
        QVERIFY(!LabelBox(RectF{place.x(), place.y(), place.width(), place.height()}).overlaps(labels[0]));
        QVERIFY(QLineF(place.center(), {450, 300}).length() < 200);
    }

    void they_stand_below_at_the_right_where_nothing_is_in_the_way() {
        const QRectF place =
            place_of_words({100, 100}, {50, 20}, {0, 0, 600, 400}, {}, {{91, 91, 18, 18}, {60, 91, 18, 18}});
        QVERIFY(place.left() > 100 && place.top() > 100);
    }
};

}  // namespace tst_ghost_painter

ROOFWALK_TEST(tst_ghost_painter, TestGhostPainter, NoApplication)
#include "tst_ghost_painter.moc"
