// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/report/text_page.h"
#include "core/workspace/workspace_result.h"

namespace roofwalk {

/// How far a person got with an item of a checklist.
enum class ItemState : std::uint8_t { to_do, done, cannot };

struct ChecklistItem {
    std::string title;
    ItemState state = ItemState::cannot;
    std::string figure;       ///< what is known, or why it is not
    std::string action = {};  ///< what does it: a command or a panel of the window, by its name; may be empty
    std::string button = {};  ///< what stands on its button
};

/// Its title with its state, what is known, and a button.
void add(TextPage& page, const ChecklistItem& item);

/// The way from a report to a better kernel: collect, place, which roof, vertical gap, horizontal gap, move
/// and check; for what is open, perhaps nothing, and the kernel that is selected.
[[nodiscard]] std::array<ChecklistItem, 6> six_steps(const WorkspaceResult& result,
                                                     std::optional<std::uint32_t> selected);
[[nodiscard]] TextPage six_steps_page(const WorkspaceResult& result, std::optional<std::uint32_t> selected);

}  // namespace roofwalk
