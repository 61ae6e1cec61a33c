// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/dot_index.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

namespace roofwalk {

namespace {

constexpr double dots_per_cell = 2;
constexpr double most_cells_a_side = 1024;
constexpr double least_small_radius = 5;  // [px]: of all but the few kernels with a tenth of the time
constexpr std::size_t most_large = 64;    // dots that every search looks at
constexpr double least_cell = 0.01;       // in natural logarithms: about a pixel
constexpr double place_error = 0.1;       // of places in single precision, at any zoom a person uses [px]
constexpr std::uint32_t looked_at_in_a_cell = 128;
constexpr std::ptrdiff_t looked_at_on_a_rail = 128;

/// Both axes of a view, made once for many dots.
struct Axes {
    explicit Axes(const View& view)
        : x(view.x, view.plot.x, view.plot.right()), y(view.y, view.plot.bottom(), view.plot.y) {}

    [[nodiscard]] PointF place_of(const Dot& dot) const { return {x.to_pixel(dot.x), y.to_pixel(dot.y)}; }

    LogAxis x;
    LogAxis y;
};

/// How well a dot fits a place: nearer rim first, then nearer centre, then painted on top.
struct Fit {
    double rim = std::numeric_limits<double>::infinity();
    double centre = std::numeric_limits<double>::infinity();
    std::uint32_t index = 0;

