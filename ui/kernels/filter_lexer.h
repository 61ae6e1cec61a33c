// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace roofwalk {

/// One piece of a filter expression.
struct FilterToken {
    enum class Kind : std::uint8_t { word, quoted, number, comparison, open, close, end, unknown };

    Kind kind = Kind::end;
    QString text;       ///< the word, the text between quotes, the operator, or the number as typed
    double number = 0;  ///< of a number, before its unit
    QString unit;       ///< of a number: "%", "ms", "TFLOP/s"; may be empty
    qsizetype at = 0;   ///< character where it starts
};

/// Cuts `text` into tokens; the last one is `end`.
[[nodiscard]] QList<FilterToken> filter_tokens(const QString& text);

}  // namespace roofwalk
