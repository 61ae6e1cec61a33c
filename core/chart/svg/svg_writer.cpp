// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg/svg_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/layout_paths.h"
#include "core/chart/svg/svg_canvas.h"
#include "core/chart/svg/svg_dots.h"

namespace roofwalk {

namespace {

/// A picture stays within 2 MB: a scenario that takes more of it by itself is not written into it.
constexpr std::size_t most_moves_told = std::size_t{512} << 10U;  // [bytes]

/// JSON that is XML text too: characters that XML treats specially or forbids stand in strings only, where
/// they become JSON escapes. A '>' ends no CDATA section unless brackets stand before it.
std::string xml_safe(const std::string& json) {
    std::string safe;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string_view rest = std::string_view(json).substr(i);
        if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
            safe += rest[2] == '\xBE' ? "\\ufffe" : "\\uffff";
            i += 2;
        } else if (json[i] == '<' || json[i] == '&' || (json[i] == '>' && safe.ends_with(']'))) {
            fmt::format_to(std::back_inserter(safe), "\\u{:04x}", static_cast<unsigned char>(json[i]));
        } else {
            safe += json[i];
        }
    }
    return safe;
}

/// A number that is JSON text already.
struct Digits {
    std::string text = "null";
};
void write_json(JsonWriter& json, const Digits& digits) {
    json.members(digits.text);
}

/// What is counted with all its digits, without the sign and the zero of "1e+09": a row of a thousand has six
/// of them.
Digits number(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return {};
    std::array<char, 32> exact{};
    const std::to_chars_result end = std::to_chars(exact.begin(), exact.end(), *value);
    std::string digits =
        *value == std::trunc(*value) ? std::string(exact.data(), end.ptr) : fmt::format("{:.6g}", *value);
    const auto sign = digits.find('e') + 1;
    if (sign == 0) return {digits};
    if (digits[sign + 1] == '0') digits.erase(sign + 1, 1);
    if (digits[sign] == '+') digits.erase(sign, 1);
    return {digits};
}

template <class Quantity>
Digits number(const std::optional<Quantity>& value) {
    return value ? number(std::optional(value->value())) : Digits();
}

void write_roofs(JsonWriter& json, const Scene& scene) {
    json.object_lines("roofs", scene.roofs, [&](const Roof& roof) {
        json.member("id", roof.id);
        json.member("target", id_of(roof.target));
        json.member("rate", number(roof.rate));
        json.member("practical", roof.line == RoofLine::practical);
        const std::string_view kind = roof.line == RoofLine::other_device ? "other_device"
                                      : roof.line == RoofLine::theory     ? "theory"
                                      : roof.measured                     ? "measured"
                                                                          : "";
        if (!kind.empty()) json.member(kind, true);
        json.member("note", roof.note);
    });
    if (!scene.measured_roof) return;
    const MeasuredRoof& roof = scene.measured_roof->roof;
    json.next_line();
    json.object("measured_roof", [&] {
        json.member("slope", number(std::optional(roof.slope)));
        json.member("peak", number(std::optional(roof.peak)));
        json.member("sharpness", number(std::optional(roof.sharpness)));
        json.member("note", scene.measured_roof->note);
    });
}

/// Of a scene that is shaded, those with dots.
std::vector<std::uint32_t> points_told(const Scene& scene, const Analysis& analysis, const PageDots& dots) {
    std::vector<std::uint32_t> points;
    const std::size_t count = dots.drawn.empty() ? analysis.points.size() : dots.drawn.size();
    for (std::uint32_t point = 0; point < count; ++point)
        if (scene.shows(point) && dots.draws(point)) points.push_back(point);
    return points;
}

/// What a row holds beside name, time and work.
struct Columns {
    std::vector<MemoryLevel> levels;  ///< those drawn that some kernel has bytes for
    bool lower_bounds = false;        ///< some work was not counted
    bool limits = false;              ///< some kernel that has one is not drawn, so that no dot tells it
    bool sources = false;             ///< of several reports
    bool dots = false;                ///< rows are not numbered as the dots are
};

Columns columns_of(const Scene& scene, const Analysis& analysis, const std::vector<std::uint32_t>& points) {
    const auto some = [&](auto has) {
        return std::ranges::any_of(points, [&](std::uint32_t point) { return has(analysis.points[point]); });
    };
    Columns columns;
    for (const MemoryLevel level : all_levels)
        if (scene.options.levels[level] &&
            some([&](const KernelPoint& point) { return point.at(level).has_value(); }))
            columns.levels.push_back(level);
    columns.lower_bounds = some([](const KernelPoint& point) { return point.uncounted.any(); });
    columns.limits = some([](const KernelPoint& point) {
        return point.placement == Placement::not_drawn && share_of_limit(point);
    });
    columns.sources = analysis.several_reports;
    columns.dots = !scene.shown.empty() || points.size() < analysis.points.size();
    return columns;
}

