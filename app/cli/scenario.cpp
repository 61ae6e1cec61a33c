// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/input.h"
#include "app/cli/name_pattern.h"
#include "app/cli/output.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "app/cli/view_arguments.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/roofline/summary.h"
#include "core/scenario/presets.h"
#include "core/scenario/scenario_json.h"
#include "core/scenario/scenario_report.h"
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

/// A preset as a command line names it: "tile" or "tile=4".
struct PresetChoice {
    const Preset* preset = nullptr;
    std::optional<double> parameter;
};

std::string known_presets() {
    return joined(presets(), ", ", &Preset::id);
}

std::string parameter_words(const PresetParameter& parameter) {
    const std::string usual =
        parameter.usual ? parameter.format(*parameter.usual) : std::string("found from the report");
    return fmt::format("  {}: {}; {} to {}, {} when left out\n", parameter.name, parameter.meaning,
                       parameter.format(parameter.least), parameter.format(parameter.most), usual);
}

Result<PresetChoice> read_preset_choice(const std::string& text) {
    const std::size_t sign = text.find('=');
    PresetChoice choice{find_preset(text.substr(0, sign)), std::nullopt};
    if (!choice.preset)
        return unexpected(ErrorCode::bad_argument, "There is no preset '" + text.substr(0, sign) + "'",
                          "--preset", "Known are " + known_presets() + ".");
    if (sign == std::string::npos) return choice;
    choice.parameter = parse_number<double>(std::string_view(text).substr(sign + 1));
    if (!choice.parameter)
        return unexpected(ErrorCode::bad_argument, "'" + text.substr(sign + 1) + "' is not a number",
                          "--preset", "A preset with its parameter is written as in tile=4.");
    return choice;
}

/// Every preset with its axis, parameter and assumption, for people.
std::string list_presets() {
    std::string text;
    for (const Preset& preset : presets()) {
        text += fmt::format("{}: {} ({})\n", preset.id, preset.label, label_of(preset.axis));
        if (preset.parameter) text += parameter_words(*preset.parameter);
        text += fmt::format("  {}\n", with_memory_name(MemoryName::dram, preset.assumption));
    }
    return text;
}

struct ScenarioOptions {
    ViewArguments view;
    std::vector<std::string> presets;
    std::string kernel;
    std::string base;
    std::string name;
    std::string output = "-";
    bool list = false;
};

/// Those that are shown and whose name matches, in file order; the first of their ranking without an
/// expression.
std::vector<std::uint32_t> chosen_points(const WorkspaceResult& result, const std::string& expression,
                                         const NamePattern& pattern) {
    std::vector<std::uint32_t> points;
    if (expression.empty()) {
        points = matching_ranked(result);
        points.resize(std::min<std::size_t>(points.size(), 1));
        return points;
    }
    const std::vector<bool> matching = pattern.matching(result.analysis->points);
    for (std::uint32_t i = 0; i < matching.size(); ++i)
        if (matching[i] && result.matched(i)) points.push_back(i);
    return points;
}

/// Why no kernel is chosen.
Error no_kernel(const WorkspaceResult& result, const std::string& expression, const NamePattern& pattern) {
    const std::vector<bool> matching = pattern.matching(result.analysis->points);
    if (expression.empty() || std::ranges::find(matching, true) != matching.end())
        return {ErrorCode::bad_argument, "The filter hides every kernel that is asked for", "--filter",
                "--filter '' shows every kernel."};
    return {ErrorCode::bad_argument, "No kernel matches " + expression, "--kernel",
            "roofwalk-cli report lists the names."};
}

/// The moves of a preset, and why it makes none of other kernels.
struct PresetMoves {
    std::vector<Move> moves;
    std::vector<Error> refusals;
};

PresetMoves moves_of(const PresetChoice& choice, const AnalysedProfile& measured, const WhatIf& begun,
                     const std::vector<std::uint32_t>& points) {
    PresetMoves made;
    std::vector<std::uint32_t> moved;
    const auto change_of = [&](std::uint32_t point) {
        PresetSubject subject = preset_subject(*measured.profile, *measured.analysis, point, begun.effect);
        subject.chosen = points;
        return preset_change(*choice.preset, subject, choice.parameter);
    };
    if (choice.preset->for_all_chosen) {
        const Result<Move> move = change_of(points.front());
        if (!move) return {{}, {move.error()}};
        made.moves.assign(points.size(), *move);
        moved = points;
    } else {
        for (const std::uint32_t point : points) {
            if (Result<Move> move = change_of(point)) {
                made.moves.push_back(*std::move(move));
                moved.push_back(point);
            } else {
                made.refusals.push_back(move.error());
            }
        }
    }
    std::vector<KernelKey> keys = keys_of(*measured.profile, *measured.analysis, moved);
    for (std::size_t i = 0; i < keys.size(); ++i)
        made.moves[i].kernel = std::move(keys[i]);
    return made;
}

