// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/report_loader.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/devices/device_file.h"
#include "core/workspace/session_sources.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

std::vector<std::string> oldest_first(QStringList paths) {
    for (QString& path : paths)
        path = QFileInfo(path).absoluteFilePath();
    paths.removeDuplicates();
    std::ranges::stable_sort(paths, {}, [](const QString& path) { return QFileInfo(path).lastModified(); });
    std::vector<std::string> oldest;
    for (const QString& path : paths)
        oldest.push_back(path.toStdString());
    return oldest;
}

}  // namespace

ReportLoader::ReportLoader(Document& document) : document_(document) {
    connect(&job_, &Job::failed, &document_, &Document::failed);
    connect(&job_, &Job::failed, &document_, &Document::options_changed);
    connect(&baseline_job_, &Job::failed, &document_, &Document::failed);
    // What is read was to be compared with what was open then.
    connect(this, &ReportLoader::session_opened, &baseline_job_, &Job::drop);
}

void ReportLoader::compare_with(const QStringList& paths) {
    if (paths.isEmpty()) return;
    baseline_job_.start(
        [oldest = oldest_first(paths)](const Progress& progress) { return read_files(oldest, progress); },
        [this](ReadFiles result) {
            for (const Error& error : result.failures)
                emit document_.failed(error);
            for (const OpenFile& file : result.files)
                if (const auto partial = partial_notice(file)) emit noticed(*partial);
            if (result.files.empty()) return;
            set_baselines(std::move(result.files));
            emit baselines_read();
        });
}

void ReportLoader::set_baselines(std::vector<OpenFile> baselines) {
    document_.open_.spec.baselines = sources_of(baselines, document_.open_.spec.baselines);
    document_.open_.baselines = std::move(baselines);
    emit document_.options_changed();
    document_.update();
}

LoadRequest ReportLoader::under_way() const {
    if (job_.running()) return asked_;
    const WorkspaceSpec& spec = document_.spec();
    return {.paths = {}, .kept = document_.files(), .joins = spec.joined, .ran_on = spec.view.ran_on};
}

void ReportLoader::open(const QStringList& paths, Opening opening) {
    if (paths.isEmpty()) return;
    std::vector<std::string> more;
    for (const QString& path : paths)
        more.push_back(QFileInfo(path).absoluteFilePath().toStdString());
    LoadRequest request = under_way();
    request.open(more, opening == Opening::replace);
    start(std::move(request));
}

void ReportLoader::open_session(const SessionRequest& session, const QStringList& beside) {
    LoadRequest request = under_way();
    request.open({}, true);
    for (const QString& path : beside)
        request.open({path.toStdString()}, false);
    request.session = session;
    if (request.reads()) start(std::move(request));
}

void ReportLoader::reload() {
    LoadRequest request = under_way();
    if (request.replaces || request.kept.empty()) return;  // what is open is about to go
    request.reload();
    start(std::move(request));
}

template <class Change>
void ReportLoader::show_anew(Change change) {
    LoadRequest request = under_way();
    if (request.kept.empty() || request.replaces || !change(request)) return emit document_.options_changed();
    request.shows_anew = true;
    start(std::move(request));
}

void ReportLoader::set_joined(bool joined) {
    show_anew([&](LoadRequest& request) { return std::exchange(request.joins, joined) != joined; });
}

void ReportLoader::set_ran_on(const Device* device) {
    std::optional<Device> ran_on;
    if (device) ran_on = described_part(*device);
    show_anew([&](LoadRequest& request) { return std::exchange(request.ran_on, ran_on) != ran_on; });
}

void ReportLoader::show_recording(OpenFile recording) {
    LoadRequest request = under_way();
    request.record(std::move(recording));
    start(std::move(request));
}

void ReportLoader::close(const QString& path) {
    LoadRequest request = under_way();
    if (!request.close(path.toStdString())) return;
    if (request.kept.empty()) close_all();
    if (!request.kept.empty() || request.reads()) start(std::move(request));
}

bool ReportLoader::is_last(const QString& path) const {
    return under_way().keeps_only(path.toStdString());
}

void ReportLoader::start(LoadRequest asked) {
    job_.drop();  // so that who shows the work is told that it is another now
    asked_ = std::move(asked);
    ViewInputs of = document_.wanted();
    of.focus = {std::nullopt, {}, of.focus.roofs_of};
    of.inputs.spec.view.ran_on = asked_.ran_on;
    const bool closes = asked_.kept.size() < document_.files().size();
    job_.start([asked = asked_, of = std::move(of),
                closes](const Progress& progress) { return load_view(asked, of, closes, progress); },
               [this](LoadedView loaded) { install(std::move(loaded)); });
}

void ReportLoader::close_all() {
    job_.drop();
    baseline_job_.drop();
    document_.open_.clear();
    document_.focus_ = {};
    document_.emit_new_view(document_.builder_.put({}, {}), false);
}

void ReportLoader::install(LoadedView loaded) {
    const LoadResult& files = loaded.files;
    const bool shown = loaded.view.has_value();
    QStringList changed;
    if (shown) {
        changed = to_qt(document_.install(asked_, loaded));
        if (files.session) {
            emit document_.options_changed();
            emit document_.filter_changed();
            emit document_.notes_changed();
            emit document_.advice_thresholds_changed();
            emit session_opened(files.session);
        }
        if (!files.read.empty()) emit opened(to_qt(files.read));
        if (files.separate_runs && !files.read.empty()) emit separate_runs_opened();
        if (!files.joined.empty()) emit runs_joined(to_qt(files.joined));
    }
    if (asked_.shows_anew || !shown) emit document_.options_changed();  // who asked shows what came of it
    for (const QString& path : changed)
        emit report_changed(path);
    for (const Error& error : files.failures)
        emit document_.failed(error);
}

}  // namespace roofwalk
