// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/text.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/roof_clip.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"
#include "core/roofline/summary.h"

namespace roofwalk {

namespace {

constexpr double most_cells = 200'000;
constexpr double cells_per_dot = 4;         // else few dots are snow
constexpr double largest_cell = 4;          // for their sake [px]
constexpr std::size_t rail_places = 1'000;  // along a rail, finer than a page shows

/// For the legend: "2,998,500 dots as shading: 1 to 812 in 2 px × 2 px".
std::string shading_words(const DensityMap& density) {
    const std::string side = format_count(density.cell) + " px";
    return format_count(static_cast<double>(density.inside)) + " dots as shading: 1 to " +
           format_count(density.max) + " in " + side + " × " + side;
}

/// Draws the longest `most` points that `wanted(point)` holds for; returns how many there are.
template <class Wanted>
std::size_t draw_longest(const Scene& scene, std::size_t most, PageDots& dots, const Wanted& wanted) {
    std::size_t count = 0;
    for (std::size_t i = scene.dots.size(); i-- > 0 && count < most;) {
        const std::uint32_t point = scene.dots[i].point;
        const bool another_level = i + 1 < scene.dots.size() && scene.dots[i + 1].point == point;
        if (another_level || !wanted(point)) continue;
        dots.drawn[point] = true;
        ++count;
    }
    return count;
}

void draw_selected(const Scene& scene, PageDots& dots) {
    const SceneOptions& options = scene.options;
    if (options.selected && *options.selected < dots.drawn.size()) dots.drawn[*options.selected] = true;
    if (options.also_selected.empty()) return;
    const auto is_one = [&](std::uint32_t point) { return is_selected(options, point); };
    dots.selected = draw_longest(scene, longest_on_page, dots, is_one);
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < scene.dots.size(); ++i) {
        const std::uint32_t point = scene.dots[i].point;
        if (i > 0 && point == last) continue;
        last = point;
        if (!dots.drawn[point] && is_one(point)) ++dots.unringed;
    }
}

void draw_annotated(const Scene& scene, PageDots& dots) {
    const auto draw_all = [&](const auto& marks) {
        for (const auto& mark : marks)
            if (mark.point < dots.drawn.size()) dots.drawn[mark.point] = true;
    };
    draw_all(scene.gaps);
    draw_all(scene.targets);
    draw_all(scene.kernel_ceilings);
    draw_all(scene.paths);
    for (const DotName& name : scene.names)
        dots.drawn[scene.dots[name.dot].point] = true;
}

/// A rail is a line: of the dots at one place only the longest can be seen.
void draw_rails(const Scene& scene, PageDots& dots) {
    const double lowest = std::log(scene.y.lo);
    const double height = std::log(scene.y.hi) - lowest;
    const double from_corner = std::log(scene.x.hi / scene.x.lo);
    EnumArray<Rail, std::vector<bool>> taken;
    std::ranges::fill(taken, std::vector<bool>(rail_places + 1));
    const auto along_of = [&](const Dot& dot) {
        switch (dot.rail) {
            case Rail::no_work:
                return dot.x;
            case Rail::edge:  // around the corner, up the left edge
                return (std::log(dot.y * scene.x.lo) - lowest + from_corner) / (from_corner + height);
            default:
                return (std::log(dot.y) - lowest) / height;
        }
    };
    for (auto dot = scene.dots.rbegin(); dot != scene.dots.rend(); ++dot) {
        if (dot->rail == Rail::none) continue;
        const auto place =
            static_cast<std::size_t>(std::clamp(along_of(*dot), 0.0, 1.0) * static_cast<double>(rail_places));
        std::vector<bool>& rail = taken[dot->rail];
        if (!rail[place])
            dots.drawn[dot->point] = true;
        else if (!dots.drawn[dot->point])
            ++dots.off_rails;
        rail[place] = true;
    }
}

constexpr double margin = 12;             // around the page [px]
constexpr double tick_gap = 6;            // between the axis and its labels
constexpr double axis_label_height = 18;  // an axis' title
constexpr double legend_gap = 14;         // between neighbouring rows
constexpr double least_plot = 80;
constexpr double usual_plot = 150'000;  // with marks of their usual size [px * px]
constexpr double smallest_marks = 0.65;
constexpr double widest_beside = 0.4;      // of a legend beside the plot, of the page
constexpr double least_plot_beside = 240;  // that a legend beside it leaves: narrower ones lose words
constexpr double ground_air = 4;           // around and in the ground of a legend inside the plot
constexpr double over_ridges = 15;         // from the foot of the plot to it
constexpr double legend_share = 0.16;      // of the page's height at most
constexpr double most_grown_legend = 2;    // likewise, where the page grows with it
constexpr double plot_share = 0.35;        // of the page's height, that a longer legend leaves the plot
constexpr std::size_t most_caption_lines = 3;
constexpr std::size_t caption_lines_of_series = 4;
constexpr double legend_lines_of_series =
    3;  // of a series in pages that do not grow, which all keep them free
/// Of the page's height, for a caption that so is whole: eight lines on the smallest, where values of roofs
/// and names of kernels without room stand in it too.
constexpr double caption_share = 0.36;
constexpr double most_key = 0.4;     // of the page's height, for the key of numbers
constexpr double key_column = 300;   // at least, where it has two columns [px]
constexpr double key_gap = 20;       // between them
constexpr double key_number = 18;    // of their numbers
constexpr double key_figure = 60;    // of each of the others
constexpr double bold_width = 1.12;  // of bold letters, over that of others

std::size_t key_columns(const PageSize& drawing) {
    return drawing.width >= 2 * key_column ? 2 : 1;
}

double width_of(const LegendRow& row) {
    return (row.has_sample() ? page_sample_width : 0) + text_width(row.text, page_text_size);
}

/// Names of reports and kernels often differ at their ends.
std::string row_text(const LegendRow& row, double width) {
    return elided(row.text, page_text_size, width - (row.has_sample() ? page_sample_width : 0),
                  Elide::middle);
}

/// Counts the rows without a place in the last row that has room for the words, and those after it too.
void count_left_out(std::size_t left_out, const RectF& strip, std::vector<PlacedLegendRow>& placed) {
    while (true) {
        PlacedLegendRow& last = placed.back();
        const std::string more = ", and " + std::to_string(left_out) + " more";
        const double room = strip.right() - last.at.x - (last.row.has_sample() ? page_sample_width : 0) -
                            text_width(more, page_text_size);
        if (text_width(last.row.text, page_text_size) <= room || last.at.x <= strip.x) {
            last.row.text = elided(last.row.text, page_text_size, room, Elide::middle) + more;
            return;
        }
        placed.pop_back();
        ++left_out;
    }
}

/// Rows one after the other in as many lines as they need; what does not fit is counted in a last row, and
/// then those with a sample, which nothing else tells, come first. Returns the height used.
double flow_legend(const std::vector<LegendRow>& rows, const RectF& strip,
                   std::vector<PlacedLegendRow>& placed) {
    PointF at{strip.x, strip.y + page_line_height};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        LegendRow row = rows[i];
        row.text = row_text(row, strip.width);
        if (at.x > strip.x && at.x + width_of(row) > strip.right()) {
            at = {strip.x, at.y + page_line_height};
            if (at.y > strip.bottom()) {
                if (!std::ranges::is_partitioned(rows, &LegendRow::has_sample)) {
                    std::vector<LegendRow> in_order = rows;
                    std::stable_partition(in_order.begin(), in_order.end(),
                                          [](const LegendRow& one) { return one.has_sample(); });
                    placed.clear();
                    return flow_legend(in_order, strip, placed);
                }
                count_left_out(rows.size() - i, strip, placed);
                at.y -= page_line_height;
                break;
            }
        }
        placed.push_back({row, at});
        at.x += width_of(row) + legend_gap;
    }
    return placed.empty() ? 0 : at.y - strip.y + tick_gap;
}

