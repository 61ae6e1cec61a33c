// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/chart/scene/scene.h"

namespace roofwalk {

/// Beside the empty marker of a dragged kernel, as of one that is selected.
inline constexpr std::string_view ghost_name = "as measured";

/// How the arrow of a kernel is drawn that takes so many times less time and moves so many times fewer bytes
/// than measured. By these, not by place: where the work changes too, the place says little.
[[nodiscard]] PathLine line_of_move(double faster, double fewer_bytes);

/// How a dragged kernel is drawn.
struct DraggedLook {
    std::optional<std::uint8_t> colour{};  ///< of its class now; absent where colours tell something else
    std::string class_label{};             ///< beside that
    bool moved = false;                    ///< one of its dots left its measured place
    bool dashed = false;                   ///< by an arrow that is
    bool dotted = false;

    friend bool operator==(const DraggedLook&, const DraggedLook&) = default;
};

/// The legend of a scene with the rows that the dragged kernel needs, in the words of add_ghosts(). The class
/// that it left keeps its row.
[[nodiscard]] std::vector<LegendRow> legend_with_dragged(const Scene& scene, std::uint32_t point,
                                                         const DraggedLook& look);

}  // namespace roofwalk
