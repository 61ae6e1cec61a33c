// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <string>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// What the right side of a comparison must be.
enum class FilterUnit : std::uint8_t {
    number,   ///< a bare number
    percent,  ///< a number, with or without "%"
    time,     ///< "5ms", or a share of the whole: "5%"
    rate,     ///< FLOP/s with a prefix: "1.2T", "900 GFLOP/s"
    text,
};

/// Something of a kernel that a filter can name.
struct FilterField {
    QString name;
    QString meaning;  ///< for the help text
    FilterUnit unit = FilterUnit::number;
    std::function<std::optional<double>(const KernelPoint&)> number;
    std::function<std::optional<std::string>(const KernelPoint&)> text;
};

[[nodiscard]] const QList<FilterField>& filter_fields();
/// "verdict" is another word for "class". Null when there is no such field.
[[nodiscard]] const FilterField* find_filter_field(const QString& name);
/// "name, class, time, ...".
[[nodiscard]] QString filter_field_names();

}  // namespace roofwalk
