// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/chart/scene/palette.h"
#include "core/roofline/verdict_words.h"
#include "tests/support/contrast.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_palette {

using namespace roofwalk;

namespace {

constexpr std::array themes{Theme::light, Theme::dark, Theme::print};

double contrast(Colour a, Colour b) {
    const auto luminance = [](Colour colour) {
        return test::luminance(colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
    };
    return test::contrast(luminance(a), luminance(b));
}

constexpr std::array placed{
    KernelClass::memory_bound, KernelClass::compute_bound, KernelClass::latency_bound,  KernelClass::low_use,
    KernelClass::near_roof,    KernelClass::above_roof,    KernelClass::work_incomplete};

using Linear = std::array<double, 3>;

/// A dot of a class on the plot, at the opacity that dots have there.
Linear drawn(KernelClass kernel_class, Theme theme) {
    const Colour colour = colour_of(kernel_class, theme);
    const Colour plot = palette_of(theme).plot;
    Linear linear{};
    const std::array channels{colour.r, colour.g, colour.b};
    const std::array ground{plot.r, plot.g, plot.b};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = (dot_opacity * channels.at(i) + (1 - dot_opacity) * ground.at(i)) / 255;
        linear.at(i) = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return linear;
}

/// CIE L*, a*, b* under D65.
Linear lab(const Linear& c) {
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505);
    const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// As Machado, Oliveira and Fernandes (2009) simulate whole blindness, in linear RGB.
constexpr std::array<std::array<Linear, 3>, 3> blindnesses{
    {{{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

Linear seen_with(const std::array<Linear, 3>& blindness, const Linear& colour) {
    Linear seen{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Linear& row = blindness.at(i);
        seen.at(i) = std::clamp(row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2], 0.0, 1.0);
    }
    return seen;
}

double distance(const Linear& a, const Linear& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Calls `look(a, b, theme)` for each two classes that may meet in a plot.
template <class Look>
void each_pair(const Look& look) {
    for (const Theme theme : themes)
        for (std::size_t i = 0; i < placed.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                look(placed.at(i), placed.at(k), theme);
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
            for (const Colour ground : {palette.plot, palette.memory_zone, palette.compute_zone}) {
                QVERIFY(contrast(palette.roof, ground) >= 7);
                QVERIFY2(contrast(palette.faint_roof, ground) >= 3, to_hex(palette.faint_roof).c_str());
                QVERIFY(contrast(palette.highlight, ground) >= 4.5);
            }
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
        for (const Theme theme : themes) {
            std::set<std::string> colours;
            for (const KernelClass kernel_class : placed)
                colours.insert(to_hex(colour_of(kernel_class, theme)));
            QCOMPARE(colours.size(), placed.size());
        }
    }
    void classes_differ_in_a_grey_copy() {
        each_pair([](KernelClass a, KernelClass b, Theme theme) {
            const double step = std::abs(lab(drawn(a, theme))[0] - lab(drawn(b, theme))[0]);
            QVERIFY2(step >= 12, qPrintable(QString("%1 and %2: %3").arg(int(a)).arg(int(b)).arg(step)));
        });
    }
    void classes_differ_to_the_colour_blind() {
        constexpr double told_apart = 15;  // of CIE 1976
        for (const auto& blindness : blindnesses)
            each_pair([&](KernelClass a, KernelClass b, Theme theme) {
                const double apart = distance(lab(seen_with(blindness, drawn(a, theme))),
                                              lab(seen_with(blindness, drawn(b, theme))));
                QVERIFY2(apart >= told_apart,
                         qPrintable(QString("%1 and %2: %3").arg(int(a)).arg(int(b)).arg(apart)));
            });
    }
    void low_use_by_a_unit_has_a_mark_of_its_own() {
        Verdict verdict;
        verdict.kernel_class = KernelClass::low_use;
        const std::uint8_t idle = class_look(verdict);
        verdict.busy = BusyUnit{};
        QVERIFY(is_bound_by_unit(verdict) && class_look(verdict) != idle);
        const MarkStroke own = mark_of(KernelClass::low_use, true).front();
        for (const KernelClass kernel_class : placed)
            if (const auto marks = mark_of(kernel_class); marks.size() == 1)
                QVERIFY(std::pair(marks[0].from_x, marks[0].from_y) != std::pair(own.from_x, own.from_y));
    }
    void classes_differ_without_their_fill() {
        std::set<std::string> marks;
        for (const KernelClass kernel_class : placed) {
            std::string strokes;
            for (const MarkStroke& stroke : mark_of(kernel_class)) {
                for (const double end : {stroke.from_x, stroke.from_y, stroke.to_x, stroke.to_y})
                    strokes += std::to_string(end) + " ";
                QVERIFY(std::hypot(stroke.from_x, stroke.from_y) <= 1 &&
                        std::hypot(stroke.to_x, stroke.to_y) <= 1);
            }
            marks.insert(strokes);
            for (const Theme theme : themes) {
                const Colour fill = colour_of(kernel_class, theme);
                QVERIFY(contrast(ink_on(fill), fill) >= 4);
                QVERIFY(contrast(line_colour(fill, theme), palette_of(theme).plot) >= 2.3);
            }
        }
        QCOMPARE(marks.size(), placed.size());
    }
    void print_is_white() { QCOMPARE(to_hex(palette_of(Theme::print).background), std::string("#ffffff")); }
};

}  // namespace tst_palette

ROOFWALK_TEST(tst_palette, TestPalette, NoApplication)
#include "tst_palette.moc"
