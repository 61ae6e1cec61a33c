// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "core/model/profile.h"
#include "core/roofline/analysis.h"
#include "ui/widgets/fact_table.h"

/// What the panel says of the session as a whole.
namespace roofwalk {

[[nodiscard]] QString session_headline(const Analysis& analysis);
/// Classes by share of time.
[[nodiscard]] FactTable class_table(const Analysis& analysis);
[[nodiscard]] FactTable device_table(const Profile& profile);
[[nodiscard]] FactTable file_table(const Profile& profile);
/// Equal warnings once; a last line counts those beyond `most`.
[[nodiscard]] QStringList profile_warnings(const Profile& profile, qsizetype most);

}  // namespace roofwalk
