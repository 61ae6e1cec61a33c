// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/chart_menu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QUndoStack>
#include <QWidgetAction>
#include <algorithm>
#include <set>
#include <utility>

#include "core/model/kernel_name.h"
#include "core/report/kernel_filter.h"
#include "core/roofline/summary.h"
#include "ui/dialogs/ask_about.h"
#include "ui/dialogs/preset_dialog.h"
#include "ui/dialogs/preset_preview.h"
#include "ui/shell/actions.h"
#include "ui/widgets/choice_menu.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

namespace {

constexpr std::size_t section_chars = 48;  // of a title
constexpr std::size_t short_name = 60;
constexpr std::size_t undo_chars = 32;
constexpr int width_of_reasons = 520;  // [px]
constexpr int reason_margin = 4;

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

/// Asked for before the moves are made where the profile may have to be helped out, or where it is one number
/// of several moves; any other has a usual value, and is changed where its move is edited.
bool asks_for_number(const Preset& preset) {
    return preset.parameter && (preset.for_all_chosen || !preset.parameter->usual);
}

/// In as many lines as it takes: entries of menus have one.
void add_reason(QMenu& menu, const QString& words) {
    auto* action = new QWidgetAction(&menu);
    action->setText(menu_text(words));
    action->setStatusTip(words);
    action->setEnabled(false);
    auto* label = new PlainLabel(words);
    label->setWordWrap(true);
    label->setFixedWidth(width_of_reasons);
    label->setContentsMargins(4 * reason_margin, reason_margin, reason_margin, reason_margin);
    action->setDefaultWidget(label);
    menu.addAction(action);
}

class WhatIfMenu : public TippedMenu {
  public:
    WhatIfMenu(Document& document, QUndoStack& changes, QWidget* parent);

  private:
    void list_presets();
    void add_preset(const Preset& preset, const PresetPreview& subject);
    void ask(const Preset& preset, const PresetPreview& subject);
    void add_moves(const Preset& preset, const PresetPreview& subject, const std::vector<OfferedMove>& moves);

