// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QTextBrowser;

namespace roofwalk {

/// The pages of resources/help, which the program carries.
class UserGuide : public QDialog {
    Q_OBJECT

  public:
    explicit UserGuide(QWidget* parent = nullptr);

  private:
    /// Pages in Markdown have no anchors: the heading that makes the anchor of a link is looked for.
    void show_heading(const QString& anchor);

    QTextBrowser* pages_;
};

}  // namespace roofwalk
