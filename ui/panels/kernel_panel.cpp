// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/kernel_panel.h"

#include <QEvent>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "core/advice/level_words.h"
#include "core/advice/questions.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"
#include "core/scenario/move_words.h"
#include "ui/kernels/class_glyph.h"
#include "ui/panels/kernel_facts.h"
#include "ui/panels/selection_facts.h"
#include "ui/panels/session_facts.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr std::size_t kernel_title_chars = 64;
constexpr qsizetype most_warnings = 20;
constexpr int sign_side = 14;

}  // namespace

KernelPanel::KernelPanel(Document& document, QWidget* parent)
    : PanelPage(tr("Selected kernel"), parent), document_(document) {
    connect(&document_, &Document::selection_changed, this, &KernelPanel::show_document);
    connect(&document_, &Document::matches_changed, this, &KernelPanel::show_soon);
    connect(&document_, &Document::what_if_changed, this, &KernelPanel::show_soon);
    connect(&document_, &Document::compared_changed, this, &KernelPanel::show_soon);
    show_document();
}

void KernelPanel::changeEvent(QEvent* event) {
    PanelPage::changeEvent(event);
    // Later: whoever changes the palette of all widgets must still find those of this page.
    if (event->type() == QEvent::PaletteChange) show_soon();
}

void KernelPanel::show_soon() {
    if (std::exchange(stale_, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (stale_) show_document();
        },
        Qt::QueuedConnection);
}

void KernelPanel::show_document() {
    stale_ = false;
    clear();
    const std::vector<std::uint32_t> points = document_.selected_points();
    if (points.size() > 1)
        show_selection(points);
    else if (const KernelPoint* point = document_.selected_point())
        show_kernel(*point);
    else if (document_.analysis())
        show_session();
    finish();
}

void KernelPanel::show_kernel(const KernelPoint& point) {
    const Profile& profile = *document_.profile();
    const Analysis& analysis = *document_.analysis();
    const OperationClass operations = analysis.options.operations;

    const QString measured = to_qt(sentence(point));
    add_title(document_.result().what_if->effect.moved_kernel(*document_.selection())
                  ? tr("As measured: %1").arg(measured)
                  : measured,
              class_pixmap(point.verdict.kernel_class, current_theme(), sign_side, devicePixelRatioF()));
    add_faint_text(to_qt(shorten_kernel_name(point.name, kernel_title_chars)));
    if (document_.selection_hidden())
        add_text(tr("The filter hides this kernel from the table and the chart."));
    show_move();
    if (document_.result().comparison) show_change();
    for (const std::string& cause : above_roof_causes(point))
        add_text(to_qt(cause));
    for (const Answer& answer : reading_questions(point, analysis.options)) {
        add_heading(to_qt(answer.question));
        add_text(to_qt(answer.answer));
        if (answer.id != "below_roof") continue;
        if (const std::string practical = practical_text(point, analysis.options); !practical.empty())
            add_text(to_qt(practical));
    }
    if (point.target)
        for (const std::string& words : target_sentences(point, analysis.options))
            add_text(to_qt(words));
    connect(add_button("change_operation", tr("Operation of the kernel…")), &QPushButton::clicked, this,
            &KernelPanel::operation_requested);

    show_missing(point);
    add_heading(tr("Bounds"));
    add_table(bounds_table(point, operations));
    if (const QString idle = idle_pipes(point, operations); !idle.isEmpty()) add_faint_text(idle);
    add_heading(tr("Levels"));
    add_table(levels_table(profile, analysis, point));
    for (const std::string& words : {reuse_sentence(point), binding_sentence(point)})
        if (!words.empty()) add_text(to_qt(words));
    const FactTable spread = spread_table(point, operations);
    if (!spread.rows.isEmpty()) {
        add_heading(tr("Spread over its launches"));
        add_table(spread);
    }
    add_heading(tr("Rule"));
    add_text(to_qt(rule_text(point, analysis.options.thresholds)));

    const QStringList warnings = warnings_of(profile, analysis, point, most_warnings);
    if (!warnings.isEmpty()) add_heading(tr("Warnings"));
    for (const QString& warning : warnings)
        add_text(warning);

    add_heading(tr("Launch"));
    add_table(launch_table(profile, analysis, point));
    add_faint_text(to_qt(point.name));
    const FactTable metrics = metrics_table(profile, analysis, point);
    if (!metrics.rows.isEmpty()) {
        add_heading(tr("Further metrics"));
        add_table(metrics);
    }
}

void KernelPanel::show_change() {
    const Comparison& comparison = document_.result().comparison->comparison;
    const std::uint32_t point = *document_.selection();
    const auto path = std::ranges::find_if(comparison.paths, [&](const KernelPath& candidate) {
        return candidate.first_run + candidate.points.size() == comparison.runs.size() &&
               candidate.points.back() == point;
    });
    if (path == comparison.paths.end())
        return add_text(tr("No older report has a kernel that is surely this one."));
    const OpenFile& older = document_.result().comparison->older[path->first_run];
    add_text(tr("Since %1: %2.").arg(to_qt(older.name()), to_qt(change_text(path->whole))));
    for (const std::string& note :
         change_notes(comparison.first_run_of(*path), comparison.last_run_of(*path), path->whole))
        add_faint_text(to_qt(note));
}