void write_columns(JsonWriter& json, const Columns& columns, const Analysis& analysis) {
    std::vector<std::string> names{"name", "time_s", "work", "class"};
    if (columns.lower_bounds) names.emplace_back("work_is_lower_bound");
    if (columns.limits) names.insert(names.end(), {"limit", "share_of_limit"});
    for (const MemoryLevel level : columns.levels)
        names.push_back(std::string(id_of(analysis.options.boundaries[level])) + "_bytes");
    if (columns.sources) names.emplace_back("source");
    if (columns.dots) names.emplace_back("dot");
    json.line("columns", names);
}

/// Longer names are cut, so that a crowd stays below 2 MB whatever its kernels are called, escapes included.
constexpr std::size_t longest_name = 3'000;        // [bytes]
constexpr std::size_t names_of_crowd = 1'200'000;  // [bytes]

std::string cut_name(const std::string& name, std::size_t longest) {
    std::string text = name;
    const auto written = [&] {
        std::string json;
        append_json_string(json, text);
        return xml_safe(json).size();
    };
    constexpr std::size_t around = std::string_view("\"…\"").size();
    for (std::size_t kept = longest; written() > longest + around; kept /= 2)
        text = clean_utf8(name.substr(0, kept)) + "…";
    return text;
}

/// Texts that rows refer to by number, each written once: launches of one kernel share a long name.
class NumberedTexts {
  public:
    explicit NumberedTexts(std::size_t longest) : longest_(longest) {}

    std::size_t number_of(const std::string& text) {
        const auto [place, fresh] = numbers_.try_emplace(text, numbers_.size());
        if (fresh) texts_.push_back(cut_name(text, longest_));
        return place->second;
    }
    void write(JsonWriter& json, std::string_view name, bool on_lines) const {
        json.next_line();
        json.array(name, texts_, [&](const std::string& text) {
            if (on_lines || &text == &texts_.front()) json.next_line();
            json.value(text);
        });
    }

  private:
    std::size_t longest_;
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::string> texts_;
};

/// What rows refer to stands before them.
void write_kernels(JsonWriter& json, const Columns& columns, const Analysis& analysis,
                   const std::vector<std::uint32_t>& points) {
    const bool crowd = points.size() < analysis.points.size();
    const std::size_t longest =
        crowd ? std::min(longest_name, names_of_crowd / std::max<std::size_t>(points.size(), 1))
              : longest_name;
    NumberedTexts names(longest);
    NumberedTexts classes(longest);
    NumberedTexts sources(longest);
    JsonWriter rows;
    rows.array(points, [&](std::uint32_t index) {
        const KernelPoint& point = analysis.points[index];
        if (index == points.front()) rows.next_line();
        rows.begin_array();
        rows.value(names.number_of(point.name));
        rows.value(number(point.known_time()));
        rows.value(number(point.work));
        rows.value(classes.number_of(std::string(id_of(point.verdict.kernel_class))));
        if (columns.lower_bounds) rows.value(point.uncounted.any());
        if (columns.limits) {
            rows.value(limit_label(point));
            rows.value(number(share_of_limit(point)));
        }
        for (const MemoryLevel level : columns.levels) {
            const auto& at_level = point.at(level);
            rows.value(number(at_level ? std::optional(at_level->bytes) : std::nullopt));
        }
        if (columns.sources) rows.value(sources.number_of(std::string(name_of_report(point))));
        if (columns.dots) rows.value(index);
        rows.end_array();
    });
    names.write(json, "names", false);
    classes.write(json, "classes", false);
    if (columns.sources) sources.write(json, "sources", true);
    write_columns(json, columns, analysis);
    json.key("kernels");
    json.members(rows.take());
}

/// Of each kernel that is drawn with its target, what the JSON report has of it, under the same names.
void write_targets(JsonWriter& json, const Scene& scene, const Analysis& analysis) {
    if (scene.targets.empty()) return;
    json.next_line();
    json.object_lines("targets", scene.targets, [&](const TargetMark& mark) {
        const KernelPoint& point = analysis.points[mark.point];
        const AlgorithmicTarget& target = *point.target;
        const BoundOperation& operation = *target.operation;
        json.member("dot", mark.point);
        json.member("operation", operation.text);
        json.member("operation_source", operation.source);
        json.member("operation_why", why_words(operation));
        json.member("work", number(std::optional(target.work)));
        json.member("bytes", number(std::optional(target.bytes)));
        json.member("intensity", number(target.intensity));
        json.member("vertical_gap", number(point.gap ? std::optional(point.gap->factor) : std::nullopt));
        json.member("horizontal_gap", number(target.gap));
        json.member("byte_gap", number(target.byte_gap));
        json.member("useful_gap", number(target.useful));
        json.member("potential", number(target.potential));
    });
}

