// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/import/recording_backend.h"

class QAction;
class QDockWidget;
class QMainWindow;
class QStackedWidget;

namespace roofwalk {

class DockLayout;
class Document;
class MessageBar;
class RecordPage;
class Recorder;
class RecordingPanel;
class SessionFiles;
class Settings;

/// What a window does to record programs: the page that asks, the dock that tells how it stands, and what
/// becomes of its files at the end.
class RecordingView : public QObject {
    Q_OBJECT

  public:
    /// `pages` hold start page and chart; `record` leads to the page. Everything handed in outlives this.
    RecordingView(Document& document, Settings& settings, SessionFiles& sessions, MessageBar& messages,
                  DockLayout& docks, QStackedWidget& pages, QAction& record, RecordingBackend backend,
                  QMainWindow& window);

    [[nodiscard]] Recorder& recorder() { return *recorder_; }
    [[nodiscard]] QDockWidget* dock() { return dock_; }
    /// Chart, or start page without a document.
    void leave_page();
    /// Beside what has been recorded so far, once the window shows it.
    void show_dock();

  private:
    void show_page();
    void start(const ProfileRequest& request);
    void show_failure(const Error& error);
    void end();

    Document& document_;
    Settings& settings_;
    SessionFiles& sessions_;
    MessageBar& messages_;
    QStackedWidget& pages_;
    QAction& record_;
    QMainWindow& window_;
    Recorder* recorder_;
    QDockWidget* dock_;
    RecordPage* page_ = nullptr;  ///< once it was asked for
    RecordingPanel* panel_ = nullptr;
};

}  // namespace roofwalk
