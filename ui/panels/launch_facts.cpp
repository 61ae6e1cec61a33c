// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/model/launch_numbers.h"
#include "ui/panels/kernel_facts.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

QString launch_tr(const char* text) {
    return QCoreApplication::translate("KernelFacts", text);
}

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
    const SourceInfo& source = profile.sources[static_cast<std::size_t>(launch.source)];
    FactTable table{.wide_column = 1};
    const auto add = [&](const QString& name, const QString& value, const QString& tooltip = {}) {
        if (!value.isEmpty()) table.rows.append({{{name, {}}, {value, tooltip}}});
    };
    QString launches = to_qt(format_count(point.launches));
    if (point.failed > 0) launches = launch_tr("%1, %2 not measured").arg(launches).arg(point.failed);
    add(launch_tr("Launches"), launches);
    if (point.launches == 1)
        add(launch_tr("Launch number"),
            QString::number(LaunchNumbers(profile).of(launches_of(analysis, point).front())),
            launch_tr("In the order of its file, from 0."));
    add(launch_tr("Grid"), text_of(launch.grid));
    add(launch_tr("Block"), text_of(launch.block));
    add(launch_tr("Device"), to_qt(device.name));
    if (launch.clocks_locked)
        add(launch_tr("Clocks"), *launch.clocks_locked ? launch_tr("locked") : launch_tr("not locked"));
    QStringList ranges;
    for (const std::string& range : profile.nvtx_of(launch))
        ranges.append(to_qt(range));
    add(launch_tr("NVTX"), ranges.join(QStringLiteral(" / ")));
    if (launch.stream != 0) add(launch_tr("Stream"), QString::number(launch.stream));
    add(launch_tr("File"), QFileInfo(to_qt(source.path)).fileName(), to_qt(source.path));
    add(launch_tr("Written by"), to_qt(source.tool));
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
