// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/scenario_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUndoStack>
#include <span>

#include "core/base/file_writer.h"
#include "core/scenario/scenario_json.h"
#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"
#include "ui/shell/settings.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"
#include "ui/workspace/session_files.h"
#include "ui/workspace/spec_change.h"
#include "ui/workspace/watched_file.h"

namespace roofwalk {

namespace {

/// The text of a file, or the start of one that is too long, as read_scenario() tells.
Result<std::string> read_file(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unexpected(
            ErrorCode::file_not_readable,
            ScenarioFiles::tr("The scenario could not be read: %1.").arg(file.errorString()).toStdString(),
            path.toStdString(), "The scenario on screen stays.");
    return file.read(most_read_of_session).toStdString();
}

QString filter_of_scenarios() {
    return ScenarioFiles::tr("Scenarios (*.json)");
}

}  // namespace

ScenarioFiles::ScenarioFiles(Document& document, QUndoStack& changes, Settings& settings,
                             FileChooser& chooser, QObject* parent)
    : QObject(parent), document_(document), changes_(changes), settings_(settings), chooser_(chooser) {}

void ScenarioFiles::ask_and_open(QWidget* window) {
    const QString path = chooser_.file_to_open(window, settings_.last_folder(), filter_of_scenarios());
    if (!path.isEmpty()) open(path);
}

void ScenarioFiles::open(const QString& path) {
    const Result<std::string> text = read_file(path);
    Result<Scenario> scenario =
        text.and_then([&](const std::string& json) { return read_scenario(json, path.toStdString()); });
    if (!scenario) {
        emit failed(scenario.error());
        return;
    }
    know(path, *text);
    changes_.push(new SpecChange(document_, &WorkspaceSpec::scenario, *std::move(scenario),
                                 tr("open %1").arg(menu_text(QFileInfo(path).fileName()))));
    for (const Notice& member : members_without_effect(document_.spec().scenario, path.toStdString()))
        emit noticed(member);
}

void ScenarioFiles::ask_and_save(QWidget* window) {
    if (document_.empty()) return;
    const QString name = QFileInfo(to_qt(document_.files().front().path)).completeBaseName();
    const QString path =
        chooser_.file_to_save(window, tr("Save the scenario"),
                              QDir(settings_.last_folder()).filePath(name + QStringLiteral(".scenario.json")),
                              filter_of_scenarios());
    if (path.isEmpty()) return;
    switch (changed_by_others(path) ? chooser_.ask_about_conflict(window, QFileInfo(path).fileName())
                                    : FileChooser::Conflict::save_over) {
        case FileChooser::Conflict::save_over:
            return save(path);
        case FileChooser::Conflict::save_as:
            return ask_and_save(window);
        case FileChooser::Conflict::open_theirs:
            return open(path);  // undo leads back
        case FileChooser::Conflict::stay:
            break;
    }
}

void ScenarioFiles::know(const QString& path, const std::string& text) {
    known_[QFileInfo(path).canonicalFilePath()] = content_hash(std::as_bytes(std::span(text)));
}

bool ScenarioFiles::changed_by_others(const QString& path) const {
    const auto known = known_.find(QFileInfo(path).canonicalFilePath());
    const std::optional<std::string> there = known == known_.end() ? std::nullopt : hash_of_file(path);
    return there && *there != known->second;
}

void ScenarioFiles::save(const QString& path) {
    const Result<std::string> text = refuse_open_file(document_, path).and_then([&] {
        return to_scenario_file(document_.spec().scenario, path.toStdString());
    });
    const Result<void> done = text.and_then([&](const std::string& json) {
        return write_file(to_path(path), json, "The scenario was not saved");
    });
    if (!done) {
        emit failed(done.error());
        return;
    }
    know(path, *text);
    emit written(path);
}

}  // namespace roofwalk
