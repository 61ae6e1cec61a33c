// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/waterfall.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/scenario/move_words.h"

namespace roofwalk {

std::vector<WaterfallBar> waterfall(const Scenario& scenario, const ScenarioEffect& effect) {
    std::vector<WaterfallBar> bars;
    if (effect.steps.empty()) return bars;
    bars.push_back({"as measured", {}, {}, effect.before.time});
    Seconds time = effect.before.time;
    for (const ScenarioStep& step : effect.steps) {
        const Move& move = scenario.moves[step.move];
        bars.push_back(
            {title_of(move), move.kernel.name, time, step.program.time, step.unpromised.has_value()});
        time = step.program.time;
    }
    const std::size_t made = effect.steps.size();
    bars.push_back({fmt::format("after {} move{}", made, made == 1 ? "" : "s"), {}, {}, effect.after.time});
    return bars;
}

std::string bar_label(const WaterfallBar& bar) {
    constexpr std::size_t longest = 24;
    return bar.is_step() ? shorten_kernel_name(bar.kernel, longest) + ": " + bar.title : bar.title;
}

std::string amount_words(const WaterfallBar& bar) {
    if (!bar.is_step()) return format(bar.to);
    if (bar.promises_nothing) return "promises nothing";
    if (bar.to == bar.from) return "no gain";
    const bool falls = bar.to < bar.from;
    const Seconds amount = falls ? bar.from - bar.to : bar.to - bar.from;
    return fmt::format("{}{} → {}", falls ? "−" : "+", format(amount), format(bar.to));
}

std::string waterfall_words(const std::vector<WaterfallBar>& bars) {
    std::string words;
    for (const WaterfallBar& bar : bars) {
        if (!words.empty()) words += "; ";
        words += bar.title;
        if (bar.is_step()) words += " of " + bar.kernel;
        words += ": " + amount_words(bar);
    }
    return words;
}

}  // namespace roofwalk
