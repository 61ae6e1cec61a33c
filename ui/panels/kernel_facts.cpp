// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/kernel_facts.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("KernelFacts", text);
}

QString absent() {
    return QStringLiteral("–");
}

template <class Q, class... Rest>
QString text_or_absent(const std::optional<Q>& quantity, const Rest&... rest) {
    return quantity ? to_qt(format(*quantity, rest...)) : absent();
}

QString rate_note(const CeilingSet* ceilings, const CeilingTarget& target) {
    if (ceilings == nullptr) return {};
    const auto ceiling = ceilings->find(target);
    return ceiling ? to_qt(describe(*ceiling->provenance)) : QString();
}

FactRow bound_row(const KernelPoint& point, const CeilingTarget& target, const QString& amount,
                  const QString& rate, const std::optional<Seconds>& bound) {
    QString share = absent();
    if (bound && point.time && point.time->value() > 0)
        share = to_qt(format_percent(bound->value() / point.time->value()));
    const QString note = rate_note(point.ceilings.get(), target);
    // The amount takes two lines anyway: a name of two words then takes no wider column.
    const QString name = to_qt(label_of(target)).replace(' ', '\n');
    return {{{name, note}, {tr("%1\nat %2").arg(amount, rate), note}, {text_or_absent(bound)}, {share}},
            point.binding == target};
}

bool counts(OperationClass operations, Pipe pipe) {
    if (operations == OperationClass::all) return true;
    return counts_integers(pipe) == (operations == OperationClass::integer);
}

}  // namespace

QString idle_pipes(const KernelPoint& point, OperationClass operations) {
    QStringList idle;
    for (const PipeLoad& load : point.pipes)
        if (counts(operations, load.pipe) && load.work.value() == 0) idle.append(to_qt(label_of(load.pipe)));
    return idle.isEmpty() ? QString() : tr("No work: %1").arg(idle.join(QStringLiteral(", ")));
}

FactTable bounds_table(const KernelPoint& point, OperationClass operations) {
    FactTable table{.headers = {tr("Ceiling"), tr("Amount"), tr("Least\ntime"), tr("of time")}};
    for (const PipeLoad& load : point.pipes) {
        if (!counts(operations, load.pipe) || load.work.value() == 0) continue;
        const bool integer = counts_integers(load.pipe);
        const std::string unit = integer ? "OP" : "FLOP";
        table.rows.append(bound_row(point, load.pipe, to_qt(at_least(point, format(load.work, unit))),
                                    text_or_absent(load.ceiling, unit + "/s"), load.bound));
    }
    for (const auto& level : point.levels) {
        if (!level) continue;
        table.rows.append(bound_row(point, level->boundary, to_qt(format(level->bytes)),
                                    text_or_absent(level->ceiling), level->bound));
    }
    return table;
}

FactTable levels_table(const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const QString unit = to_qt(work_unit(analysis.options.operations));
    const Launch& launch = leading_launch(profile, analysis, point);
    FactTable table{.headers = {tr("Level"), tr("Bytes"), tr("AI\n[%1/byte]").arg(unit), tr("Reached")}};
    for (const auto& level : point.levels) {
        if (!level) continue;
        const TrafficSample* sample = launch.find(level->boundary);
        QString note = tr("%1: %2").arg(to_qt(id_of(level->boundary)), to_qt(describe(level->boundary)));
        if (sample != nullptr && sample->source != TextId::none)
            note += tr("\nFrom %1").arg(to_qt(profile.texts.view(sample->source)));
        QString intensity = absent();
        if (point.work == Flops(0) && !point.uncounted.any())
            intensity = tr("no %1").arg(unit);
        else if (level->intensity)
            intensity = to_qt(at_least(point, format_number(level->intensity->value())));
        QString reached = absent();
        if (level->bound && point.time && point.time->value() > 0)
            reached = to_qt(format_percent(level->bound->value() / point.time->value()));
        table.rows.append({{{to_qt(id_of(level->boundary)), note},
                            {to_qt(format(level->bytes)), note},
                            {intensity},
                            {reached}},
                           point.binding == CeilingTarget(level->boundary)});
    }
    return table;
}

FactTable spread_table(const KernelPoint& point, OperationClass operations) {
    FactTable table{.headers = {QString(), tr("lowest"), tr("median"), tr("highest")}};
    const std::string unit(work_unit(operations));
    const auto number = [&](double value) { return to_qt(at_least(point, format_number(value))); };
    const auto rate = [&](double value) {
        return to_qt(at_least(point, format(FlopRate(value), unit + "/s")));
    };
    if (const auto& spread = point.performance_spread)
        table.rows.append({{{tr("P"), tr("Performance")},
                            {rate(spread->min)},
                            {rate(spread->median)},
                            {rate(spread->max)}}});
    if (const auto& spread = point.intensity_spread)
        table.rows.append({{{tr("AI"), tr("Arithmetic intensity at HBM [%1/byte]").arg(to_qt(unit))},
                            {number(spread->min)},
                            {number(spread->median)},
                            {number(spread->max)}}});
    if (table.rows.isEmpty()) table.headers.clear();
    return table;
}

}  // namespace roofwalk
