// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "core/chart/layout.h"
#include "core/chart/scene.h"
#include "ui/chart/dot_field.h"

class QPainter;

namespace roofwalk {

/// The unit in brackets at the end of an axis title: "FLOP/s" of "Performance [FLOP/s]".
[[nodiscard]] std::string unit_of(const std::string& title);

/// The rails at the bottom and right edges, each with a caption, when a dot stands on them.
void paint_rails(QPainter& painter, const Scene& scene, const DotField& field, const View& view);

}  // namespace roofwalk
