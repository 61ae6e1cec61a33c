// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "profiler/plan/pass_count.h"
#include "profiler/recording/capability_check.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/recording_log.h"

namespace roofwalk::cli {

namespace {

struct PlansText {
    std::string text;
    std::optional<Error> without_passes;  ///< why passes are unknown; absent when they are not
};

Result<std::vector<Chip>> chips_of(const std::vector<std::string>& names) {
    const auto all = planned_chips();
    if (std::ranges::find(names, "all") != names.end()) return std::vector<Chip>(all.begin(), all.end());
    std::vector<Chip> chips;
    for (const std::string& name : names) {
        const Chip* chip = find_chip(name);
        if (chip == nullptr) {
            return unexpected(ErrorCode::bad_argument, "There are no counter plans for a chip '" + name + "'",
                              "--chip", "Known are " + joined(all, ", ", &Chip::name) + "; or all.");
        }
        chips.push_back(*chip);
    }
    return chips;
}

/// The one that the person named, else the first of this machine, that works with the driver and plans.
CuptiChoice chosen_cupti(const std::filesystem::path& named, std::optional<int> driver_cuda) {
    return choose_cupti(named.empty() ? find_cupti_here() : std::vector{std::filesystem::absolute(named)},
                        {.driver_cuda = driver_cuda});
}

std::string letters(const std::vector<PlanKind>& plans) {
    std::string text;
    for (const PlanKind plan : plans) {
        if (!text.empty()) text += '+';
        text += letter_of(plan);
    }
    return text;
}

void add_row(std::string& text, const std::string& plan, std::size_t metrics, const std::string& passes,
             const std::string& gives) {
    text += fmt::format("  {:<6} {:>7} {:>7}  {}\n", plan, metrics, passes, gives);
}

std::string plans_of(const Chip& chip, const std::optional<ChipPasses>& passes) {
    std::string text =
        fmt::format("{}\n  {:<6} {:>7} {:>7}  {}\n", chip.name, "plan", "metrics", "passes", "gives");
    const std::vector<MetricPlan> plans = metric_plans(chip);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        add_row(text, std::string(1, letter_of(plans[i].kind)), plans[i].metrics.size(),
                passes ? std::to_string(passes->alone[i].passes) : "unknown", plans[i].gives);
        if (!plans[i].leaves_out.empty()) text += fmt::format("{:26}not {}\n", "", plans[i].leaves_out);
    }
    if (passes)
        for (const PassCount& count : passes->together)
            add_row(text, letters(count.plans), count.metrics, std::to_string(count.passes),
                    "on one launch, by replay");
    if (chip.family == ChipFamily::volta) text += "  CUDA 13 has no driver for this chip.\n";
    return text;
}

/// The plans of counters of the chips named, or of all where one of the names is "all": how many metrics, how
/// many passes, and what each gives. `cupti` counts the passes.
Result<PlansText> plans_text(const std::vector<std::string>& names, const CuptiChoice& cupti) {
    const auto chips = chips_of(names);
    if (!chips) return tl::unexpected(chips.error());
    PlansText plans;
    if (cupti.library.empty()) {
        plans.without_passes = why_no_cupti(cupti);
        plans.without_passes->what = "Counter passes are unknown: " + plans.without_passes->what;
    }
    CuptiProcess process(cupti.library, [](const CuptiHost& host, const CuptiAnswer& name) {
        const Chip& chip = *find_chip(name.front());
        return count_passes(host, chip).map([&](const ChipPasses& passes) {
            return CuptiAnswer{plans_of(chip, passes)};
        });
    });
    for (const Chip& chip : *chips) {
        plans.text += plans.text.empty() ? "" : "\n";
        auto counted = cupti.library.empty() ? Result<CuptiAnswer>(tl::unexpected(*plans.without_passes))
                                             : process.ask({std::string(chip.name)});
        plans.text += counted ? counted->front() : plans_of(chip, std::nullopt);
        if (!counted && !plans.without_passes) plans.without_passes = std::move(counted).error();
    }
    plans.text +=
        "\nBefore the first pass a launch waits until what was launched before it in its context has ended.\n";
    if (cupti.library.empty()) return plans;
    plans.text += fmt::format("\nPasses are counted by {} (CUDA {}).\n", cupti.library.string(),
                              words_for_cupti(cupti.version));
    for (const Error& other : cupti.passed_over)
        plans.text += fmt::format("Not by {}: {}.\n", other.where, other.what);
    return plans;
}

/// How programs are started so that `attach` can record them later.
std::string agent_text() {
    const std::string agent = installed_agent().string();
    if (agent.empty())
        return fmt::format(
            "{:<15} {:<8} {}\n{:<24} {}\n", "agent", "missing",
            "libroofwalk_agent.so, which records kernels, is not installed beside this program.", "",
            how_to_get_agent());
    return fmt::format(
        "{:<15} {:<8} {}\n{:<24} Programs started with these two variables can be attached to:\n"
        "{:<24} export CUDA_INJECTION64_PATH={}\n{:<24} export NVTX_INJECTION64_PATH={}\n",
        "agent", "ready", agent + ".", "", "", quote_shell_shown(agent), "", quote_shell_shown(agent));
}

std::string log_text() {
    const auto folder = recording_log_folder();
    if (!folder)
        return fmt::format("{:<15} {:<8} {}\n{:<24} {}\n", "log", "missing",
                           "Recordings write no log: neither HOME nor XDG_STATE_HOME names a folder.", "",
                           "Set XDG_STATE_HOME to a folder.");
    const auto last = last_recording_log();
    return fmt::format("{:<15} {:<8} {}\n", "log", "ready",
                       last ? "The log of the last recording is " + last->string() + "."
                            : "Recordings write a log each into " + folder->string() + ".");
}

int check(const std::filesystem::path& cupti) {
    const auto findings = findings_here(chosen_cupti(cupti, cuda_version_of_driver()));
    std::string text;
    for (const CapabilityFinding& finding : findings) {
        text += fmt::format("{:<15} {:<8} {}\n", finding.subject, word_for(finding.readiness), finding.what);
        if (!finding.hint.empty()) text += fmt::format("{:<24} {}\n", "", finding.hint);
    }
    text += agent_text();
    text += log_text();
    if (const auto written = write_words("-", text); !written) return exit_unreadable;
    return installed_agent().empty() ||
                   std::ranges::any_of(findings,
                                       [](const CapabilityFinding& finding) {
                                           return finding.readiness == Readiness::missing;
                                       })
               ? exit_no_profiling
               : exit_done;
}

int check_chips(const std::vector<std::string>& chips, const std::filesystem::path& cupti) {
    const auto plans = plans_text(chips, chosen_cupti(cupti, {}));
    if (!plans) {
        return fail(plans.error());
    }
    if (const auto written = write_words("-", plans->text); !written) return exit_unreadable;
    if (!plans->without_passes) return exit_done;
    say_error(*plans->without_passes);
    return exit_no_profiling;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand(
        "check", "Tell whether kernels can be profiled on this machine, and what is missing");
    const auto chips = std::make_shared<std::vector<std::string>>();
    verb->add_option(
            "--chip", *chips,
            "print the plans of counters of a chip, such as GH100, and their passes; all for every chip")
        ->type_name("NAME")
        ->delimiter(',');
    const auto cupti = std::make_shared<std::filesystem::path>();
    verb->add_option("--cupti", *cupti, "the library libcupti.so.13 or 12 to use")->type_name("FILE");
    verb->callback(
        [chips, cupti, &status] { status = chips->empty() ? check(*cupti) : check_chips(*chips, *cupti); });
}

}  // namespace roofwalk::cli
