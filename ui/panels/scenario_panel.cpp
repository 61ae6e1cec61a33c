// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scenario_panel.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "core/scenario/move_words.h"
#include "core/scenario/scenario_report.h"
#include "ui/dialogs/ask_about.h"
#include "ui/dialogs/move_dialog.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/table_model.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/waterfall_view.h"
#include "ui/workspace/document.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

/// The moves of a scenario, and what is known of their effect: of the same number of moves from before, while
/// that of these is not known yet.
struct MoveLines {
    Scenario scenario;
    std::shared_ptr<const WhatIf> what_if;
    ScenarioEffect no_effect;
    std::vector<ScenarioRow> rows;
    bool has_effect = false;

    [[nodiscard]] const ScenarioEffect& effect() const { return what_if ? what_if->effect : no_effect; }
};

namespace {

std::shared_ptr<const MoveLines> move_lines(const Scenario& scenario, std::shared_ptr<const WhatIf> what_if) {
    auto lines = std::make_shared<MoveLines>();
    lines->scenario = scenario;
    lines->what_if = std::move(what_if);
    if (lines->what_if) lines->rows = scenario_rows(lines->what_if->scenario, lines->what_if->effect);
    lines->has_effect = lines->rows.size() == scenario.moves.size();
    if (!lines->has_effect) lines->rows.assign(scenario.moves.size(), {});
    for (std::size_t i = 0; i < lines->rows.size(); ++i)
        lines->rows[i].move = &lines->scenario.moves[i];
    return lines;
}

constexpr std::size_t longest_kernel_name = 40;
constexpr int scenario_usual_width = 1000;
constexpr int scenario_usual_rows = 5;  // more scroll
constexpr int least_name = 120;
constexpr int most_name = 420;
constexpr int table_parts = 66;  // at least, of a hundred; the waterfall has the rest
/// What columns of words may take by themselves where room is short; a person may draw them wider. Those that
/// get what is left first: why a move was not made is what one looks for.
constexpr std::array most_widths{std::pair("state", 170), std::pair("kernel_time", 150),
                                 std::pair("kernel", 165), std::pair("move", 140), std::pair("change", 130)};
constexpr int least_words = 80;  // where there is less room still: words are cut, columns do not scroll

/// Draws the boxes before names with the edges of boxes elsewhere, and keeps both ends of the names of
/// kernels: those of a library begin alike.
class BoxDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->palette.setColor(QPalette::Window,
                                 QApplication::palette("QCheckBox").color(QPalette::Window));
        if (index.data(TableModel::name_role).isValid()) option->textElideMode = Qt::ElideMiddle;
    }
};

}  // namespace

ScenarioPanel::ScenarioPanel(Document& document, QUndoStack& changes, QWidget* parent)
    : QWidget(parent),
      document_(document),
      changes_(changes),
      model_(new TableModel(longest_kernel_name, this)) {
    setAccessibleName(tr("Scenario"));
    name_ = new QLineEdit(this);
    name_control(*name_, "scenario_name", tr("Name of the scenario"));
    name_->setPlaceholderText(tr("Name of the scenario"));
    name_->setMinimumWidth(least_name);
    connect(name_, &QLineEdit::textChanged, this, &ScenarioPanel::fit_name);
    sentence_ = new TextLabel({}, this);
    sentence_->setObjectName("scenario_sentence");
    head_ = new QHBoxLayout;
    head_->setContentsMargins(8, 6, 8, 0);
    head_->setSpacing(2);
    constexpr int before_the_rest = 1000;
    head_->addWidget(name_, before_the_rest);
    head_->addSpacing(6);
    auto* words = new QHBoxLayout;
    words->setContentsMargins(10, 2, 10, 4);
    words->addWidget(sentence_);

    table_ = make_table();
    waterfall_ = new WaterfallView;
    auto* fall = new QScrollArea;
    fall->setWidget(waterfall_);
    fall->setWidgetResizable(true);
    fall->setFocusPolicy(Qt::StrongFocus);
    fall->setAccessibleName(waterfall_->accessibleName());
    body_ = new QSplitter(this);
    body_->addWidget(table_);
    body_->addWidget(fall);
    body_->setChildrenCollapsible(false);
    connect(body_, &QSplitter::splitterMoved, this, [this] {
        own_sides_ = true;
        refit_columns();
    });

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head_);
    column->addLayout(words);
    column->addWidget(body_, 1);
    make_actions();
    head_->addStretch(1);

    connect(name_, &QLineEdit::editingFinished, this, &ScenarioPanel::rename_scenario);
    connect(&document_, &Document::options_changed, this, &ScenarioPanel::show_scenario);
    connect(&document_, &Document::what_if_changed, this, &ScenarioPanel::show_effect);
    fit_name();
    show_scenario();
    show_effect();
}