double widest_label(const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks)
        widest = std::max(widest, text_width(tick.label, page_text_size));
    return widest;
}

/// A figure of a series: with the same axes on the same page each has the same frame, whatever it shows.
bool is_of_series(const PageSpec& spec) {
    return spec.x && spec.y;
}

bool has(const Scene& scene, const PageSpec& spec, Rail rail) {
    return is_of_series(spec) || std::ranges::find(scene.rails, rail) != scene.rails.end();
}

/// Room for the label of the bottom rail among those of the axis.
double rail_label(const Scene& scene, const PageSpec& spec) {
    const std::string longest = is_of_series(spec) ? "no FLOP" : scene.no_work_label;
    return has(scene, spec, Rail::no_work) ? text_width(longest, page_text_size) : 0;
}

/// Room for the label beside the right rail.
double right_rail_label(const Scene& scene, const PageSpec& spec) {
    return has(scene, spec, Rail::no_traffic) ? page_line_height : 0;
}

/// Beyond this size a chart is scaled up, so that letters stay readable when it is shown smaller.
constexpr PageSize largest_drawing{.width = 1200, .height = 800};

/// Below this size a chart is scaled down, so that every text keeps its place.
constexpr PageSize smallest_drawing{.width = 380, .height = 280};

/// Letters of a given size have one that leaves the texts a place.
constexpr PageSize least_drawing{.width = 240, .height = 180};

double scale_for(const PageSpec& spec) {
    const auto relative = [&](const PageSize& to) {
        return std::min(spec.width / to.width, spec.height / to.height);
    };
    if (spec.letters) return std::min(*spec.letters / page_text_size, relative(least_drawing));
    return std::max(std::min(1.0, relative(smallest_drawing)), relative(largest_drawing));
}

/// Grown upwards until the label of the highest roof fits above it.
Range with_room_above(Range y, const Scene& scene, double height) {
    double highest = y.lo;
    for (const Roof& roof : scene.roofs)
        if (std::holds_alternative<Pipe>(roof.target)) highest = std::max(highest, roof.rate);
    const double share = page_line_height / height;
    const double needed = y.lo * std::pow(highest / y.lo, 1 / (1 - share));
    return {y.lo, std::max(y.hi, needed)};
}

/// A long title in smaller letters, down to those of the legend, before it is cut.
PlacedText title_of(const Scene& scene, double top, double width, double largest) {
    const double needed = text_width(scene.options.title, largest * bold_width);
    const double size = std::clamp(largest * width / needed, page_text_size, largest);
    return {.at = {margin, top + largest},
            .size = size,
            .text = elided(scene.options.title, size * bold_width, width)};
}

/// Right of it no roof runs from `top` down; absent where one that computes does.
std::optional<double> free_of_roofs(const Scene& scene, const View& view, double top) {
    const RectF& plot = view.plot;
    const double rate = LogAxis(view.y, plot.bottom(), plot.y).to_value(top);
    double left = plot.x;
    for (const Roof& roof : scene.roofs)
        if (!std::holds_alternative<Pipe>(roof.target))
            left = std::max(left, LogAxis(view.x, plot.x, plot.right()).to_pixel(rate / roof.rate));
        else if (roof.rate <= rate)
            return {};
    return left;
}

/// In as wide lines as stand beside the roofs; where none do, over them on a ground of its own.
void add_empty_note(const Scene& scene, Page& page) {
    const RectF& plot = page.view.plot;
    const double middle = plot.bottom() - plot.height / 4;
    const double widest = plot.width - 2 * tick_gap;
    PointF at{plot.x + plot.width / 2, middle};
    std::vector<std::string> lines = wrapped(scene.empty_note, page_text_size, widest);
    for (double width = widest; width > widest / 3; width -= page_text_size) {
        std::vector<std::string> narrow = wrapped(scene.empty_note, page_text_size, width);
        double needed = 0;
        for (const std::string& line : narrow)
            needed = std::max(needed, text_width(line, page_text_size));
        const double half = static_cast<double>(narrow.size() + 1) * page_line_height / 2;
        const auto left = free_of_roofs(scene, page.view, middle - half);
        if (!left || *left + needed + 2 * tick_gap > plot.right() || middle + half > plot.bottom()) continue;
        lines = std::move(narrow);
        at.x = std::clamp(at.x, *left + tick_gap + needed / 2, plot.right() - tick_gap - needed / 2);
        break;
    }
    at.y -= (static_cast<double>(lines.size()) - 1) * page_line_height / 2;
    for (const std::string& line : lines) {
        page.empty_note.push_back(
            {.at = at, .anchor = TextAnchor::middle, .size = page_text_size, .text = line, .covers = true});
        at.y += page_line_height;
    }
}

