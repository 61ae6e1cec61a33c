// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks of a document: options, operations, moves, comparisons and the filter.
#include "ui/workspace/document.h"

#include <utility>

#include "ui/widgets/qt_text.h"

namespace roofwalk {

Document::Document(QObject* parent) : QObject(parent) {
    scene_options_.levels = analysis_options_.levels;
    for (Job* job : {&load_, &analyse_, &scene_})
        connect(job, &Job::failed, this, &Document::failed);
    connect(&analyse_, &Job::failed, this, &Document::keep_old_picture);
    connect(&scene_, &Job::failed, this, [this] {
        if (scene_stale_) build_scene_again();
    });
}

void Document::set_analysis_options(const AnalysisOptions& options) {
    analysis_options_ = options;
    scene_options_.levels = options.levels;
    ++revision_;
    emit options_changed();
    if (!empty()) analyse_again();
}

void Document::set_measured_use(MeasuredUse use) {
    if (use == measured_use_) return;
    measured_use_ = std::move(use);
    const bool analyses = lacks_measured() || analyse_.running() || !baselines_.empty();
    if (analyses) ++revision_;
    emit options_changed();
    if (analyses) analyse_again();
}

const Device* Document::drawn_device() const {
    if (empty()) return nullptr;
    SceneOptions options = scene_options_;
    options.selected = roofwalk::drawn_selection(*picture_.analysis, options, picture_.matches);
    const auto device = board_in_use(*profile_, *picture_.analysis, options);
    return device ? &profile_->devices[static_cast<std::size_t>(*device)] : nullptr;
}

const MeasuredCeilings* Document::measured_of_drawn() const {
    const Device* device = drawn_device();
    return device != nullptr ? measured_for(*device, measured_use_) : nullptr;
}

void Document::set_bindings(const Bindings& bindings) {
    bindings_ = bindings;
    ++revision_;
    emit options_changed();
    if (!empty()) analyse_again();
}

void Document::set_scenario(const Scenario& scenario) {
    scenario_ = scenario;
    ask_for(parts_.what_if);
}

void Document::set_baselines(std::vector<OpenFile> baselines) {
    baselines_ = std::move(baselines);
    ask_for(parts_.compared);
}

void Document::set_comparison_view(const ComparisonView& view) {
    if (view == comparison_view_) return;
    const bool compares_otherwise = view.noise != comparison_view_.noise;
    comparison_view_ = view;
    if (compares_otherwise) return ask_for(parts_.compared);
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_other_device(const Device* device) {
    other_device_ = device;
    ask_for(parts_.elsewhere);
}

void Document::ask_for(Part& part) {
    part.asked = ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_scene_options(const SceneOptions& options) {
    SceneOptions before = std::exchange(scene_options_, options);
    scene_options_.selected = before.selected;
    scene_options_.also_selected = std::move(before.also_selected);
    scene_options_.levels = analysis_options_.levels;
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::set_filter(const QString& text) {
    filter_text_ = text;
    Result<KernelFilter> filter = parse_kernel_filter(text);
    filter_fault_ = filter ? QString() : to_qt(to_line(filter.error()));
    if (filter) {
        filter_ = std::move(*filter);
        parts_.matches.asked = ++revision_;
        scene_.cancel();  // what it matches, it matches against an older filter
        build_scene_again();
    }
    emit filter_changed();
}

void Document::set_advice_thresholds(const AdviceThresholds& thresholds) {
    if (thresholds == advice_thresholds_) return;
    advice_thresholds_ = thresholds;
    emit advice_thresholds_changed();
}

void Document::set_notes(const QString& notes) {
    if (notes == notes_) return;
    notes_ = notes;
    emit notes_changed();
}

}  // namespace roofwalk
