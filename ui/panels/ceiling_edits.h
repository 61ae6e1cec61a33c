// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/chart/scene/scene.h"
#include "core/roofline/analysis.h"

/// Changes to options that a person makes on the ceilings, as functions of values.
namespace roofwalk {

/// Puts, replaces or (without a rate) removes a typed ceiling.
void set_override(CeilingSet& overrides, const CeilingTarget& target, const std::optional<double>& rate);
/// The typed rate of a target, if any.
[[nodiscard]] std::optional<double> override_of(const CeilingSet& overrides, const CeilingTarget& target);

/// Shows or hides the roof of a pipe. A scene shows the pipes that kernels use unless told otherwise.
void show_pipe(SceneOptions& options, Pipe pipe, bool shown);
/// Whether the scene draws the roof of this pipe.
[[nodiscard]] bool shows_pipe(const Scene& scene, Pipe pipe);

}  // namespace roofwalk
