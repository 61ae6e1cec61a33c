// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <QStringDecoder>

namespace roofwalk {

/// What a program writes, as plain text: its colours and cursor movements are left out, a line that it writes
/// over stands in its last state.
class ProgramOutput : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit ProgramOutput(QWidget* parent = nullptr);

    /// The next bytes, which may end inside a character or a control sequence.
    void add(const QByteArray& bytes);
    void begin_anew();

    /// A few lines: the chart above has more to say.
    [[nodiscard]] QSize sizeHint() const override;

  private:
    void add_line_part(const QString& part);

    QStringDecoder decoder_{QStringDecoder::Utf8};
    QString unfinished_;     ///< start of a control sequence
    bool returned_ = false;  ///< what comes next is written over the last line
};

}  // namespace roofwalk
