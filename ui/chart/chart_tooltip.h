// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <string>

class QWidget;

namespace roofwalk {

/// Shows words below and right of a place of a widget, as they are: a template argument is no tag, and long
/// lines wrap.
void show_tooltip(QWidget& widget, QPointF place, const std::string& words);

}  // namespace roofwalk