/// As high as its moves and their waterfall, up to a few.
QSize ScenarioPanel::sizeHint() const {
    const int rows = std::min(model_->rowCount(), scenario_usual_rows);
    const int header = table_->horizontalHeader()->sizeHint().height();
    const int moves = header + std::max(rows, 1) * table_->verticalHeader()->defaultSectionSize();
    const int body = std::max(moves, rows > 0 ? waterfall_->height_of(rows + 2) : 0);
    constexpr int around = 14;  // the rows above, and the frame
    const int head = name_->sizeHint().height() + table_->fontMetrics().height() + around;
    return {scenario_usual_width, head + body};
}

/// As wide as the name, or as the words in its place.
void ScenarioPanel::fit_name() {
    const QString words = name_->text().isEmpty() ? name_->placeholderText() : name_->text();
    constexpr int around = 28;  // frame, padding and cursor
    const int width = name_->fontMetrics().horizontalAdvance(words) + around;
    name_->setMaximumWidth(std::clamp(width, least_name, most_name));
}

QTableView* ScenarioPanel::make_table() {
    auto* table = new QTableView(this);
    name_control(*table, "scenario_moves", tr("Moves of the scenario"));
    table->setModel(model_);
    table->setItemDelegate(new BoxDelegate(table));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 10);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionsClickable(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setAccessibleName(tr("Columns of the moves"));
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ScenarioPanel::follow_row);
    connect(model_, &QAbstractItemModel::modelReset, this, &ScenarioPanel::follow_row);
    connect(table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() != model_->column_of("move")) edit_change();
    });
    model_->set_box("move", [this](int row) { return lines_->rows[static_cast<std::size_t>(row)].move->on; });
    connect(model_, &TableModel::switch_wanted, this, [this](int row, bool on) {
        Move move = document_.spec().scenario.moves[static_cast<std::size_t>(row)];
        move.on = on;
        push_move(row, move, on ? tr("switch on %1") : tr("switch off %1"));
    });
    connect(model_, &TableModel::name_wanted, this, [this](int row, const QString& name) {
        Move move = document_.spec().scenario.moves[static_cast<std::size_t>(row)];
        move.name = name.trimmed().toStdString();
        push_move(row, move, tr("name of %1"));
    });
    return table;
}

QAction* ScenarioPanel::make_action(const char* name, const QString& text, const QKeySequence& keys,
                                    const QString& tooltip) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    const QString key = keys.toString(QKeySequence::NativeText);
    set_tooltip(*action, key.isEmpty() ? tooltip : tr("%1 (%2)").arg(tooltip, key));
    table_->addAction(action);
    add_buttons({action});
    return action;
}

