// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/chart/scene/scene.h"
#include "core/workspace/workspace_result.h"
#include "ui/export/export_request.h"

namespace roofwalk {

/// What an export is made of: values, so that it can be made on the pool.
struct ExportSource {
    WorkspaceResult result;
    SceneOptions scene;  ///< as on screen
};

/// The chart as it will be exported: the scene on screen with the request's theme and title.
[[nodiscard]] std::shared_ptr<const Scene> scene_for(const ExportSource& source,
                                                     const ExportRequest& request);

/// The scenario that a chart shows, for its metadata; empty without one.
[[nodiscard]] std::string drawn_moves(const WhatIf& what_if);

/// A picture of `size` times `pixel_ratio` pixels. Fails when there is not the memory for it.
[[nodiscard]] Result<QImage> draw_chart(const Scene& scene, QSize size, double pixel_ratio);

/// The whole content of the file.
[[nodiscard]] Result<QByteArray> export_bytes(const ExportSource& source, const ExportRequest& request);

}  // namespace roofwalk
