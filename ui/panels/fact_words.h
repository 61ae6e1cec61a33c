// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace roofwalk {

/// Words of the tables of facts, in the language of the person.
inline QString tr(const char* text) {
    return QCoreApplication::translate("Facts", text);
}

}  // namespace roofwalk
