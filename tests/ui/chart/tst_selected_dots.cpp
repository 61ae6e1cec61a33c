// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QTest>
#include <algorithm>
#include <numeric>

#include "tests/support/contrast.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/chart_scene.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_sprites.h"

namespace tst_selected_dots {

using namespace roofwalk;

namespace {

View view_of(const Scene& scene) {
    return {.plot = {50, 20, 800, 500}, .x = scene.x, .y = {1e6, 1e15}};
}

using Dots = std::vector<std::uint32_t>;

/// The kernels from 0 to 99 of a hundred, and the smallest in front.
Scene all_of_a_hundred() {
    Scene scene = test::many_dots(100);
    scene.options.selected = 0;
    scene.options.also_selected.resize(99);
    std::iota(scene.options.also_selected.begin(), scene.options.also_selected.end(), 1U);
    return scene;
}

Dots largest(const Scene& scene, const View& view, std::size_t most) {
    const DotField field(scene);
    return SelectedDots(scene, field).largest_in(DotPlaces(scene, field, view), most);
}

double luminance(QColor colour) {
    return test::luminance(colour.redF(), colour.greenF(), colour.blueF());
}

double contrast(QColor a, QColor b) {
    return test::contrast(luminance(a), luminance(b));
}

/// One that stands back, on a ground.
QImage dimmed(DotSprites& sprites, std::uint8_t colour, DotLook look, Colour ground) {
    Dot dot = test::small_scene().dots.front();
    dot.colour = colour;
    QImage image = sprites.sprite(dot, look, true);
    QPainter painter(&image);
    painter.setCompositionMode(QPainter::CompositionMode_DestinationOver);
    painter.fillRect(image.rect(), to_qt(ground));
    return image;
}

}  // namespace

class TestSelectedDots : public QObject {
    Q_OBJECT

  private slots:
    void all_but_the_selected_stand_back() {
        Scene scene = test::small_scene();
        scene.options.selected = 1;
        scene.options.also_selected = {2};
        const SelectedDots selected(scene, DotField(scene));
        QVERIFY(selected.others_are_dimmed());
        QVERIFY(!selected.is_dimmed(scene.dots[0]));
        QVERIFY(!selected.is_dimmed(scene.dots[1]));
        QVERIFY(selected.is_dimmed(scene.dots[2]));
    }

    void nothing_stands_back_without_a_kernel_on_the_chart_data() {
        QTest::addColumn<std::optional<std::uint32_t>>("point");
        QTest::newRow("none") << std::optional<std::uint32_t>();
        QTest::newRow("not drawn") << std::optional<std::uint32_t>(99);
    }

    void nothing_stands_back_without_a_kernel_on_the_chart() {
        QFETCH(std::optional<std::uint32_t>, point);
        Scene scene = test::small_scene();
        scene.options.selected = point;
        const SelectedDots selected(scene, DotField(scene));
        QVERIFY(!selected.others_are_dimmed());
        QVERIFY(!selected.is_dimmed(scene.dots[2]));
        QVERIFY(largest(scene, view_of(scene), 500).empty());
    }

    void what_stands_back_is_seen_on_its_ground_data() {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("light") << Theme::light;
        QTest::newRow("dark") << Theme::dark;
    }

    void what_stands_back_is_seen_on_its_ground() {
        QFETCH(Theme, theme);
        const Palette& palette = palette_of(theme);
        std::vector<Colour> colours;
        for (std::uint8_t i = 0; i < 8; ++i)
            colours.push_back(categorical_colour(i, theme));
        DotSprites sprites;
        sprites.prepare(colours, theme, 1);
        for (const Colour ground : {palette.plot, palette.memory_zone, palette.compute_zone})
            for (std::uint8_t i = 0; i < 8; ++i)
                for (const DotInk ink : {DotInk::filled, DotInk::outline}) {
                    const QImage image = dimmed(sprites, i, {8, ink, theme}, ground);
                    double most = 0;  // along the middle: inside, and across the edge
                    for (int x = 0; x < image.width(); ++x)
                        most =
                            std::max(most, contrast(image.pixelColor(x, image.height() / 2), to_qt(ground)));
                    QVERIFY2(most >= 3, qPrintable(QStringLiteral("%1: %2").arg(i).arg(most)));
                }
    }

    void the_mark_of_what_stands_back_is_seen_in_it_data() { what_stands_back_is_seen_on_its_ground_data(); }

    void the_mark_of_what_stands_back_is_seen_in_it() {
        QFETCH(Theme, theme);
        std::vector<Colour> colours;
        std::vector<DotMark> marks;
        for (const KernelClass kernel_class : enumerators<KernelClass>) {
            colours.push_back(colour_of(kernel_class, theme));
            marks.push_back(mark_of(kernel_class));
        }
        DotSprites sprites;
        sprites.prepare(colours, theme, 1, marks);
        for (std::uint8_t i = 0; i < colours.size(); ++i) {
            if (marks[i].empty()) continue;
            const QImage image = dimmed(sprites, i, {8, DotInk::filled, theme}, palette_of(theme).plot);
            const QColor fill = image.pixelColor(image.width() / 2 - 5, image.height() / 2 - 2);
            double most = 0;
            for (int x = -3; x <= 3; ++x)
                for (int y = -3; y <= 3; ++y)
                    most = std::max(
                        most,
                        contrast(image.pixelColor(image.width() / 2 + x, image.height() / 2 + y), fill));
            QVERIFY2(most >= 3, qPrintable(QStringLiteral("%1: %2").arg(i).arg(most)));
        }
    }

    void a_dot_on_a_rail_counts() {
        Scene scene = test::small_scene();
        scene.options.selected = 2;
        QCOMPARE(largest(scene, view_of(scene), 500), (Dots{0}));
    }

    void of_many_the_largest_are_kept_and_always_the_one_in_front() {
        const Scene scene = all_of_a_hundred();
        QCOMPARE(largest(scene, view_of(scene), 500).size(), std::size_t{100});
        QCOMPARE(largest(scene, view_of(scene), 4), (Dots{0, 97, 98, 99}));
    }

    void only_what_is_in_view_is_kept() {
        const Scene scene = all_of_a_hundred();
        View view = view_of(scene);
        view.y = {1e16, 1e17};
        QCOMPARE(largest(scene, view, 500), (Dots{0}));  // the one in front is not looked for
    }
};

}  // namespace tst_selected_dots

ROOFWALK_TEST(tst_selected_dots, TestSelectedDots, NoApplication)
#include "tst_selected_dots.moc"
