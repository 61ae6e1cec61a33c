// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/atlas/atlas_chart.h"
#include "core/report/report_table.h"
#include "core/report/text_page.h"

namespace roofwalk {

/// The operations in rows, one for each and device, for every text export.
[[nodiscard]] ReportTable atlas_table(const Atlas& atlas);
/// For people: the operations on each device, then time, memory and pace of a step, and what was measured.
[[nodiscard]] std::string to_atlas_text(const Atlas& atlas, const AtlasProfile* measured = nullptr);
/// The same of one of its devices, for the window: time of a step, the operations, memory, and the pace by
/// batch. What is the same on every device stands with the first, and the rule of thumb where the page has
/// all the room: of one device, with nothing that was `measured` beside it.
[[nodiscard]] TextPage atlas_page(const Atlas& atlas, std::size_t device, bool measured = false);
/// What measured_places() has in rows: the place of each operation, what its kernels reached, and how far
/// that is from the place.
[[nodiscard]] ReportTable measured_table(const Atlas& atlas, const AtlasProfile& laid);
/// The same for the window.
[[nodiscard]] TextPage measured_page(const Atlas& atlas, const AtlasProfile& laid);
/// For scripts (`resources/schema/atlas.schema.json`), in base units.
[[nodiscard]] std::string to_atlas_json(const Atlas& atlas, const AtlasProfile* measured = nullptr);

}  // namespace roofwalk
