// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/measured_facts.h"

#include "core/base/text.h"
#include "core/devices/ceiling_comparison.h"
#include "ui/panels/fact_words.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

/// "3.20 T", without its unit; "-" where it is not known.
QString number(const std::optional<double>& rate) {
    return rate ? to_qt(format_si(*rate, "")).trimmed() : QStringLiteral("-");
}

/// How it was measured: clock, repetitions, spread, per cycle and SM, operands.
QString measured_words(const CeilingComparison& row) {
    const MeasuredRate& rate = row.measured;
    QString words = to_qt(rate.shape);
    const auto add = [&](const QString& part) { words += (words.isEmpty() ? "" : "; ") + part; };
    if (rate.clock) add(tr("SM clock held %1").arg(to_qt(format(*rate.clock))));
    add(tr("best of %1, spread %2").arg(rate.repetitions).arg(to_qt(format_percent(rate.spread))));
    if (rate.rate_per_cycle_and_sm)
        add(tr("%1 per cycle and SM").arg(to_qt(format_number(*rate.rate_per_cycle_and_sm, 4))));
    if (!rate.operands.empty()) add(tr("operands %1").arg(to_qt(rate.operands)));
    for (const std::string& reason : rate.throttled)
        add(tr("clock held down by: %1").arg(to_qt(reason)));
    return words;
}

QString theory_words(const CeilingComparison& row) {
    if (!row.theoretical) return tr("no theory: %1").arg(to_qt(row.theory_missing));
    QString words = tr("%1; at the boost clock").arg(to_qt(row.theory_source));
    if (row.theoretical_held)
        words += tr("; %1 at the clock held").arg(to_qt(rate_like(row.measured, row.theoretical_held)));
    if (const auto share = row.share_of_theory())
        words += tr("; measured: %1 of it").arg(to_qt(format_percent(*share)));
    return words;
}

QString published_words(const CeilingComparison& row) {
    return row.published ? tr("the maker's figure in Roofwalk's table of GPUs, dense") : QString();
}

}  // namespace

FactTable measured_facts(const MeasuredCeilings& measured) {
    FactTable table;
    table.headers = {QString(), tr("measured"), tr("theory"), tr("published")};
    const std::vector<CeilingComparison> rows = compare_ceilings(measured);
    for (const RateUnit unit :
         {RateUnit::byte_per_second, RateUnit::flop_per_second, RateUnit::op_per_second}) {
        bool first = true;
        for (const CeilingComparison& row : rows) {
            if (row.measured.unit != unit) continue;
            // A unit stands once over its numbers: in each cell it would not leave room for them.
            if (first) table.rows.append({{{to_qt(label_of(unit))}, {}, {}, {}}});
            first = false;
            const QString name = to_qt(name_of(row.measured));
            table.rows.append({{{name, row.roof ? tr("%1: a roof of the chart").arg(name) : name},
                                {number(row.measured.rate), measured_words(row)},
                                {number(row.theoretical), theory_words(row)},
                                {number(row.published), published_words(row)}},
                               row.roof});
        }
    }
    return table;
}

}  // namespace roofwalk
