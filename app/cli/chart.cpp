// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/chart_size.h"
#include "app/cli/compare_options.h"
#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/exit_code.h"
#include "app/cli/missing_hint.h"
#include "app/cli/name_pattern.h"
#include "app/cli/output.h"
#include "app/cli/scenario_file.h"
#include "app/cli/verb.h"
#include "app/cli/view_options.h"
#include "app/cli/whole_number.h"
#include "core/chart/scene/scene_comparison.h"
#include "core/chart/scene/scene_measured_roof.h"
#include "core/chart/scene/scene_other_roofs.h"
#include "core/chart/svg/svg_writer.h"
#include "core/scenario/moved_analysis.h"
#include "core/scenario/scenario_json.h"
#include "core/scenario/scenario_report.h"

namespace roofwalk::cli {

namespace {

struct ChartOptions {
    ViewOptions view;
    std::optional<std::uint32_t> gaps;  ///< absent as the next one: as a session says, else what is usual
    std::optional<std::uint32_t> labels;
    bool practical = false;
    bool no_practical = false;
    bool no_theory = false;
    bool no_measured_roof = false;
    std::string title;
    std::string theme = "print";
    std::string size = "900x600";
    std::string select;
    std::string roofs_of;
    std::string scenario;
    bool measured = false;
    std::string output;
    std::vector<std::string> other_roofs;
    std::vector<std::string> baselines;
    std::optional<std::uint32_t> arrows;
    std::optional<double> noise;  ///< [%]
};

Theme theme_from(const std::string& name) {
    if (name == "light") return Theme::light;
    return name == "dark" ? Theme::dark : Theme::print;
}

/// The matching kernel with the largest share of time.
std::optional<std::uint32_t> longest_matching(const Analysis& analysis, const NamePattern& pattern) {
    std::optional<std::uint32_t> best;
    const std::vector<bool> matching = pattern.matching(analysis.points);
    for (std::uint32_t i = 0; i < matching.size(); ++i)
        if (matching[i] && (!best || analysis.points[i].time_share > analysis.points[*best].time_share))
            best = i;
    return best;
}

/// The first device with a dot, else with time, whose name holds `name`, whatever the case.
std::optional<DeviceIndex> device_named(const Viewed& viewed, const std::string& name) {
    for (const ModelCeilings& model : viewed.analysis.models) {
        const std::string device =
            model_name(viewed.profile, viewed.profile.devices[static_cast<std::size_t>(model.device)]);
        const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
        if (std::search(device.begin(), device.end(), name.begin(), name.end(), same) != device.end())
            return model.device;
    }
    return std::nullopt;
}

std::string device_names(const Viewed& viewed) {
    std::string names;
    for (const ModelCeilings& model : viewed.analysis.models)
        names += (names.empty() ? "" : "; ") +
                 model_name(viewed.profile, viewed.profile.devices[static_cast<std::size_t>(model.device)]);
    return names;
}

/// Whether the older reports of a session are drawn, as the window does.
bool draws_older_of_session(const NamedFiles& files, const ChartOptions& options) {
    return !files.session.baselines.empty() && options.baselines.empty() && options.scenario.empty() &&
           !options.measured;
}

/// The older reports of the session, looked at as its own are. Without them the chart is still of use.
std::vector<Viewed> older_of_session(Viewed& newest, const Result<std::vector<NamedReport>>& named,
                                     const ViewOptions& options) {
    auto older = named.and_then(
        [&](const std::vector<NamedReport>& reports) { return read_baselines(newest, options, reports); });
    if (older) return *std::move(older);
    say_warning(to_line(older.error()) + " No arrows are drawn.");
    return {};
}

/// The older reports that arrows come from, oldest first, and then the one that is drawn.
Result<std::vector<Viewed>> read_to_draw(const ChartOptions& options) {
    Result<NamedFiles> files = open_sessions(options.view.files);
    if (!files) return tl::unexpected(files.error());
    std::optional<Result<std::vector<NamedReport>>> of_session;
    if (draws_older_of_session(*files, options)) of_session = take_baselines(*files);
    AnalysisOptions how = analysis_options(options.view, files->session);
    Result<Viewed> newest = read_and_analyse(options.view, *std::move(files), std::move(how));
    if (!newest) return tl::unexpected(newest.error());
    Result<std::vector<Viewed>> reports = of_session
                                              ? older_of_session(*newest, *of_session, options.view)
                                              : read_each_like(*newest, options.view, options.baselines);
    return std::move(reports).map([&](std::vector<Viewed> list) {
        list.push_back(*std::move(newest));
        return list;
    });
}

/// GPUs of the built-in table, drawn for comparison.
Result<std::vector<OtherDevice>> other_devices(const std::vector<std::string>& names) {
    std::vector<OtherDevice> list;
    for (const std::string& name : names) {
        const Result<const Device*> device = named_device(name, "--other-roofs");
        if (!device) return tl::unexpected(device.error());
        list.push_back({(*device)->name, resolve_ceilings(**device, nullptr, ClockBasis::boost, {})});
    }
    return list;
}

/// How a session has the chart drawn, but for what is typed.
Result<SceneOptions> scene_options(const Viewed& viewed, const ChartOptions& options,
                                   const NamePattern& select) {
    SceneOptions scene = viewed.files.session.view.scene;
    scene.theme = theme_from(options.theme);
    scene.levels = viewed.analysis.options.levels;
    scene.gaps = options.gaps.value_or(scene.gaps);
    scene.labelled = options.labels.value_or(scene.labelled);
    scene.practical_roofs = options.practical || (scene.practical_roofs && !options.no_practical);
    scene.theory_roofs = scene.theory_roofs && !options.no_theory;
    scene.measured_roof = scene.measured_roof && !options.no_measured_roof;
    scene.title = options.title;
    if (!options.select.empty()) {
        scene.selected = longest_matching(viewed.analysis, select);
        if (!scene.selected)
            return tl::unexpected(Error{ErrorCode::bad_argument, "No kernel matches " + options.select,
                                        "--select", "roofwalk-cli report lists the kernels."});
    }
    const std::string& of_session = viewed.files.session.view.roofs_of;
    const std::string& roofs_of = options.roofs_of.empty() ? of_session : options.roofs_of;
    if (!roofs_of.empty()) scene.roofs_of = device_named(viewed, roofs_of);
    if (!options.roofs_of.empty() && !scene.roofs_of)
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    "No device with kernels is named " + options.roofs_of, "--roofs-of",
                                    "The devices are " + device_names(viewed) + "."});
    return scene;
}

