// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/notice.h"
#include "core/scenario/scenario_effect.h"

namespace roofwalk {

/// Where a preset sends a dot.
enum class PresetAxis : std::uint8_t {
    right,       ///< fewer bytes for the same work
    up,          ///< the same HBM and L2 bytes in less time, below whichever roof binds
    up_memory,   ///< the same below a memory roof
    up_compute,  ///< the same below a compute roof
    both,
    in_place,  ///< less work and fewer bytes alike: only the time falls
};

/// "right", "up", "up, memory side", "up, compute side", "both", "in place".
[[nodiscard]] std::string_view label_of(PresetAxis axis);

/// The one number of a preset.
struct PresetParameter {
    std::string_view name;        ///< "reuse"
    std::string_view meaning;     ///< "how often a loaded element is used instead of loaded again"
    std::optional<double> usual;  ///< absent: found from the profile
    double least = 0;
    double most = 0;
    bool in_bytes = false;      ///< an amount of bytes, else a bare number
    bool of_operation = false;  ///< told by the operation of a kernel, and assumed without one

    /// "4", "0.85", "1.20 GB".
    [[nodiscard]] std::string format(double value) const;
};

/// A kernel that a preset may be applied to.
struct PresetSubject {
    const Profile& profile;
    const Analysis& analysis;
    std::uint32_t point = 0;                 ///< index into Analysis::points
    KernelModel model;                       ///< of that point
    KernelState state;                       ///< what earlier moves left of it
    std::optional<Intensity> algorithmic;    ///< at HBM, where the kernel is bound to an operation
    std::span<const std::uint32_t> chosen;   ///< all the points chosen together, for fusion
    std::span<const MovedKernel> moved{};    ///< what earlier moves changed, by point
    Audience audience = Audience::commands;  ///< who is told why a preset does not apply

    [[nodiscard]] const KernelPoint& kernel() const;
    /// What earlier moves did to a point.
    [[nodiscard]] const AppliedPresets& applied(std::uint32_t of_point) const;
};

/// As measured and by itself.
[[nodiscard]] PresetSubject preset_subject(const Profile& profile, const Analysis& analysis,
                                           std::uint32_t point);
/// As a scenario leaves it; `effect` is what it makes of the analysis, and outlives the subject.
[[nodiscard]] PresetSubject preset_subject(const Profile& profile, const Analysis& analysis,
                                           std::uint32_t point, const ScenarioEffect& effect);

/// A known way to make a kernel faster, as a rule that turns into a move.
struct Preset {
    std::string_view id;     ///< "coalesce": stable, in files and commands
    std::string_view label;  ///< "Coalesce loads and stores"
    PresetAxis axis = PresetAxis::right;
    std::optional<PresetParameter> parameter;
    std::string_view assumption;  ///< what must hold for it to come true, for with_memory_name()
    /// Amounts and rule of the move; an error says why the preset cannot be applied to the kernel and what to
    /// do about it.
    Result<Move> (*move)(const PresetSubject& subject, std::optional<double> parameter) = nullptr;
    bool for_all_chosen = false;  ///< every kernel chosen together gets the move, and it is the same for each
};

[[nodiscard]] std::span<const Preset> presets();
/// Null when there is none.
[[nodiscard]] const Preset* find_preset(std::string_view id);

/// What a preset makes of a kernel, with name and assumption but without the key, for which every row has to
/// be looked at. Without a parameter the usual one is taken. The error is of code bad_argument.
[[nodiscard]] Result<Move> preset_change(const Preset& preset, const PresetSubject& subject,
                                         std::optional<double> parameter = {});

}  // namespace roofwalk
