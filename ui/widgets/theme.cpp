// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QStyleFactory>

namespace roofwalk {

namespace {

constexpr int dark_below_lightness = 128;

const WindowColours light_colours{.faint_text = QColor(0x5b6570),
                                  .disabled = QColor(0x8c959f),
                                  .border = QColor(0xd5dae0),
                                  .raised = QColor(0xffffff),
                                  .accent = QColor(0x0067a5),
                                  .error = QColor(0xb3261e),
                                  .warning = QColor(0x8f5f00),
                                  .hover = QColor(0xe8ecf0),
                                  .checked = QColor(0xe3f0fa)};
const WindowColours dark_colours{.faint_text = QColor(0x9aa4af),
                                 .disabled = QColor(0x6e7681),
                                 .border = QColor(0x353b43),
                                 .raised = QColor(0x22272d),
                                 .accent = QColor(0x5ab4f0),
                                 .error = QColor(0xff8a80),
                                 .warning = QColor(0xf0b429),
                                 .hover = QColor(0x2d343c),
                                 .checked = QColor(0x1f3446)};

/// What the style paints with.
struct StyleColours {
    QColor window, base, alternate_base, button, tip_ground, tip_words, text, highlight, highlighted_text;
};

const StyleColours light_style{.window = QColor(0xf3f5f7),
                               .base = QColor(0xffffff),
                               .alternate_base = QColor(0xf7f9fa),
                               .button = QColor(0xffffff),
                               .tip_ground = QColor(0x20262d),
                               .tip_words = QColor(0xf3f5f7),
                               .text = QColor(0x1c2127),
                               .highlight = QColor(0xcfe4f5),
                               .highlighted_text = QColor(0x10283a)};
const StyleColours dark_style{.window = QColor(0x1b1f24),
                              .base = QColor(0x15181c),
                              .alternate_base = QColor(0x191d22),
                              .button = QColor(0x262c33),
                              .tip_ground = QColor(0x2d343c),
                              .tip_words = QColor(0xe6eaee),
                              .text = QColor(0xe3e7eb),
                              .highlight = QColor(0x1f4b6e),
                              .highlighted_text = QColor(0xf2f7fb)};

constexpr auto style_sheet = R"(
QToolBar { background: %raised; border: 0; border-bottom: 1px solid %border; padding: 4px 8px; spacing: 4px; }
QToolBar::separator { background: %border; width: 1px; margin: 4px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 4px 8px; }
QToolButton[popupMode="2"] { padding-right: 18px; }
QToolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right; right: 4px; }
QToolButton:hover { background: %hover; }
QToolButton:pressed { background: %border; }
QToolButton:checked:enabled, QPushButton:checked { background: %checked; border-color: %accent; }
QToolButton#fold { font-weight: 600; padding-left: 0; }
QToolButton#fold:checked { background: transparent; border-color: transparent; }
QToolButton:focus, QPushButton:focus { border: 1px solid %accent; }
QPushButton { background: %button; border: 1px solid %border; border-radius: 4px; padding: 5px 12px; }
QPushButton:hover { background: %hover; }
QPushButton:pressed { background: %border; }
QPushButton:default { background: %accent; color: %on_accent; border-color: %accent; }
QPushButton:default:focus { border: 1px solid %text; }
QPushButton:disabled { background: transparent; color: %disabled; border-color: %border; }
QLineEdit, QPlainTextEdit { background: %base; border: 1px solid %edge; border-radius: 4px; padding: 4px 6px; }
QLineEdit:focus, QPlainTextEdit:focus { border-color: %accent; }
QComboBox QLineEdit, QAbstractSpinBox QLineEdit { background: transparent; border: 0; padding: 1px 5px; }
QLineEdit[invalid="true"] { border-color: %error; }
QLabel#filter_fault, QLabel#rate_fault { color: %error; }
QHeaderView { background: %raised; }
QHeaderView::section { background: %raised; color: %faint; border: 0; border-bottom: 1px solid %border;
                       padding: 5px 0 5px 8px; }
QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-origin: padding; subcontrol-position: center right;
                                                 width: 8px; height: 8px; }
