// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "core/import/json/json_reader_check.h"
#include "core/report/json_text.h"
#include "core/workspace/session.h"

/// The parts of a session file that have files of their own here.
namespace roofwalk {

inline constexpr std::string_view session_format = "roofwalk-session";
inline constexpr int session_version = 1;

/// By ColourBy.
inline constexpr std::array<std::string_view, 3> colour_by_ids{"class", "precision", "kernel"};
/// By RuleSubject.
inline constexpr std::array<std::string_view, 2> rule_subject_ids{"kernel", "nvtx"};

void write_view(JsonText& json, const SessionView& view);
[[nodiscard]] bool read_view(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& target);

void write_bindings(JsonText& json, const Bindings& bindings, std::string_view further);
[[nodiscard]] bool read_bindings(JsonElement value, const JsonPath& at, JsonChecker& check,
                                 WorkspaceSpec& target);

/// Those that differ from what is usual.
void write_thresholds(JsonText& json, const AdviceThresholds& thresholds, std::string_view further);
[[nodiscard]] bool read_thresholds(JsonElement value, const JsonPath& at, JsonChecker& check,
                                   WorkspaceSpec& target);

}  // namespace roofwalk
