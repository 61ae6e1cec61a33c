// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/contrast.h"
#include "tests/support/folder_tests.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolTip>
#include <algorithm>

namespace tst_theme {

using namespace roofwalk;

namespace {

double luminance(QColor colour) {
    return test::luminance(colour.redF(), colour.greenF(), colour.blueF());
}

double contrast(QColor a, QColor b) {
    return test::contrast(luminance(a), luminance(b));
}

constexpr double readable = 4.5;  // WCAG 2, AA

/// Between the lightest and the darkest pixel inside the border.
double contrast_inside(const QImage& picture) {
    double darkest = 1;
    double lightest = 0;
    for (int y = 3; y < picture.height() - 3; ++y)
        for (int x = 3; x < picture.width() - 3; ++x) {
            const double light = luminance(picture.pixelColor(x, y));
            darkest = std::min(darkest, light);
            lightest = std::max(lightest, light);
        }
    return test::contrast(lightest, darkest);
}

QWidget* tooltip_on_screen() {
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel") && widget->isVisible()) return widget;
    return nullptr;
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT

  private slots:
    void a_disabled_default_button_has_no_fill() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            apply_theme(*qApp, theme);
            QDialog dialog;
            QPushButton button(&dialog);
            button.setDefault(true);
            button.resize(80, 30);
            dialog.show();
            const auto middle = [&] {
                return dialog.grab().toImage().pixelColor(button.geometry().center());
            };
            QCOMPARE(middle(), window_colours(theme).accent);
            button.setEnabled(false);
            QCOMPARE(middle(), window_palette(theme).color(QPalette::Window));
        }
    }

    void words_can_be_read_on_every_ground_that_they_stand_on() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            const QPalette palette = window_palette(theme);
            const WindowColours& colours = window_colours(theme);
            const QList<QColor> words{palette.color(QPalette::WindowText),
                                      palette.color(QPalette::Text),
                                      palette.color(QPalette::ButtonText),
                                      palette.color(QPalette::PlaceholderText),
                                      palette.color(QPalette::Link),
                                      colours.faint_text,
                                      colours.accent,
                                      colours.error,
                                      colours.warning};
            const QList<QColor> grounds{palette.color(QPalette::Window),
                                        palette.color(QPalette::Base),
                                        palette.color(QPalette::AlternateBase),
                                        palette.color(QPalette::Button),
                                        colours.raised,
                                        colours.hover,
                                        colours.checked};
            for (const QColor& word : words)
                for (const QColor& ground : grounds)
                    QVERIFY2(contrast(word, ground) >= readable,
                             qPrintable(word.name() + " on " + ground.name()));
            QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >=
                    readable);
            QVERIFY(contrast(palette.color(QPalette::Text), colours.border) >= readable);  // pressed
            for (const QColor& word : words)  // disabled looks disabled
                QVERIFY(contrast(palette.color(QPalette::Disabled, QPalette::Text),
                                 palette.color(QPalette::Base)) <
                        contrast(word, palette.color(QPalette::Base)) / 1.4);
            apply_theme(*qApp, theme);
            QPushButton button("HHHH");
            button.setDefault(true);
            button.resize(80, 30);
            QVERIFY(contrast_inside(button.grab().toImage()) >= readable);
        }
    }

    void what_can_be_operated_stands_out_from_its_ground() {
        constexpr double seen = 3;  // WCAG 2, 1.4.11
        for (const Theme theme : {Theme::light, Theme::dark}) {
            apply_theme(*qApp, theme);
            QDialog dialog;
            QCheckBox box(&dialog);
            QRadioButton radio(&dialog);
            QSlider slider(Qt::Horizontal, &dialog);
            QMenu menu(&dialog);
            menu.addAction("HHHH");
            dialog.show();
            slider.resize(120, 20);
            for (QAbstractButton* button :
                 {static_cast<QAbstractButton*>(&box), static_cast<QAbstractButton*>(&radio)})
                button->resize(20, 20);
            const QColor ground = window_palette(theme).color(QPalette::Window);
            const auto edge = [&](const QImage& picture, const QRect& part) {
                double most = 1;
                for (int y = part.top(); y <= part.bottom(); ++y)
                    for (int x = part.left(); x <= part.right(); ++x)
                        most = std::max(most, contrast(picture.pixelColor(x, y), ground));
                return most;
            };
            QVERIFY2(edge(box.grab().toImage(), box.rect()) >= seen,
                     qPrintable(QString::number(edge(box.grab().toImage(), box.rect()))));
            QVERIFY(edge(radio.grab().toImage(), radio.rect()) >= seen);
            QVERIFY(edge(slider.grab().toImage(), QRect(60, 0, 50, 20)) >= seen);  // the groove
            QVERIFY(edge(menu.grab().toImage(), QRect(0, 8, 1, 4)) >= seen);
            QLineEdit line(&dialog);
            QPlainTextEdit text(&dialog);
            QComboBox choice(&dialog);
            QSpinBox number(&dialog);
            choice.setEditable(true);
            for (QWidget* field : std::initializer_list<QWidget*>{&line, &text, &choice, &number}) {
                field->resize(100, 30);
                const double upper = edge(field->grab().toImage(), QRect(10, 0, 60, 2));
                QVERIFY2(upper >= seen,
                         qPrintable(field->metaObject()->className() + QString::number(upper)));
            }
        }
    }

    void the_words_of_a_tooltip_can_be_read_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(Theme::light);
        QTest::newRow("dark") << static_cast<int>(Theme::dark);
    }
    void the_words_of_a_tooltip_can_be_read() {
        QFETCH(int, theme);
        apply_theme(*qApp, static_cast<Theme>(theme));
        QWidget window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QToolTip::showText(QPoint(50, 50), "HHHH IIII MMMM", &window);
        QVERIFY(QTest::qWaitFor([] { return tooltip_on_screen() != nullptr; }));
        QWidget* tooltip = tooltip_on_screen();
        QVERIFY2(contrast_inside(tooltip->grab().toImage()) >= readable,
                 qPrintable(QString::number(contrast_inside(tooltip->grab().toImage()))));
        QToolTip::hideText();
        QVERIFY(QTest::qWaitFor([] { return tooltip_on_screen() == nullptr; }));
    }
};

}  // namespace tst_theme

ROOFWALK_TEST(tst_theme, TestTheme, QApplication)
#include "tst_theme.moc"
