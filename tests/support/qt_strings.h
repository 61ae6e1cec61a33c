// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <string>

/// Lets QCOMPARE print std::string.
namespace QTest {
template <>
inline char* toString(const std::string& text) {
    return qstrdup(text.c_str());
}
}  // namespace QTest
