// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QMainWindow>
#include <QPalette>
#include <QUndoStack>
#include <functional>

#include "core/import/ceiling_benchmark_backend.h"
#include "core/import/recording_backend.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/settings.h"
#include "ui/shell/start_page.h"
#include "ui/workspace/document.h"

class QDockWidget;
class QStackedWidget;

namespace roofwalk {

class Actions;
class Autosave;
class CeilingPanel;
class ChartMenu;
class ChoiceMenu;
class DockLayout;
class FileChooser;
class Exporter;
class FileNotices;
class GuideDocks;
class KernelDrag;
class KernelPanel;
class KernelTable;
class CeilingBenchmarkJob;
class MessageBar;
class RecordingView;
class RooflineChart;
class ScenarioFiles;
class SessionFiles;
class StatusLine;
class ViewOptions;

/// The window: lays out the views of one document and connects them with the actions.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    /// `settings` and `chooser` outlive the window. `desktop` is the palette that the desktop came with.
    /// Without `recording` nothing can be recorded, without `measuring` nothing measured, and the window says
    /// so; `lessons` is the folder of the lessons.
    MainWindow(Settings& settings, FileChooser& chooser, const QList<Sample>& samples,
               const QPalette& desktop, RecordingBackend recording = {},
               CeilingBenchmarkBackend measuring = {}, QString lessons = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] Actions& actions() { return *actions_; }
    void open(const QStringList& paths);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    /// Of the widget with the focus: the keys of the export lead to it, not to the end of a field's line.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void make_views(const QList<Sample>& samples);
    void make_scenario_views();
    void make_compare_views();
    void make_session_views();
    void make_recording();
    void make_guides();
    /// "dock_details/copy_command": an action, a menu, or a panel and what of it is to be seen.
    void do_step(const QString& name);
    void make_menus();
    void make_toolbar();
    void fit_toolbar();
    void connect_document();
    void connect_scenario();
    void connect_compare();
    void connect_session();
    void connect_measure(CeilingPanel& ceilings);
    void connect_autosave();
    void show_lost_work();
    /// Of a session that somebody else changed; what is on screen is kept aside.
    void open_theirs();
    /// Above the chart, for a window that begins with files instead of the start page.
    void offer_lost_work();
    void connect_actions();
    void connect_selection_actions();
    void connect_undo();
    void on(QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); }
    void show_written(const QString& path);
    void choose_and_open(ReportLoader::Opening opening);
    void open(const QStringList& paths, ReportLoader::Opening opening);
    void close_all();
    void show_document();
    /// A GPU that a person describes, for files that name none.
    void open_device_file(const std::function<void(const Device*)>& take);
    /// What can be done with the scenario as it is.
    void follow_scenario();
    /// What can be done with the comparison as it is.
    void follow_comparison();
    void save_layout();
    void bind_selected();
    [[nodiscard]] QString title() const;
    void show_title();
    void show_shortcuts();
    void show_atlas();
    void show_about();
    void set_appearance(Appearance appearance);
    void apply_appearance(Appearance appearance);

    Settings& settings_;
    FileChooser& chooser_;
    QPalette desktop_;
    RecordingBackend recording_backend_;
    RecentFiles recent_;
    Document document_;
    QUndoStack changes_;
    Actions* actions_;
    DockLayout* docks_;
    ViewOptions* view_options_;
    Exporter* exporter_ = nullptr;
    ScenarioFiles* scenario_files_ = nullptr;
    SessionFiles* session_files_ = nullptr;
    Autosave* autosave_ = nullptr;
    CeilingBenchmarkJob* measurer_ = nullptr;
    RecordingView* recording_ = nullptr;
    GuideDocks* guides_ = nullptr;
    ChoiceMenu* appearance_ = nullptr;
    ChartMenu* chart_menu_ = nullptr;
    KernelDrag* drag_ = nullptr;
    std::function<bool()> ask_device_;  ///< shows where the GPU of files that name none is chosen
    MessageBar* messages_ = nullptr;
    FileNotices* file_notices_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    StartPage* start_page_ = nullptr;
    RooflineChart* chart_ = nullptr;
    KernelTable* table_ = nullptr;
    KernelPanel* panel_ = nullptr;
    StatusLine* status_ = nullptr;
    QToolBar* toolbar_ = nullptr;
    QDockWidget* kernels_dock_ = nullptr;
    QDockWidget* details_dock_ = nullptr;
    QDockWidget* scenario_dock_ = nullptr;
    QDockWidget* compare_dock_ = nullptr;
    QDockWidget* projection_dock_ = nullptr;
    QString lessons_;  ///< their folder
    bool shows_document_ = false;
};

}  // namespace roofwalk