void add_tick_labels(Page& page) {
    const RectF& plot = page.view.plot;
    const auto add = [&](const Tick& tick, PointF at, TextAnchor anchor) {
        if (!tick.label.empty())
            page.tick_labels.push_back(
                {.at = at, .anchor = anchor, .size = page_text_size, .text = tick.label});
    };
    const double half_text = page_text_size * (text_ascent - text_descent) / 2;
    for (const Tick& tick : page.x_ticks)
        add(tick, {page.x_of(tick), page.view.frame().bottom() + page_tick_length + page_text_size + 1},
            TextAnchor::middle);
    for (const Tick& tick : page.y_ticks)
        add(tick, {plot.x - page_tick_length - 2, page.y_of(tick) + half_text}, TextAnchor::end);
}

void add_caption(const std::vector<std::string>& lines, double bottom, Page& page) {
    PointF at{margin, bottom + page_small_size + 1};
    for (const std::string& line : lines) {
        page.caption.push_back({.at = at, .size = page_small_size, .text = line});
        at.y += page_caption_height;
    }
}

/// Of a column of Scene::key.
double key_width(const PageSize& drawing) {
    return (drawing.width - 2 * margin + key_gap) / static_cast<double>(key_columns(drawing)) - key_gap;
}

double key_name_width(const PageSize& drawing) {
    return key_width(drawing) - key_number - 2 * tick_gap - 2 * key_figure;
}

/// Scene::key in columns, where there is room with lines without a number for the rest of long names.
struct KeyTable {
    std::vector<KeyRow> lines;
    std::size_t rows = 0;  ///< below each other, the head apart

    [[nodiscard]] double height() const {
        return rows == 0 ? 0 : tick_gap + static_cast<double>(rows + 1) * page_caption_height;
    }
};

/// In so much height at most, where the page does not grow.
KeyTable key_table(const Scene& scene, const PageSpec& spec, const PageSize& drawing, double room) {
    KeyTable table;
    if (!spec.key || scene.key.empty()) return table;
    const std::size_t columns = key_columns(drawing);
    const auto rows_of = [&](const std::vector<KeyRow>& lines) {
        std::size_t all = (lines.size() + columns - 1) / columns;
        while (all < lines.size() && lines[all].number == 0)
            ++all;  // a name is whole in its column
        const double most = std::max(1.0, std::floor((room - tick_gap) / page_caption_height - 1));
        return spec.grows ? all : std::min(all, static_cast<std::size_t>(most));
    };
    for (const KeyRow& row : scene.key) {
        KeyRow line = row;
        for (const std::string& part : wrapped(row.name, page_small_size, key_name_width(drawing))) {
            line.name = part;
            table.lines.push_back(std::exchange(line, {0, row.point, {}, {}, {}}));
        }
    }
    table.rows = rows_of(table.lines);
    const bool torn = table.rows < table.lines.size() && table.lines[table.rows].number == 0;
    if (torn || table.rows * columns < table.lines.size()) table = {scene.key, rows_of(scene.key)};
    return table;
}

/// Each column with a head, below `top`. What there is no room for is counted.
void add_key(const KeyTable& table, const std::string& unit, double top, Page& page) {
    const auto& [lines, rows] = table;
    const std::size_t places = rows * key_columns(page.drawing);
    const double width = key_width(page.drawing);
    const auto put = [&](double x, double y, TextAnchor anchor, std::string text) {
        page.key.push_back(
            {.at = {x, y}, .anchor = anchor, .size = page_small_size, .text = std::move(text)});
    };
    for (std::size_t i = 0; i < std::min(lines.size(), places); ++i) {
        const std::size_t column = i / rows;
        const double x = margin + static_cast<double>(column) * (width + key_gap);
        const auto line = [&](std::size_t row, std::string number, const std::string& name,
                              std::string intensity, std::string share) {
            const double y =
                top + tick_gap + page_small_size + static_cast<double>(row) * page_caption_height;
            put(x + key_number, y, TextAnchor::end, std::move(number));
            put(x + key_number + tick_gap, y, TextAnchor::start,
                elided(name, page_small_size, key_name_width(page.drawing)));
            put(x + width - key_figure, y, TextAnchor::end, std::move(intensity));
            put(x + width, y, TextAnchor::end, std::move(share));
        };
        if (i % rows == 0) line(0, "", "kernel", unit + "/byte", "time");
        const KeyRow& row = lines[i];
        if (places < lines.size() && i + 1 == places)
            line(i % rows + 1, "", "and " + std::to_string(lines.size() - i) + " more", "", "");
        else
            line(i % rows + 1, row.number == 0 ? "" : std::to_string(row.number), row.name, row.intensity,
                 row.share);
    }
}

double height_of_caption(std::size_t lines) {
    return static_cast<double>(lines) * page_caption_height;
}

std::string with_note(const std::string& caption, const std::string& note) {
    return note + (caption.empty() || note.empty() ? "" : "; ") + caption;
}

/// The scenario, then the caption with `note` after the device: whole where the page grows
/// with it or has room for it.
CaptionLines caption_of(const Scene& scene, const PageSpec& spec, const std::string& note,
                        const PageSize& drawing) {
    if (!spec.caption) return {};
    const std::string scenario = scene.scenario.substr(0, scene.scenario.find_last_not_of('.') + 1);
    std::string words = scene.caption;
    if (const std::size_t device = scene.caption_device; device > 0 && !note.empty())
        words.insert(device, "; " + note);
    else
        words = with_note(words, note);
    words = with_note(words, scenario);
    const double width = drawing.width - 2 * margin;
    CaptionLines broken = caption_lines(words, page_small_size, width, most_caption_lines);
    if (!spec.grows && !broken.cut) return broken;
    std::vector<std::string> lines = wrapped(words, page_small_size, width);
    const double height = static_cast<double>(lines.size()) * page_caption_height;
    const double most =
        is_of_series(spec) ? height_of_caption(caption_lines_of_series) : caption_share * drawing.height;
    if (!spec.grows && height > most) return broken;
    return {std::move(lines)};
}