/// Adds the moves of a preset. A kernel that it cannot be applied to is named; when it fits none, the last of
/// them is the error, and what the others are refused for is said where it is another reason.
Result<void> add_moves(WhatIf& made, const PresetChoice& choice, const AnalysedProfile& measured,
                       const std::vector<std::uint32_t>& points) {
    PresetMoves added = moves_of(choice, measured, made, points);
    const bool none = added.moves.empty() && !added.refusals.empty();
    constexpr std::size_t most_said = 20;
    std::size_t said = 0;
    for (const Error& refusal : added.refusals)
        if (!none || refusal.what != added.refusals.back().what)
            if (said++ < most_said) say_warning(to_line(refusal));
    if (said > most_said)
        say_warning(fmt::format("{} cannot be applied to {} more", choice.preset->id,
                                rows_counted(said - most_said, measured.analysis->options.group_by)));
    if (none) return tl::unexpected(added.refusals.back());
    if (!added.moves.empty())
        say(std::string(choice.preset->id) + " assumes: " + added.moves.front().assumption);
    if (made.scenario.moves.size() + added.moves.size() > most_moves)
        return unexpected(ErrorCode::bad_argument,
                          "The scenario would have more than " + format_count(most_moves) + " moves",
                          "--kernel", "Choose fewer kernels, or --group kernel.");
    std::ranges::move(added.moves, std::back_inserter(made.scenario.moves));
    made.effect = effect_of(made.scenario, *measured.profile, *measured.analysis);
    return {};
}

/// What is open, with the moves that come first.
Result<ReportView> begun(const ScenarioOptions& options) {
    return open_sessions(options.view.files).and_then([&](NamedFiles files) -> Result<ReportView> {
        if (options.base.empty()) {
            say_moves_left_out(files,
                               "--add-to " + quote_shell_shown(files.session_file) + " puts them first");
            files.session.scenario = {};
        } else {
            Result<Scenario> base = read_scenario_file(options.base);
            if (!base) return tl::unexpected(base.error());
            files.session.scenario = *std::move(base);
        }
        return read_report_view(options.view, std::move(files));
    });
}

/// A report that is left out gives `exit_code`.
Result<std::string> made(const ScenarioOptions& options, int& exit_code) {
    std::vector<PresetChoice> choices;
    for (const std::string& text : options.presets) {
        const Result<PresetChoice> choice = read_preset_choice(text);
        if (!choice) return tl::unexpected(choice.error());
        choices.push_back(*choice);
    }
    const Result<NamePattern> pattern = NamePattern::compile(options.kernel);
    if (!pattern) return tl::unexpected(pattern.error());
    const Result<ReportView> view = begun(options);
    if (!view) return tl::unexpected(view.error());
    exit_code = view->files.exit_code;
    const WorkspaceResult& result = view->result;
    WhatIf scenario = *result.what_if;
    if (!options.name.empty()) scenario.scenario.name = options.name;

    const auto points = chosen_points(result, options.kernel, *pattern);
    if (points.empty()) return tl::unexpected(no_kernel(result, options.kernel, *pattern));
    if (points.size() > 1)
        say(fmt::format("--kernel {} matches {}: {}.", options.kernel,
                        rows_counted(points.size(), result.analysis->options.group_by),
                        listed_names(*result.analysis, points)));
    for (const PresetChoice& choice : choices)
        if (const auto added = add_moves(scenario, choice, result.measured(), points); !added)
            return tl::unexpected(added.error());
    say(scenario_sentence(scenario.scenario, scenario.effect));
    return to_scenario_file(scenario.scenario, options.output == "-" ? "standard output" : options.output);
}

int scenario(const ScenarioOptions& options) {
    int exit_code = exit_done;
    const auto text = options.list ? Result<std::string>(list_presets()) : made(options, exit_code);
    const auto written =
        text.and_then([&](const std::string& content) { return write_output(options.output, content); });
    return written ? exit_code : fail(written.error());
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
    const Result<MappedFile> input = open_input(file);
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

void say_moves_left_out(const NamedFiles& files, std::string_view instead) {
    const auto moves = std::ranges::count(files.session.scenario.moves, true, &Move::on);
    if (moves == 0) return;
    say(fmt::format("{} of {} {} left out: {}.", moves == 1 ? "1 move" : fmt::format("{} moves", moves),
                    files.session_file, moves == 1 ? "is" : "are", instead));
}

Result<void> check_made(const WhatIf& what_if, const std::string& file) {
    if (!what_if.effect.steps.empty() || what_if.effect.unused.empty()) return {};
    return unexpected(ErrorCode::bad_argument, "No move of the scenario could be made", file,
                      cure_for(what_if));
}

void add_scenario(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("scenario", "Make a what-if scenario from presets");
    const auto options = std::make_shared<ScenarioOptions>();
    add_view_arguments(*verb, options->view);
    add_device_option(*verb, options->view.device);
    verb->get_option("FILE")->required(false);
    repeatable(
        verb->add_option("--preset", options->presets,
                         "what is done to the kernels, as in tile=4; several are done one after another")
            ->type_name("NAME[=NUMBER]"));
    verb->add_option("--kernel", options->kernel,
                     "the kernels with REGEX somewhere in their name; without it, the one that can gain most")
        ->type_name("REGEX");
    verb->add_option("--add-to", options->base, "scenario whose moves come first")->type_name("FILE");
    verb->add_option("--name", options->name, "name of the scenario");
    verb->add_option("-o,--output", options->output, "scenario file to write, - for stdout")
        ->type_name("FILE")
        ->capture_default_str();
    verb->add_flag("--list", options->list, "list the presets with what they assume");
    verb->callback([options, &status] {
        if (!options->list && options->view.files.empty()) throw CLI::RequiredError("FILE");
        if (!options->list && options->presets.empty()) throw CLI::RequiredError("--preset");
        status = scenario(*options);
    });
}

}  // namespace roofwalk::cli
