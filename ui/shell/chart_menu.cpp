// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/chart_menu.h"

#include <fmt/format.h>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <algorithm>
#include <utility>

#include "core/model/kernel_name.h"
#include "core/report/kernel_filter.h"
#include "ui/shell/actions.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr std::size_t section_chars = 48;
constexpr std::size_t short_name = 60;

void copy(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

/// The shortest condition that finds the kernels of a name and no others.
std::optional<std::string> name_condition(const Analysis& analysis, const std::string& name) {
    const std::string shown = shorten_kernel_name(name, name.size());
    for (const auto& condition : {equal_condition("name", shorten_kernel_name(name, short_name)),
                                  std::optional(fmt::format("name ~ \"{}\"", shown.substr(0, short_name))),
                                  equal_condition("name", shown)})
        if (const auto filter = parse_kernel_filter(condition.value_or(""));
            filter && *filter && std::ranges::all_of(analysis.points, [&](const KernelPoint& point) {
                return (*filter)(point) == (point.name == name);
            }))
            return condition;
    return equal_condition("name", name);
}

EnumArray<MemoryLevel, bool> only(MemoryLevel level) {
    EnumArray<MemoryLevel, bool> alone{};
    alone[level] = true;
    return alone;
}

}  // namespace

ChartMenu::ChartMenu(Document& document, Actions& actions, QMenu& what_if, QWidget& window)
    : QObject(&window), document_(document), actions_(actions), what_if_(what_if), window_(window) {}

std::optional<ChartMenu::Part> ChartMenu::part_at(const ChartPart& place) const {
    if (document_.empty() || !document_.scene()) return std::nullopt;
    const Scene& scene = *document_.scene();
    if (place.point) {
        const std::string& name = document_.analysis()->points[*place.point].name;
        return Part{to_qt(name), {}, name_condition(*document_.analysis(), name), std::nullopt};
    }
    if (place.roof && *place.roof < scene.roofs.size()) {
        const Roof& roof = scene.roofs[*place.roof];
        return Part{to_qt(roof.name), to_qt(roof.note),
                    equal_condition("bound.roof", label_of(roof.target, document_.analysis_options().memory)),
                    roof.target};
    }
    if (place.legend_row && *place.legend_row < scene.legend.size())
        return row_part(scene.legend[*place.legend_row]);
    return std::nullopt;
}

/// A level, or what a colour stands for where the filter has a word for it.
std::optional<ChartMenu::Part> ChartMenu::row_part(const LegendRow& row) const {
    const Scene& scene = *document_.scene();
    if (row.shape)
        return Part{to_qt(row.text),
                    {},
                    std::nullopt,
                    CeilingTarget(document_.analysis_options().boundaries[*row.shape])};
    if (!row.colour || row.kernel_line || row.text == "other") return std::nullopt;
    const auto dot = std::ranges::find_if(
        scene.dots, [&](const Dot& candidate) { return scene.dot_colours[candidate.colour] == *row.colour; });
    if (dot == scene.dots.end()) return std::nullopt;
    const KernelPoint& point = document_.analysis()->points[dot->point];
    Part part{to_qt(row.text), {}, std::nullopt, std::nullopt};
    if (scene.options.colour_by == ColourBy::kernel_class)
        part.condition = equal_condition("class", class_name(point));
    else if (scene.options.colour_by == ColourBy::kernel)
        part.condition = name_condition(*document_.analysis(), point.name);
    else if (scene.options.colour_by == ColourBy::report)
        part.condition = equal_condition("source", name_of_report(point));
    return part.condition ? std::optional(part) : std::nullopt;
}

void ChartMenu::isolate(const ChartPart& place) {
    if (const auto part = part_at(place)) isolate(*part);
}

void ChartMenu::isolate(const Part& part) {
    if (!part.condition) {
        if (part.drawn_with) show_only(level_of(std::get<Boundary>(*part.drawn_with)));
        return;
    }
    const QString wanted = to_qt(*part.condition);
    if (document_.filter_text() == wanted) return document_.set_filter(filter_before_);
    const Result<KernelFilter> filter = parse_kernel_filter(*part.condition);
    if (!filter || std::ranges::none_of(document_.analysis()->points, *filter))
        return emit told(tr("No kernel is bound by %1.").arg(part.name));
    if (isolated_.isEmpty() || document_.filter_text() != isolated_) filter_before_ = document_.filter_text();
    isolated_ = wanted;
    document_.set_filter(wanted);
}