void ScenarioPanel::make_actions() {
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    edit_ = make_action("scenario_edit", tr("Edit…"), QKeySequence(Qt::Key_Return),
                        tr("Edit the number or the factors of the move"));
    up_ = make_action("scenario_up", tr("Up"), QKeySequence(tr("Alt+Up")), tr("Make the move earlier"));
    down_ = make_action("scenario_down", tr("Down"), QKeySequence(tr("Alt+Down")), tr("Make the move later"));
    remove_ = make_action("scenario_remove", tr("Remove"), QKeySequence::Delete, tr("Remove the move"));
    remove_all_ = make_action("scenario_clear", tr("Remove all"), {}, tr("Remove every move"));
    connect(edit_, &QAction::triggered, this, &ScenarioPanel::edit_change);
    connect(up_, &QAction::triggered, this, [this] { shift(-1); });
    connect(down_, &QAction::triggered, this, [this] { shift(1); });
    connect(remove_, &QAction::triggered, this, &ScenarioPanel::remove);
    connect(remove_all_, &QAction::triggered, this, [this] {
        Scenario scenario = document_.spec().scenario;
        scenario.moves.clear();
        push(std::move(scenario), tr("remove all moves"));
    });
}

void ScenarioPanel::add_buttons(const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAccessibleName(action->text());
        head_->addWidget(button);
    }
}

void ScenarioPanel::show_scenario() {
    const Scenario& scenario = document_.spec().scenario;
    const int before = row();
    show_moves();
    const int last = model_->rowCount() - 1;
    if (row() < 0 && before >= 0 && last >= 0) table_->selectRow(std::min(before, last));
    if (!name_->isModified()) {
        name_->setText(to_qt(scenario.name));
        name_->setCursorPosition(0);  // the start of a long name is seen
    }
    body_->setVisible(!scenario.moves.empty());
    if (scenario.moves.empty())
        sentence_->set_text(tr(
            "No moves yet: drag a dot of the chart, or choose Kernels > What if, to see what a change would "
            "be worth."));
    follow_row();
    fit_to_content();
}

/// Where their number stays, so do the selected move and the field that is typed into.
void ScenarioPanel::show_moves() {
    lines_ = move_lines(document_.spec().scenario, document_.result().what_if);
    model_->set_names(document_.profile());
    auto columns = window_columns(
        scenario_columns(document_.analysis() ? document_.analysis()->options : AnalysisOptions(),
                         lines_->effect()),
        [lines = lines_](std::uint32_t row) { return ScenarioLine{.move = &lines->rows[row]}; });
    if (lines_->rows.size() == static_cast<std::size_t>(model_->rowCount()) && model_->columnCount() > 0)
        return model_->set_columns(std::move(columns));
    model_->set_lines(std::move(columns), std::vector<std::optional<std::uint32_t>>(lines_->rows.size()));
}

const ScenarioRow* ScenarioPanel::effect_of_row(int row) const {
    return lines_->has_effect ? &lines_->rows[static_cast<std::size_t>(row)] : nullptr;
}

void ScenarioPanel::show_effect() {
    const std::shared_ptr<const WhatIf>& what_if = document_.result().what_if;
    show_moves();
    waterfall_->set_bars(what_if ? waterfall(what_if->scenario, what_if->effect)
                                 : std::vector<WaterfallBar>());
    share_width();
    if (what_if && !document_.spec().scenario.moves.empty())
        sentence_->set_text(to_qt(scenario_sentence(what_if->scenario, what_if->effect)));
    fit_to_content();
}

/// Once the numbers of rows that came or went are known, whichever is told first; then whenever words or
/// numbers change, unless a person drew the columns.
void ScenarioPanel::fit_to_content() {
    const int rows = model_->rowCount();
    if (rows > 0 && effect_of_row(0) == nullptr) return;
    if (fitted_rows_ == rows && table_->horizontalHeader()->saveState() != fitted_) return;
    fitted_rows_ = rows;
    fit_columns();
}

/// The waterfall gets what its words and bars need, the moves the rest, unless a person drew the line.
void ScenarioPanel::share_width() {
    if (own_sides_) return;
    const int width = body_->width() - body_->handleWidth();
    const int around = 2 * body_->widget(1)->contentsMargins().left();
    const int fall = std::min(waterfall_->sizeHint().width() + around, width * (100 - table_parts) / 100);
    body_->setSizes({width - fall, fall});
}

void ScenarioPanel::refit_columns() {
    if (table_->horizontalHeader()->saveState() == fitted_) fit_columns();
}

