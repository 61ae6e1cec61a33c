// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <cmath>

#include "core/operations/op_parser.h"

namespace roofwalk::test {

/// The model of a text that must be right; a wrong one fails the test with its own words.
inline OperationModel modelled(std::string_view text) {
    auto model = model_operation(text);
    if (!model)
        qFatal("%.*s: %s", static_cast<int>(text.size()), text.data(), to_line(model.error()).c_str());
    return *std::move(model);
}

/// Why a text is refused; empty when it is not.
inline std::string refusal(std::string_view text) {
    const auto model = model_operation(text);
    return model ? std::string() : to_line(model.error());
}

inline bool near(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance;
}

}  // namespace roofwalk::test
