// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a document: it is made on the pool, whole or in parts, and taken over when it is there.
#include <utility>

#include "ui/workspace/document.h"
#include "ui/workspace/selected_points.h"

namespace roofwalk {

PictureOrder Document::picture_order(SceneOptions scene_options) const {
    return {bindings_,     analysis_options_,        measured_use_, scenario_, baselines_, comparison_view_,
            other_device_, std::move(scene_options), filter_};
}

const std::shared_ptr<const Analysis>& Document::drawn_analysis() const {
    return what_if() && what_if()->moved ? what_if()->moved : picture_.analysis;
}

void Document::analyse_again() {
    scene_.drop();
    const bool same_points = picture_.analysis->options.group_by == analysis_options_.group_by;
    SceneOptions scene_options = same_points ? scene_options_ : without_points(scene_options_);
    analyse_.start([profile = profile_, order = picture_order(scene_options)](
                       const Progress& progress) { return make_picture(profile, order, progress); },
                   [this, scene_options, revision = revision_](std::optional<Picture> picture) {
                       if (!picture) return keep_old_picture();
                       take_over(std::move(*picture), profile_, revision, Showing::same_files);
                       if (revision != revision_ || !same_selection(scene_options, scene_options_))
                           build_scene_again();
                   });
}

bool Document::lacks_measured() const {
    return !empty() && measured_sets(*profile_, measured_use_) != picture_.analysis->options.measured;
}

void Document::keep_old_picture() {
    bindings_ = picture_.bindings;
    measured_use_.choice = picture_.measured.choice;
    analysis_options_ = picture_.analysis->options;
    analysis_options_.levels = picture_.scene_options.levels;  // as ordered: without L1 where it only binds
    scene_options_.levels = analysis_options_.levels;
    ++revision_;
    emit options_changed();
    build_scene_again();
}

void Document::take_over(Picture picture, std::shared_ptr<const Profile> profile, std::uint64_t revision,
                         Showing showing) {
    for (Part* part : parts_.all())
        part->made = revision;
    const Picture before = std::exchange(picture_, std::move(picture));
    const std::shared_ptr<const Profile> profile_before = std::exchange(profile_, std::move(profile));
    if (before.analysis && showing != Showing::another_session)
        follow_selection({*profile_before, *before.analysis});
    if (profile_ != profile_before) emit files_changed();
    emit analysis_changed();
    emit what_if_changed();
    emit compared_changed();
    emit elsewhere_changed();
    emit selection_changed();
    const bool same_axes =
        before.analysis && before.analysis->options.operations == picture_.analysis->options.operations;
    emit scene_changed(showing == Showing::same_files && same_axes);
}

void Document::follow_selection(const Analysed& before) {
    const Analysed now{*profile_, *picture_.analysis};
    const bool same_points =
        &now.profile == &before.profile && now.analysis.options.group_by == before.analysis.options.group_by;
    if (!selection() || same_points) return;
    std::vector<std::uint32_t> points{*selection()};
    points.insert(points.end(), scene_options_.also_selected.begin(), scene_options_.also_selected.end());
    const std::vector<std::optional<std::uint32_t>> found = follow_points(before, points, now);
    points.clear();
    for (const std::optional<std::uint32_t> point : found)
        if (point) points.push_back(*point);
    put_selection(points, found.front());
}

void Document::build_scene_again() {
    if (empty() || analyse_.running()) return;  // the analysis under way ends with a scene of its own
    scene_stale_ = scene_.running();
    if (scene_stale_) return;  // nobody would see more scenes than can be built
    scene_.start(
        [profile = profile_, analysis = picture_.analysis, order = picture_order(scene_options_),
         parts = parts_, drawn = Drawn{picture_.matches, picture_.overlays, {}}](
            const Progress& progress) mutable -> std::optional<Drawn> {
            if (parts.matches.stale()) {
                auto matched = matching_points(*analysis, order.filter, progress);
                if (!matched) return std::nullopt;
                drawn.matches = std::move(*matched);
            }
            Overlays& overlays = drawn.overlays;
            if (parts.what_if.stale())
                overlays.what_if = make_what_if(order.scenario, *profile, *analysis, progress);
            if (parts.compared.stale())
                overlays.compared = make_compared(order.baselines, profile, analysis, order.measured,
                                                  {.noise = order.comparison.noise}, progress);
            if (parts.elsewhere.stale())
                overlays.elsewhere = make_elsewhere(order.other_device, profile, analysis, progress);
            if (progress.cancelled()) return std::nullopt;
            drawn.scene = ChartScene(make_scene({*profile, *analysis, order.measured}, overlays, order.scene,
                                                drawn.matches, order.comparison.arrows));
            return std::move(drawn);
        },
        [this, parts = parts_, revision = revision_](std::optional<Drawn> drawn) {
            if (drawn) show(std::move(*drawn), parts, revision);
            if (scene_stale_) build_scene_again();
        });
}

void Document::show(Drawn drawn, Parts made, std::uint64_t revision) {
    picture_.overlays = std::move(drawn.overlays);
    const auto place = [&](const Part& was, Part& now, void (Document::*changed)()) {
        if (!was.stale()) return;
        now.made = revision;
        emit(this->*changed)();
    };
    place(made.what_if, parts_.what_if, &Document::what_if_changed);
    place(made.compared, parts_.compared, &Document::compared_changed);
    place(made.elsewhere, parts_.elsewhere, &Document::elsewhere_changed);
    picture_.scene = std::move(drawn.scene);
    if (made.matches.stale()) {
        picture_.matches = std::move(drawn.matches);
        parts_.matches.made = revision;
        emit matches_changed();
    }
    // Another comparison and other roofs bring places that lie outside.
    emit scene_changed(!made.compared.stale() && !made.elsewhere.stale());
}

}  // namespace roofwalk