    [[nodiscard]] bool better_than(const Fit& other) const {
        if (rim != other.rim) return rim < other.rim;
        if (centre != other.centre) return centre < other.centre;
        return index > other.index;
    }
};

Fit fit_of(std::uint32_t index, const Dot& dot, PointF place, PointF at) {
    const double centre = std::hypot(place.x - at.x, place.y - at.y);
    return {std::max(0.0, centre - static_cast<double>(dot.radius)), centre, index};
}

double along(const Dot& dot, Rail rail) {
    return rail == Rail::no_work ? dot.x : dot.y;
}

/// Whether a place lies on a band, past the plot's lower or right edge.
bool on_band(const View& view, PointF at) {
    return (view.below > 0 && at.y > view.plot.bottom()) || (view.beside > 0 && at.x > view.plot.right());
}

/// `area` without what lies on bands.
RectF off_bands(RectF area, const View& view) {
    if (view.below > 0) area.height = std::min(area.height, view.plot.bottom() - area.y);
    if (view.beside > 0) area.width = std::min(area.width, view.plot.right() - area.x);
    return area;
}

RectF grown(const RectF& area, double by) {
    return {area.x - by, area.y - by, area.width + 2 * by, area.height + 2 * by};
}

/// All but a few dots are no larger: the usual radius, or in a crowd of kernels with like shares the radius
/// that they have.
double small_radius_of(std::span<const Dot> dots) {
    std::vector<float> larger;
    for (const Dot& dot : dots)
        if (static_cast<double>(dot.radius) > least_small_radius) larger.push_back(dot.radius);
    if (larger.size() <= most_large) return least_small_radius;
    const auto first_small = larger.begin() + most_large;
    std::ranges::nth_element(larger, first_small, std::ranges::greater());
    return static_cast<double>(*first_small);
}

bool contains(const RectF& area, PointF point) {
    return point.x >= area.x && point.x <= area.right() && point.y >= area.y && point.y <= area.bottom();
}

}  // namespace

DotIndex::DotIndex(std::span<const Dot> dots) : dots_(dots), small_radius_(small_radius_of(dots)) {
    struct IndexedDot {
        double x = 0;
        double y = 0;
        std::uint32_t dot = 0;
        std::uint32_t cell = 0;
    };
    std::vector<IndexedDot> places;  // in logarithms, of the dots that are on the chart
    places.reserve(dots.size());
    for (std::uint32_t i = 0; i < dots.size(); ++i) {
        const Dot& dot = dots[i];
        if (static_cast<double>(dot.radius) > small_radius_) {
            large_.push_back(i);
            large_places_.push_back(
                {static_cast<float>(std::log(dot.x)), static_cast<float>(std::log(dot.y)), dot.radius});
        }
        if (dot.rail == Rail::no_work) no_work_.push_back(i);
        if (dot.rail == Rail::no_traffic) no_traffic_.push_back(i);
        if (dot.rail == Rail::edge) edge_.push_back(i);
        if (dot.rail != Rail::none) continue;
        places.push_back({std::log(dot.x), std::log(dot.y), i, 0});
    }
    std::ranges::sort(no_work_, {}, [&](std::uint32_t i) { return along(dots_[i], Rail::no_work); });
    std::ranges::sort(no_traffic_, {}, [&](std::uint32_t i) { return along(dots_[i], Rail::no_traffic); });
    std::ranges::sort(edge_, {}, [&](std::uint32_t i) { return along(dots_[i], Rail::edge); });
    if (places.empty()) return;

    const auto [left, right] = std::ranges::minmax(places, {}, &IndexedDot::x);
    const auto [low, high] = std::ranges::minmax(places, {}, &IndexedDot::y);
    const double wished = std::sqrt(static_cast<double>(places.size()) / dots_per_cell);
    side_ = static_cast<std::int64_t>(std::clamp(wished, 1.0, most_cells_a_side));
    const auto side = static_cast<double>(side_);
    log_x_ = left.x;
    log_y_ = low.y;
    cell_x_ = std::max((right.x - left.x) / side, least_cell);
    cell_y_ = std::max((high.y - low.y) / side, least_cell);

    starts_.assign(static_cast<std::size_t>(side_ * side_) + 1, 0);
    for (IndexedDot& place : places) {
        const Cell cell = cell_of(place.x, place.y);
        place.cell = static_cast<std::uint32_t>(cell.y * side_ + cell.x);
        ++starts_[place.cell + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    order_.resize(places.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    places_.resize(places.size());
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const std::uint32_t slot = next[place->cell]++;
        order_[slot] = place->dot;
        places_[slot] = {static_cast<float>(place->x), static_cast<float>(place->y),
                         dots_[place->dot].radius};
    }
}

DotIndex::Cell DotIndex::cell_of(double log_x, double log_y) const {
    const auto last = static_cast<double>(side_ - 1);
    return {static_cast<std::int64_t>(std::clamp(std::floor((log_x - log_x_) / cell_x_), 0.0, last)),
            static_cast<std::int64_t>(std::clamp(std::floor((log_y - log_y_) / cell_y_), 0.0, last))};
}

std::pair<std::uint32_t, std::uint32_t> DotIndex::dots_in(Cell cell) const {
    const auto at = static_cast<std::size_t>(cell.y * side_ + cell.x);
    return {starts_[at], starts_[at + 1]};
}

bool DotIndex::is_empty(std::int64_t row, std::int64_t first_column, std::int64_t last_column) const {
    const auto start = static_cast<std::size_t>(row * side_);
    return starts_[start + static_cast<std::size_t>(first_column)] ==
           starts_[start + static_cast<std::size_t>(last_column) + 1];
}

std::span<const std::uint32_t> DotIndex::between(const std::vector<std::uint32_t>& rail, Rail which,
                                                 double lo, double hi) const {
    const auto place = [&](std::uint32_t i) { return along(dots_[i], which); };
    const auto first = std::ranges::lower_bound(rail, lo, {}, place);
    return {first, std::ranges::upper_bound(first, rail.end(), hi, {}, place)};
}

std::span<const std::uint32_t> DotIndex::on_rail(const std::vector<std::uint32_t>& rail, Rail which,
                                                 double lo, double middle, double hi) const {
    const auto place = [&](std::uint32_t i) { return along(dots_[i], which); };
    const auto all = between(rail, which, lo, hi);
    const auto nearest = std::ranges::lower_bound(all, middle, {}, place);
    constexpr std::ptrdiff_t half = looked_at_on_a_rail / 2;
    return {nearest - std::min(nearest - all.begin(), half), nearest + std::min(all.end() - nearest, half)};
}

std::optional<std::uint32_t> DotIndex::nearest(const View& view, PointF at, double reach) const {
    const Axes axes(view);
    Fit best;
    const auto look_at = [&](std::uint32_t i, PointF place) {
        const Fit fit = fit_of(i, dots_[i], place, at);
        if (fit.rim <= reach && fit.better_than(best)) best = fit;
    };
    const double window = reach + small_radius_;
    const Range x{axes.x.to_value(at.x - window), axes.x.to_value(at.x + window)};
    const Range y{axes.y.to_value(at.y + window), axes.y.to_value(at.y - window)};
    const double along_rail = (at.x - view.plot.x) / view.plot.width;
    const double share = window / view.plot.width;
    for (const std::uint32_t i :
         on_rail(no_work_, Rail::no_work, along_rail - share, along_rail, along_rail + share))
        look_at(i, dot_position(dots_[i], view));
    for (const std::uint32_t i : on_rail(no_traffic_, Rail::no_traffic, axes.y.to_value(at.y + window),
                                         axes.y.to_value(at.y), axes.y.to_value(at.y - window)))
        look_at(i, dot_position(dots_[i], view));
    for (const std::uint32_t i :
         on_rail(edge_, Rail::edge, y.lo / x.hi, axes.y.to_value(at.y) / axes.x.to_value(at.x), y.hi / x.lo))
        look_at(i, dot_position(dots_[i], view));

    const bool band = on_band(view, at);
    const double px_per_x = axes.x.pixels_per_decade() / std::numbers::ln10;
    const double px_per_y = axes.y.pixels_per_decade() / std::numbers::ln10;
    const double log_x = std::log(axes.x.to_value(at.x));
    const double log_y = std::log(axes.y.to_value(at.y));
    const auto may_win = [&](const LogPlace& place) {
        const double dx = (static_cast<double>(place.x) - log_x) * px_per_x;
        const double dy = (static_cast<double>(place.y) - log_y) * px_per_y;
        const auto radius = static_cast<double>(place.radius);
        const double winning =
            best.rim > 0 ? std::min(reach, best.rim) + radius : std::min(radius, best.centre);
        const double useful = winning + place_error;
        return dx * dx + dy * dy <= useful * useful;
    };
    for (std::size_t n = 0; n < large_.size(); ++n) {
        const Dot& dot = dots_[large_[n]];
        if (dot.rail != Rail::none || (!band && may_win(large_places_[n])))
            look_at(large_[n], dot_position(dot, view));
    }
    if (side_ == 0 || band) return std::isfinite(best.rim) ? std::optional(best.index) : std::nullopt;

    const auto look_into = [&](Cell cell) {
        const auto [first, last] = dots_in(cell);
        const std::uint32_t end = std::min(last, first + looked_at_in_a_cell);
        for (std::uint32_t slot = first; slot < end; ++slot)
            if (may_win(places_[slot])) look_at(order_[slot], axes.place_of(dots_[order_[slot]]));
    };
    // Rings of cells around the pointer, until no dot of the next ring can win any more.
    const double cell_px = std::min(cell_x_ * px_per_x, cell_y_ * px_per_y);
    const Cell lo = cell_of(std::log(x.lo), std::log(y.lo));
    const Cell hi = cell_of(std::log(x.hi), std::log(y.hi));
    const Cell middle = cell_of(log_x, log_y);
    const std::int64_t rings = std::max({middle.x - lo.x, hi.x - middle.x, middle.y - lo.y, hi.y - middle.y});
    for (std::int64_t ring = 0; ring <= rings; ++ring) {
        const double least_centre = static_cast<double>(ring - 1) * cell_px;
        if (best.rim == 0 ? least_centre > best.centre : least_centre - small_radius_ > best.rim) break;
        for (std::int64_t row = std::max(lo.y, middle.y - ring); row <= std::min(hi.y, middle.y + ring);
             ++row) {
            const bool whole_row = row == middle.y - ring || row == middle.y + ring;
            const std::int64_t step = whole_row ? 1 : 2 * ring;
            if (whole_row && is_empty(row, std::max(lo.x, middle.x - ring), std::min(hi.x, middle.x + ring)))
                continue;
            for (std::int64_t column = middle.x - ring; column <= middle.x + ring; column += step)
                if (column >= lo.x && column <= hi.x) look_into({column, row});
        }
    }
    return std::isfinite(best.rim) ? std::optional(best.index) : std::nullopt;
}

template <class Wanted>
bool DotIndex::visit_inside(const View& view, const RectF& area, const Wanted& wanted) const {
    const Axes axes(view);
    const Range x{axes.x.to_value(area.x), axes.x.to_value(area.right())};
    const Range y{axes.y.to_value(area.bottom()), axes.y.to_value(area.y)};
    const auto all_wanted = [&](std::span<const std::uint32_t> candidates, const RectF& where) {
        return std::ranges::all_of(candidates, [&](std::uint32_t i) {
            const bool railed = dots_[i].rail != Rail::none;
            const PointF place = railed ? dot_position(dots_[i], view) : axes.place_of(dots_[i]);
            return !contains(where, place) || wanted(i);
        });
    };
    if (area.bottom() >= view.plot.bottom() + view.below / 2) {
        const double from = (area.x - view.plot.x) / view.plot.width;
        const double length = area.width / view.plot.width;
        if (!all_wanted(between(no_work_, Rail::no_work, from, from + length), area)) return false;
    }
    if (area.right() >= view.plot.right() + view.beside / 2 &&
        !all_wanted(between(no_traffic_, Rail::no_traffic, y.lo, y.hi), area))
        return false;
    const RectF seen = off_bands(area, view);
    if (!all_wanted(between(edge_, Rail::edge, y.lo / x.hi, y.hi / x.lo), seen)) return false;
    if (side_ == 0 || seen.width < 0 || seen.height < 0) return true;
    const Cell lo = cell_of(std::log(x.lo), std::log(axes.y.to_value(seen.bottom())));
    const Cell hi = cell_of(std::log(axes.x.to_value(seen.right())), std::log(y.hi));
    for (std::int64_t row = lo.y; row <= hi.y; ++row)
        for (std::int64_t column = lo.x; column <= hi.x; ++column) {
            const auto [first, last] = dots_in({column, row});
            if (!all_wanted(std::span(order_).subspan(first, last - first), seen)) return false;
        }
    return true;
}

void DotIndex::visit_reaching(const View& view, const RectF& area, double corner,
                              const std::function<bool(std::uint32_t dot)>& wanted) const {
    for (const std::uint32_t i : large_) {
        const Dot& dot = dots_[i];
        const PointF place = dot_position(dot, view);
        const bool hidden = dot.rail == Rail::none && on_band(view, place);
        const RectF reached = grown(area, corner * static_cast<double>(dot.radius));
        if (!hidden && contains(reached, place) && !wanted(i)) return;
    }
    visit_inside(view, grown(area, corner * small_radius_), [&](std::uint32_t i) {
        return static_cast<double>(dots_[i].radius) > small_radius_ || wanted(i);
    });
}

std::vector<std::uint32_t> DotIndex::inside(const View& view, const RectF& area) const {
    std::vector<std::uint32_t> found;
    visit_inside(view, area, [&](std::uint32_t dot) {
        found.push_back(dot);
        return true;
    });
    return found;
}

}  // namespace roofwalk
