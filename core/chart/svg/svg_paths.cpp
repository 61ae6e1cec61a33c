// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg/svg_paths.h"

#include "core/base/text.h"
#include "core/chart/layout/layout_paths.h"
#include "core/chart/svg/svg_dots.h"

namespace roofwalk {

namespace {

std::string_view dashes(PathLine line) {
    switch (line) {
        case PathLine::solid:
            return "";
        case PathLine::dashed:
            return " stroke-dasharray=\"6 3\"";
        case PathLine::dotted:
            return " stroke-dasharray=\"1.5 2.5\"";
    }
    return "";
}

/// "k12-hbm-0": of the first place of a path, or its first leg.
std::string id_of(const ScenePath& path, std::uint32_t step) {
    return fmt::format("k{}-{}-{}", path.point, id_of(path.level), step);
}

}  // namespace

void put_paths(SvgCanvas& canvas, const Scene& scene, const Layout& layout) {
    if (scene.paths.empty()) return;
    const Palette& palette = palette_of(scene.options.theme);
    canvas.put("<g id=\"paths\" fill=\"none\">\n");
    for (const PlacedGhost& ghost : layout.ghosts) {
        const ScenePath& path = scene.paths[ghost.index];
        const auto colour = path.places[ghost.step].colour;
        put_marker(canvas, path.level, ghost.at, ghost.radius,
                   fmt::format("id=\"ghost-{}\" class=\"ghost\" stroke-width=\"1.2\" "
                               "stroke-dasharray=\"3 2\" stroke=\"{}\"",
                               id_of(path, ghost.step),
                               to_hex(colour ? scene.dot_colours[*colour] : palette.faint_text)),
                   path.title);
    }
    for (const PlacedLeg& leg : layout.path_legs) {
        const ScenePath& path = scene.paths[leg.index];
        canvas.put("<g id=\"path-{}\" class=\"path\" stroke=\"{}\" stroke-width=\"{}\"><title>{}</title>\n",
                   id_of(path, leg.step), to_hex(path_colour(path, palette)), path.selected ? "1.8" : "1.2",
                   escape_xml(path.title));
        canvas.put("<path d=\"M{} {}L{} {}\"{}/>\n", svg_number(leg.from.x), svg_number(leg.from.y),
                   svg_number(leg.to.x), svg_number(leg.to.y), dashes(path.places[leg.step].line));
        if (leg.has_head) {
            const auto [left, tip, right] = arrow_head(leg);
            canvas.put("<path d=\"M{} {}L{} {}L{} {}\"/>\n", svg_number(left.x), svg_number(left.y),
                       svg_number(tip.x), svg_number(tip.y), svg_number(right.x), svg_number(right.y));
        }
        canvas.put("</g>\n");
    }
    canvas.put("</g>\n");
}

}  // namespace roofwalk