    Document& document_;
    QUndoStack& changes_;
};

WhatIfMenu::WhatIfMenu(Document& document, QUndoStack& changes, QWidget* parent)
    : TippedMenu(tr("&What if"), "what_if_menu", parent), document_(document), changes_(changes) {
    connect(this, &QMenu::aboutToShow, this, &WhatIfMenu::list_presets);
}

void WhatIfMenu::list_presets() {
    clear();
    delete findChild<QMenu*>(QStringLiteral("what_if_not"));
    const std::optional<PresetPreview> subject = PresetPreview::of(document_);
    if (!subject) {
        addAction(tr("No kernel is shown"))->setEnabled(false);
        return;
    }
    add_menu_title(*this, to_qt(shorten_kernel_name(subject->kernel().name, section_chars)));
    std::vector<std::pair<QString, QString>> others;  // presets of one reason, and that
    for (const Preset& preset : presets()) {
        const Result<void> fits = subject->fits(preset);
        if (fits) {
            add_preset(preset, *subject);
            continue;
        }
        const Error& why = fits.error();
        const QString reason = to_qt(to_line(Error{why.code, why.what, {}, why.hint}));
        const auto same = std::ranges::find(others, reason, &std::pair<QString, QString>::second);
        if (same == others.end())
            others.emplace_back(to_qt(preset.label), reason);
        else
            same->first += QStringLiteral("; ") + to_qt(preset.label);
    }
    if (others.empty()) return;
    auto* apart = new TippedMenu(tr("Not for this kernel"), "what_if_not", this);
    addMenu(apart);
    for (const auto& [names, reason] : others)
        add_reason(*apart, tr("%1: %2", "presets, reason").arg(names, reason));
}

void WhatIfMenu::add_preset(const Preset& preset, const PresetPreview& subject) {
    std::string name(preset.label);
    std::string note = with_memory_name(subject.kernel().memory, preset.assumption);
    std::vector<OfferedMove> usual;
    if (!asks_for_number(preset)) {
        usual = subject.moves(preset, std::nullopt).value_or(usual);
        name = usual.front().move.name;
        note = usual.front().move.assumption;
        if (preset.parameter)
            note +=
                fmt::format(" The {} can be changed afterwards: Scenario > Edit.", preset.parameter->name);
    }
    const QString text = tr("%1 (%2)", "preset, where to").arg(to_qt(name), to_qt(label_of(preset.axis)));
    QAction* action = addAction(usual.empty() ? text + u'…' : text);
    action->setObjectName(QStringLiteral("preset_") + to_qt(preset.id));
    set_tooltip(*action, to_qt(note));
    action->setStatusTip(to_qt(note));
    connect(action, &QAction::triggered, this, [this, &preset, subject, usual] {
        if (usual.empty())
            ask(preset, subject);
        else
            add_moves(preset, subject, usual);
    });
}

void WhatIfMenu::ask(const Preset& preset, const PresetPreview& subject) {
    PresetDialog dialog(preset, subject, parentWidget());
    if (ask_about(document_, dialog)) add_moves(preset, subject, dialog.moves());
}

void WhatIfMenu::add_moves(const Preset& preset, const PresetPreview& subject,
                           const std::vector<OfferedMove>& moves) {
    if (!document_.selected_point()) document_.select(moves.front().point);
    Scenario scenario = document_.spec().scenario;
    for (Move& move : subject.with_keys(moves))
        scenario.moves.push_back(std::move(move));
    const QString what = to_qt(preset.label);
    const QString kernel = menu_text(to_qt(shorten_kernel_name(subject.kernel().name, undo_chars)));
    changes_.push(new SpecChange(document_, &WorkspaceSpec::scenario, std::move(scenario),
                                 moves.size() > 1 ? what : tr("%1, %2", "preset, kernel").arg(what, kernel)));
}

/// The classes of what has a colour: filters judge what was measured, also where a scenario moves it.
std::optional<std::string> class_condition(const Scene& scene, const Analysis& measured,
                                           std::uint8_t colour) {
    std::set<std::string> classes;
    for (const Dot& dot : scene.dots)
        if (dot.colour == colour) classes.insert(class_label(measured.points[dot.point]));
    if (classes.size() == 1) return equal_condition("class", *classes.begin());
    return fmt::format("(class = \"{}\")", fmt::join(classes, "\" or class = \""));
}

}  // namespace

QMenu* make_what_if_menu(Document& document, QUndoStack& changes, QWidget* parent) {
    return new WhatIfMenu(document, changes, parent);
}

class ChartMenu::LaunchesShown : public QUndoCommand {
  public:
    LaunchesShown(ChartMenu& menu, QString filter)
        : QUndoCommand(tr("show launches")), menu_(menu), filter_(std::move(filter)) {}

    /// Not what a person did since, such as Escape or another filter.
    void undo() override {
        Document& document = menu_.document_;
        if (menu_.isolation_.filter != filter_ || document.filter_text() != filter_) return;
        menu_.isolation_ = before_;
        document.set_filter(filter_before_);
        document.change_analysis([&](auto& options) { options.group_by = group_before_; });
    }
    void redo() override {
        Document& document = menu_.document_;
        before_ = menu_.isolation_;
        filter_before_ = document.filter_text();
        group_before_ = document.analysis_options().group_by;
        document.change_analysis([](auto& options) { options.group_by = GroupBy::launch; });
        menu_.show_alone(filter_);
        if (!menu_.isolation_.group_before) menu_.isolation_.group_before = group_before_;
    }

  private:
    ChartMenu& menu_;
    QString filter_;
    Isolation before_;
    QString filter_before_;
    GroupBy group_before_ = GroupBy::kernel;
};

