// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/guide_docks.h"

#include <QDockWidget>
#include <utility>

#include "core/lessons/lesson.h"
#include "core/lessons/six_steps.h"
#include "ui/panels/document_page.h"
#include "ui/shell/actions.h"
#include "ui/shell/dock_layout.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

namespace {

/// The bundled lessons: opens the session of one, asks, and explains once the document answers.
class LessonPanel : public DocumentPage {
  public:
    LessonPanel(Document& document, SessionFiles& session, std::vector<Lesson> lessons,
                QWidget* parent = nullptr);

  private:
    [[nodiscard]] TextPage page();
    void act(const QString& action);

    Document& document_;
    SessionFiles& session_;
    std::vector<Lesson> lessons_;
    LessonProgress progress_;
};

LessonPanel::LessonPanel(Document& document, SessionFiles& session, std::vector<Lesson> lessons,
                         QWidget* parent)
    : DocumentPage(
          document, "lesson_page", GuideDocks::tr("Lessons"), [this] { return page(); }, parent),
      document_(document),
      session_(session),
      lessons_(std::move(lessons)) {
    connect(&session_, &SessionFiles::changed, this, &DocumentPage::show_document);
    connect(this, &TextPageView::action_requested, this, [this](const QString& action) { act(action); });
}

TextPage LessonPanel::page() {
    const auto under_way = progress_.lesson;
    const bool open =
        under_way && !document_.empty() && session_.path() == to_qt(lessons_[*under_way].session);
    std::optional<ReportCell> figure;
    if (open && !document_.loader().session_arrives()) {  // else it is of what is about to go
        const Lesson& lesson = lessons_[*under_way];
        figure = figure_of(lesson, document_.result(), document_.selection());
        if (figure && !progress_.begun_at) progress_.begun_at = figure->number;
        if (figure && figure->number != progress_.begun_at) progress_.tried = true;
        if (answers(lesson, figure, progress_.choice)) progress_.answered.insert(*under_way);
    }
    return lessons_page(lessons_, progress_, open ? &document_.result() : nullptr, figure);
}

void LessonPanel::act(const QString& action) {
    const std::size_t number = action.section('_', 1).toUInt();
    if (action.startsWith("choice_")) {
        progress_.choice = number;
    } else {
        progress_ = {.lesson = {}, .choice = {}, .begun_at = {}, .answered = std::move(progress_.answered)};
    }
    if (action.startsWith("lesson_")) {
        progress_.lesson = number;
        progress_.answered.erase(number);
        session_.open({to_qt(lessons_[number].session)}, ReportLoader::Opening::replace, window());
    }
    show_document();
}

}  // namespace

GuideDocks::GuideDocks(Document& document, SessionFiles& sessions, MessageBar& messages, DockLayout& docks,
                       Actions& actions, const QString& lessons, QWidget& window)
    : QObject(&window), document_(document), docks_(docks) {
    sessions.set_lessons(lessons);
    steps_ = add("dock_six_steps", tr("Six steps"), [this, &window] {
        auto* steps = new DocumentPage(
            document_, "six_steps_page", tr("Six steps"),
            [this] { return six_steps_page(document_.result(), document_.selection()); }, &window);
        connect(steps, &DocumentPage::action_requested, this, &GuideDocks::step_requested);
        return steps;
    });
    lessons_ = add("dock_lessons", tr("Lessons"), [this, &sessions, &messages, &window, lessons] {
        const auto read = read_lessons(to_path(lessons));
        if (!read) messages.show_error(read.error());
        return new LessonPanel(document_, sessions, read.value_or(std::vector<Lesson>()), &window);
    });
    connect(actions.six_steps, &QAction::triggered, steps_, [this] { show(steps_); });
    connect(actions.lessons, &QAction::triggered, lessons_, [this] { show(lessons_); });
}

QDockWidget* GuideDocks::add(const char* name, const QString& title, std::function<QWidget*()> make_page) {
    QDockWidget* dock = docks_.add_lazy(
        name, title, Qt::LeftDockWidgetArea, [] { return false; }, std::move(make_page));
    connect(dock, &QDockWidget::visibilityChanged, this, [dock] {
        if (auto* page = qobject_cast<DocumentPage*>(dock->widget())) page->show_document();
    });
    docks_.add_beside_details(dock);
    // Beside a document its tab names it; alone it has the bar that closes it.
    auto* none = new QWidget(dock);
    none->hide();
    connect(&document_, &Document::files_changed, dock,
            [this, dock, none] { dock->setTitleBarWidget(document_.empty() ? nullptr : none); });
    return dock;
}

std::vector<QDockWidget*> GuideDocks::visible() const {
    std::vector<QDockWidget*> guides;
    for (QDockWidget* guide : {steps_, lessons_})
        if (guide->isVisible()) guides.insert(is_seen(*guide) ? guides.end() : guides.begin(), guide);
    return guides;
}

void GuideDocks::show(QDockWidget* guide) {
    if (!is_seen(*steps_) && !is_seen(*lessons_)) opened_over_ = docks_.in_front_of_details();
    guide->show();
    guide->raise();
}

bool GuideDocks::leave() {
    for (QDockWidget* guide : {steps_, lessons_})
        if (is_seen(*guide)) {
            guide->close();
            if (opened_over_) opened_over_->raise();
            return true;
        }
    return false;
}

}  // namespace roofwalk
