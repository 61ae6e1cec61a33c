// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <cmath>
#include <set>

#include "core/chart/scene/palette.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_palette {

using namespace roofwalk;

namespace {

constexpr std::array themes{Theme::light, Theme::dark, Theme::print};

/// Relative luminance and contrast ratio as WCAG 2.1 defines them.
double luminance(Colour colour) {
    const auto linear = [](std::uint8_t channel) {
        const double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double contrast(Colour a, Colour b) {
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

}  // namespace

class TestPalette : public QObject {
    Q_OBJECT

  private slots:
    void colours_are_written_as_hexadecimal() { QCOMPARE(to_hex({0, 114, 178}), std::string("#0072b2")); }
    void text_is_readable_on_every_ground() {
        for (const Theme theme : themes) {
            const Palette& palette = palette_of(theme);
            for (const Colour text : {palette.text, palette.faint_text, palette.highlight})
                for (const Colour ground :
                     {palette.background, palette.plot, palette.memory_zone, palette.compute_zone})
                    QVERIFY2(contrast(text, ground) >= 4.5, to_hex(text).c_str());
        }
    }
    void lines_and_dots_stand_out_from_the_plot() {
        for (const Theme theme : themes) {
            const Palette& palette = palette_of(theme);
            QVERIFY(contrast(palette.roof, palette.plot) >= 7);
            QVERIFY(contrast(palette.faint_roof, palette.plot) >= 3);
            QVERIFY(contrast(palette.axis, palette.plot) >= 4.5);
            for (std::size_t i = 0; i < 8; ++i)
                QVERIFY2(contrast(categorical_colour(i, theme), palette.plot) >= 2,
                         to_hex(categorical_colour(i, theme)).c_str());
        }
    }
    void the_grid_stays_behind() {
        for (const Theme theme : themes) {
            const Palette& palette = palette_of(theme);
            QVERIFY(contrast(palette.grid, palette.plot) < 2);
            QVERIFY(contrast(palette.minor_grid, palette.plot) < contrast(palette.grid, palette.plot));
        }
    }
    void classes_that_meet_on_a_chart_differ() {
        constexpr std::array placed{KernelClass::memory_bound,   KernelClass::compute_bound,
                                    KernelClass::latency_bound,  KernelClass::low_use,
                                    KernelClass::near_roof,      KernelClass::above_roof,
                                    KernelClass::work_incomplete};
        for (const Theme theme : themes) {
            std::set<std::string> colours;
            for (const KernelClass kernel_class : placed)
                colours.insert(to_hex(colour_of(kernel_class, theme)));
            QCOMPARE(colours.size(), placed.size());
        }
    }
    void print_is_white() { QCOMPARE(to_hex(palette_of(Theme::print).background), std::string("#ffffff")); }
};

}  // namespace tst_palette

ROOFWALK_TEST(tst_palette, TestPalette, NoApplication)
#include "tst_palette.moc"