void write_paths(JsonWriter& json, const Scene& scene) {
    if (scene.paths.empty()) return;
    json.next_line();
    json.lines("paths", scene.paths, [&](const ScenePath& path) {
        json.begin_array();
        json.value(path.point);
        json.value(path.level);
        for (const PathPlace& place : path.places)
            if (place.rail == Rail::edge)
                json.object([&] { json.member("bandwidth", number(std::optional(place.y))); });
            else
                json.value(std::vector{number(std::optional(place.x)), number(std::optional(place.y))});
        json.end_array();
    });
    if (!scene.scenario.empty()) return;  // the numbers of both ends follow from the places
    json.next_line();
    json.lines("path_words", scene.paths, [&](const ScenePath& path) { json.value(path.title); });
}

/// The numbers behind a chart as JSON (`resources/schema/chart.schema.json`) that may stand in XML text as it
/// is. Rows are in the order of Analysis::points: row 12 is the dot "k12", unless the column "dot" holds that
/// number. `moves`, the JSON of a scenario, stands under "moves" as it is: a scenario file.
std::string chart_metadata(const Scene& scene, const Analysis& analysis, const PagePlacement& laid,
                           const std::string& moves) {
    const std::vector<std::uint32_t> points = points_told(scene, analysis, laid.dots);
    JsonWriter json;
    json.object([&] {
        json.member("format", "roofwalk-chart");
        json.member("version", 1);
        if (!scene.scenario.empty()) json.member("scenario", scene.scenario);
        if (const DensityMap& density = laid.density; density.inside > 0)
            json.object("shading", [&] {
                json.member("dots", density.inside);
                json.member("cell_px", density.cell);
                json.member("most_in_a_cell", density.max);
            });
        json.member("work_unit", work_unit(analysis.options.operations));
        write_roofs(json, scene);
        write_kernels(json, columns_of(scene, analysis, points), analysis, points);
        write_targets(json, scene, analysis);
        write_paths(json, scene);
        if (moves.empty() || moves.size() > most_moves_told) return;
        json.next_line();
        json.key("moves");
        json.members(moves);
    });
    return xml_safe(json.take());
}

constexpr double arrow_width = 3.5;
constexpr double arrow_height = 7;

/// Commands of a path; an element for each line of a grid would take three times the bytes.
std::string upright(double x, double from, double to) {
    return fmt::format("M{} {}V{}", svg_number(x), svg_number(from), svg_number(to));
}

std::string level(double y, double from, double to) {
    return fmt::format("M{} {}H{}", svg_number(from), svg_number(y), svg_number(to));
}

/// Paints one scene; the order of the calls is the order of painting. Colours are attributes of groups: a
/// style sheet would leak into a page that embeds the chart.
class SvgPainter {
  public:
    SvgPainter(const PagePlacement& laid, const Scene& scene, const Analysis& analysis,
               const std::string& moves, const SvgPart& part)
        : scene_(scene),
          moves_(moves),
          part_(part),
          analysis_(analysis),
          laid_(laid),
          palette_(palette_of(scene.options.theme)),
          line_width_(scene.options.theme == Theme::print ? 1.1 : 1.6) {}

    std::string paint() {
        open();
        ground();
        grid();
        ranges();
        canvas_.put("<g clip-path=\"url(#{}plot-clip)\">\n", canvas_.ids());
        const bool crowd = scene_.dots.size() > crowd_of_dots;
        if (crowd) {
            put_shading(canvas_, laid_.density, page_.view, palette_);
            put_dots(canvas_, scene_, analysis_, laid_, DotsOf::plot);
            roof_grounds();
        }
        measured_roof();
        roofs();
        kernel_lines();
        marks();
        put_paths(canvas_, scene_, layout_);
        canvas_.put("</g>\n");
        axes();
        if (!crowd) put_dots(canvas_, scene_, analysis_, laid_, DotsOf::plot);  // whole at the frame
        if (!layout_.rails.empty()) put_dots(canvas_, scene_, analysis_, laid_, DotsOf::rails);
        put_rings(canvas_, scene_, laid_, crowd ? RingsOver::crowd : RingsOver::dots);
        labels();
        legend();
        words();
        canvas_.put("</svg>\n");
        return canvas_.take();
    }