ChartMenu::ChartMenu(Document& document, Actions& actions, QUndoStack& changes, QMenu& what_if,
                     QWidget& window)
    : QObject(&window),
      document_(document),
      actions_(actions),
      changes_(changes),
      what_if_(what_if),
      window_(window) {}

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
    if (row.shape) {
        const CeilingTarget level = document_.analysis_options().boundaries[*row.shape];
        const auto roof = std::ranges::find(scene.roofs, level, &Roof::target);
        return Part{to_qt(row.text), to_qt(roof == scene.roofs.end() ? "" : roof->note), std::nullopt, level};
    }
    if (!row.colour || row.kernel_line || row.others) return std::nullopt;
    const auto dot = std::ranges::find_if(
        scene.dots, [&](const Dot& candidate) { return scene.dot_colours[candidate.colour] == *row.colour; });
    if (dot == scene.dots.end()) return std::nullopt;
    const KernelPoint& point = document_.analysis()->points[dot->point];
    Part part{to_qt(row.text), {}, std::nullopt, std::nullopt};
    if (!row.classes.empty())
        part.condition = class_condition(scene, *document_.analysis(), dot->colour);
    else if (scene.options.colour_by == ColourBy::kernel)
        part.condition = name_condition(*document_.analysis(), point.name);
    else if (scene.options.colour_by == ColourBy::report)
        part.condition = equal_condition("source", name_of_report(point));
    if (!part.condition) return std::nullopt;
    if (const auto filter = parse_kernel_filter(*part.condition))
        part.figures =
            to_qt(session_sentence(*document_.analysis(), *matching_points(*document_.analysis(), *filter)));
    return part;
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
    if (document_.filter_text() == wanted) return put_back();
    const Result<KernelFilter> filter = parse_kernel_filter(*part.condition);
    if (!filter || std::ranges::none_of(document_.analysis()->points, *filter))
        return emit told(tr("No kernel is bound by %1.").arg(part.name));
    show_alone(wanted);
}

void ChartMenu::show_alone(const QString& filter) {
    if (isolation_.filter.isEmpty() || document_.filter_text() != isolation_.filter)
        isolation_ = {.filter = {}, .filter_before = document_.filter_text()};
    isolation_.filter = filter;
    document_.set_filter(filter);
}

void ChartMenu::put_back() {
    document_.set_filter(isolation_.filter_before);
    if (const auto group = std::exchange(isolation_.group_before, std::nullopt))
        document_.change_analysis([&](AnalysisOptions& options) { options.group_by = *group; });
}

bool ChartMenu::end_isolation() {
    if (const QString filter = std::exchange(isolation_.filter, {});
        !filter.isEmpty() && document_.filter_text() == filter) {
        put_back();
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
    if (!back && !(level_alone_ && options.levels == only(*level_alone_))) {
        levels_before_ = options.levels;
        l1_before_ = options.l1_where_it_binds;
    }
    options.levels = back ? levels_before_ : alone;
    options.l1_where_it_binds = back && l1_before_;
    level_alone_ = back ? std::nullopt : std::optional(level);
    document_.set_analysis_options(options);
}

void ChartMenu::hide(const Part& part) {
    if (!part.drawn_with) {
        const auto filter = with_condition(document_.filter_text().toStdString(), "not " + *part.condition);
        return document_.set_filter(to_qt(*filter));
    }
    if (const auto* pipe = std::get_if<Pipe>(&*part.drawn_with))
        return document_.change_scene([&](SceneOptions& options) { options.hidden_pipes.push_back(*pipe); });
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
        changes_.push(new LaunchesShown(*this, to_qt(*part.condition)));
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
        menu->addAction(tr("Copy the n&umbers"), this, [part] { copy(part->figures); })
            ->setObjectName("menu_copy_numbers");
    menu->addActions(table_actions);
    menu->popup(on_screen);
}

}  // namespace roofwalk
