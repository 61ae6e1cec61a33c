// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lesson_panel.h"

#include <utility>

#include "ui/widgets/qt_text.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

LessonPanel::LessonPanel(Document& document, SessionFiles& session, std::vector<Lesson> lessons,
                         QWidget* parent)
    : DocumentPage(
          document, "lesson_page", tr("Lessons"), [this] { return page(); }, parent),
      document_(document),
      session_(session),
      lessons_(std::move(lessons)) {
    connect(&session_, &SessionFiles::changed, this, &LessonPanel::show_document);
    connect(this, &TextPageView::action_requested, this, &LessonPanel::act);
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

}  // namespace roofwalk