#comparison_lines QHeaderView::section, #projection_kernels QHeaderView::section { padding-left: 3px; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
QTableView { border: 0; gridline-color: transparent; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: %raised; border-bottom: 1px solid %border; padding: 7px 10px; }
QTabBar::tab { padding: 7px 14px; border: 0; border-bottom: 2px solid transparent; color: %faint; }
QTabBar::tab:selected { color: %text; border-bottom-color: %accent; }
QTabBar::tab:hover { color: %text; }
QTabBar::tab:focus { color: %accent; }
QMenuBar { background: %raised; padding: 2px 6px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: %hover; }
QMenu { background: %raised; border: 1px solid %edge; border-radius: 4px; padding: 4px; }
QMenu::separator { background: %border; height: 1px; margin: 4px 6px; }
QStatusBar { background: %raised; border-top: 1px solid %border; }
QStatusBar::item { border: 0; }
#session_sentence { padding: 0 8px; }
#qt_toolbar_ext_button { padding: 0; }
QMainWindow::separator { background: %border; width: 1px; height: 1px; }
QScrollArea { border: 0; }
#start_card { background: %raised; border: 1px solid %border; border-radius: 10px; }
QToolTip { background: %tip_ground; color: %tip_words; border: 1px solid %border; padding: 4px; }
)";

/// In contrast of 3 to every ground: what can be operated is seen.
QColor edge_of_boxes(Theme theme) {
    return theme == Theme::dark ? QColor(0x858e98) : QColor(0x6f7882);
}

/// What the style cannot say through a palette: spacing, borders, focus.
QString window_style_sheet(Theme theme) {
    const WindowColours& colours = window_colours(theme);
    const QPalette palette = window_palette(theme);
    QString sheet = QString::fromLatin1(style_sheet);
    const auto put = [&sheet](const char* name, const QColor& colour) {
        sheet.replace(QLatin1String(name), colour.name());
    };
    put("%on_accent", theme == Theme::dark ? QColor(0x0b1d2b) : QColor(Qt::white));
    put("%accent", colours.accent);
    put("%edge", edge_of_boxes(theme));
    put("%border", colours.border);
    put("%raised", colours.raised);
    put("%faint", colours.faint_text);
    put("%disabled", colours.disabled);
    put("%error", colours.error);
    put("%hover", colours.hover);
    put("%checked", colours.checked);
    put("%button", palette.color(QPalette::Button));
    put("%base", palette.color(QPalette::Base));
    put("%text", palette.color(QPalette::Text));
    put("%tip_ground", palette.color(QPalette::ToolTipBase));
    put("%tip_words", palette.color(QPalette::ToolTipText));
    return sheet;
}

}  // namespace

const WindowColours& window_colours(Theme theme) {
    return theme == Theme::dark ? dark_colours : light_colours;
}

QPalette window_palette(Theme theme) {
    const StyleColours& style = theme == Theme::dark ? dark_style : light_style;
    QPalette palette(style.window);
    palette.setColor(QPalette::Window, style.window);
    palette.setColor(QPalette::Base, style.base);
    palette.setColor(QPalette::AlternateBase, style.alternate_base);
    palette.setColor(QPalette::Button, style.button);
    palette.setColor(QPalette::ToolTipBase, style.tip_ground);
    palette.setColor(QPalette::ToolTipText, style.tip_words);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, style.text);
    palette.setColor(QPalette::Highlight, style.highlight);
    palette.setColor(QPalette::HighlightedText, style.highlighted_text);
    const WindowColours& colours = window_colours(theme);
    palette.setColor(QPalette::PlaceholderText, colours.faint_text);
    palette.setColor(QPalette::Link, colours.accent);
    palette.setColor(QPalette::LinkVisited, colours.accent);
    palette.setColor(QPalette::Mid, colours.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colours.disabled);
    return palette;
}

Theme theme_for(Appearance appearance, const QPalette& desktop) {
    switch (appearance) {
        case Appearance::light:
            return Theme::light;
        case Appearance::dark:
            return Theme::dark;
        case Appearance::system:
            break;
    }
    return desktop.color(QPalette::Window).lightness() < dark_below_lightness ? Theme::dark : Theme::light;
}

Theme current_theme() {
    return theme_for(Appearance::system, QApplication::palette());
}

void apply_theme(QApplication& application, Theme theme) {
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    QApplication::setPalette(window_palette(theme));
    // Fusion makes edges from the widget's own window colour, which nothing else of these shows.
    constexpr int darkness_of_edges = 140;
    QPalette of_boxes = window_palette(theme);
    of_boxes.setColor(QPalette::Window, edge_of_boxes(theme).lighter(darkness_of_edges));
    for (const char* box : {"QCheckBox", "QRadioButton", "QSlider", "QComboBox", "QAbstractSpinBox"})
        QApplication::setPalette(of_boxes, box);
    application.setStyleSheet(window_style_sheet(theme));
}

}  // namespace roofwalk