/// Names of the roofs that ranges of axes leave out.
std::string roofs_outside(const Scene& scene, const PageSpec& spec) {
    if (!spec.x && !spec.y) return {};
    const View view{{0, 0, 1, 1}, spec.x.value_or(scene.x), spec.y.value_or(scene.y)};
    std::string names;
    for (const Roof& roof : scene.roofs)
        if (!roof.is_beside() && !clip_roof(roof, view)) names += (names.empty() ? "" : ", ") + roof.name;
    return names;
}

/// "saxpy, sgemm and 2 more kernels", of points in this order: as the chart calls them, if it does.
std::string first_names(const Scene& scene, const std::vector<std::uint32_t>& points) {
    constexpr std::size_t most = 2;
    std::vector<std::string> names;
    for (const std::uint32_t point : points) {
        const auto name = std::ranges::find(scene.names, point,
                                            [&](const DotName& of) { return scene.dots[of.dot].point; });
        if (names.size() < most && name != scene.names.end()) names.push_back(name->text);
    }
    if (names.empty()) return rows_counted(points.size(), scene.rows);
    return fmt::format("{}{}", fmt::join(names, ", "), and_more(points.size() - names.size(), scene.rows));
}

/// "3 kernels outside the axes: saxpy, sgemm and 1 more kernel; 1 dot outside the axes, of gemv; roof outside
/// the axes: FP32": of ranges that were asked for, the longest kernels first. Of those outside no level has a
/// dot inside. In few words they are counted alone.
std::string outside_words(const Scene& scene, const PageSpec& spec, bool in_few_words = false) {
    const std::string roofs = roofs_outside(scene, spec);
    std::set<std::uint32_t> inside;
    std::vector<std::uint32_t> outside;  // a point for each dot
    for (auto dot = scene.dots.rbegin(); dot != scene.dots.rend(); ++dot)
        if (dot->rail != Rail::none ||
            ((!spec.x || spec.x->holds(dot->x)) && (!spec.y || spec.y->holds(dot->y))))
            inside.insert(dot->point);
        else
            outside.push_back(dot->point);
    std::vector<std::uint32_t> whole;
    std::vector<std::uint32_t> in_part;
    for (const std::uint32_t point : outside)
        if (auto& list = inside.contains(point) ? in_part : whole; list.empty() || list.back() != point)
            list.push_back(point);
    const auto dots = std::ranges::count_if(outside, [&](std::uint32_t i) { return inside.contains(i); });
    std::string words;
    if (!whole.empty()) {
        words = rows_counted(whole.size(), scene.rows) + " outside the axes";
        if (const std::string names = first_names(scene, whole); !in_few_words && !words.starts_with(names))
            words += ": " + names;
    }
    if (dots > 0 && !in_few_words)
        words = with_note(fmt::format("{} dot{} outside the axes, of {}", dots, dots == 1 ? "" : "s",
                                      first_names(scene, in_part)),
                          words);
    return roofs.empty() ? words : with_note("roof outside the axes: " + roofs, words);
}

/// Of a page whose plot with its bands is `frame`.
View view_of(const Scene& scene, const PageSpec& spec, const RectF& frame) {
    View view = view_in(frame, scene);
    view.captioned = spec.caption;
    view.captioned_values = spec.caption && spec.captioned_values;
    view.captioned_kernels = spec.caption && spec.captioned_kernels;
    if (is_of_series(spec) && !spec.grows)  // the room of the band is free where there is none
        view.plot.height = std::max(1.0, frame.height - std::max(view.below, narrowest_rail_band));
    view.marks = {std::clamp(std::sqrt(frame.width * frame.height / usual_plot), smallest_marks, 1.0),
                  scene.dots.size() > crowd_of_dots ? least_in_crowd : least_radius};
    view.x = spec.x.value_or(scene.x);
    view.y = spec.y ? *spec.y : with_room_above(scene.y, scene, view.plot.height);
    return view;
}

/// What is shaded comes first: it must not be among the rows without room. Outlines have their row where
/// there are some, on a page that does not grow where a plot of usual size has some: it has no line to spare.
std::vector<LegendRow> legend_rows(const Scene& scene, const PageSpec& spec, const std::string& shading,
                                   const View& view) {
    std::vector<LegendRow> rows = scene.legend;
    Layout seen;
    lay_out_whiskers(scene, view, seen);
    if (seen.whiskers.empty()) std::erase_if(rows, [](const LegendRow& row) { return row.whiskers; });
    if (!has_nested_dots(scene.dots, spec.grows ? view : View{{0, 0, 600, 400}, scene.x, scene.y}))
        std::erase_if(rows, [](const LegendRow& row) { return row.outlines; });
    if (!shading.empty()) {
        LegendRow row;
        row.text = shading;
        row.shading = true;
        rows.insert(rows.begin(), row);
    }
    return rows;
}

/// Rows below each other; what does not fit is counted in the last. Returns the height that all need.
double stack_legend(const std::vector<LegendRow>& rows, const RectF& area,
                    std::vector<PlacedLegendRow>& placed) {
    const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(area.height / page_line_height)));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == most) {
            count_left_out(rows.size() - i, area, placed);
            break;
        }
        LegendRow row = rows[i];
        row.text = row_text(row, area.width);
        placed.push_back(
            {row, {area.x, area.y + page_text_size + static_cast<double>(i) * page_line_height}});
    }
    return static_cast<double>(rows.size()) * page_line_height;
}

double widest(const std::vector<LegendRow>& rows) {
    double width = 0;
    for (const LegendRow& row : rows)
        width = std::max(width, width_of(row));
    return width;
}

bool is_whole(const std::vector<LegendRow>& rows, const std::vector<PlacedLegendRow>& placed) {
    return std::ranges::equal(rows, placed, {}, &LegendRow::text,
                              [](const PlacedLegendRow& row) { return row.row.text; });
}

