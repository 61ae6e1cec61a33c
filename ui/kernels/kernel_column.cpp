// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/kernel_column.h"

#include <QCoreApplication>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

constexpr std::size_t name_chars = 60;

QString column_tr(const char* text) {
    return QCoreApplication::translate("KernelColumn", text);
}

QString not_measured() {
    return QStringLiteral("–");
}

QString intensity_text(const KernelPoint& point, const AnalysisOptions& options) {
    if (!options.levels[MemoryLevel::hbm]) return column_tr("not shown");
    const auto& hbm = point.at(MemoryLevel::hbm);
    if (!hbm) return not_measured();
    if (point.work == Flops(0) && !point.uncounted.any())
        return column_tr("no %1").arg(to_qt(work_unit(options.operations)));
    if (hbm->bytes.value() == 0) return column_tr("no bytes");
    if (!hbm->intensity) return not_measured();
    return to_qt(
        at_least(point, format(*hbm->intensity, std::string(work_unit(options.operations)) + "/byte")));
}

template <class Q>
std::optional<double> number_of(const std::optional<Q>& quantity) {
    if (!quantity) return std::nullopt;
    return quantity->value();
}

}  // namespace

QString title_of(KernelColumn column) {
    switch (column) {
        case KernelColumn::name:
            return column_tr("Kernel");
        case KernelColumn::time:
            return column_tr("Time");
        case KernelColumn::verdict:
            return column_tr("Class");
        case KernelColumn::gap:
            return column_tr("Gap");
        case KernelColumn::efficiency:
            return column_tr("% of roof");
        case KernelColumn::binding:
            return column_tr("Bound by");
        case KernelColumn::performance:
            return column_tr("Performance");
        case KernelColumn::intensity:
            return column_tr("AI (HBM)");
        case KernelColumn::launches:
            return column_tr("Launches");
    }
    return {};
}

QString meaning_of(KernelColumn column) {
    switch (column) {
        case KernelColumn::name:
            return column_tr("Kernel, launch or NVTX range");
        case KernelColumn::time:
            return column_tr("Time of all its launches; the bar is its share of the whole");
        case KernelColumn::verdict:
            return column_tr("Class of the kernel by the rules of the roofline");
        case KernelColumn::gap:
            return column_tr("Vertical gap: measured time over the least time its ceilings allow");
        case KernelColumn::efficiency:
            return column_tr("Share of the roof that is reached");
        case KernelColumn::binding:
            return column_tr("The ceiling that binds: the largest lower bound of its time");
        case KernelColumn::performance:
            return column_tr("Work over time");
        case KernelColumn::intensity:
            return column_tr("Arithmetic intensity at HBM");
        case KernelColumn::launches:
            return column_tr("How many executions the row stands for");
    }
    return {};
}

QString cell_text(const KernelPoint& point, KernelColumn column, const AnalysisOptions& options) {
    const std::string unit(work_unit(options.operations));
    switch (column) {
        case KernelColumn::name:
            return to_qt(shorten_kernel_name(point.name, name_chars));
        case KernelColumn::time:
            return point.time ? to_qt(format(*point.time)) : not_measured();
        case KernelColumn::verdict:
            return to_qt(class_text(point));
        case KernelColumn::gap:
            return point.gap ? to_qt(format_factor(point.gap->factor)) : not_measured();
        case KernelColumn::efficiency:
            return point.gap ? to_qt(format_percent(point.gap->efficiency())) : not_measured();
        case KernelColumn::binding:
            return point.binding ? to_qt(label_of(*point.binding)) : not_measured();
        case KernelColumn::performance:
            return point.performance ? to_qt(at_least(point, format(*point.performance, unit + "/s")))
                                     : not_measured();
        case KernelColumn::intensity:
            return intensity_text(point, options);
        case KernelColumn::launches:
            return to_qt(format_count(point.launches));
    }
    return {};
}

QString spoken_text(const KernelPoint& point, KernelColumn column, const AnalysisOptions& options) {
    const QString text = cell_text(point, column, options);
    return text == not_measured() ? column_tr("not measured") : text;
}

std::optional<double> sort_number(const KernelPoint& point, KernelColumn column,
                                  const AnalysisOptions& options) {
    switch (column) {
        case KernelColumn::time:
            return number_of(point.time);
        case KernelColumn::gap:
            return point.gap ? std::optional(point.gap->factor) : std::nullopt;
        case KernelColumn::efficiency:
            return point.gap ? std::optional(point.gap->efficiency()) : std::nullopt;
        case KernelColumn::performance:
            return number_of(point.performance);
        case KernelColumn::intensity: {
            const auto& hbm = point.at(MemoryLevel::hbm);
            const bool shown = options.levels[MemoryLevel::hbm];
            return shown && hbm ? number_of(hbm->intensity) : std::nullopt;
        }
        case KernelColumn::launches:
            return point.launches;
        case KernelColumn::verdict:
            return static_cast<double>(point.verdict.kernel_class);
        case KernelColumn::name:
        case KernelColumn::binding:
            break;
    }
    return std::nullopt;
}

bool is_missing(const KernelPoint& point, KernelColumn column, const AnalysisOptions& options) {
    if (column == KernelColumn::binding) return !point.binding;
    return column != KernelColumn::name && !sort_number(point, column, options);
}

bool sorts_by_text(KernelColumn column) {
    return column == KernelColumn::name || column == KernelColumn::binding;
}

}  // namespace roofwalk
