// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/log_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/text.h"
#include "core/chart/layout/text_metrics.h"

namespace roofwalk {

namespace {

/// Room at each end of a range that holds data: at least a fifth of a decade, so that the largest dot and the
/// label of the highest roof stay inside.
constexpr double least_room = 0.2;
constexpr double share_of_room = 0.06;

constexpr double axis_label_size = 11;        // [px]
constexpr double label_gap = 8;               // between neighbouring labels [px]
constexpr double linear_label_distance = 80;  // wished for between labels of a linear stretch [px]
constexpr double minor_ticks_from = 36;       // pixels per decade below which 2 to 9 would be a smear
constexpr int most_ticks = 2000;              // a guard: no sensible range comes near it

std::string label_for(double value, int digits, TickLabels labels) {
    if (labels == TickLabels::plain && value < 999.5) return format_number(value, digits);
    std::string label = format_si(value, "", digits);
    while (label.ends_with(' '))
        label.pop_back();
    return label;
}

double decade(int exponent) {
    return std::pow(10.0, exponent);
}

/// Distance between labels, and into how many parts minor ticks cut it.
struct Step {
    double size = 1;
    int parts = 5;
};

/// The smallest of 1, 2, 5, 10 times a power of ten that is no smaller than `size`.
Step nice_step(double size) {
    const double unit = decade(static_cast<int>(std::floor(std::log10(size))));
    const double mantissa = size / unit;
    if (mantissa <= 1) return {unit, 5};
    if (mantissa <= 2) return {2 * unit, 4};
    if (mantissa <= 5) return {5 * unit, 5};
    return {10 * unit, 5};
}

class TickMaker {
  public:
    TickMaker(Range range, double pixels, TickLabels labels)
        : range_(range), axis_(range, 0, pixels), labels_(labels) {}

    [[nodiscard]] bool holds(double value) const {
        constexpr double slack = 1e-9;
        return value >= range_.lo * (1 - slack) && value <= range_.hi * (1 + slack);
    }
    void add(double value, bool major, int digits = 1) {
        if (!holds(value)) return;
        ticks_.push_back(Tick{value, major, major ? label_for(value, digits, labels_) : std::string()});
    }
    [[nodiscard]] int first_decade() const { return static_cast<int>(std::floor(std::log10(range_.lo))); }
    [[nodiscard]] int last_decade() const { return static_cast<int>(std::ceil(std::log10(range_.hi))); }
    [[nodiscard]] double pixels_per_decade() const { return axis_.pixels_per_decade(); }

    /// Labels every `step`th decade; minor ticks 2 to 9 while there is room, else at the decades between.
    void by_decades(int step) {
        const bool minor = step == 1 && pixels_per_decade() >= minor_ticks_from;
        for (int exponent = first_decade(); exponent <= last_decade(); ++exponent) {
            add(decade(exponent), exponent % step == 0);
            for (int k = 2; minor && k <= 9; ++k)
                add(k * decade(exponent), false);
        }
    }

    /// Labels these multiples of every decade; the others of 1 to 9 become minor ticks.
    void by_multiples(std::span<const int> multiples) {
        for (int exponent = first_decade(); exponent <= last_decade(); ++exponent)
            for (int k = 1; k <= 9; ++k)
                add(k * decade(exponent), std::ranges::find(multiples, k) != multiples.end());
    }

    void by_linear_steps(double pixels) {
        const double wished = std::clamp(pixels / linear_label_distance, 2.0, 10.0);
        const Step step = nice_step((range_.hi - range_.lo) / wished);
        const double fine = step.size / step.parts;
        const double first = std::ceil(range_.lo / fine * (1 - 1e-12));
        for (int i = 0; i < most_ticks && holds((first + i) * fine); ++i) {
            const double value = (first + i) * fine;
            const bool major = std::fmod(first + i, step.parts) == 0;
            const int digits = static_cast<int>(std::floor(std::log10(value) + 1e-9) -
                                                std::floor(std::log10(step.size) + 1e-9)) +
                               1;
            add(value, major, std::clamp(digits, 1, 15));
        }
    }

    [[nodiscard]] std::size_t majors() const {
        return static_cast<std::size_t>(std::ranges::count_if(ticks_, &Tick::major));
    }
    [[nodiscard]] bool crowded() const {
        double free_from = -1e9;
        for (const Tick& tick : ticks_) {
            if (tick.label.empty()) continue;
            if (start_of(tick) < free_from) return true;
            free_from = end_of(tick);
        }
        return false;
    }
    /// Takes labels away until no two neighbours touch.
    void thin_out() {
        double free_from = -1e9;
        for (Tick& tick : ticks_) {
            if (tick.label.empty()) continue;
            if (start_of(tick) >= free_from) {
                free_from = end_of(tick);
            } else {
                tick.label.clear();
                tick.major = false;
            }
        }
    }
    void clear() { ticks_.clear(); }
    [[nodiscard]] std::vector<Tick> take() { return std::move(ticks_); }

  private:
    [[nodiscard]] double start_of(const Tick& tick) const {
        return axis_.to_pixel(tick.value) - text_width(tick.label, axis_label_size) / 2;
    }
    [[nodiscard]] double end_of(const Tick& tick) const {
        return axis_.to_pixel(tick.value) + text_width(tick.label, axis_label_size) / 2 + label_gap;
    }

    Range range_;
    LogAxis axis_;
    TickLabels labels_;
    std::vector<Tick> ticks_;
};

}  // namespace

LogAxis::LogAxis(Range range, double pixel_lo, double pixel_hi)
    : range_(range),
      pixel_lo_(pixel_lo),
      log_lo_(std::log10(range.lo)),
      scale_((pixel_hi - pixel_lo) / (std::log10(range.hi) - std::log10(range.lo))) {}

double LogAxis::to_pixel(double value) const {
    return pixel_lo_ + (std::log10(value) - log_lo_) * scale_;
}

double LogAxis::to_value(double pixel) const {
    return std::pow(10.0, log_lo_ + (pixel - pixel_lo_) / scale_);
}

double LogAxis::pixels_per_decade() const {
    return std::abs(scale_);
}

Range padded(Range data, double min_decades) {
    const double lo = std::log10(data.lo);
    const double hi = std::log10(data.hi);
    const double room = std::max(least_room, (hi - lo) * share_of_room);
    const double missing = std::max(0.0, min_decades - (hi - lo + 2 * room));
    return Range{std::pow(10.0, lo - room - missing / 2), std::pow(10.0, hi + room + missing / 2)};
}

std::vector<Tick> log_ticks(Range range, double pixels, TickLabels labels) {
    const bool sane = range.lo > 0 && range.hi > range.lo && std::isfinite(range.hi) && pixels > 0;
    if (!sane) return {};
    const double decades = std::log10(range.hi / range.lo);
    if (decades > 1000) return {};

    constexpr double least_plain = 0.99e-4;
    TickMaker maker(range, pixels, range.lo < least_plain ? TickLabels::si : labels);
    if (decades < 2) {
        constexpr std::array multiples{1, 2, 5};
        maker.by_multiples(multiples);
        if (!maker.crowded() && maker.majors() >= 3) return maker.take();
        maker.clear();
        if (decades < 1) {
            maker.by_linear_steps(pixels);
            maker.thin_out();
            return maker.take();
        }
    }
    for (int step = 1;; ++step) {
        maker.clear();
        maker.by_decades(step);
        if (!maker.crowded() || step > decades) break;
    }
    maker.thin_out();
    return maker.take();
}

}  // namespace roofwalk
