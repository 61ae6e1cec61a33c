// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "core/model/profile.h"
#include "core/roofline/analysis.h"
#include "ui/widgets/fact_table.h"

/// What the panel says of a kernel, as words and small tables.
namespace roofwalk {

/// Every lower bound of the time; the binding one is strong.
[[nodiscard]] FactTable bounds_table(const KernelPoint& point, OperationClass operations);
/// The pipes without work, which bound nothing; empty when there are none.
[[nodiscard]] QString idle_pipes(const KernelPoint& point, OperationClass operations);
/// Bytes, intensity and share of the ceiling at every level.
[[nodiscard]] FactTable levels_table(const Profile& profile, const Analysis& analysis,
                                     const KernelPoint& point);
/// Lowest, middle and highest launch; empty for one launch.
[[nodiscard]] FactTable spread_table(const KernelPoint& point, OperationClass operations);
/// Grid, block, device and the like of the first launch, and what all launches share.
[[nodiscard]] FactTable launch_table(const Profile& profile, const Analysis& analysis,
                                     const KernelPoint& point);
/// Further metrics of the first launch, by name.
[[nodiscard]] FactTable metrics_table(const Profile& profile, const Analysis& analysis,
                                      const KernelPoint& point);
/// Warnings about the launches of a point, at most `most`.
[[nodiscard]] QStringList warnings_of(const Profile& profile, const Analysis& analysis,
                                      const KernelPoint& point, qsizetype most);

/// The first launch that could be measured, else the first.
[[nodiscard]] const Launch& leading_launch(const Profile& profile, const Analysis& analysis,
                                           const KernelPoint& point);

}  // namespace roofwalk