/// Above the plot or beside it, which it takes its room from. Returns how much higher the page has to be for
/// all of it.
double add_outer_legend(const std::vector<LegendRow>& rows, const PageSpec& spec, RectF& frame, Page& page) {
    const bool series = is_of_series(spec);
    if (spec.legend == LegendPlace::above) {
        const double share = (spec.grows ? most_grown_legend : legend_share) * page.drawing.height;
        const double kept =
            std::min(legend_lines_of_series, std::floor(share / page_line_height)) * page_line_height;
        const double most = series && !spec.grows ? kept : share;
        const auto flow = [&](double left, double height) {
            page.legend.clear();
            return flow_legend(rows, {left, frame.y - tick_gap, frame.right() - left, height}, page.legend);
        };
        double needed = flow(frame.x, most);
        // Over the labels of the axis too, then at the cost of the plot.
        for (const double longer : {most, frame.height - plot_share * page.drawing.height})
            if (!is_whole(rows, page.legend) && longer >= most && (longer == most || !series))
                needed = flow(margin, longer);
        const double height = series && !spec.grows ? kept + tick_gap : needed;
        for (PlacedLegendRow& row : page.legend)
            row.at.y += height - needed;
        frame.y += height;
        if (series && spec.grows) return height;
        frame.height -= height;
        return std::max(0.0, height - page_line_height - tick_gap);
    }
    if (spec.legend != LegendPlace::beside || rows.empty()) return 0;
    const double widest_row = widest_beside * page.drawing.width;
    const double width = series ? widest_row : std::min(widest(rows), widest_row);
    const double end = page.drawing.width - margin;
    frame.width = std::max(least_plot, frame.width - width - legend_gap);
    const double room = spec.grows ? most_grown_legend * page.drawing.height : frame.height;
    return std::max(0.0, stack_legend(rows, {end - width, frame.y, width, room}, page.legend) - frame.height);
}

/// Rows one after the other in lines of `width` px from (0, 0), and the room that they take.
struct InnerLegend {
    std::vector<PlacedLegendRow> rows;
    double width = 0;
    double height = 0;
};

InnerLegend inner_legend(const std::vector<LegendRow>& rows, double width) {
    InnerLegend legend;
    const double first = page_line_height - page_text_size;
    flow_legend(rows, {0, -first, width, static_cast<double>(rows.size()) * page_line_height}, legend.rows);
    for (const PlacedLegendRow& row : legend.rows)
        legend.width = std::max(legend.width, row.at.x + width_of(row.row));
    legend.height = legend.rows.empty() ? 0 : legend.rows.back().at.y + first;
    return legend;
}

/// Where a legend stands in a corner of the plot; absent where not all of it has room.
std::optional<RectF> inner_ground(const InnerLegend& legend, const PointF& corner, const RectF& plot) {
    const double width = legend.width + 2 * ground_air;
    const double height = legend.height + 2 * ground_air;
    const double across = plot.width - width - 2 * ground_air;
    const double down = plot.height - height - 2 * ground_air - over_ridges;
    if (legend.rows.empty() || across < 0 || down < 0) return std::nullopt;
    return RectF{plot.x + ground_air + corner.x * across, plot.y + ground_air + corner.y * down, width,
                 height};
}

void add_inner_legend(const InnerLegend& legend, const PointF& corner, Page& page) {
    page.legend_ground = inner_ground(legend, corner, page.view.plot);
    if (!page.legend_ground) return;
    page.legend = legend.rows;
    for (PlacedLegendRow& row : page.legend) {
        row.at.x += page.legend_ground->x + ground_air;
        row.at.y += page.legend_ground->y + ground_air;
    }
}

/// Of the rows of typical operations under the plot; 0 where they would take it too much room.
double height_of_ranges(const Scene& scene, const PageSpec& spec, const RectF& frame) {
    View view = view_of(scene, spec, frame);
    view.ranges = {margin, frame.bottom(), frame.right() - margin, 0};
    Layout rows;
    const double height = place_ranges_below(scene, view, rows);
    return spec.grows || frame.height > 4 * height ? height : 0;
}

void add_axes(const Scene& scene, Page& page) {
    const RectF& plot = page.view.plot;
    page.x_ticks = log_ticks(page.view.x, plot.width, TickLabels::plain);
    page.y_ticks = log_ticks(page.view.y, plot.height, TickLabels::si);
    add_tick_labels(page);
    page.x_label = {.at = {plot.x + plot.width / 2,
                           page.view.frame().bottom() + tick_gap + page_text_size + axis_label_height - 2},
                    .anchor = TextAnchor::middle,
                    .size = page_text_size,
                    .text = scene.x_label};
    // One longer than a low plot goes on below it, where nothing stands, not into the legend.
    const double half = text_width(scene.y_label, page_text_size) / 2;
    const double middle = std::max(plot.y + plot.height / 2, plot.y + half);
    page.y_label = {.at = {margin + page_text_size * text_ascent, middle},
                    .angle = 90,
                    .anchor = TextAnchor::middle,
                    .size = page_text_size,
                    .text = scene.y_label};
}

/// "dot 1: sgemm_naive, 3.20x below HBM; transpose: 1.10x below L2", and, where the page grows with it, what
/// few arrows that are told in brief stand for.
std::string captioned_words(const Layout& layout, bool in_few_words) {
    constexpr std::size_t few = 4;
    std::string words;
    if (!layout.brief_paths.empty() && layout.brief_paths.size() <= few && !in_few_words)
        words = fmt::format("arrows in brief: {}", fmt::join(layout.brief_paths, ", "));
    for (const CaptionedKernel& kernel : layout.captioned)
        words = with_note(
            kernel.number > 0 ? fmt::format("dot {}: {}", kernel.number, kernel.words) : kernel.words, words);
    return words;
}