  private:
    void open() {
        if (!part_.in_page) canvas_.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        canvas_.put(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "version=\"1.1\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" font-family=\"{}\" "
            "font-size=\"{}\">\n",
            length(page_.size().width), length(page_.size().height), svg_number(page_.drawing.width),
            svg_number(page_.drawing.height), chart_fonts, page_text_size);
        canvas_.element("title", scene_.options.title.empty() ? "Roofline" : scene_.options.title);
        canvas_.element("desc", scene_.summary);
        if (part_.ids.empty())
            canvas_.put("<metadata id=\"roofwalk-data\">{}</metadata>\n",
                        chart_metadata(scene_, analysis_, laid_, moves_));
        canvas_.put("<defs><clipPath id=\"{}plot-clip\">", canvas_.ids());
        canvas_.rect(page_.view.plot, {});
        canvas_.put("</clipPath></defs>\n");
    }

    void ground() {
        canvas_.rect({0, 0, page_.drawing.width, page_.drawing.height}, fill(palette_.background));
        canvas_.rect(page_.view.plot, fill(palette_.plot));
        for (const PlacedRail& rail : layout_.rails)
            canvas_.rect(rail.band, "class=\"rail\" stroke=\"" + to_hex(palette_.grid) + "\" " +
                                        fill(palette_.background));
        canvas_.polygon(layout_.memory_zone,
                        fmt::format("id=\"{}zone-memory\" {}", canvas_.ids(), fill(palette_.memory_zone)));
        canvas_.polygon(layout_.compute_zone,
                        fmt::format("id=\"{}zone-compute\" {}", canvas_.ids(), fill(palette_.compute_zone)));
    }

    void grid() {
        const RectF& plot = page_.view.plot;
        for (const bool major : {false, true}) {
            std::string lines;
            const RectF& ranges = page_.view.ranges;
            for (const Tick& tick : page_.x_ticks) {
                if (tick.major != major) continue;
                lines += upright(page_.x_of(tick), plot.y, plot.bottom());
                if (major && ranges.height > 0) lines += upright(page_.x_of(tick), ranges.y, ranges.bottom());
            }
            for (const Tick& tick : page_.y_ticks)
                if (tick.major == major) lines += level(page_.y_of(tick), plot.x, plot.right());
            canvas_.path(
                lines, fmt::format("class=\"{}\" {} stroke-width=\"{}\"", major ? "grid" : "minor-grid",
                                   stroke(major ? palette_.grid : palette_.minor_grid), major ? "1" : "0.6"));
        }
    }

    void ranges() {
        for (const PlacedLine& range : layout_.operation_ranges) {
            canvas_.put("<g class=\"operation-range\">");
            canvas_.element("title", scene_.operation_ranges[range.index].note);
            canvas_.line(range.from, range.to,
                         fmt::format("stroke=\"{}\" stroke-width=\"5\" stroke-opacity=\"0.45\"",
                                     to_hex(palette_.faint_text)));
            canvas_.put("</g>\n");
        }
    }

    /// Behind roofs that are painted over dots; some are too light to be seen there, with or without one.
    void roof_grounds() {
        canvas_.put("<g class=\"roof-ground\" stroke-opacity=\"0.7\" {} stroke-width=\"{}\">\n",
                    stroke(palette_.plot), svg_number(3 * line_width_));
        for (const PlacedLine& line : layout_.roofs)
            if (const RoofLine kind = scene_.roofs[line.index].line;
                kind != RoofLine::practical && kind != RoofLine::theory)
                canvas_.line(line.from, line.to);
        canvas_.put("</g>\n");
    }

    void roofs() {
        canvas_.put("<g id=\"{}roofs\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\">\n", canvas_.ids(),
                    to_hex(palette_.roof), svg_number(line_width_));
        for (const PlacedLine& line : layout_.roofs) {
            const Roof& roof = scene_.roofs[line.index];
            canvas_.put("<path id=\"{}{}\" class=\"roof\" d=\"M{} {}L{} {}\"", canvas_.ids(), roof.id,
                        svg_number(line.from.x), svg_number(line.from.y), svg_number(line.to.x),
                        svg_number(line.to.y));
            if (roof.is_beside()) canvas_.put(" {}", beside_pen(roof.line));
            if (roof.highlighted)
                canvas_.put(" stroke=\"{}\" stroke-width=\"{}\"", to_hex(palette_.highlight),
                            svg_number(line_width_ * 1.6));
            canvas_.put("><title>{}</title></path>\n", escape_xml(roof.note));
        }
        canvas_.put("</g>\n");
    }

