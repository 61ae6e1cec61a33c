// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/operations/op_parser.h"
#include "core/operations/op_suggestions.h"

class QComboBox;
class QLineEdit;
class QScrollArea;

namespace roofwalk {

/// An operation as a choice, a field for each of its parameters, and the text that says the same; what is
/// changed in one of them changes the others.
class OperationForm : public QWidget {
    Q_OBJECT

  public:
    /// Begins with `text`; `suggestions` are the first that can be chosen.
    OperationForm(const std::vector<Suggestion>& suggestions, const QString& text, QWidget* parent = nullptr);

    /// "gemm m=4096 n=4096 k=4096", or what a person has typed of it; empty: none.
    [[nodiscard]] QString text() const;

  signals:
    void changed();

  private:
    struct Field {
        const ParameterSpec* parameter = nullptr;
        QLineEdit* line = nullptr;    ///< of a number or a formula, else null
        QComboBox* choice = nullptr;  ///< of words, else null
    };

    void add_choices(const std::vector<Suggestion>& suggestions);
    void choose(int row);
    /// Shows what the text says, as far as it can be read.
    void read_text();
    void show_choice();
    void make_fields(const OperationSpec* spec);
    [[nodiscard]] Field make_field(const ParameterSpec& parameter, QWidget* area);
    void show_value(const Field& field);
    /// Puts the value of a field into the text; empty: the parameter is left to its default.
    void write(const ParameterSpec& parameter, const QString& value);

    WrittenOperation written_;  ///< the last text that could be read
    const OperationSpec* spec_ = nullptr;
    std::vector<Field> fields_;
    QComboBox* choice_;
    QScrollArea* area_;
    QLineEdit* text_;
};

}  // namespace roofwalk
