// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

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

struct Look {
    KernelClass kernel_class;
    bool by_unit = false;
};
constexpr std::array placed{Look{KernelClass::memory_bound},  Look{KernelClass::compute_bound},
                            Look{KernelClass::latency_bound}, Look{KernelClass::low_use},
                            Look{KernelClass::low_use, true}, Look{KernelClass::near_roof},
                            Look{KernelClass::above_roof},    Look{KernelClass::work_incomplete}};

using Linear = std::array<double, 3>;

/// A colour in linear light, at an opacity on a ground.
Linear linear(Colour colour, double opacity = 1, Colour ground = {}) {
    Linear result{};
    const std::array channels{colour.r, colour.g, colour.b};
    const std::array below{ground.r, ground.g, ground.b};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = (opacity * channels.at(i) + (1 - opacity) * below.at(i)) / 255;
        result.at(i) = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return result;
}

/// A dot of a class on the plot, at the opacity that dots have there.
Linear drawn(Look look, Theme theme) {
    return linear(colour_of(look.kernel_class, theme, look.by_unit), dot_opacity, palette_of(theme).plot);
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
using Blindness = std::array<Linear, 3>;
constexpr std::array<Blindness, 3> blindnesses{
    {{{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

Linear seen_with(const Blindness& blindness, const Linear& colour) {
    Linear seen{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Linear& row = blindness.at(i);
        seen.at(i) = std::clamp(row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2], 0.0, 1.0);
    }
    return seen;
}

/// Calls `check(a, b, theme)` for each two classes that may meet in a plot.
template <class Check>
void each_pair(const Check& check) {
    for (const Theme theme : themes)
        for (std::size_t i = 0; i < placed.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                check(placed.at(i), placed.at(k), theme);
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
        }
    }
    void a_dot_or_its_edge_and_every_line_stand_out_from_the_ground() {
        constexpr double seen = 3;  // WCAG 2, 1.4.11
        for (const Theme theme : themes) {
            const Palette& palette = palette_of(theme);
            for (const Colour ground : {palette.plot, palette.memory_zone, palette.compute_zone}) {
                for (std::size_t i = 0; i < 8; ++i) {
                    const Colour fill = categorical_colour(i, theme);
                    for (const Colour colour : {fill, line_colour(fill, theme)})
                        QVERIFY2(contrast(colour, ground) >= seen, to_hex(colour).c_str());
                }
                QVERIFY(contrast(palette.axis, ground) >= seen);  // the edge of a filled dot
                for (const Look look : placed) {
                    const Colour line = line_colour(colour_of(look.kernel_class, theme, look.by_unit), theme);
                    QVERIFY2(contrast(line, ground) >= seen, to_hex(line).c_str());
                }
            }
        }
    }
    void a_kernel_near_its_roof_is_seen_by_its_fill_alone_on_every_ground() {
        for (const Theme theme : themes) {
            const Palette& palette = palette_of(theme);
            for (const Colour ground : {palette.plot, palette.memory_zone, palette.compute_zone})
                QVERIFY(contrast(colour_of(KernelClass::near_roof, theme), ground) >= 3);
        }
    }
    void categories_differ_to_the_colour_blind() {
        constexpr double apart = 12;  // of L*, a* and b* together
        for (const Theme theme : themes)
            for (const Blindness& blindness : blindnesses)
                for (std::size_t i = 0; i < 8; ++i)
                    for (std::size_t k = 0; k < i; ++k) {
                        const Linear a = lab(seen_with(blindness, linear(categorical_colour(i, theme))));
                        const Linear b = lab(seen_with(blindness, linear(categorical_colour(k, theme))));
                        const double step = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                        QVERIFY2(step >= apart, qPrintable(QString("%1 and %2: %3").arg(i).arg(k).arg(step)));
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
            for (const Look look : placed)
                colours.insert(to_hex(colour_of(look.kernel_class, theme, look.by_unit)));
            QCOMPARE(colours.size(), placed.size());
        }
    }
    void classes_differ_in_lightness_in_grey_and_to_the_colour_blind() {
        constexpr Blindness none{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        std::vector<Blindness> eyes(blindnesses.begin(), blindnesses.end());
        eyes.push_back(none);
        for (const Blindness& eye : eyes)
            each_pair([&](Look a, Look b, Theme theme) {
                const auto lightness = [&](Look look) { return lab(seen_with(eye, drawn(look, theme)))[0]; };
                const double step = std::abs(lightness(a) - lightness(b));
                QVERIFY2(step >= 12, qPrintable(QString("%1 and %2: %3")
                                                    .arg(int(a.kernel_class))
                                                    .arg(int(b.kernel_class))
                                                    .arg(step)));
            });
    }
    void low_use_by_a_unit_has_a_look_of_its_own() {
        Verdict verdict;
        verdict.kernel_class = KernelClass::low_use;
        const std::uint8_t idle = class_look(verdict);
        verdict.busy = BusyUnit{};
        QVERIFY(is_bound_by_unit(verdict) && class_look(verdict) != idle);
    }
    void classes_differ_without_their_fill() {
        std::set<std::string> marks;
        for (const Look look : placed) {
            std::string strokes;
            for (const MarkStroke& stroke : mark_of(look.kernel_class, look.by_unit)) {
                for (const double end : {stroke.from_x, stroke.from_y, stroke.to_x, stroke.to_y})
                    strokes += std::to_string(end) + " ";
                QVERIFY(std::hypot(stroke.from_x, stroke.from_y) <= 1 &&
                        std::hypot(stroke.to_x, stroke.to_y) <= 1);
            }
            marks.insert(strokes);
            for (const Theme theme : themes) {
                const Colour fill = colour_of(look.kernel_class, theme, look.by_unit);
                QVERIFY(contrast(ink_on(fill), fill) >= 4);
            }
        }
        QCOMPARE(marks.size(), placed.size());
    }
    void print_is_white() { QCOMPARE(to_hex(palette_of(Theme::print).background), std::string("#ffffff")); }
};

}  // namespace tst_palette

ROOFWALK_TEST(tst_palette, TestPalette, NoApplication)
#include "tst_palette.moc"