/// As typed, else as the session says.
ComparisonView comparison_view(const Viewed& viewed, const ChartOptions& options) {
    ComparisonView view = viewed.files.session.view.comparison;
    view.arrows = options.arrows.value_or(view.arrows);
    if (options.noise) view.noise = *options.noise / 100;
    return view;
}

std::string file_name_of(const Viewed& report) {
    const std::vector<NamedReport>& files = report.files.reports;
    const std::string& session = report.files.session_file;
    if (session.empty() && files.empty()) return {};
    return std::filesystem::path(session.empty() ? files.front().file : session).filename().string();
}

/// The roofs as they were measured on the device whose roofs are drawn.
void add_measured(Scene& scene, const Viewed& viewed, const Analysis& drawn) {
    if (const auto device = board_in_use(viewed.profile, drawn, scene.options))
        if (const MeasuredCeilings* own =
                measured_for(viewed.profile.devices[static_cast<std::size_t>(*device)], viewed.measured))
            add_measured_roof(scene, drawn, *own);
}

PageSize page_size(const ChartOptions& options) {
    return chart_size(options.size).value_or(PageSize{});
}

/// The kernels where the moves of a scenario bring them.
Analysis moved_by(const ViewedScenario& walk, const Viewed& viewed, SceneOptions& look) {
    Analysis moved = moved_analysis(viewed.analysis, walk.effect);
    look.levels = moved.options.levels;  // L1 too where it binds after the moves
    return moved;
}

/// `reports`: the last is drawn, with arrows from those before it.
std::string svg_of(const std::vector<Viewed>& reports, SceneOptions look,
                   const std::vector<OtherDevice>& others, const std::optional<ViewedScenario>& walk,
                   const ChartOptions& options) {
    const Viewed& newest = reports.back();
    std::optional<Analysis> moved;
    if (walk) moved = moved_by(*walk, newest, look);
    const Analysis& analysis = moved ? *moved : newest.analysis;
    Scene scene = build_scene(newest.profile, analysis, look);
    add_measured(scene, newest, analysis);
    add_other_roofs(scene, analysis, others);
    if (walk) add_ghosts(scene, newest.analysis, analysis, scenario_sentence(walk->scenario, walk->effect));
    if (reports.size() > 1) {
        const ComparisonView view = comparison_view(newest, options);
        const std::size_t without = scene.paths.size();
        add_comparison(scene, compare_runs(views_of(reports), {.noise = view.noise}),
                       {.arrows = view.arrows, .baseline = file_name_of(reports.front())});
        if (options.baselines.empty() && scene.paths.size() > without)
            say("Arrows come from the older reports of " + newest.files.session_file +
                "; --measured leaves them out.");
    }
    return to_svg(scene, analysis, page_size(options), walk ? to_json(walk->scenario) : std::string());
}

