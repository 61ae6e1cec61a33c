// SPDX-License-Identifier: GPL-3.0-or-later

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/chart/chart_file.h"
#include "app/cli/chart/chart_look.h"
#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/input.h"
#include "app/cli/name_pattern.h"
#include "app/cli/output.h"
#include "app/cli/scenario.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "app/cli/view_arguments.h"
#include "core/base/file_writer.h"
#include "core/base/text.h"
#include "core/chart/svg/svg_writer.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/match_device.h"
#include "core/scenario/scenario_json.h"
#include "core/workspace/html_page.h"
#include "core/workspace/workspace_result.h"

namespace roofwalk::cli {

namespace {

constexpr std::uint32_t usual_numbers = 20;

struct ChartOptions {
    ViewArguments view;
    std::optional<std::uint32_t> gaps;  ///< absent as the next one: as a session says, else what is usual
    std::optional<std::uint32_t> labels;
    bool practical = false;
    bool no_practical = false;
    bool operation_ranges = false;
    bool no_theory = false;
    bool no_measured_roof = false;
    ChartLook look;
    std::vector<std::string> names;     ///< "PATTERN=LABEL"
    std::string colour_by;              ///< empty: as a session says, else the class
    std::optional<std::string> select;  ///< empty: no kernel
    std::string roofs_of;
    std::string scenario;
    bool measured = false;
    std::string output;
    std::vector<std::string> other_roofs;
    std::vector<std::string> baselines;
    std::optional<std::uint32_t> arrows;
    std::optional<double> noise;  ///< [%]
};

/// The shown kernel with the largest share of time whose name matches.
std::optional<std::uint32_t> longest_matching(const WorkspaceResult& result, const NamePattern& pattern) {
    const std::vector<KernelPoint>& points = result.analysis->points;
    std::optional<std::uint32_t> best;
    const std::vector<bool> matching = pattern.matching(points);
    for (std::uint32_t i = 0; i < matching.size(); ++i)
        if (matching[i] && result.matched(i) && (!best || points[i].time_share > points[*best].time_share))
            best = i;
    return best;
}

/// The first device with a dot, else with time, whose name holds `name`, whatever the case.
std::optional<DeviceIndex> device_named(const WorkspaceResult& result, const std::string& name) {
    const Profile& profile = *result.inputs.profile;
    for (const ModelCeilings& model : result.analysis->models) {
        const std::string device = lower_case(model_name(profile, profile.at(model.device)));
        if (device.find(lower_case(name)) != std::string::npos) return model.device;
    }
    return std::nullopt;
}

std::string device_names(const WorkspaceResult& result) {
    const Profile& profile = *result.inputs.profile;
    return joined(result.analysis->models, "; ",
                  [&](const ModelCeilings& model) { return model_name(profile, profile.at(model.device)); });
}

std::string name_rule_check(const std::string& rule) {
    const std::size_t equals = rule.find('=');
    if (equals == std::string::npos || equals + 1 == rule.size()) return "'" + rule + "' is not REGEX=LABEL";
    const Result<NamePattern> pattern = NamePattern::compile(rule.substr(0, equals));
    return pattern ? std::string() : to_line(pattern.error());
}

/// By whole names; the first rule that finds a kernel names it, but for one whose groups are empty.
std::map<std::string, std::string, std::less<>> names_by(const std::vector<std::string>& rules,
                                                         const Analysis& analysis) {
    std::map<std::string, std::string, std::less<>> names;
    for (const std::string& rule : rules) {
        const std::size_t equals = rule.find('=');
        const Result<NamePattern> pattern = NamePattern::compile(rule.substr(0, equals));
        if (!pattern) continue;
        const std::vector<bool> matching = pattern->matching(analysis.points);
        if (std::ranges::find(matching, true) == matching.end())
            say_warning("--names " + rule + " names no kernel");
        for (std::size_t i = 0; i < matching.size(); ++i) {
            const std::string& name = analysis.points[i].name;
            if (!matching[i]) continue;
            if (std::string label = pattern->filled(rule.substr(equals + 1), name); !label.empty())
                names.emplace(name, std::move(label));
        }
    }
    return names;
}

/// GPUs that are drawn for comparison.
Result<std::vector<Device>> other_devices(const std::vector<std::string>& names) {
    std::vector<Device> list;
    for (const std::string& name : names) {
        Result<Device> device = named_device(name, "--other-roofs");
        if (!device) return tl::unexpected(device.error());
        list.push_back(*std::move(device));
    }
    return list;
}

std::vector<ProjectedDevice> projected(const std::vector<Device>& devices) {
    std::vector<ProjectedDevice> list;
    for (const Device& device : devices)
        list.push_back({device.name, resolve_ceilings(device, nullptr, ClockBasis::boost, {})});
    return list;
}

/// What is typed goes before what the session says. Moves and older reports leave no room for each other but
/// where a session holds both.
Result<void> put_typed(const ChartOptions& options, NamedFiles& files) {
    WorkspaceSpec& spec = files.session;
    SceneOptions& scene = spec.view.scene;
    scene.gaps = options.gaps.value_or(scene.gaps);
    scene.labelled = options.labels.value_or(options.look.key.empty() ? scene.labelled : usual_numbers);
    scene.colour_by = enum_from_id<ColourBy>(options.colour_by).value_or(scene.colour_by);
    scene.practical_roofs = options.practical || (scene.practical_roofs && !options.no_practical);
    scene.operation_ranges = scene.operation_ranges || options.operation_ranges;
    scene.theory_roofs = scene.theory_roofs && !options.no_theory;
    scene.measured_roof = scene.measured_roof && !options.no_measured_roof;
    spec.view.comparison.arrows = options.arrows.value_or(spec.view.comparison.arrows);
    if (options.noise) spec.view.comparison.noise = *options.noise / 100;
    if (options.select) spec.view.selection.clear();
    if (!options.other_roofs.empty()) spec.view.other_device.reset();
    if (!options.baselines.empty()) say_moves_left_out(files, "the arrows are of what was measured");
    if (options.measured || !options.baselines.empty()) spec.scenario = {};
    if (options.scenario.empty()) return {};
    Result<Scenario> scenario = read_scenario_file(options.scenario);
    if (!scenario) return tl::unexpected(scenario.error());
    keep_from_output(options.scenario);
    spec.scenario = *std::move(scenario);
    return {};
}

/// Whether the older reports of a session are drawn, as the window does.
bool draws_older_of_session(const NamedFiles& files, const ChartOptions& options) {
    return !files.session.baselines.empty() && options.baselines.empty() && options.scenario.empty() &&
           !options.measured;
}

Result<std::vector<OpenFile>> read_typed_older(ReadReports& read, const ChartOptions& options) {
    std::vector<OpenFile> older;
    for (const std::string& file : options.baselines) {
        Result<OpenFile> one = open_sessions({file}).and_then([&](NamedFiles files) {
            if (!options.view.device.empty()) files.session.view.ran_on = read.files.session.view.ran_on;
            return read_older(options.view, files, read.measured);
        });
        if (!one) return tl::unexpected(one.error());
        older.push_back(*std::move(one));
    }
    return older;
}

/// As the window makes it of the same session.
Result<ReportView> read_to_draw(const ChartOptions& options, const std::vector<Device>& others) {
    Result<NamedFiles> files = open_sessions(options.view.files);
    if (!files) return tl::unexpected(files.error());
    if (const Result<void> typed = put_typed(options, *files); !typed) return tl::unexpected(typed.error());
    std::optional<Result<std::vector<NamedReport>>> of_session;
    if (draws_older_of_session(*files, options)) of_session = take_baselines(*files);
    ViewArguments view = options.view;
    std::optional<Device> ran_on;
    if (!view.device.empty() && (of_session || !options.baselines.empty())) {
        // An older report alone may have run on it.
        const Result<Device> named = named_device(std::exchange(view.device, {}));
        if (!named) return tl::unexpected(named.error());
        files->session.view.ran_on = ran_on = *named;
    }
    Result<ReadReports> read = read_view(view, *std::move(files));
    if (!read) return tl::unexpected(read.error());
    read->memory_beside = others.empty() ? MemoryName::hbm : memory_of(others);
    say_older_left_out(read->files);
    Result<std::vector<OpenFile>> older =
        !of_session ? read_typed_older(*read, options)
                    : of_session->and_then([&](const std::vector<NamedReport>& reports) {
                          return read_older_of_session(options.view, reports, *read);
                      });
    if (!older && !of_session) return tl::unexpected(older.error());
    if (!older) {
        say_warning(to_line(older.error()) + " No arrows are drawn.");
        older.emplace();
    }
    if (ran_on)
        if (const auto known = check_ran_on(*ran_on, *read, *older); !known)
            return tl::unexpected(known.error());
    return view_reports(*std::move(read), view, *std::move(older));
}

/// A scenario that was typed is to be seen.
Result<void> check_seen(const WorkspaceResult& result, const std::string& file) {
    if (auto made = check_made(*result.what_if, file); !made) return made;
    const std::vector<MovedKernel>& kernels = result.what_if->effect.kernels;
    const auto shown = [&](const MovedKernel& kernel) { return result.matched(kernel.point); };
    if (kernels.empty() || std::ranges::any_of(kernels, shown)) return {};
    return unexpected(ErrorCode::bad_argument, "The filter hides every kernel that the scenario moves", file,
                      "--filter '' shows every kernel.");
}

/// Tells what a session brings that nobody typed.
void say_drawn(const ReportView& input, const ChartOptions& options) {
    const WorkspaceResult& result = input.result;
    if (options.scenario.empty() && !result.what_if->effect.steps.empty())
        say("The moves of " + input.files.session_file + " are drawn; --measured leaves them out.");
    const auto changed = [](const KernelPath& path) {
        return path.whole.verdict != ChangeVerdict::unchanged;
    };
    if (options.baselines.empty() && result.comparison && result.inputs.spec.view.comparison.arrows > 0 &&
        std::ranges::any_of(result.comparison->comparison.paths, changed))
        say("Arrows come from the older reports of " + input.files.session_file +
            "; --measured leaves them out.");
    if (input.files.session.view.axes && (options.look.x_range.empty() || options.look.y_range.empty()))
        say("The part of the axes is that of " + input.files.session_file +
            "; --x-range all --y-range all draws all of them.");
}

/// As a session looks at its chart, but for what is typed.
Result<SceneOptions> scene_options(const WorkspaceResult& result, const ChartOptions& options,
                                   const NamePattern& select) {
    const WorkspaceSpec& spec = result.inputs.spec;
    ViewFocus focus = focus_of(spec.view, result.measured());
    if (options.select && !options.select->empty()) {
        focus.selected = longest_matching(result, select);
        if (!focus.selected)
            return unexpected(ErrorCode::bad_argument, "No kernel matches " + *options.select, "--select",
                              "roofwalk-cli report lists the kernels.");
    }
    if (!options.roofs_of.empty()) focus.roofs_of = device_named(result, options.roofs_of);
    if (!options.roofs_of.empty() && !focus.roofs_of)
        return unexpected(ErrorCode::bad_argument, "No device with kernels is named " + options.roofs_of,
                          "--roofs-of", "The devices are " + device_names(result) + ".");
    SceneOptions scene = roofwalk::scene_options(spec, focus, options.look.colours());
    scene.title = options.look.title;
    scene.names = names_by(options.names, *result.analysis);
    scene.numbered = !options.look.key.empty();
    return scene;
}

struct DrawnFigure {
    std::string figure;
    std::string key;  ///< empty: not beside the figure
    int exit_code = exit_done;
};

Result<DrawnFigure> drawn(const ChartOptions& options) {
    const Result<NamePattern> pattern = NamePattern::compile(options.select.value_or(""));
    if (!pattern) return tl::unexpected(pattern.error());
    const auto others = other_devices(options.other_roofs);
    if (!others) return tl::unexpected(others.error());
    const Result<ReportView> input = read_to_draw(options, *others);
    if (!input) return tl::unexpected(input.error());
    const WorkspaceResult& result = input->result;
    const Result<SceneOptions> look = scene_options(result, options, *pattern);
    if (!look) return tl::unexpected(look.error());
    say_missing_of_shown(result);
    if (!options.scenario.empty())
        if (const auto made = check_seen(result, options.scenario); !made)
            return tl::unexpected(made.error());
    say_drawn(*input, options);
    const std::vector<ProjectedDevice> roofs = projected(*others);
    const WhatIf& moves = *result.what_if;
    const std::string told = moves.moved ? to_json(moves.scenario) : std::string();
    const Scene scene = scene_of(result, *look, roofs);
    const std::optional<ChartView>& axes = input->files.session.view.axes;
    if (chart_format(options.output) == ChartFormat::html) {
        ChartLook screen = options.look;
        screen.theme = "light";  // no figure of a paper, unless one is asked for
        const PageSpec page = screen.page(axes);
        say_changed(page, lay_out_page(scene, page));
        return DrawnFigure{to_html(result, *look, roofs, page, told), {}, input->files.exit_code};
    }
    const PageSpec page = options.look.page(axes);
    const PagePlacement laid = lay_out_page(scene, page);
    say_changed(page, laid);
    return DrawnFigure{to_svg(laid, scene, *result.drawn(), told),
                       options.look.key == "latex" ? key_as_latex(scene) : std::string(),
                       input->files.exit_code};
}

/// The key after the figure, and by a name that is not that of a paper with a figure of its own name.
Result<void> write(const ChartOptions& options, DrawnFigure drawn) {
    const std::filesystem::path file = options.output;
    if (suffix_of(options.output).empty() && options.output != "-" && !is_written_into(file))
        say(options.output + " has no suffix, and is an SVG: name it .svg, .pdf, .png or .html.");
    return chart_as(chart_format(options.output), std::move(drawn.figure), options.look)
        .and_then([&](const std::string& figure) { return write_output(options.output, figure); })
        .and_then([&]() -> Result<void> {
            if (drawn.key.empty()) return {};
            return write_output(file.parent_path() / (file.stem().string() + "-key.tex"), drawn.key);
        });
}

int chart(const ChartOptions& options) {
    const Result<int> status = drawn(options).and_then([&](DrawnFigure made) {
        const int exit_code = made.exit_code;
        return write(options, std::move(made)).map([exit_code] { return exit_code; });
    });
    return status ? *status : fail(status.error());
}

void add_names_option(CLI::App& verb, ChartOptions& options) {
    repeatable(
        verb.add_option(
                "--names", options.names,
                "what kernels are called whose names match REGEX, with $1 to $9 for its groups; may be given "
                "several times, the first that matches holds")
            ->type_name("REGEX=LABEL")
            ->check(name_rule_check));
}

void add_key_option(CLI::App& verb, ChartOptions& options) {
    verb.add_option(
            "--key", options.look.key,
            "kernels are numbered as their rows in report, 20 of them without --labels. numbers puts a table of them "
            "below the chart, latex into a -key.tex beside the file")
        ->check(CLI::IsMember({"numbers", "latex"}))
        ->check([&options](const std::string& key) {
            if (key != "latex") return "";
            if (options.output == "-") return "latex needs a file beside which the -key.tex stands";
            return chart_format(options.output) == ChartFormat::html
                       ? "a page for a browser takes no -key.tex"
                       : "";
        });
}

/// Where kernels were, or come to be.
void add_arrow_options(CLI::App& verb, ChartOptions& options) {
    verb.add_option(
            "--scenario", options.scenario,
            "draw the kernels where the moves of a scenario bring them, with arrows from where they were measured. "
            "Of a session its own moves are drawn without it")
        ->type_name("FILE");
    verb.add_flag("--measured", options.measured,
                  "draw what was measured, whatever moves and older reports a session holds")
        ->excludes("--scenario");
    repeatable(
        verb.add_option(
                "--baseline", options.baselines,
                "draw arrows from the places of the kernels in an older report; given several times, oldest "
                "first, the way over all of them. Of a session its own are drawn without it")
            ->type_name("FILE")
            ->excludes("--scenario"));
    verb.add_option("--arrows", options.arrows, "draw arrows of the N longest kernels that changed")
        ->type_name("N")
        ->check(whole_number(0, most_drawn))
        ->default_str(std::to_string(ComparisonSceneOptions{}.arrows));
}

}  // namespace

void add_chart(CLI::App& app, int& status) {
    CLI::App* verb =
        app.add_subcommand("chart", "Draw the roofline chart as SVG, PDF, PNG or a page for a browser");
    const auto options = std::make_shared<ChartOptions>();
    options->view.usual_operations = OperationClass::automatic;
    add_view_arguments(*verb, options->view);
    add_device_option(*verb, options->view.device);
    verb->add_option("-o,--output", options->output,
                     "file to write: .svg, .pdf, .png or .html; - for an SVG on stdout")
        ->type_name("FILE")
        ->required()
        ->check(chart_file_check);
    add_look_options(*verb, options->look,
                     [options] { return chart_format(options->output) == ChartFormat::png; });
    add_names_option(*verb, *options);
    add_key_option(*verb, *options);
    verb->add_option(
            "--colour-by", options->colour_by,
            "what the colour of a dot tells: the class of its kernel, the precision of most of its work, the kernel, "
            "or its report. Of a session its own holds without it")
        ->check(CLI::IsMember({"class", "precision", "kernel", "report"}));
    verb->add_option(
            "--select", options->select,
            "highlight the longest kernel whose name matches REGEX, with its gap and binding roof; of a "
            "session its selection is highlighted without it")
        ->type_name("REGEX");
    verb->add_option("--roofs-of", options->roofs_of,
                     "draw the roofs of the device whose name holds NAME; without it, of the selected "
                     "kernel's or the busiest device")
        ->type_name("NAME");
    repeatable(
        verb->add_option(
                "--other-roofs", options->other_roofs,
                "draw the roofs of a GPU of the built-in table too, at its boost clock; may be given several "
                "times. Of a session its own is drawn without it")
            ->type_name("NAME")
            ->each(print_device_list)
            ->check(device_name_check));
    verb->add_option("--gaps", options->gaps, "draw the gaps of the N kernels with most to recover")
        ->type_name("N")
        ->check(whole_number(0, most_drawn))
        ->default_str(std::to_string(SceneOptions{}.gaps));
    verb->add_option("--labels", options->labels, "name the N kernels with most to recover")
        ->type_name("N")
        ->check(whole_number(0, most_drawn))
        ->default_str(std::to_string(SceneOptions{}.labelled));
    add_arrow_options(*verb, *options);
    add_noise_option(*verb, options->noise);
    verb->add_flag("--practical", options->practical,
                   "draw what good kernels reach beside each roof that was not measured");
    verb->add_flag("--no-practical", options->no_practical, "do not, whatever a session says")
        ->excludes("--practical");
    verb->add_flag("--operation-ranges", options->operation_ranges,
                   "draw where the algorithms of classes of operations usually stand");
    verb->add_flag("--no-theory", options->no_theory,
                   "do not draw what theory says beside each roof that was measured on the device");
    verb->add_flag("--no-measured-roof", options->no_measured_roof,
                   "do not draw the round roof that was measured on the device beside the straight ones");
    verb->callback([options, &status] { status = chart(*options); });
}

}  // namespace roofwalk::cli
