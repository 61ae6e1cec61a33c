// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/selection_facts.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/roofline/summary.h"
#include "ui/panels/fact_words.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

constexpr std::size_t most_rows = 12;
constexpr std::size_t selection_name_chars = 32;

QString absent_row() {
    return QStringLiteral("–");
}

/// Adds a part; a sum that lacks one part is not known.
template <class Q>
void add(std::optional<Q>& sum, const std::optional<Q>& part) {
    if (sum && part)
        *sum += *part;
    else
        sum.reset();
}

}  // namespace

SelectionSum sum_points(const Analysis& analysis, const std::vector<std::uint32_t>& points) {
    SelectionSum sum;
    sum.points = points.size();
    sum.rows = analysis.options.group_by;
    sum.time = Seconds();
    sum.work = Flops();
    std::ranges::fill(sum.bytes, Bytes());
    for (const std::uint32_t index : points) {
        const KernelPoint& point = analysis.points[index];
        sum.launches += point.launches;
        sum.time_share += point.time_share;
        add(sum.time, point.time);
        add(sum.work, point.work);
        sum.work_incomplete = sum.work_incomplete || point.uncounted.any();
        for (const MemoryLevel level : all_levels) {
            const auto& at_level = point.at(level);
            add(sum.bytes[level], at_level ? std::optional(at_level->bytes) : std::nullopt);
        }
    }
    return sum;
}

QString selection_headline(const SelectionSum& sum) {
    const QString count = to_qt(rows_counted(sum.points, sum.rows));
    if (!sum.time) return tr("%1 selected; not all of them have a time.").arg(count);
    return tr("%1 selected: %2, %3 of the time.")
        .arg(count, to_qt(format(*sum.time)), to_qt(format_percent(sum.time_share)));
}

FactTable sum_table(const SelectionSum& sum, const Analysis& analysis) {
    const std::string unit(work_unit(analysis.options.operations));
    FactTable table;
    const auto row = [&](const QString& name, const QString& value, const QString& rest = {}) {
        table.rows.append({{{name}, {value}, {rest}}});
    };
    row(tr("Launches"), to_qt(format_count(static_cast<double>(sum.launches))));
    row(tr("Time"), sum.time ? to_qt(format(*sum.time)) : absent_row(),
        sum.time ? to_qt(format_percent(sum.time_share)) : absent_row());
    const auto from_work = [&](const std::string& number) {
        return (sum.work_incomplete ? QStringLiteral("≥ ") : QString()) + to_qt(number);
    };
    const bool rate_known = sum.work && sum.time && sum.time->value() > 0;
    row(tr("Work"), sum.work ? from_work(format(*sum.work, unit)) : absent_row(),
        rate_known ? from_work(format(*sum.work / *sum.time, unit + "/s")) : QString());
    for (const MemoryLevel level : all_levels) {
        const auto& bytes = sum.bytes[level];
        if (!bytes) continue;
        const bool intensity_known = sum.work && bytes->value() > 0;
        row(to_qt(label_of(level)), to_qt(format(*bytes)),
            !intensity_known ? QString()
            : *sum.work == Flops(0) && !sum.work_incomplete
                ? tr("no %1").arg(to_qt(unit))
                : from_work(format(*sum.work / *bytes, unit + "/byte")));
    }
    return table;
}

FactTable selection_table(const Analysis& analysis, std::vector<std::uint32_t> points) {
    FactTable table{.headers = {tr("Kernel"), tr("Time"), tr("of time")}};
    const std::size_t shown = std::min(points.size(), most_rows);
    const auto share = [&](std::uint32_t index) { return analysis.points[index].time_share; };
    std::ranges::partial_sort(points, points.begin() + static_cast<std::ptrdiff_t>(shown),
                              std::ranges::greater(), share);
    for (std::size_t i = 0; i < shown; ++i) {
        const KernelPoint& point = analysis.points[points[i]];
        table.rows.append({{{to_qt(shorten_kernel_name(point.name, selection_name_chars)), to_qt(point.name)},
                            {point.time ? to_qt(format(*point.time)) : absent_row()},
                            {point.time ? to_qt(format_percent(point.time_share)) : absent_row()}}});
    }
    if (points.size() > shown)
        table.rows.append(
            {{{tr("and %1 more").arg(to_qt(format_count(static_cast<double>(points.size() - shown))))}}});
    return table;
}

}  // namespace roofwalk