PagePlacement laid_out(const Scene& scene, const PageSpec& spec,
                       const std::optional<LegendCorner>& corner = {}) {
    PagePlacement laid;
    laid.dots = page_dots(scene);
    laid.outside = outside_words(scene, spec);
    std::string of_dots = with_note(page_dots_words(scene, laid.dots), laid.outside);
    std::string note = of_dots;
    std::string shading;
    std::vector<std::uint32_t> roofs;  // whose values no label tells
    std::vector<std::uint32_t> told;   // of these, by the caption
    constexpr int tries_anew = 3;      // then what the caption has told of kernels it goes on telling
    std::vector<CaptionedKernel> kernels;
    bool told_all = false;
    // A longer caption or legend may take a line from the plot, and so the room of another label.
    for (int tries = 0; tries < 3 || (tries < 6 && (told != roofs || !told_all)); ++tries) {
        told = roofs;
        Page page = plan_page(scene, spec, note, shading, corner);
        if (tries >= tries_anew) page.view.in_caption = kernels;
        const bool same_plot =
            tries > 0 && page.view == laid.page.view && page.reserved() == laid.page.reserved();
        laid.page = std::move(page);
        if (!same_plot) laid.layout = lay_out(scene, laid.page.view, laid.page.reserved());
        // What the caption tells of roofs it goes on telling: without it the plot has the height again at
        // which their labels found no room.
        if (laid.layout.unlabelled_roofs.empty()) laid.layout.unlabelled_roofs = roofs;
        roofs = laid.layout.unlabelled_roofs;
        told_all = kernels == laid.layout.captioned;
        kernels = laid.layout.captioned;
        if (laid.dots.shaded() > 0) laid.density = density_of(laid.dots, laid.page.view);
        if (!laid.page.whole)
            of_dots = with_note(page_dots_words(scene, laid.dots), outside_words(scene, spec, true));
        const std::string wanted_note =
            with_note(names_left_out(scene, laid.layout),
                      with_note(captioned_words(laid.layout, !spec.grows),
                                with_note(figures_left_out(laid.layout, !laid.page.whole), of_dots)));
        const std::string wanted_shading =
            laid.dots.shaded() > 0 ? shading_words(laid.density) : std::string();
        if (wanted_note == note && wanted_shading == shading) break;
        note = wanted_note;
        shading = wanted_shading;
    }
    if (told_all) return laid;
    // What it tells of kernels is not what stands in the plot.
    PageSpec counted = spec;
    counted.captioned_kernels = false;
    return laid_out(scene, counted, corner);
}

/// Whether neither dots nor lines would be under a legend.
bool is_empty(const RectF& ground, const Scene& scene, const PagePlacement& laid) {
    const View& view = laid.page.view;
    const LabelBox box(ground);
    return is_bare(scene, view, laid.layout, ground) && std::ranges::none_of(scene.dots, [&](const Dot& dot) {
               return box.touches_circle(dot_position(dot, view), view.marks.of(dot.radius));
           });
}

/// Whether every roof, kernel and figure that has words there has them here too.
bool tells_as_much(const Layout& here, const Layout& there) {
    const auto letters_of_roofs = [](const Layout& layout) {
        std::size_t letters = 0;
        for (const PlacedText& label : layout.roof_labels)
            letters += label.text.size();
        return letters;
    };
    const auto labels = [](const Layout& layout) {
        return layout.names.size() + layout.gap_labels.size() + layout.target_labels.size() +
               layout.target_tick_labels.size() + layout.ridge_labels.size() + layout.path_labels.size() +
               layout.kernel_ceiling_labels.size() + layout.operation_ranges.size();
    };
    return letters_of_roofs(here) >= letters_of_roofs(there) && labels(here) >= labels(there);
}

}  // namespace

PageDots page_dots(const Scene& scene) {
    PageDots dots;
    if (scene.dots.size() <= most_page_dots) return dots;
    std::uint32_t points = 0;
    for (const Dot& dot : scene.dots)
        points = std::max(points, dot.point + 1);
    dots.drawn.resize(points);
    dots.longest = draw_longest(scene, longest_on_page, dots, [](std::uint32_t) { return true; });
    draw_annotated(scene, dots);
    draw_selected(scene, dots);
    draw_rails(scene, dots);
    for (const Dot& dot : scene.dots) {
        if (dot.rail != Rail::none || dots.drawn[dot.point]) continue;
        dots.log_x.push_back(static_cast<float>(std::log(dot.x)));
        dots.log_y.push_back(static_cast<float>(std::log(dot.y)));
    }
    return dots;
}

DensityMap density_of(const PageDots& dots, const View& view) {
    DensityMap map;
    const double area = view.plot.width * view.plot.height;
    const double sparse = std::ceil(std::sqrt(area / (cells_per_dot * static_cast<double>(dots.shaded()))));
    map.cell =
        std::max({density_cell, std::min(sparse, largest_cell), std::ceil(std::sqrt(area / most_cells))});
    count_density(dots.log_x, dots.log_y, view, map);
    return map;
}

std::string page_dots_words(const Scene& scene, const PageDots& dots) {
    if (dots.drawn.empty()) return {};
    const auto number = [](std::size_t count) { return format_count(static_cast<double>(count)); };
    const auto rows = [&](std::size_t count) {
        return number(count) + " longest " + std::string(noun_of(scene.rows, count));
    };
    std::string words;
    if (dots.shaded() > 0)
        words = number(dots.shaded()) + " of " + number(scene.dots.size()) +
                " dots are shading, stronger where more stand; the " + rows(dots.longest) + " are dots";
    if (dots.unringed > 0)
        words += (words.empty() ? "" : "; ") + std::string("of those selected the ") + rows(dots.selected) +
                 " are ringed, " + number(dots.unringed) + " not";
    if (dots.off_rails > 0)
        words += (words.empty() ? "" : "; ") + number(dots.off_rails) +
                 " dots on the bands or at the edge left out, each beside a longer one";
    return words;
}

Result<void> refuse_huge_picture(const PageSize& pixels, std::string hint) {
    constexpr double bytes_of_pixel = 4;
    constexpr double most_memory = 1e9;  // [B]
    const double bytes = pixels.width * pixels.height * bytes_of_pixel;
    if (bytes <= most_memory) return {};
    return unexpected(
        ErrorCode::too_large,
        fmt::format("The picture would take {:.3g} GB of memory, more than the limit of {:.0f} GB",
                    bytes / 1e9, most_memory / 1e9),
        fmt::format("{:.0f}x{:.0f} pixels", pixels.width, pixels.height), std::move(hint));
}

