// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QList>
#include <functional>
#include <vector>

class QAction;
class QMainWindow;
class QToolBar;

namespace roofwalk {

class Document;
class Settings;

/// A dock, hidden at first, whose content is made when it is shown for the first time: a window opens sooner
/// without what most sessions never look at.
class LazyDock : public QDockWidget {
  public:
    LazyDock(const QString& title, std::function<QWidget*()> make_content, QWidget* parent = nullptr);

    void setVisible(bool visible) override;

  private:
    std::function<QWidget*()> make_content_;
};

/// The docks of a window: which of them are open, and how much room they get.
class DockLayout : public QObject {
    Q_OBJECT

  public:
    DockLayout(const Document& document, const Settings& settings, QMainWindow& window);

    [[nodiscard]] QDockWidget* add(const char* name, const QString& title, QWidget* content,
                                   Qt::DockWidgetArea area);
    /// One that is shown with a document only while it is `used`.
    [[nodiscard]] QDockWidget* add_lazy(const char* name, const QString& title, Qt::DockWidgetArea area,
                                        std::function<bool()> used, std::function<QWidget*()> make_content);
    /// The two that share the room beside the chart.
    void divide(QDockWidget* table, QDockWidget* details);
    /// In a tab with the details.
    void add_beside_details(QDockWidget* dock);

    /// What those at the sides fold to: a strip with a button each, which bring them back. `shown` is checked
    /// while they are shown, by a person or by the window.
    void add_rail(QAction& shown);

    /// In the order in which they were added.
    [[nodiscard]] QList<QDockWidget*> all() const;
    /// Of the details and what are tabs beside them, the one that is seen; null of none.
    [[nodiscard]] QDockWidget* in_front_of_details() const;

    /// Shows those that have a use with the document, as a person left them.
    void show_used();
    /// Shows docks whose use began. Of `others`, another document, hides those whose use ended too; what a
    /// person opened or closed besides stays as it is.
    void follow(bool others);
    /// Shows one; the first time no higher than its content needs, and than a share of the window.
    void open(QDockWidget* dock);
    /// The same in front of its tabs, from its beginning, or where a widget named `part` is.
    void bring_to_front(QDockWidget* dock, const QString& part = {});
    /// Of docks that opened by themselves, those that have no use any more: what it began with was undone.
    void close_unused();
    /// After the window got another size: table and details stand as in one that was opened with it, unless a
    /// person moved or drew them.
    void fit_table();

  protected:
    /// Whether a person draws the table's dock.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Dock {
        QDockWidget* dock = nullptr;
        std::function<bool()> used;
        bool was_used = false;   ///< when the docks were last followed
        bool by_itself = false;  ///< it was opened by its use, not by a person
        bool was_open = false;
    };

    void fold();
    void unfold();
    void put(QDockWidget* dock, const char* name, Qt::DockWidgetArea area, std::function<bool()> used);
    /// In a window that is not wide the panels stand below the table, so that the chart has most of the
    /// width; in one that is not high either, in tabs.
    void place_details();
    /// The table gets what its rows need, Details below it the rest.
    void share_height();
    /// Table and details go into tabs where a dock below them leaves no height for both: all that is shown
    /// has its room, if need be by a higher window than the screen.
    void keep_height();
    void stack_in_tabs();
    [[nodiscard]] bool is_stacked() const;
    /// A screen of a laptop, or less.
    [[nodiscard]] bool is_low() const;
    /// Its tab names it, where it has one, and its heading where height is dear.
    void name_table();
    /// No more than it needs for its kernels.
    [[nodiscard]] int table_height() const;
    /// In a wide window, without a layout that a person left, the table gets a share of it.
    void give_table_room();
    /// One at the bottom that opens by itself leaves the chart and the details most of the height.
    void give_bottom_room(QDockWidget& dock);

    const Document& document_;
    const Settings& settings_;
    QMainWindow& window_;
    std::vector<Dock> docks_;
    QDockWidget* table_ = nullptr;
    QDockWidget* details_ = nullptr;
    QList<QDockWidget*> beside_details_;
    bool table_follows_window_ = false;
    QToolBar* rail_ = nullptr;
    QList<QDockWidget*> folded_;
    QList<QDockWidget*> in_front_;  ///< of these: those that no other one hid
    QByteArray unfolded_;           ///< how the window was laid out then
};

}  // namespace roofwalk
