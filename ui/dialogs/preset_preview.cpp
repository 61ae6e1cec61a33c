// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/preset_preview.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/scenario/move_words.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr std::size_t subject_name_chars = 48;
constexpr double least_saved_by_launches = 0.01;  // of the time of a kernel, where nothing else is promised
constexpr std::size_t kernels_told = 8;           // more than that nobody reads before saying yes

}  // namespace

std::optional<PresetPreview> PresetPreview::of(const Document& document) {
    const bool selected = document.selected_point() != nullptr;
    const std::optional<std::uint32_t> point =
        selected ? document.selection() : next_ranked(document.result(), document.selection(), 1);
    if (!point) return std::nullopt;
    PresetPreview subject;
    subject.profile_ = document.profile();
    subject.analysis_ = document.analysis();
    const bool stale = document.result().what_if->scenario != document.spec().scenario;  // a job is under way
    subject.what_if_ = stale ? make_what_if(document.spec().scenario, *subject.profile_, *subject.analysis_)
                             : document.result().what_if;
    subject.point_ = *point;
    subject.chosen_ = selected ? document.focus().points() : std::vector{*point};
    return subject;
}

PresetPreview PresetPreview::before(const Document& document, const ScenarioStep& step) {
    PresetPreview subject;
    subject.profile_ = document.profile();
    subject.analysis_ = document.analysis();
    Scenario earlier = document.spec().scenario;
    earlier.moves.resize(step.move);
    subject.what_if_ = make_what_if(earlier, *subject.profile_, *subject.analysis_);
    subject.point_ = step.point;
    subject.chosen_ = {step.point};
    return subject;
}

const KernelPoint& PresetPreview::kernel() const {
    return analysis_->points[point_];
}

PresetSubject PresetPreview::subject(std::uint32_t point) const {
    PresetSubject subject = preset_subject(*profile_, *analysis_, point, what_if_->effect);
    subject.chosen = chosen_;
    subject.audience = Audience::window;
    return subject;
}

Result<std::vector<OfferedMove>> PresetPreview::moves(const Preset& preset,
                                                      std::optional<double> parameter) const {
    const Result<Move> move = preset_change(preset, subject(point_), parameter);
    if (!move) return tl::unexpected(move.error());
    std::vector<OfferedMove> offered;
    for (const std::uint32_t point : preset.for_all_chosen ? chosen_ : std::vector{point_})
        offered.push_back({point, *move});
    return offered;
}

Result<void> PresetPreview::fits(const Preset& preset) const {
    const auto usual = moves(preset, std::nullopt);
    if (usual) return check_promise(preset, *usual);
    if (preset.parameter && !preset.parameter->usual) {  // what the profile does not tell, a person may know
        constexpr double decade = 10;
        const PresetSubject foremost = subject(point_);
        for (double number = preset.parameter->least; number <= preset.parameter->most; number *= decade)
            if (preset_change(preset, foremost, number)) return {};
    }
    return tl::unexpected(usual.error());
}

PresetPreview::OfferedEffect PresetPreview::effect_of(const OfferedMove& offered) const {
    const PresetSubject kernel = subject(offered.point);
    const KernelState after = moved(kernel.state, kernel.model, offered.move);
    const auto reason =
        unpromised_reason(offered.move, kernel.model, kernel.state, after, analysis_->options.thresholds);
    const MovedKernel* earlier = what_if_->effect.moved_kernel(offered.point);
    const CountedTime counted = earlier ? earlier->counted : counted_time(kernel.model.measured.time);
    return {after, reason, counted.time,
            saved_time(counted,
                       counted_after_move(counted, offered.move, kernel.model, kernel.state, after, reason))};
}

Result<void> PresetPreview::check_promise(const Preset& preset, const std::vector<OfferedMove>& moves) const {
    std::string why;
    for (const OfferedMove& offered : moves) {
        const OfferedEffect effect = effect_of(offered);
        const PresetSubject kernel = subject(offered.point);
        if (!effect.reason) return {};
        const bool by_launches = saves_launches(kernel.model, kernel.state, effect.after) && effect.counted;
        const double share = by_launches ? effect.saved / *effect.counted : 0;
        if (share > least_saved_by_launches) return {};
        if (!why.empty()) continue;
        why = to_text(*effect.reason, kernel.model, kernel.state, effect.after);
        if (by_launches) why += fmt::format(" Its launches save {} of its time.", format_percent(share));
    }
    const bool blind = preset.parameter && preset.parameter->of_operation && !subject(point_).algorithmic;
    return unexpected(ErrorCode::bad_argument, std::move(why), {},
                      blind ? "It may promise more once the operation of the kernel is named (O)." : "");
}

std::vector<Move> PresetPreview::with_keys(const std::vector<OfferedMove>& moves) const {
    std::vector<std::uint32_t> points;
    for (const OfferedMove& offered : moves)
        points.push_back(offered.point);
    std::vector<KernelKey> keys = keys_of(*profile_, *analysis_, points);
    std::vector<Move> whole;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        whole.push_back(moves[i].move);
        whole.back().kernel = std::move(keys[i]);
    }
    return whole;
}

QStringList PresetPreview::gains(const std::vector<OfferedMove>& moves) const {
    QStringList lines;
    ProgramTotals program = what_if_->effect.after;
    std::size_t told = 0;
    for (const OfferedMove& offered : moves) {
        const PresetSubject kernel = subject(offered.point);
        const OfferedEffect effect = effect_of(offered);
        program = with_change(program, kernel.state, effect.after, effect.saved);
        program.time_doubted |= kernel.model.approximate;
        if (++told > kernels_told) continue;
        if (moves.size() > 1)
            lines.append(to_qt(shorten_kernel_name(kernel.kernel().name, subject_name_chars)) +
                         QLatin1Char(':'));
        for (const std::string& line : gain_words(offered.move, kernel.model, kernel.state, effect.after,
                                                  analysis_->options.thresholds))
            lines.append(to_qt(line));
    }
    if (told > kernels_told)
        lines.append(
            to_qt(fmt::format("and of {} more {}", format_count(static_cast<double>(told - kernels_told)),
                              noun_of(analysis_->options.group_by, told - kernels_told))));
    lines.append(
        to_qt("program " + changed_time_words(what_if_->effect.after.time, program.time,
                                              what_if_->effect.after.time_doubted, program.time_doubted)));
    return lines;
}

}  // namespace roofwalk
