// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/filter_field.h"

#include <QCoreApplication>

namespace roofwalk {

namespace {

QString field_tr(const char* text) {
    return QCoreApplication::translate("FilterField", text);
}

FilterField number_field(const char* name, const QString& meaning, FilterUnit unit,
                         std::function<std::optional<double>(const KernelPoint&)> value) {
    return {QString::fromLatin1(name), meaning, unit, std::move(value), {}};
}

FilterField text_field(const char* name, const QString& meaning,
                       std::function<std::optional<std::string>(const KernelPoint&)> value) {
    return {QString::fromLatin1(name), meaning, FilterUnit::text, {}, std::move(value)};
}

FilterField intensity_field(const char* name, MemoryLevel level) {
    return number_field(name, field_tr("arithmetic intensity at %1").arg(QLatin1String(label_of(level))),
                        FilterUnit::number, [level](const KernelPoint& point) -> std::optional<double> {
                            const auto& at = point.at(level);
                            if (!at || !at->intensity) return std::nullopt;
                            return at->intensity->value();
                        });
}

QList<FilterField> make_fields() {
    return {
        text_field("name", field_tr("name of the kernel"), [](const KernelPoint& p) { return p.name; }),
        text_field("class", field_tr("such as memory-bound"),
                   [](const KernelPoint& p) { return std::string(class_name(p)); }),
        text_field("bound", field_tr("binding ceiling, such as HBM"),
                   [](const KernelPoint& p) -> std::optional<std::string> {
                       if (!p.binding) return std::nullopt;
                       return label_of(*p.binding);
                   }),
        number_field("time", field_tr("time, as in 5ms, or its share, as in 5%"), FilterUnit::time,
                     [](const KernelPoint& p) -> std::optional<double> {
                         if (!p.time) return std::nullopt;
                         return p.time->value();
                     }),
        number_field("gap", field_tr("vertical gap"), FilterUnit::number,
                     [](const KernelPoint& p) -> std::optional<double> {
                         if (!p.gap) return std::nullopt;
                         return p.gap->factor;
                     }),
        number_field("roof", field_tr("share of the roof that is reached"), FilterUnit::percent,
                     [](const KernelPoint& p) -> std::optional<double> {
                         if (!p.gap) return std::nullopt;
                         return p.gap->efficiency() * 100;
                     }),
        number_field("perf", field_tr("performance, as in 1.2T"), FilterUnit::rate,
                     [](const KernelPoint& p) -> std::optional<double> {
                         if (!p.performance) return std::nullopt;
                         return p.performance->value();
                     }),
        intensity_field("ai", MemoryLevel::hbm),
        intensity_field("ai.l2", MemoryLevel::l2),
        intensity_field("ai.l1", MemoryLevel::l1),
        intensity_field("ai.smem", MemoryLevel::smem),
        number_field("launches", field_tr("number of launches"), FilterUnit::number,
                     [](const KernelPoint& p) { return std::optional<double>(p.launches); }),
        number_field("failed", field_tr("launches that could not be measured"), FilterUnit::number,
                     [](const KernelPoint& p) { return std::optional<double>(p.failed); }),
    };
}

}  // namespace

const QList<FilterField>& filter_fields() {
    static const QList<FilterField> fields = make_fields();
    return fields;
}

const FilterField* find_filter_field(const QString& name) {
    const bool other_word = name.compare(QLatin1String("verdict"), Qt::CaseInsensitive) == 0;
    const QString meant = other_word ? QStringLiteral("class") : name;
    for (const FilterField& field : filter_fields())
        if (field.name.compare(meant, Qt::CaseInsensitive) == 0) return &field;
    return nullptr;
}

QString filter_field_names() {
    QStringList names;
    for (const FilterField& field : filter_fields())
        names.append(field.name);
    return names.join(QStringLiteral(", "));
}

}  // namespace roofwalk
