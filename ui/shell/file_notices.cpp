// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_notices.h"

#include <algorithm>
#include <utility>

#include "core/scenario/scenario_json.h"
#include "core/workspace/load_files.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

FileNotices::FileNotices(Document& document, MessageBar& messages, std::function<bool()> ask_device)
    : QObject(&messages), document_(document), messages_(messages), ask_device_(std::move(ask_device)) {
    connect(&document, &Document::failed, &messages, &MessageBar::show_error);
    for (const auto signal : {&Document::options_changed, &Document::files_changed})
        connect(&document, signal, this, &FileNotices::withdraw);
    connect(&document.loader(), &ReportLoader::opened, this, [this](const QStringList& paths) {
        withdraw_errors(paths);
        warn_of_partial_files(paths);
        offer_to_name_device();
    });
    connect(&document.loader(), &ReportLoader::session_opened, this,
            [this](const std::shared_ptr<const OpenSession>& session) { warn_of_session(*session); });
    connect(&document.loader(), &ReportLoader::separate_runs_opened, this, &FileNotices::offer_to_join);
    connect(&document.loader(), &ReportLoader::runs_joined, this, [this](const QStringList& sentences) {
        for (const QString& sentence : sentences)
            messages_.show_notice({Severity::information, sentence.toStdString(), {}, {}});
    });
}

void FileNotices::withdraw_errors(const QStringList& paths) {
    messages_.withdraw([&](const Notice& notice) {
        return notice.severity == Severity::error && paths.contains(to_qt(notice.where));
    });
}

void FileNotices::offer_to_join() {
    messages_.offer({Severity::information,
                     "These reports hold different counters of the same kernels.",
                     {},
                     "Joined launch by launch they are one run, with the time of the report that counted "
                     "least.",
                     NoticeAction::join_runs},
                    [this] {
                        document_.loader().set_joined(true);
                        return true;
                    });
}

void FileNotices::withdraw() {
    const QStringList before = std::exchange(open_paths_, {});
    for (const OpenFile& file : document_.files())
        open_paths_.append(to_qt(file.path));
    const bool joined = document_.spec().joined || open_paths_.size() < 2;
    const bool named = unnamed_device(document_.files()) == nullptr || document_.spec().view.ran_on;
    messages_.withdraw([&](const Notice& notice) {
        const QString where = to_qt(notice.where);
        const bool closed = before.contains(where) && !open_paths_.contains(where);
        return (closed && notice.severity != Severity::error) ||
               (joined && notice.action == NoticeAction::join_runs) ||
               (named && notice.action == NoticeAction::name_device);
    });
}

void FileNotices::warn_of_partial_files(const QStringList& paths) {
    for (const OpenFile& file : document_.files()) {
        if (!paths.contains(to_qt(file.path))) continue;
        if (const auto partial = partial_notice(file)) messages_.show_notice(*partial);
    }
}

void FileNotices::offer_to_name_device() {
    if (unnamed_device(document_.files()) == nullptr || document_.spec().view.ran_on) return;
    messages_.offer({Severity::information,
                     "Which GPU was it? A file does not name it.",
                     {},
                     "With its name the roofs of that GPU are drawn.",
                     NoticeAction::name_device},
                    ask_device_);
}

void FileNotices::warn_of_session(const OpenSession& session) {
    const auto warn = [this](const std::vector<Notice>& notices, const QString& more, const QString& hint) {
        constexpr std::size_t most = 3;
        for (std::size_t i = 0; i < std::min(most, notices.size()); ++i)
            messages_.show_notice(notices[i]);
        if (notices.size() > most)
            messages_.show_notice(
                {Severity::warning, more.arg(notices.size() - most).toStdString(), {}, hint.toStdString()});
    };
    std::vector<Notice> unused;
    for (const Error& problem : document_.analysis()->options.launch_operations->problems)
        unused.push_back(notice_of(problem, Severity::warning));
    warn(unused, tr("%1 more bindings cannot be used"), tr("See Kernels > Operations of all kernels."));
    warn(members_without_effect(session.spec.scenario, session.request.file, "scenario."),
         tr("%1 more members of the scenario are not known"), tr("They have no effect."));
}

}  // namespace roofwalk
