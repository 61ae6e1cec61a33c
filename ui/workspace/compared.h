// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/compare/comparison.h"
#include "core/devices/measured_use.h"
#include "ui/workspace/document_loader.h"

namespace roofwalk {

/// What is open beside older reports of the same program. The comparison refers to the other members.
struct Compared {
    std::vector<OpenFile> older;  ///< oldest first
    std::shared_ptr<const Profile> newest;
    std::vector<std::shared_ptr<const Analysis>> analyses;  ///< of the older ones, then of the newest
    Comparison comparison;
};

/// Analyses the older reports as the newest was, each with the ceilings that `measured` gives its own boards.
/// Null when there are none, or when it is cancelled.
[[nodiscard]] std::shared_ptr<const Compared> make_compared(std::vector<OpenFile> older,
                                                            std::shared_ptr<const Profile> newest,
                                                            std::shared_ptr<const Analysis> analysis,
                                                            const MeasuredUse& measured,
                                                            const CompareOptions& options,
                                                            const Progress& progress);

/// The name of a report for people: the last part of its path.
[[nodiscard]] QString name_of(const OpenFile& file);

}  // namespace roofwalk
