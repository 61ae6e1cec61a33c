// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/console.h"
#include "app/cli/input_text.h"
#include "app/cli/output.h"
#include "core/model/kernel_name.h"
#include "core/scenario/scenario_json.h"
#include "core/workspace/session_json.h"

namespace roofwalk::cli {

namespace {

constexpr std::size_t moves_said = 20;
constexpr std::size_t name_length = 60;

/// What to do when no move could be made.
std::string cure_for(const WhatIf& what_if) {
    for (const UnusedMove& unused : what_if.effect.unused)
        if (unused.match == KeyMatch::other_grouping)
            return fmt::format("--group {} groups the rows as its moves have them.",
                               id_of(what_if.scenario.moves[unused.move].kernel.group_by));
    return "Name the report that it was made for; roofwalk-cli report lists the kernels of this one.";
}

}  // namespace

void say_unused_moves(const WhatIf& what_if) {
    const auto& unused = what_if.effect.unused;
    for (std::size_t i = 0; i < std::min(unused.size(), moves_said); ++i) {
        const Move& move = what_if.scenario.moves[unused[i].move];
        const std::string name = shorten_kernel_name(move.kernel.name, name_length);
        const std::string cure = unused[i].match == KeyMatch::other_grouping
                                     ? fmt::format(" (--group {})", id_of(move.kernel.group_by))
                                     : std::string();
        say_warning(
            fmt::format("move {} ({}) is not made: {}{}", unused[i].move + 1, name, unused[i].why, cure));
    }
    if (unused.size() > moves_said)
        say_warning(fmt::format("{} further moves are not made", unused.size() - moves_said));
}

Result<Scenario> read_scenario_file(const std::string& file) {
    const Result<InputText> input = InputText::read(file);
    if (!input) return tl::unexpected(input.error());
    const bool in_session = looks_like_session(input->text());
    Result<Scenario> scenario = in_session ? read_session(input->text(), file).map([](WorkspaceSpec session) {
        return std::move(session.scenario);
    })
                                           : read_scenario(input->text(), file);
    if (!in_session) let_output_replace(file);  // one that is gone on with: --add-to FILE -o FILE
    if (scenario)
        for (const Notice& member : members_without_effect(*scenario, file, in_session ? "scenario." : ""))
            say_warning(to_line(member));
    return scenario;
}

std::size_t moves_on(const Scenario& scenario) {
    return static_cast<std::size_t>(std::ranges::count(scenario.moves, true, &Move::on));
}

void say_moves_left_out(const NamedFiles& files, std::string_view instead) {
    const std::size_t moves = moves_on(files.session.scenario);
    if (moves == 0) return;
    say(fmt::format("{} of {} {} left out: {}.", moves == 1 ? "1 move" : fmt::format("{} moves", moves),
                    files.session_file, moves == 1 ? "is" : "are", instead));
}

Result<void> check_made(const WhatIf& what_if, const std::string& file) {
    if (!what_if.effect.steps.empty() || what_if.effect.unused.empty()) return {};
    return tl::unexpected(
        Error{ErrorCode::bad_argument, "No move of the scenario could be made", file, cure_for(what_if)});
}

}  // namespace roofwalk::cli