void KernelPanel::show_move() {
    const MovedKernel* moved = document_.result().what_if->effect.moved_kernel(*document_.selection());
    if (!moved) return;
    const auto& before = moved->model.measured.time;
    const auto& after = moved->state.time;
    const QString there =
        to_qt(verdict_words(moved->state, moved->model, document_.analysis()->options.thresholds));
    add_text(
        before && after
            ? tr("The scenario moves this kernel on the chart: %1 instead of %2, %3. Here it is as measured.")
                  .arg(to_qt(format(*after)), to_qt(format(*before)), there)
            : tr("The scenario moves this kernel on the chart: %1. Here it is as measured.").arg(there));
    if (const auto& counted = moved->counted.time; counted && after && *counted != *after)
        add_text(tr("No roof promises all of that: the program counts %1.").arg(to_qt(format(*counted))));
}

void KernelPanel::show_selection(const std::vector<std::uint32_t>& points) {
    const Analysis& analysis = *document_.analysis();
    const SelectionSum sum = sum_points(analysis, points);
    add_title(selection_headline(sum));
    const auto hidden =
        std::ranges::count_if(points, [&](std::uint32_t point) { return !document_.matches(point); });
    if (hidden > 0) add_text(tr("The filter hides %n of them.", nullptr, static_cast<int>(hidden)));
    add_heading(tr("Together"));
    add_table(sum_table(sum, analysis));
    add_faint_text(tr("A sum is shown only where every selected kernel was measured."));
    add_heading(tr("Kernels"));
    add_table(selection_table(analysis, points));
}

void KernelPanel::show_missing(const KernelPoint& point) {
    const std::vector<MissingQuantity> missing =
        missing_quantities(*document_.profile(), point, *document_.analysis());
    if (missing.empty()) return;
    if (const std::string why = why_not_collectable(*document_.profile(), &point, *document_.analysis());
        !why.empty()) {
        QStringList names;
        for (const MissingQuantity& quantity : missing)
            names.append(to_qt(quantity.quantity));
        return add_faint_text(tr("Not measured: %1. %2").arg(names.join(QStringLiteral(", ")), to_qt(why)));
    }
    add_heading(tr("Not measured"));
    for (const MissingQuantity& quantity : missing) {
        const std::string elsewhere = counted_elsewhere(quantity);
        add_text(to_qt(quantity.quantity + (elsewhere.empty() ? "" : "; " + elsewhere)));
        QStringList metrics;
        for (const std::string& metric : quantity.metrics)
            metrics.append(to_qt(metric));
        add_faint_text(metrics.join(QStringLiteral(", ")));
    }
    show_command(&point, tr("This command collects what is missing:"));
}

void KernelPanel::show_what_measures_the_rest() {
    const Analysis& analysis = *document_.analysis();
    const std::vector<Notice> roofless = devices_without_ceilings(*document_.profile(), analysis);
    if (std::ranges::any_of(analysis.points, lacks_only_a_ceiling)) {
        add_heading(tr("Roof not known"));
        if (roofless.empty())
            add_text(
                tr("Some kernels have time, work and bytes, but no roof: a ceiling of their device is "
                   "missing. Type it into the Ceilings panel."));
    }
    for (const Notice& device : roofless)
        add_text(to_qt(to_line(device)));
    const bool complete = std::ranges::none_of(class_shares(analysis), [](const ClassShare& share) {
        return (share.kernel_class == KernelClass::not_measured && share.without_roof < share.kernels) ||
               share.kernel_class == KernelClass::work_incomplete;
    });
    if (complete) return;
    add_heading(tr("Not measured"));
    add_text(tr("Some kernels lack time, work or bytes."));
    show_command(nullptr, tr("This command collects what a report can hold:"));
}

void KernelPanel::show_command(const KernelPoint* point, const QString& heading) {
    const Analysis& analysis = *document_.analysis();
    if (const std::string why = why_nothing_was_counted(*document_.profile(), analysis); !why.empty())
        add_text(to_qt(why));
    const std::string why_not = why_not_collectable(*document_.profile(), point, analysis);
    add_text(why_not.empty() ? heading : to_qt(why_not));
    if (why_not.empty())
        add_command(to_qt(ncu_command(*document_.profile(), point, analysis.options, analysis)));
}

void KernelPanel::show_session() {
    add_title(session_headline(*document_.analysis()));
    add_heading(tr("Where the time goes"));
    add_table(class_table(*document_.analysis()));
    add_faint_text(tr("Select a kernel in the table or on the chart, or press . for the longest."));
    show_what_measures_the_rest();
    add_heading(tr("Devices"));
    add_table(device_table(*document_.profile()));
    add_heading(tr("Files"));
    add_table(file_table(*document_.profile()));
    const QStringList warnings = profile_warnings(*document_.profile(), most_warnings);
    if (!warnings.isEmpty()) add_heading(tr("Warnings"));
    for (const QString& warning : warnings)
        add_text(warning);
}

}  // namespace roofwalk
