// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace roofwalk {

/// The icon of the program in every size it was drawn for; it needs no installed theme.
[[nodiscard]] QIcon program_icon();

}  // namespace roofwalk