LengthUnit unit_of(std::string_view size) {
    for (const LengthUnit& unit : length_units)
        if (size.ends_with(unit.name)) return unit;
    return length_units.back();
}

std::optional<PageSpec> page_of_size(std::string_view size) {
    const LengthUnit unit = unit_of(size);
    if (size.ends_with(unit.name)) size.remove_suffix(unit.name.size());
    const auto side = [&](std::string_view text) {
        const double pixels = parse_number<double>(text).value_or(0) * unit.pixels;
        return pixels >= asked_sides[0] && pixels <= asked_sides[1] ? pixels : 0;
    };
    const std::size_t cross = size.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    PageSpec page{side(size.substr(0, cross)), side(size.substr(cross + 1))};
    if (page.width <= 0 || page.height <= 0) return std::nullopt;
    if (unit.pixels > 1) {
        page.letters = usual_letters * page_pixels_per_point;
        page.least_letters = least_letters * page_pixels_per_point;
    }
    return page;
}

std::optional<PageSpec> page_named(std::string_view use_or_size) {
    for (const FigureUse& use : figure_uses)
        if (use.id == use_or_size) return use.page;
    return page_of_size(use_or_size);
}

PageSpec with_letters(PageSpec page, std::optional<double> points) {
    if (points) {
        page.letters = *points * page_pixels_per_point;
        page.least_letters.reset();
    }
    return page;
}

double usual_dots_per_inch(const PageSpec& by_size) {
    constexpr double on_paper = 300;
    return by_size.letters ? on_paper : page_pixels_per_inch;
}

std::optional<RectF> Page::reserved() const {
    if (empty_note.empty()) return legend_ground;
    RectF area = LabelBox(empty_note.front()).bounds();
    for (const PlacedText& line : empty_note) {
        const RectF box = LabelBox(line).bounds();
        const double right = std::max(area.right(), box.right());
        area.x = std::min(area.x, box.x);
        area = {area.x, area.y, right - area.x, box.bottom() - area.y};
    }
    return area;
}

double Page::letters() const {
    return scale * page_text_size / page_pixels_per_point;
}

double Page::x_of(const Tick& tick) const {
    return LogAxis(view.x, view.plot.x, view.plot.right()).to_pixel(tick.value);
}

double Page::y_of(const Tick& tick) const {
    return LogAxis(view.y, view.plot.bottom(), view.plot.y).to_pixel(tick.value);
}

Page plan_page(const Scene& scene, const PageSpec& spec, const std::string& note, const std::string& shading,
               const std::optional<LegendCorner>& corner) {
    Page page;
    page.scale = scale_for(spec);
    page.on_paper = spec.letters.has_value();
    page.drawing = {spec.width / page.scale, spec.height / page.scale};
    const double inner = page.drawing.width - 2 * margin;
    double top = margin;
    if (!scene.options.title.empty()) {
        const double largest = spec.letters ? figure_title_size : page_title_size;
        page.title = title_of(scene, top, inner, largest);
        top += largest + tick_gap;
    }
    const CaptionLines laid = caption_of(scene, spec, note, page.drawing);
    const std::vector<std::string>& caption = laid.lines;
    const bool series = is_of_series(spec);
    const double caption_height =
        height_of_caption(series && !spec.grows && spec.caption ? caption_lines_of_series : caption.size());
    if (spec.grows && caption.size() > 1) page.drawing.height += caption_height - page_caption_height;
    const double below = page_text_size + tick_gap + axis_label_height + (caption.empty() ? 0 : tick_gap);
    const double above_key = top + legend_share * page.drawing.height + least_plot + below + caption_height;
    const KeyTable key =
        key_table(scene, spec, page.drawing,
                  std::min(most_key * page.drawing.height, page.drawing.height - margin - above_key));
    if (spec.grows) page.drawing.height += key.height();
    double bottom = page.drawing.height - margin - caption_height - key.height();

    // Ticks of y need the height, the legend needs the left edge, the left edge needs the ticks of y.
    const double rough_height = std::max(least_plot, bottom - below - top - page_line_height);
    const std::vector<Tick> rough_ticks = log_ticks(spec.y.value_or(scene.y), rough_height, TickLabels::si);
    RectF frame;
    frame.x =
        margin + axis_label_height + std::max(widest_label(rough_ticks), rail_label(scene, spec)) + tick_gap;
    frame.y = top;
    frame.width = std::max(least_plot, page.drawing.width - frame.x - margin - right_rail_label(scene, spec));
    frame.height = bottom - below - top;
    const std::vector<LegendRow> rows = legend_rows(scene, spec, shading, view_of(scene, spec, frame));
    if (const double higher = add_outer_legend(rows, spec, frame, page); spec.grows) {
        page.drawing.height += higher;
        bottom += higher;
        if (!series) frame.height += higher;
    }
    if (series && spec.grows) {
        const double band = view_in(frame, scene).below;
        page.drawing.height += band;
        bottom += band;
        frame.height += band;
    }
    const double ranges = height_of_ranges(scene, spec, frame);
    if (spec.grows) {
        page.drawing.height += ranges;
        bottom += ranges;
    } else {
        frame.height -= ranges;
    }
    page.fits = spec.grows || frame.height >= least_plot;
    if (const double lower = std::max(0.0, least_plot - frame.height); spec.grows) {
        page.drawing.height += lower;
        bottom += lower;
    }
    add_caption(caption, bottom, page);
    add_key(key, scene.unit, bottom + caption_height, page);
    frame.height = std::max(least_plot, frame.height);
    page.view = view_of(scene, spec, frame);
    page.view.ranges = {margin, frame.bottom() + below, inner, ranges};
    add_axes(scene, page);
    if (scene.dots.empty() && !scene.empty_note.empty()) add_empty_note(scene, page);
    if (corner) add_inner_legend(inner_legend(rows, corner->width), corner->at, page);
    page.whole = !laid.cut && (spec.legend == LegendPlace::off || is_whole(rows, page.legend));
    return page;
}

