// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg_paths.h"

#include "core/chart/layout_paths.h"
#include "core/chart/svg_dots.h"
#include "core/text.h"

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

}  // namespace

Colour path_colour(const ScenePath& path, const Palette& palette) {
    return path.selected ? palette.highlight : palette.text;
}

void put_paths(SvgCanvas& canvas, const Scene& scene, const Layout& layout) {
    if (scene.paths.empty()) return;
    const Palette& palette = palette_of(scene.options.theme);
    canvas.put("<g id=\"paths\" fill=\"none\">\n");
    for (const LaidGhost& ghost : layout.ghosts)
        put_marker(
            canvas, ghost.level, ghost.at, ghost.radius,
            "class=\"ghost\" stroke-dasharray=\"2 1.5\" stroke=\"" + to_hex(palette.faint_text) + "\"");
    for (const LaidLeg& leg : layout.path_legs) {
        const ScenePath& path = scene.paths[leg.index];
        canvas.put(
            "<g id=\"path-k{}-{}\" class=\"path\" stroke=\"{}\" stroke-width=\"{}\"><title>{}</title>\n",
            path.point, leg.step, to_hex(path_colour(path, palette)), path.selected ? "1.8" : "1.2",
            escape_xml(path.title));
        canvas.put("<path d=\"M{} {}L{} {}\"{}/>\n", svg_number(leg.from.x), svg_number(leg.from.y),
                   svg_number(leg.to.x), svg_number(leg.to.y), dashes(path.line));
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
