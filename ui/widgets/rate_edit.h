// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QString>
#include <optional>
#include <string_view>

namespace roofwalk {

/// A rate as a person types it: "1.94 TB/s", "312T", "1940 GB/s". Absent when it is no positive, finite rate
/// of this unit.
[[nodiscard]] std::optional<double> parse_rate(const QString& text, std::string_view base);

/// A field for a rate with its unit ("1.94 TB/s"). Empty means the known value, which stands there faint. A
/// fault is marked, told and not handed on; it stays until the person mends it.
class RateEdit : public QLineEdit {
    Q_OBJECT

  public:
    RateEdit(const QString& unit, const QString& name, QWidget* parent = nullptr);

    /// `known` is what holds without a typed rate; `typed` is the person's own.
    void show_rates(const QString& known, const std::optional<double>& typed);

  signals:
    /// A person finished: a positive rate, or nothing to go back to the known one.
    void rate_typed(std::optional<double> rate);
    /// What is wrong with the text; empty when nothing is.
    void fault_changed(const QString& fault);

  private:
    void read();
    void mark(bool valid);
    void tell(const QString& fault);

    QString unit_;
};

}  // namespace roofwalk
