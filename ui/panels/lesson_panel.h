// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/lessons/lesson.h"
#include "ui/panels/document_page.h"

namespace roofwalk {

class SessionFiles;

/// The bundled lessons: opens the session of one, asks, and explains once the document answers.
class LessonPanel : public DocumentPage {
    Q_OBJECT

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

}  // namespace roofwalk
