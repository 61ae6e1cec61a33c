// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/choice_menu.h"

#include <QHelpEvent>
#include <QScreen>

#include "ui/widgets/plain_text.h"

namespace roofwalk {

TippedMenu::TippedMenu(const QString& title, const QString& object_name, QWidget* parent)
    : QMenu(title, parent) {
    setObjectName(object_name);
    setToolTipsVisible(true);
}

bool TippedMenu::event(QEvent* event) {
    constexpr int room = 320;  // of a tooltip [px]
    if (event->type() != QEvent::ToolTip) return QMenu::event(event);
    const QPoint place = static_cast<QHelpEvent*>(event)->pos();
    const bool beside = mapToGlobal(rect().topRight()).x() + room < screen()->geometry().right();
    QHelpEvent moved(QEvent::ToolTip, place,
                     mapToGlobal(beside ? QPoint(width(), place.y()) : rect().bottomLeft()));
    return QMenu::event(&moved);
}

ChoiceMenu::ChoiceMenu(const QString& title, const QString& object_name, QWidget* parent)
    : QMenu(title, parent), group_(new QActionGroup(this)) {
    setObjectName(object_name);
    connect(group_, &QActionGroup::triggered, this, [this](const QAction* action) {
        emit current_changed();
        emit chosen(action->data().toInt());
    });
}

void ChoiceMenu::add_choice(const QString& text, int value, const char* object_name) {
    QAction* action = addAction(text);
    action->setObjectName(object_name);
    action->setCheckable(true);
    action->setData(value);
    group_->addAction(action);
}

void ChoiceMenu::set_current(int value) {
    if (QAction* before = group_->checkedAction()) before->setChecked(false);
    for (QAction* action : group_->actions())
        if (action->data().toInt() == value) action->setChecked(true);
    emit current_changed();
}

QString ChoiceMenu::current_text() const {
    const QAction* action = group_->checkedAction();
    return action != nullptr ? words_of_menu(action->text()) : QString();
}

}  // namespace roofwalk