bool ChartMenu::end_isolation() {
    if (const QString filter = std::exchange(isolated_, {});
        !filter.isEmpty() && document_.filter_text() == filter) {
        document_.set_filter(filter_before_);
        return true;
    }
    const auto level = std::exchange(level_alone_, std::nullopt);
    if (!level || document_.analysis_options().levels != only(*level)) return false;
    show_only(*level);
    return true;
}

void ChartMenu::show_only(MemoryLevel level) {
    AnalysisOptions options = document_.analysis_options();
    const EnumArray<MemoryLevel, bool> alone = only(level);
    const bool back = options.levels == alone;
    if (!back && !(level_alone_ && options.levels == only(*level_alone_))) levels_before_ = options.levels;
    options.levels = back ? levels_before_ : alone;
    level_alone_ = back ? std::nullopt : std::optional(level);
    document_.set_analysis_options(options);
}

void ChartMenu::hide(const Part& part) {
    if (!part.drawn_with) {
        const auto filter = with_condition(document_.filter_text().toStdString(), "not " + *part.condition);
        return document_.set_filter(to_qt(*filter));
    }
    if (const auto* pipe = std::get_if<Pipe>(&*part.drawn_with)) {
        SceneOptions options = document_.scene_options();
        options.hidden_pipes.push_back(*pipe);
        return document_.set_scene_options(options);
    }
    AnalysisOptions options = document_.analysis_options();
    const MemoryLevel level = level_of(std::get<Boundary>(*part.drawn_with));
    options.levels[level] = false;
    options.l1_where_it_binds = options.l1_where_it_binds && level != MemoryLevel::l1;
    document_.set_analysis_options(options);
}

void ChartMenu::add_kernel_actions(QMenu& menu, const Part& part) {
    menu.addSeparator();
    menu.addMenu(&what_if_);
    menu.addAction(actions_.bind_operation);
    QAction* launches = menu.addAction(tr("Show its &launches"), this, [this, part] {
        AnalysisOptions options = document_.analysis_options();
        options.group_by = GroupBy::launch;
        document_.set_analysis_options(options);
        document_.set_filter(to_qt(*part.condition));
    });
    launches->setObjectName("menu_launches");
    launches->setEnabled(part.condition.has_value());
}

void ChartMenu::open(const ChartPart& place, QPoint on_screen, const QList<QAction*>& table_actions) {
    const std::optional<Part> part = part_at(place);
    if (!part) return;
    const std::vector<std::uint32_t> selected = document_.focus().points();
    if (place.point && std::ranges::find(selected, *place.point) == selected.end())
        document_.select(place.point);
    auto* menu = new QMenu(&window_);
    menu->setObjectName("chart_menu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    add_menu_title(*menu, to_qt(shorten_kernel_name(part->name.toStdString(), section_chars)));
    QAction* alone = menu->addAction(tr("&Isolate"), this, [this, part] { isolate(*part); });
    alone->setObjectName("menu_isolate");
    alone->setEnabled(part->condition || part->drawn_with);
    QAction* away = menu->addAction(tr("&Hide"), this, [this, part] { hide(*part); });
    away->setObjectName("menu_hide");
    away->setEnabled(part->drawn_with ||
                     (part->condition && with_condition(document_.filter_text().toStdString(), "")));
    if (place.point) add_kernel_actions(*menu, *part);
    menu->addSeparator();
    menu->addAction(tr("Copy the &name"), this, [part] { copy(part->name); })
        ->setObjectName("menu_copy_name");
    if (place.point)
        menu->addAction(actions_.copy_row);
    else if (!part->figures.isEmpty())
        menu->addAction(tr("Copy the n&umbers"), this, [part] { copy(part->figures); });
    menu->addActions(table_actions);
    menu->popup(on_screen);
}

}  // namespace roofwalk
