// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLabel;

namespace roofwalk {

/// Makes a label a heading: bold, and `scale` times as large as it was.
void make_heading(QLabel& label, double scale = 1);

}  // namespace roofwalk
