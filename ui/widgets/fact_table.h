// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/text_page.h"

class QWidget;

namespace roofwalk {

/// The table as labels that a person can select and a screen reader can read.
[[nodiscard]] QWidget* make_fact_grid(const FactTable& table, QWidget* parent);

}  // namespace roofwalk
