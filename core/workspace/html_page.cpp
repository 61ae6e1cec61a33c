// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/chart/svg/svg_writer.h"
#include "core/model/source_names.h"
#include "core/report/report_table.h"
#include "core/roofline/summary.h"

namespace roofwalk {

namespace {

bool is_shown(const ReportColumn& column) {
    return column.place != ColumnPlace::window_only && column.place != ColumnPlace::files_only;
}

/// The class of a cell: whether it stands left, and whether it is seen on demand only.
std::string kind_of(const ReportTable& table, const ShownColumns& main, std::size_t column) {
    std::string kind = table.columns[column].numeric() ? "" : "words";
    if (std::ranges::find(main.columns, column) == main.columns.end())
        kind += kind.empty() ? "more" : " more";
    return kind.empty() ? kind : " class=\"" + kind + "\"";
}

std::string head_of(const ReportTable& table, const ShownColumns& main) {
    std::string head = "<thead><tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const ReportColumn& column = table.columns[i];
        if (!is_shown(column)) continue;
        head += fmt::format(
            "<th scope=\"col\"{} data-title=\"{}\" data-unit=\"{}\" title=\"{}\">{}<small>{}</small></th>",
            kind_of(table, main, i), escape_xml(column.title), escape_xml(column.shown_unit),
            escape_xml(column.meaning), escape_xml(column.title), escape_xml(column.shown_unit));
    }
    return head + "</tr></thead>\n";
}

std::string row_of(const ReportTable& table, const ShownColumns& main, std::size_t number,
                   std::uint32_t point) {
    const std::vector<ReportCell>& row = table.rows[number];
    std::string cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!is_shown(table.columns[i])) continue;
        const std::string text = escape_xml(one_line(row[i].text));
        const std::string value =
            row[i].number ? fmt::format(" data-value=\"{:.9g}\"", *row[i].number) : std::string();
        const bool words = !table.columns[i].numeric();
        cells +=
            fmt::format("<{0}{1}{2}{3}>{4}</{5}>", i == 0 ? "th scope=\"row\"" : "td",
                        kind_of(table, main, i), value, words ? " title=\"" + text + "\"" : std::string(),
                        i == 0 ? escape_xml(main.names[number]) : text, i == 0 ? "th" : "td");
    }
    return fmt::format("<tr data-kernel=\"{}\">{}</tr>\n", point, cells);
}

std::string usual_title(const Profile& profile) {
    constexpr std::size_t most_named = 2;
    std::vector<std::string> names = source_names(profile);
    if (const std::size_t all = names.size(); all > most_named) {
        names.resize(most_named);
        names.push_back(fmt::format("{} more", all - most_named));
    }
    return "Roofline of " + joined_with_and(names);
}

}  // namespace

std::string to_html(const WorkspaceResult& result, SceneOptions options,
                    const std::vector<ProjectedDevice>& more, const PageSpec& size,
                    const std::string& moves) {
    const Analysis& analysis = *result.drawn();
    std::map<std::string, std::string, std::less<>> parts;
    parts["title"] = escape_xml(options.title.empty() ? usual_title(*result.inputs.profile) : options.title);
    options.title.clear();
    for (const Theme theme : {Theme::light, Theme::dark}) {
        options.theme = theme;
        const Scene scene = scene_of(result, options, more);
        parts["summary"] = escape_xml(scene.summary);
        parts[theme == Theme::light ? "light" : "dark"] =
            to_svg(scene, analysis, size, moves, {true, theme == Theme::dark ? "dark-" : ""});
    }
    const ReportTable table = report_table(*result.inputs.profile, analysis);
    const std::vector<std::uint32_t> ranking = ranked_points(analysis);
    const ShownColumns main = shown_columns(table, TextColumns::main);
    std::size_t rows = 0;
    std::string& html_rows = parts["table"] = head_of(table, main) + "<tbody>\n";
    for (std::size_t i = 0; i < ranking.size(); ++i)
        if (result.matched(ranking[i]) && ++rows <= most_html_rows)
            html_rows += row_of(table, main, i, ranking[i]);
    html_rows += "</tbody>";
    parts["note"] = escape_xml(table.note);
    if (rows > most_html_rows)
        parts["note"] += fmt::format(" The table has the first {} of {}.", format_count(most_html_rows),
                                     rows_counted(rows, analysis.options.group_by));
    std::string html;
    std::string_view rest = html_template();
    for (std::size_t at = rest.find("<!--"); at != std::string_view::npos; at = rest.find("<!--")) {
        const std::size_t end = rest.find("-->", at);
        html.append(rest.substr(0, at)).append(parts[std::string(rest.substr(at + 4, end - at - 4))]);
        rest.remove_prefix(end + 3);
    }
    return html.append(rest);
}

}  // namespace roofwalk
