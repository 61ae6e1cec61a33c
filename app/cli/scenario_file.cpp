// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/console.h"
#include "app/cli/session_file.h"
#include "core/import/mapped_file.h"
#include "core/model/kernel_name.h"
#include "core/scenario/scenario_json.h"

namespace roofwalk::cli {

namespace {

constexpr std::size_t moves_said = 20;
constexpr std::size_t name_length = 60;

void say_unused(const ViewedScenario& viewed) {
    const auto& unused = viewed.effect.unused;
    for (std::size_t i = 0; i < std::min(unused.size(), moves_said); ++i) {
        const Move& move = viewed.scenario.moves[unused[i].move];
        const std::string name = shorten_kernel_name(move.kernel.name, name_length);
        say_warning(fmt::format("move {} ({}) is not made: {}", unused[i].move + 1, name, unused[i].why));
    }
    if (unused.size() > moves_said)
        say_warning(fmt::format("{} further moves are not made", unused.size() - moves_said));
}

Result<Scenario> read_file(const std::string& file) {
    Result<std::optional<Session>> session = session_in(file);
    if (!session) return tl::unexpected(session.error());
    if (*session) return std::move((*session)->scenario);
    const Result<MappedFile> text = MappedFile::open(file);
    if (!text) return tl::unexpected(text.error());
    const std::string_view characters(reinterpret_cast<const char*>(text->bytes().data()),
                                      text->bytes().size());  // NOLINT: bytes seen as characters
    return read_scenario(characters, file);
}

}  // namespace

Result<ViewedScenario> open_scenario(const std::string& file, const Viewed& viewed) {
    Result<Scenario> scenario = read_file(file);
    if (!scenario) return tl::unexpected(scenario.error());
    ScenarioEffect effect = effect_of(*scenario, viewed.profile, viewed.analysis);
    ViewedScenario result{*std::move(scenario), std::move(effect)};
    say_unused(result);
    return result;
}

Result<ViewedScenario> view_scenario(const std::string& file, const Viewed& viewed) {
    Result<ViewedScenario> opened = open_scenario(file, viewed);
    if (opened && opened->effect.steps.empty() && !opened->effect.unused.empty())
        return tl::unexpected(Error{ErrorCode::bad_argument, "No move of the scenario could be made", file,
                                    "It may be of another report, or of rows that are grouped otherwise."});
    return opened;
}

}  // namespace roofwalk::cli
