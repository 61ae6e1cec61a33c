// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg/svg_writer.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/layout_paths.h"
#include "core/chart/svg/svg_canvas.h"
#include "core/chart/svg/svg_dots.h"
#include "core/chart/svg/svg_metadata.h"

namespace roofwalk {

namespace {

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
    SvgPainter(const Scene& scene, const Analysis& analysis, const PageSpec& size, const std::string& moves,
               const SvgPart& part)
        : scene_(scene),
          moves_(moves),
          part_(part),
          analysis_(analysis),
          size_(size),
          laid_(lay_out_page(scene, size)),
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

    /// In the colours of the dots, which no roof has.
    void kernel_lines() {
        if (layout_.kernel_lines.empty()) return;
        canvas_.put("<g id=\"{}kernel-lines\" fill=\"none\" stroke-width=\"{}\">\n", canvas_.ids(),
                    svg_number(line_width_));
        for (const PlacedLine& placed : layout_.kernel_lines) {
            const KernelLine& line = scene_.lines[placed.index];
            canvas_.put("<path {}class=\"kernel-line\" d=\"M{} {}L{} {}\" {}{}>", of_kernel(line.point),
                        svg_number(placed.from.x), svg_number(placed.from.y), svg_number(placed.to.x),
                        svg_number(placed.to.y),
                        stroke(line.selected ? palette_.highlight : line_colour_of(line.colour)),
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
        // "2.22x below SM by throughput (45.0 %), 0.35 decades, compute side; HBM roof 4.00x"
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
            const auto step = std::ranges::find(path.places, label.text, &PathPlace::name);
            canvas_.text(label, of_kernel(path.point) +
                                    (step != path.places.end()
                                         ? fmt::format("data-step=\"{}\" ", step - path.places.begin())
                                         : "") +
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
        canvas_.line({centre.x - 1.5, centre.y + 0.5}, {centre.x + 2.5, centre.y - 4}, pen);
        if (row.bar)
            canvas_.line({centre.x - 1, centre.y - 4}, {centre.x + 6, centre.y - 4},
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
        return size_.letters ? svg_number(pixels * mm_per_inch / page_pixels_per_inch) + "mm"
                             : svg_number(pixels);
    }
    static double length(const Tick& tick) { return tick.major ? page_tick_length : page_tick_length / 2; }

    const Scene& scene_;
    const std::string& moves_;
    const SvgPart& part_;
    const Analysis& analysis_;
    PageSpec size_;
    const PagePlacement laid_;
    const Page& page_ = laid_.page;
    const Layout& layout_ = laid_.layout;
    const Palette& palette_;
    double line_width_;
    SvgCanvas canvas_{std::string(part_.ids)};
};

}  // namespace

std::string to_svg(const Scene& scene, const Analysis& analysis, const PageSpec& size,
                   const std::string& moves, const SvgPart& part) {
    return SvgPainter(scene, analysis, size, moves, part).paint();
}

}  // namespace roofwalk
