// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include "ui/shell/start_page.h"

namespace roofwalk {

/// The sample profiles that were installed with the program, or lie in the source tree it was built from.
[[nodiscard]] QList<Sample> bundled_samples();
/// The folder of the lessons beside them.
[[nodiscard]] QString lessons_folder();

}  // namespace roofwalk
