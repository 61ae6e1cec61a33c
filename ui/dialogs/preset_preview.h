// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/scenario/presets.h"
#include "core/workspace/workspace_result.h"

namespace roofwalk {

class Document;

/// A move that is not made yet, without its key, and the row that it is of.
struct OfferedMove {
    std::uint32_t point = 0;  ///< index into Analysis::points
    Move move;
};

/// The selected kernels of a document, or without any the first of its ranking, as they are when a person
/// asks what a change would be worth.
class PresetPreview {
  public:
    /// Absent where no kernel is shown.
    [[nodiscard]] static std::optional<PresetPreview> of(const Document& document);
    /// The kernel of a move as those before it leave it.
    [[nodiscard]] static PresetPreview before(const Document& document, const ScenarioStep& step);

    /// The foremost of the selected kernels.
    [[nodiscard]] const KernelPoint& kernel() const;
    [[nodiscard]] std::size_t chosen() const { return chosen_.size(); }
    /// What a preset makes of the foremost kernel, or of every selected one for fusion. The error says why it
    /// cannot be applied.
    [[nodiscard]] Result<std::vector<OfferedMove>> moves(const Preset& preset,
                                                         std::optional<double> parameter) const;
    /// Why a preset cannot be applied, whatever its number, or promises nothing with its usual one.
    [[nodiscard]] Result<void> fits(const Preset& preset) const;
    /// The moves as a scenario has them: each with the key of its kernel.
    [[nodiscard]] std::vector<Move> with_keys(const std::vector<OfferedMove>& moves) const;
    /// What the kernels and the program would gain, in lines.
    [[nodiscard]] QStringList gains(const std::vector<OfferedMove>& moves) const;

  private:
    PresetPreview() = default;
    [[nodiscard]] PresetSubject subject(std::uint32_t point) const;
    /// What one of the moves makes of its kernel.
    struct OfferedEffect {
        KernelState after;
        std::optional<UnpromisedReason> reason;
        std::optional<Seconds> counted;  ///< what the program counts for the kernel before it
        Seconds saved;                   ///< of the program
    };
    [[nodiscard]] OfferedEffect effect_of(const OfferedMove& offered) const;
    /// An error where none of the moves promises anything.
    [[nodiscard]] Result<void> check_promise(const Preset& preset,
                                             const std::vector<OfferedMove>& moves) const;

    std::shared_ptr<const Profile> profile_;
    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const WhatIf> what_if_;
    std::uint32_t point_ = 0;
    std::vector<std::uint32_t> chosen_;
};

}  // namespace roofwalk