    /// In the colours of the dots, also of a selected kernel: in that of the roof that binds it one would be
    /// read as a roof.
    void kernel_lines() {
        if (layout_.kernel_lines.empty()) return;
        canvas_.put("<g id=\"{}kernel-lines\" fill=\"none\" {}>\n", canvas_.ids(), kernel_line_pen());
        for (const PlacedLine& placed : layout_.kernel_lines) {
            const KernelLine& line = scene_.lines[placed.index];
            canvas_.put("<path {}class=\"kernel-line\" d=\"M{} {}L{} {}\" {}{}>", of_kernel(line.point),
                        svg_number(placed.from.x), svg_number(placed.from.y), svg_number(placed.to.x),
                        svg_number(placed.to.y), stroke(line_colour_of(line.colour)),
                        line.other_device ? " stroke-dasharray=\"4 2 1 2\"" : "");
            if (line.whole)  // the mark of the others has it
                canvas_.put("<title>{}</title>", escape_xml(dot_title(analysis_, dot_of(line))));
            canvas_.put("</path>\n");
        }
        canvas_.put("</g>\n");
    }

    void measured_roof() {
        if (layout_.measured_roof.empty()) return;
        canvas_.put("<path id=\"{}measured-roof\" fill=\"none\" {} d=\"", canvas_.ids(), curve_pen());
        char command = 'M';
        for (const PointF& corner : layout_.measured_roof) {
            canvas_.put("{}{} {}", command, svg_number(corner.x), svg_number(corner.y));
            command = 'L';
        }
        canvas_.put("\"><title>{}</title></path>\n", escape_xml(scene_.measured_roof->note));
    }

    void marks() {
        canvas_.put("<g id=\"{}marks\" fill=\"none\" stroke=\"{}\">\n", canvas_.ids(),
                    to_hex(palette_.faint_roof));
        for (const PlacedLine& join : layout_.joins)
            canvas_.line(join.from, join.to, of_kernel(scene_.joins[join.index].point) + "class=\"levels\"");
        for (const PlacedLine& whisker : layout_.whiskers)
            canvas_.line(whisker.from, whisker.to,
                         of_kernel(scene_.launch_ranges[whisker.index].point) + "class=\"launches\"");
        for (const PlacedLine& piece : layout_.kernel_ceilings)
            canvas_.line(piece.from, piece.to,
                         of_kernel(scene_.kernel_ceilings[piece.index].point) +
                             "class=\"kernel-ceiling\" stroke-width=\"2\" " + stroke(palette_.roof));
        for (const PlacedLine& piece : layout_.own_roofs)
            canvas_.line(piece.from, piece.to,
                         of_kernel(scene_.gaps[piece.index].point) +
                             "class=\"own-roof\" stroke-dasharray=\"5 3\" " +
                             pen(scene_.gaps[piece.index].selected));
        for (const PlacedLine& gap : layout_.gaps)
            arrow(gap, scene_.gaps[gap.index]);
        for (const PlacedLine& target : layout_.targets)
            arrow(target, scene_.targets[target.index]);
        for (const PlacedLine& part : layout_.useful_parts)
            useful_part(part, scene_.targets[part.index]);
        for (const PlacedLine& tick : layout_.target_ticks)
            canvas_.line(tick.from, tick.to,
                         of_kernel(scene_.targets[tick.index].point) + "class=\"target-tick\" " +
                             pen(scene_.targets[tick.index].selected));
        canvas_.put("</g>\n");
    }

    /// Pointing at the roof; with a break instead of a head where the roof is outside the plot.
    void arrow(const PlacedLine& line, const GapMark& gap) {
        canvas_.put("<path id=\"{}gap-k{}\" class=\"vertical-gap\" d=\"M{} {}V{}", canvas_.ids(), gap.point,
                    svg_number(line.from.x), svg_number(line.from.y), svg_number(line.to.y));
        const double back = gap.to >= gap.from ? arrow_height : -arrow_height;
        if (line.cut)
            break_at(line, {0, back});
        else
            canvas_.put("M{0} {1}L{2} {3}L{4} {1}", svg_number(line.to.x - arrow_width),
                        svg_number(line.to.y + back), svg_number(line.to.x), svg_number(line.to.y),
                        svg_number(line.to.x + arrow_width));
        // "2.22x below SM (45.0 % busy), 0.35 decades, compute side"
        const std::string figure = with_side(gap, gap.decades.empty() ? std::string() : ", " + gap.decades);
        canvas_.put("\" {}><title>{}</title></path>\n", pen(gap.selected),
                    escape_xml(figure_text(gap.whose, {}, figure)));
    }

