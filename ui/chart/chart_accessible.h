// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAccessibleInterface;
class QObject;
class QString;

namespace roofwalk {

/// Gives screen readers a RooflineChart whose children are its largest dots, largest first, each named by its
/// title. For QAccessible::installFactory(); null for every other object.
QAccessibleInterface* make_chart_accessible(const QString& class_name, QObject* object);

}  // namespace roofwalk