/// The moves to draw: those of the scenario that is named, else of the session, as the window shows it.
Result<std::optional<ViewedScenario>> moves_to_draw(const Viewed& viewed, const ChartOptions& options) {
    if (!options.scenario.empty())
        return view_scenario(options.scenario, viewed).map([](ViewedScenario walk) {
            return std::optional(std::move(walk));
        });
    if (!options.baselines.empty()) say_moves_left_out(viewed.files, "the arrows are of what was measured");
    if (options.measured || !options.baselines.empty() || moves_on(viewed.files.session.scenario) == 0)
        return std::nullopt;
    ViewedScenario walk = made_on(viewed.files.session.scenario, viewed);
    if (walk.effect.steps.empty()) return std::nullopt;
    say("The moves of " + viewed.files.session_file + " are drawn; --measured leaves them out.");
    return walk;
}

Result<std::string> drawn(const ChartOptions& options) {
    const Result<NamePattern> pattern = NamePattern::compile(options.select);
    if (!pattern) return tl::unexpected(pattern.error());
    const auto others = other_devices(options.other_roofs);
    if (!others) return tl::unexpected(others.error());
    const Result<std::vector<Viewed>> reports = read_to_draw(options);
    if (!reports) return tl::unexpected(reports.error());

    const Viewed& newest = reports->back();
    const Result<SceneOptions> scene = scene_options(newest, options, *pattern);
    if (!scene) return tl::unexpected(scene.error());
    say_missing(newest.profile, newest.analysis);
    const auto walk = moves_to_draw(newest, options);
    if (!walk) return tl::unexpected(walk.error());
    return svg_of(*reports, *scene, *others, *walk, options);
}

int chart(const ChartOptions& options) {
    const Result<void> written =
        drawn(options).and_then([&](const std::string& svg) { return write_output(options.output, svg); });
    if (written) return exit_done;
    say_error(written.error());
    return exit_code_of(written.error().code);
}

}  // namespace

void add_chart(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("chart", "Draw the roofline chart as SVG");
    const auto options = std::make_shared<ChartOptions>();
    add_view_options(*verb, options->view);
    verb->add_option("-o,--output", options->output, "SVG file to write, - for stdout")
        ->type_name("FILE")
        ->required()
        ->check(svg_target);
    verb->add_option("--theme", options->theme, "colours")
        ->check(CLI::IsMember({"print", "light", "dark"}))
        ->capture_default_str();
    verb->add_option("--size", options->size, "width and height in pixels")
        ->type_name("WxH")
        ->check(chart_size_check)
        ->capture_default_str();
    verb->add_option("--select", options->select,
                     "highlight the longest kernel whose name matches REGEX, with its gap and binding roof")
        ->type_name("REGEX");
    verb->add_option("--roofs-of", options->roofs_of,
                     "draw the roofs of the device whose name holds NAME; without it, of the selected "
                     "kernel's or the busiest device")
        ->type_name("NAME");
    verb->add_option("--other-roofs", options->other_roofs,
                     "draw the roofs of a GPU of the built-in table too, at its boost clock; may be given "
                     "several times")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    verb->add_option("--gaps", options->gaps, "draw the gaps of the N longest kernels")
        ->type_name("N")
        ->check(whole_number(0, most_drawn))
        ->default_str(std::to_string(SceneOptions{}.gaps));
    verb->add_option("--labels", options->labels, "name the N longest kernels")
        ->type_name("N")
        ->check(whole_number(0, most_drawn))
        ->default_str(std::to_string(SceneOptions{}.labelled));
    verb->add_option(
            "--scenario", options->scenario,
            "draw the kernels where the moves of a scenario bring them, with arrows from where they were "
            "measured; of a session its own moves are drawn without it")
        ->type_name("FILE");
    verb->add_flag("--measured", options->measured,
                   "draw what was measured, whatever moves and older reports a session holds")
        ->excludes("--scenario");
    verb->add_option("--baseline", options->baselines,
                     "draw arrows from the places of the kernels in an older report; given several times, "
                     "oldest first, the way over all of them; of a session its own are drawn without it")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->excludes("--scenario");
    verb->add_option("--arrows", options->arrows, "draw arrows of the N longest kernels that changed")
        ->type_name("N")
        ->check(whole_number(0, most_drawn))
        ->default_str(std::to_string(ComparisonSceneOptions{}.arrows));
    add_noise_option(*verb, options->noise);
    verb->add_flag("--practical", options->practical,
                   "draw what good kernels reach beside each roof that was not measured");
    verb->add_flag("--no-practical", options->no_practical, "do not, whatever a session says")
        ->excludes("--practical");
    verb->add_flag("--no-theory", options->no_theory,
                   "do not draw what theory says beside each roof that was measured on the device");
    verb->add_flag("--no-measured-roof", options->no_measured_roof,
                   "do not draw the round roof that was measured on the device beside the straight ones");
    verb->add_option("--title", options->title, "title above the chart");
    verb->callback([options, &status] { status = chart(*options); });
}

}  // namespace roofwalk::cli