    /// Two chevrons where a line leaves the plot, `back` is the way from the tip of one to its foot.
    void break_at(const PlacedLine& line, PointF back) {
        for (const double share : {0.4, 1.2}) {
            const PointF tip{line.to.x + share * back.x, line.to.y + share * back.y};
            const PointF foot{tip.x + back.x, tip.y + back.y};
            const PointF across{back.x == 0 ? arrow_width : 0, back.y == 0 ? arrow_width : 0};
            canvas_.put("M{} {}L{} {}L{} {}", svg_number(foot.x - across.x), svg_number(foot.y - across.y),
                        svg_number(tip.x), svg_number(tip.y), svg_number(foot.x + across.x),
                        svg_number(foot.y + across.y));
        }
    }

    /// Pointing at the algorithm; with a break where its tick is outside the plot.
    void arrow(const PlacedLine& line, const TargetMark& mark) {
        canvas_.put(
            "<path id=\"{}target-k{}\" class=\"horizontal-gap\" d=\"M{} {}H{}\" stroke-dasharray=\"4 3\" "
            "{}><title>{}; {}</title></path>\n",
            canvas_.ids(), mark.point, svg_number(line.from.x), svg_number(line.from.y),
            svg_number(line.to.x), pen(mark.selected), escape_xml(figure_text(mark.whose, {}, mark.label)),
            escape_xml(mark.note));
        const double back = mark.to >= mark.from ? -arrow_height : arrow_height;
        if (line.cut) {
            canvas_.put("<path {}d=\"", of_kernel(mark.point));
            break_at(line, {back, 0});
            canvas_.put("\" {}/>\n", pen(mark.selected));
            return;
        }
        canvas_.put("<path {6}d=\"M{0} {1}L{2} {3}L{0} {4}\" {5}/>\n", svg_number(line.to.x + back),
                    svg_number(line.to.y - arrow_width), svg_number(line.to.x), svg_number(line.to.y),
                    svg_number(line.to.y + arrow_width), pen(mark.selected), of_kernel(mark.point));
    }

    /// Solid over the dashes.
    void useful_part(const PlacedLine& line, const TargetMark& mark) {
        canvas_.line(line.from, line.to,
                     of_kernel(mark.point) + "class=\"useful-gap\" " + pen(mark.selected));
    }

    void labels() {
        canvas_.put("<g id=\"{}labels\" {}>\n", canvas_.ids(), fill(palette_.text));
        for (const PlacedText& label : layout_.roof_labels) {
            const Roof& roof = scene_.roofs[label.index];
            const Colour colour = roof.highlighted   ? palette_.highlight
                                  : roof.is_beside() ? palette_.faint_text
                                                     : palette_.text;
            ground_of(label, {}, true);  // the line breaks under its name, as a contour does
            canvas_.text(label, "class=\"roof-label\" " + fill(colour));
        }
        for (const PlacedText& label : layout_.names) {
            const std::uint32_t point = scene_.dots[scene_.names[label.index].dot].point;
            const bool selected = scene_.options.selected == point;
            ground_of(label, of_kernel(point));
            canvas_.text(label, of_kernel(point) + "class=\"kernel-name\"" +
                                    (selected ? " " + fill(palette_.highlight) : ""));
        }
        for (const PlacedText& label : layout_.gap_labels)
            gap_text(label, "gap-label", scene_.gaps[label.index]);
        for (const PlacedText& label : layout_.target_labels)
            gap_text(label, "target-label", scene_.targets[label.index]);
        for (const PlacedText& label : layout_.path_labels) {
            const ScenePath& path = scene_.paths[label.index];
            ground_of(label, of_kernel(path.point));
            canvas_.text(label, of_kernel(path.point) +
                                    (label.step ? fmt::format("data-step=\"{}\" ", *label.step) : "") +
                                    "class=\"path-label\" " + fill(path_colour(path, palette_)));
        }
        for (const PlacedRail& rail : layout_.rails)
            canvas_.text(rail.label, "class=\"rail-label\"");
        canvas_.put("</g>\n<g id=\"{}small-labels\" font-size=\"{}\" {}>\n", canvas_.ids(), page_small_size,
                    fill(palette_.faint_text));
        for (const PlacedText& label : layout_.ridge_labels) {
            ground_of(label);
            canvas_.text(label, "class=\"ridge-label\"" + highlight(scene_.ridges[label.index], fill));
        }
        for (const PlacedText& label : layout_.zone_labels)
            canvas_.text(label, "class=\"zone-label\"");
        for (const PlacedText& label : layout_.operation_range_labels) {
            ground_of(label);
            canvas_.text(label, "class=\"operation-range-label\"");
        }
        for (const PlacedRail& rail : layout_.rails)
            if (!rail.note.text.empty()) canvas_.text(rail.note, "class=\"rail-note\"");
        for (const PlacedText& label : layout_.kernel_ceiling_labels) {
            const std::string whose = of_kernel(scene_.kernel_ceilings[label.index].point);
            ground_of(label, whose);
            canvas_.text(label, whose + "class=\"kernel-ceiling-label\"");
        }
        for (const PlacedText& label : layout_.target_tick_labels)
            gap_text(label, "target-tick-label", scene_.targets[label.index]);
        canvas_.put("</g>\n");
    }