namespace {

/// Labels over lines, and roofs that a leader tells from their names.
std::size_t crowded(const Layout& layout) {
    std::size_t count = 0;
    for (const auto* labels : {&layout.names, &layout.gap_labels})
        count += static_cast<std::size_t>(std::ranges::count_if(*labels, &PlacedText::covers));
    return count + static_cast<std::size_t>(std::ranges::count_if(layout.roof_labels, &PlacedText::leader));
}

/// What a reader misses on a page: of legend and caption sooner than labels, and what nothing tells sooner
/// than what is cut.
std::size_t left_out(const PagePlacement& laid) {
    constexpr std::size_t untold = 6;   // of a label that is missing, in those that are cut
    constexpr std::size_t worth = 100;  // of legend and caption, the same
    return untold * labels_left_out(laid.layout) + labels_cut(laid.layout) +
           (laid.page.whole && laid.page.fits ? 0 : worth) + (laid.layout.unlabelled_roofs.empty() ? 0 : 1) +
           (laid.layout.unlabelled_ridges.empty() ? 0 : 1);
}

PagePlacement lay_out_in_letters(const Scene& scene, const PageSpec& spec) {
    if (spec.legend != LegendPlace::inside && spec.legend != LegendPlace::beside)
        return laid_out(scene, spec);
    const auto with_legend_above = [&] {
        PageSpec above = spec;
        above.legend = LegendPlace::above;
        PagePlacement laid = laid_out(scene, above);
        laid.legend_moved = true;
        return laid;
    };
    PagePlacement bare = laid_out(scene, spec);
    if (spec.legend == LegendPlace::beside)
        return bare.page.view.plot.width < least_plot_beside ? with_legend_above() : bare;
    const std::string shading = bare.dots.shaded() > 0 ? shading_words(bare.density) : std::string();
    const std::vector<LegendRow> rows = legend_rows(scene, spec, shading, bare.page.view);
    if (rows.empty()) return bare;
    // Below each other, then in lines that are longer.
    for (const double longer : {1.0, 1.5, 2.0, 3.0})
        for (const PointF corner : {PointF{1, 1}, PointF{0, 0}, PointF{1, 0}, PointF{0, 1}}) {
            const LegendCorner at{corner, longer * widest(rows)};
            const auto ground = inner_ground(inner_legend(rows, at.width), corner, bare.page.view.plot);
            if (!ground || !is_empty(*ground, scene, bare) || !scene.empty_note.empty()) continue;
            PagePlacement inside = laid_out(scene, spec, at);
            if (tells_as_much(inside.layout, bare.layout)) return inside;
        }
    return with_legend_above();
}

/// In smaller letters than those that were asked for, or are usual, where axes, legend and caption have no
/// room in these. Those of a series are as large whatever stands on the page.
void make_room(const Scene& scene, PageSpec& spec, PagePlacement& laid) {
    constexpr double step = 0.25;   // [pt]
    constexpr double smallest = 5;  // that journals take [pt]
    PageSpec smaller = spec;
    for (double points = step * (std::ceil(laid.page.letters() / step) - 1);
         !(laid.page.fits && (is_of_series(spec) || laid.page.whole)) && points >= smallest; points -= step) {
        smaller.letters = points * page_pixels_per_point;
        PagePlacement other = lay_out_in_letters(scene, smaller);
        if (laid.page.fits && !other.page.whole) continue;
        laid = std::move(other);
        spec = smaller;
    }
}

}  // namespace

PagePlacement lay_out_page(const Scene& scene, PageSpec spec) {
    constexpr std::size_t worth = 4;  // of a label that is cut, in those that others cross
    std::vector<PageSpec> others;
    if (is_of_series(spec)) {
        if (spec.least_letters) spec.letters = spec.least_letters;
    } else if (spec.letters && spec.least_letters) {
        for (const double letters : {std::sqrt(*spec.letters * *spec.least_letters), *spec.least_letters})
            others.emplace_back(spec).letters = letters;
    }
    // Arrows of moves lead into crowds that height does not part.
    if (!is_of_series(spec) && spec.grows && scene.paths.empty() && scene.dots.size() <= dots_tried_again)
        for (const double higher : {1.15, 1.3})
            others.emplace_back(spec).height *= higher;
    const auto cost = [&](const PagePlacement& laid) {
        const std::size_t missing = left_out(laid);
        const std::size_t few = spec.grows ? 0 : 3;  // smaller letters are dearer than height
        return worth * missing + (worth - 1) * laid.layout.captioned.size() +
               std::max(crowded(laid.layout), few) - few;
    };
    PagePlacement best = lay_out_in_letters(scene, spec);
    if (spec.letters && !spec.least_letters) make_room(scene, spec, best);
    std::size_t least = cost(best);
    const auto try_other = [&](const PageSpec& other) {
        PagePlacement laid = lay_out_in_letters(scene, other);
        const std::size_t now = cost(laid);
        if (now >= least) return;
        least = now;
        best = std::move(laid);
        spec = other;
    };
    for (const PageSpec& other : others)
        if (least > 0) try_other(other);
    if (!best.layout.unlabelled_roofs.empty()) {
        spec.captioned_values = false;
        try_other(PageSpec(spec));
    }
    // A longer caption leaves names of a page that does not grow less room.
    if (!(spec.grows && best.page.whole) && !best.layout.captioned.empty()) {
        const bool whole = best.page.whole;
        others.insert(others.begin(), spec);
        for (PageSpec& other : others) {
            other.captioned_kernels = false;
            if (!whole || &other == others.data()) try_other(other);
        }
    }
    if (spec.letters && spec.least_letters) make_room(scene, spec, best);
    return best;
}

std::string lack_of_room(const PageSpec& asked, const Page& page) {
    std::string words;
    const double least = asked.least_letters.value_or(asked.letters.value_or(0));
    if (const double points = least / page_pixels_per_point; page.letters() < points - 0.01)
        words = fmt::format("There is no room for letters of {:.3g} pt: those of the figure have {:.3g} pt.",
                            points, page.letters());
    if (!page.whole || !page.fits)
        words += (words.empty() ? "" : " ") + std::string("Not all words of legend and caption have room.");
    return words;
}

}  // namespace roofwalk
