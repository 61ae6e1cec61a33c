// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/kernel_facts.h"

#include <QFileInfo>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/model/launch_numbers.h"
#include "ui/panels/fact_words.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

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

namespace {

std::span<const LaunchIndex> launches_of(const Analysis& analysis, const KernelPoint& point) {
    return analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
}

QString text_of(Dim3 size) {
    return QStringLiteral("%1 × %2 × %3").arg(size.x).arg(size.y).arg(size.z);
}

}  // namespace

const Launch& leading_launch(const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const auto launches = launches_of(analysis, point);
    const auto measured =
        std::ranges::find_if(launches, [&](LaunchIndex index) { return !profile.at(index).failed; });
    return profile.at(measured != launches.end() ? *measured : launches.front());
}

FactTable launch_table(const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const Launch& launch = leading_launch(profile, analysis, point);
    const Device& device = profile.device_of(launch);
    const SourceInfo& source = profile.at(launch.source);
    FactTable table{.wide_column = 1};
    const auto add = [&](const QString& name, const QString& value, const QString& tooltip = {}) {
        if (!value.isEmpty()) table.rows.append({{{name, {}}, {value, tooltip}}});
    };
    QString launches = to_qt(format_count(point.launches));
    if (point.failed > 0) launches = tr("%1, %2 not measured").arg(launches).arg(point.failed);
    add(tr("Launches"), launches);
    if (point.launches == 1)
        add(tr("Launch number"),
            QString::number(LaunchNumbers(profile).of(launches_of(analysis, point).front())),
            tr("In the order of its file, from 0."));
    add(tr("Grid"), text_of(launch.grid));
    add(tr("Block"), text_of(launch.block));
    add(tr("Device"), to_qt(device.name));
    if (launch.clocks_locked) add(tr("Clocks"), *launch.clocks_locked ? tr("locked") : tr("not locked"));
    QStringList ranges;
    for (const std::string& range : profile.nvtx_of(launch))
        ranges.append(to_qt(range));
    add(tr("NVTX"), ranges.join(QStringLiteral(" / ")));
    if (launch.stream != 0) add(tr("Stream"), QString::number(launch.stream));
    add(tr("File"), QFileInfo(to_qt(source.path)).fileName(), to_qt(source.path));
    add(tr("Written by"), to_qt(source.tool));
    return table;
}

FactTable metrics_table(const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const Launch& launch = leading_launch(profile, analysis, point);
    std::vector<MetricSample> metrics = launch.metrics;
    std::ranges::sort(metrics, {},
                      [&](const MetricSample& sample) { return profile.texts.view(sample.name); });
    FactTable table;
    for (const MetricSample& sample : metrics)
        table.rows.append(
            {{{to_qt(profile.texts.view(sample.name))}, {to_qt(format_number(sample.value, 5))}}});
    return table;
}

QStringList warnings_of(const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                        qsizetype most) {
    std::vector<LaunchIndex> launches(launches_of(analysis, point).begin(),
                                      launches_of(analysis, point).end());
    std::ranges::sort(launches);
    QStringList warnings;
    for (const Warning& warning : profile.warnings) {
        if (warnings.size() == most) break;
        if (concerns(warning, launches)) warnings.append(to_qt(to_line(warning.message)));
    }
    warnings.removeDuplicates();
    return warnings;
}

}  // namespace roofwalk