    template <class Mark>
    void gap_text(const PlacedText& label, std::string_view css_class, const Mark& of) {
        const std::string whose = of_kernel(of.point);
        ground_of(label, whose);
        canvas_.text(label,
                     fmt::format("{}class=\"{}\" {}", whose, css_class, fill(gap_colour(of.selected))));
    }

    /// What parts a label from what it covers, and ties it to what it belongs to: roofs are seen through it,
    /// unless it is solid.
    void ground_of(const PlacedText& label, std::string whose = {}, bool solid = false) {
        if (label.leader)
            canvas_.line(LabelBox(label).leader_start(label.leader_to), label.leader_to,
                         whose + "class=\"leader\" stroke-width=\"0.7\" " + stroke(palette_.faint_text));
        if (!solid)
            whose += scene_.dots.size() > crowd_of_dots ? "fill-opacity=\"0.85\" " : "fill-opacity=\"0.6\" ";
        if (label.covers)
            for (const PlacedText& line : lines_of(label))
                canvas_.polygon(LabelBox(line).corners(), whose + fill(palette_.plot));
    }

    void axes() {
        const RectF& plot = page_.view.plot;
        canvas_.put("<g id=\"{}axes\" {} stroke-width=\"1\">\n", canvas_.ids(), stroke(palette_.axis));
        canvas_.rect(plot, "fill=\"none\"");
        const double foot = page_.view.frame().bottom();
        std::string ticks;
        for (const Tick& tick : page_.x_ticks)
            ticks += upright(page_.x_of(tick), foot, foot + length(tick));
        for (const Tick& tick : page_.y_ticks)
            ticks += level(page_.y_of(tick), plot.x - length(tick), plot.x);
        canvas_.path(ticks);
        for (const PlacedLine& ridge : layout_.ridge_ticks)
            canvas_.line(
                ridge.from, ridge.to,
                "class=\"ridge\" stroke-width=\"1.6\"" + highlight(scene_.ridges[ridge.index], stroke));
        canvas_.put("</g>\n<g id=\"{}tick-labels\" {}>\n", canvas_.ids(), fill(palette_.text));
        for (const PlacedText& label : page_.tick_labels)
            canvas_.text(label);
        canvas_.put("</g>\n");
    }

    void legend() {
        canvas_.put("<g id=\"{}legend\" {}>\n", canvas_.ids(), fill(palette_.text));
        if (page_.legend_ground)
            canvas_.rect(*page_.legend_ground,
                         "fill-opacity=\"0.85\" " + fill(palette_.plot) + " " + stroke(palette_.grid));
        for (const PlacedLegendRow& row : page_.legend) {
            const bool sample = row.row.has_sample();
            const PointF centre{row.at.x + 5, row.at.y - 4};
            if (row.row.curve) {
                canvas_.put("<path fill=\"none\" {} d=\"M{} {}Q{} {} {} {}\"/>\n", curve_pen(),
                            svg_number(centre.x - 5), svg_number(centre.y + 4), svg_number(centre.x - 1),
                            svg_number(centre.y - 3), svg_number(centre.x + 6), svg_number(centre.y - 3));
            } else if (row.row.line) {
                canvas_.line({centre.x - 6, centre.y}, {centre.x + 6, centre.y},
                             line_sample_pen(*row.row.line));
            } else if (row.row.kernel_line) {
                kernel_line_sample(row.row, centre);
            } else if (row.row.shading) {
                put_shading_sample(canvas_, centre, palette_);
            } else if (sample) {
                put_marker(canvas_, row.row.shape.value_or(MemoryLevel::hbm), centre, row.row.shape ? 4 : 5,
                           row.row.colour
                               ? fill(*row.row.colour) + " stroke-width=\"0.6\" " + stroke(palette_.axis)
                               : "fill=\"none\" stroke-width=\"1.5\" " + stroke(palette_.faint_text));
                if (!row.row.mark.empty())
                    put_dot_mark(canvas_, row.row.mark, centre, 5, ink_on(*row.row.colour));
            }
            canvas_.text(
                {.at = {row.at.x + (sample ? page_sample_width : 0), row.at.y}, .text = row.row.text});
        }
        canvas_.put("</g>\n");
    }

