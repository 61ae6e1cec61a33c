// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workspace/session.h"

namespace roofwalk {

class Document;
class RooflineChart;

/// What is done with the files of a document, without the files. Members that are not known here are those of
/// `before`.
[[nodiscard]] WorkspaceSpec session_of(const Document& document, const WorkspaceSpec& before);

/// Where the person looks: the selection, and what is seen of the chart's plane.
void add_gaze(SessionView& view, const Document& document, const RooflineChart& chart);

}  // namespace roofwalk
