// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a document: they are opened, added, closed and read again, one after another or all at once.
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "ui/workspace/document.h"
#include "ui/workspace/selected_points.h"

namespace roofwalk {

LoadOrder Document::order_under_way() const {
    return load_.running() ? order_ : LoadOrder{{}, files_, false};
}

void Document::open(const QStringList& paths, Opening opening) {
    if (paths.isEmpty()) return;
    LoadOrder order = order_under_way();
    if (opening == Opening::replace) {
        order.paths.clear();
        order.session.reset();
        order.replaces = true;
    }
    for (const QString& path : paths)
        order.paths.append(QFileInfo(path).absoluteFilePath());
    order.paths.removeDuplicates();
    load(std::move(order));
}

void Document::open_session(const SessionOrder& session, const QStringList& beside) {
    LoadOrder order = order_under_way();
    order.paths = beside;
    order.paths.removeDuplicates();
    order.replaces = true;
    order.session = session;
    if (order.reads()) load(std::move(order));
}

void Document::reload() {
    LoadOrder order = order_under_way();
    if (order.replaces || order.kept.empty()) return;  // what is open is about to go
    QStringList paths;
    for (const OpenFile& file : order.kept)
        paths.append(file.path);
    order.paths = paths + order.paths;
    order.paths.removeDuplicates();
    load(std::move(order));
}

void Document::show_recording(OpenFile recording) {
    LoadOrder order = order_under_way();
    order.replaces = std::ranges::find(order.kept, recording.path, &OpenFile::path) == order.kept.end();
    order.recording = std::move(recording);
    load(std::move(order));
}

void Document::close(const QString& path) {
    LoadOrder order = order_under_way();
    const auto closed = std::erase_if(order.kept, [&](const OpenFile& file) { return file.path == path; });
    if (closed + static_cast<std::size_t>(order.paths.removeAll(path)) == 0) return;
    if (order.kept.empty()) {
        load_.drop();
        clear();
    }
    if (!order.kept.empty() || order.reads()) load(std::move(order));
}

bool Document::is_last(const QString& path) const {
    const LoadOrder order = order_under_way();
    return !order.kept.empty() &&
           std::ranges::all_of(order.kept, [&](const OpenFile& file) { return file.path == path; });
}

void Document::close_all() {
    load_.drop();
    clear();
}

void Document::load(LoadOrder order) {
    load_.drop();  // so that who shows the work is told that it is another now
    order_ = std::move(order);
    const bool closes = order_.kept.size() < files_.size();
    load_.start(
        [order = order_, closes, picture_order = picture_order(without_points(scene_options_)),
         theme = scene_options_.theme, revision = revision_](const Progress& progress) {
            Loaded loaded{load_files(order, progress), std::nullopt, {}, revision};
            const LoadResult& files = loaded.files;
            // Kernels read before a cancel are kept, so what is drawn of them must not be cut short too.
            if (files.session) {
                loaded.asked = asked_by(files.session->session, theme);
                loaded.asked.picture.baselines = files.baselines;
                loaded.asked.picture.measured.known = picture_order.measured.known;
                loaded.picture = make_picture(files.merged, loaded.asked.picture, {});
            } else if (closes || order.recording || !files.read.isEmpty()) {
                loaded.picture = make_picture(files.merged, picture_order, {});
            }
            return loaded;
        },
        [this](Loaded loaded) { install(std::move(loaded)); });
}

void Document::install(Loaded loaded) {
    const std::shared_ptr<const OpenSession> session = loaded.files.session;
    if (loaded.picture) {
        const bool same_files =
            std::ranges::equal(files_, loaded.files.files, {}, &OpenFile::path, &OpenFile::path);
        analyse_.drop();
        scene_.drop();
        files_ = std::move(loaded.files.files);
        if (!same_files) scene_options_.roofs_of.reset();
        const Theme drawn_in = loaded.picture->scene_options.theme;
        if (session) {
            loaded.asked.picture.scene = loaded.picture->scene_options;
            take_on(std::move(loaded.asked), session->session);
            loaded.revision = revision_;
        }
        take_over(std::move(*loaded.picture), std::move(loaded.files.merged), loaded.revision,
                  session      ? Showing::another_session
                  : same_files ? Showing::same_files
                               : Showing::other_files);
        if (loaded.revision != revision_ || lacks_measured())
            analyse_again();
        else if (drawn_in != scene_options_.theme || (selection() && !session))
            build_scene_again();
        if (session) {
            tell_of_session();
            emit session_opened(session);
        }
        if (!loaded.files.read.isEmpty()) emit opened(loaded.files.read);
    }
    for (const Error& error : loaded.files.failures)
        emit failed(error);
}

void Document::clear() {
    analyse_.drop();
    scene_.drop();
    files_.clear();
    profile_.reset();
    picture_ = {};
    baselines_.clear();
    scene_options_ = without_points(std::move(scene_options_));
    scene_options_.roofs_of.reset();
    emit files_changed();
    emit analysis_changed();
    emit what_if_changed();
    emit compared_changed();
    emit elsewhere_changed();
    emit scene_changed(false);
    emit selection_changed();
}

}  // namespace roofwalk