    /// A mark, its line and where that ends.
    void kernel_line_sample(const LegendRow& row, PointF centre) {
        const std::string pen = "fill=\"none\" " + stroke(*row.colour) +
                                fmt::format(" stroke-width=\"{}\"", svg_number(line_width_));
        put_marker(canvas_, MemoryLevel::hbm, {centre.x - 3.5, centre.y + 2.5}, 2.7, pen);
        canvas_.line({centre.x - 1.5, centre.y + 0.5}, {centre.x + 4, centre.y - 5},
                     stroke(*row.colour) + " " + kernel_line_pen());
        if (row.bar)
            canvas_.line({centre.x, centre.y - 5}, {centre.x + 7, centre.y - 5},
                         "stroke-width=\"2\" " + stroke(palette_.roof));
    }

    void words() {
        canvas_.put("<g id=\"{}words\" {}>\n", canvas_.ids(), fill(palette_.text));
        for (const PlacedText& line : page_.empty_note) {
            ground_of(line);
            canvas_.text(line, "class=\"empty-note\" " + fill(palette_.faint_text));
        }
        if (!page_.title.text.empty())
            canvas_.text(page_.title,
                         fmt::format("font-size=\"{}\" font-weight=\"bold\"", svg_number(page_.title.size)));
        canvas_.text(page_.x_label);
        canvas_.text(page_.y_label);
        for (const PlacedText& line : page_.caption)
            canvas_.text(line, fmt::format("class=\"caption\" font-size=\"{}\" {}", page_small_size,
                                           fill(palette_.faint_text)));
        for (const PlacedText& cell : page_.key)
            canvas_.text(cell, fmt::format("class=\"key\" font-size=\"{}\"", page_small_size));
        canvas_.put("</g>\n");
    }

    [[nodiscard]] std::string kernel_line_pen() const {
        return fmt::format("stroke-width=\"{}\" stroke-dasharray=\"3 2\"", svg_number(0.7 * line_width_));
    }
    [[nodiscard]] std::string curve_pen() const {
        return stroke(palette_.faint_roof) +
               fmt::format(" stroke-width=\"{}\"", svg_number(1.3 * line_width_));
    }
    [[nodiscard]] std::string beside_pen(RoofLine line) const {
        return stroke(palette_.faint_roof) +
               fmt::format(" stroke-dasharray=\"{}\"", line == RoofLine::theory      ? "1.2 2.4"
                                                       : line == RoofLine::practical ? "5 3"
                                                                                     : "9 3 2 3");
    }
    [[nodiscard]] std::string line_sample_pen(RoofLine line) const {
        return (line == RoofLine::usual ? stroke(palette_.roof) : beside_pen(line)) +
               fmt::format(" stroke-width=\"{}\"", svg_number(line_width_));
    }
    [[nodiscard]] Colour line_colour_of(std::uint8_t colour) const {
        return line_colour(scene_.dot_colours[colour], scene_.options.theme);
    }
    [[nodiscard]] Colour gap_colour(bool selected) const {
        return selected ? palette_.highlight : palette_.faint_text;
    }
    [[nodiscard]] std::string highlight(const RidgeMark& ridge, std::string (*ink)(Colour)) const {
        return ridge.binding ? " " + ink(palette_.highlight) : std::string();
    }
    [[nodiscard]] std::string pen(bool selected) const {
        return stroke(gap_colour(selected)) + (selected ? " stroke-width=\"1.6\"" : " stroke-width=\"1\"");
    }
    static std::string fill(Colour colour) { return "fill=\"" + to_hex(colour) + "\""; }
    static std::string stroke(Colour colour) { return "stroke=\"" + to_hex(colour) + "\""; }
    /// In millimetres where letters have a size on paper: programs differ in what a pixel is there.
    [[nodiscard]] std::string length(double pixels) const {
        constexpr double mm_per_inch = 25.4;
        return page_.on_paper ? svg_number(pixels * mm_per_inch / page_pixels_per_inch) + "mm"
                              : svg_number(pixels);
    }
    static double length(const Tick& tick) { return tick.major ? page_tick_length : page_tick_length / 2; }

    const Scene& scene_;
    const std::string& moves_;
    const SvgPart& part_;
    const Analysis& analysis_;
    const PagePlacement& laid_;
    const Page& page_ = laid_.page;
    const Layout& layout_ = laid_.layout;
    const Palette& palette_;
    double line_width_;
    SvgCanvas canvas_{std::string(part_.ids)};
};

}  // namespace

std::string to_svg(const Scene& scene, const Analysis& analysis, const PageSpec& size,
                   const std::string& moves, const SvgPart& part) {
    return to_svg(lay_out_page(scene, size), scene, analysis, moves, part);
}

std::string to_svg(const PagePlacement& laid, const Scene& scene, const Analysis& analysis,
                   const std::string& moves, const SvgPart& part) {
    return SvgPainter(laid, scene, analysis, moves, part).paint();
}

}  // namespace roofwalk
