// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/workspace/autosave.h"

class QVBoxLayout;

namespace roofwalk {

/// Unsaved work of earlier runs, each with a button that brings it back and one that gives it up. Hidden
/// while there is none.
class RecoveryList : public QWidget {
    Q_OBJECT

  public:
    explicit RecoveryList(QWidget* parent = nullptr);

    void show_work(const QList<RecoverableSession>& works);

  signals:
    void recover_requested(const QString& copy);
    void discard_requested(const QString& copy, const QString& name);

  private:
    [[nodiscard]] QWidget* make_row(const RecoverableSession& work);

    QVBoxLayout* rows_;
    QWidget* content_ = nullptr;
};

}  // namespace roofwalk