void ScenarioPanel::fit_columns() {
    table_->resizeColumnsToContents();
    int spare = table_->viewport()->width() - table_->horizontalHeader()->length();
    for (const auto& [words, most] : most_widths)
        spare += std::max(0, table_->columnWidth(model_->column_of(words)) - most);
    for (const auto& [words, most] : most_widths) {
        const int column = model_->column_of(words);
        const int wanted = table_->columnWidth(column);
        const int more = std::clamp(wanted - most, 0, std::max(0, spare));
        spare -= more;
        table_->setColumnWidth(column, std::min(wanted, most + more));
    }
    for (auto words = most_widths.rbegin(); words != most_widths.rend(); ++words) {
        const int column = model_->column_of(words->first);
        const int less = std::clamp(-spare, 0, std::max(0, table_->columnWidth(column) - least_words));
        spare += less;
        table_->setColumnWidth(column, table_->columnWidth(column) - less);
    }
    fitted_ = table_->horizontalHeader()->saveState();
}

/// Wider columns in a wider panel, unless a person drew them.
void ScenarioPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, [this] {
        share_width();
        refit_columns();
    });
}

int ScenarioPanel::row() const {
    return table_->currentIndex().isValid() ? table_->currentIndex().row() : -1;
}

void ScenarioPanel::follow_row() {
    const int last = model_->rowCount() - 1;
    edit_->setEnabled(row() >= 0);
    remove_->setEnabled(row() >= 0);
    up_->setEnabled(row() > 0);
    down_->setEnabled(row() >= 0 && row() < last);
    remove_all_->setEnabled(last >= 0);
}

void ScenarioPanel::push(Scenario scenario, const QString& text) {
    if (scenario != document_.spec().scenario)
        changes_.push(new SpecChange(document_, &WorkspaceSpec::scenario, std::move(scenario), text));
}

void ScenarioPanel::push_move(int row, const Move& move, const QString& text) {
    Scenario scenario = document_.spec().scenario;
    Move& before = scenario.moves[static_cast<std::size_t>(row)];
    const QString title = menu_text(to_qt(title_of(before)));
    before = move;
    push(std::move(scenario), text.arg(title));
}

void ScenarioPanel::rename_scenario() {
    if (!name_->isModified()) return;
    name_->setModified(false);
    Scenario scenario = document_.spec().scenario;
    scenario.name = name_->text().trimmed().toStdString();
    push(std::move(scenario), tr("name of the scenario"));
}

void ScenarioPanel::shift(int by) {
    const int from = row();
    const int to = from + by;
    if (from < 0 || to < 0 || to >= model_->rowCount()) return;
    Scenario scenario = document_.spec().scenario;
    std::swap(scenario.moves[static_cast<std::size_t>(from)], scenario.moves[static_cast<std::size_t>(to)]);
    push(std::move(scenario), tr("order of the moves"));
    table_->selectRow(to);
}

void ScenarioPanel::remove() {
    if (row() < 0) return;
    Scenario scenario = document_.spec().scenario;
    const auto removed = scenario.moves.begin() + row();
    const QString title = menu_text(to_qt(title_of(*removed)));
    scenario.moves.erase(removed);
    push(std::move(scenario), tr("remove %1").arg(title));
}

void ScenarioPanel::edit_change() {
    if (row() < 0 || document_.empty()) return;
    const int edited = row();
    const Scenario before = document_.spec().scenario;
    const ScenarioRow* effect = effect_of_row(edited);
    std::optional<PresetPreview> kernel;
    if (effect != nullptr && effect->step != nullptr)
        kernel = PresetPreview::before(document_, *effect->step);
    MoveDialog dialog(before.moves[static_cast<std::size_t>(edited)], effect, document_.analysis()->options,
                      std::move(kernel), this);
    if (!ask_about(document_, dialog) || document_.spec().scenario != before) return;
    push_move(edited, dialog.move(), tr("change of %1"));
}

}  // namespace roofwalk
