// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/dialogs/user_guide.h"

#include <QDir>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

#include "tests/ui/shown_window.h"

namespace tst_user_guide {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

QTextBrowser& pages_of(const QWidget& guide) {
    return *guide.findChild<QTextBrowser*>("user_guide_pages");
}

}  // namespace

class TestUserGuide : public QObject {
    Q_OBJECT

  private slots:
    void the_key_for_help_opens_it() {
        ShownWindow s;
        QTest::keyClick(&s.window, Qt::Key_F1);
        const auto* guide = s.window.findChild<UserGuide*>();
        QVERIFY(guide && guide->isVisible());
        QVERIFY(pages_of(*guide).toPlainText().startsWith("Roofwalk: user guide"));
    }
    void every_link_leads_to_a_page() {
        const QRegularExpression link(R"(\]\(([^)#]+\.md)(#[^)]*)?\))");
        int links = 0;
        for (const QString& name : QDir(":/help").entryList({"*.md"})) {
            QFile page(":/help/" + name);
            QVERIFY(page.open(QIODevice::ReadOnly));
            for (const auto& match : link.globalMatch(page.readAll())) {
                QVERIFY2(QFile::exists(":/help/" + match.captured(1)), qPrintable(name + match.captured(0)));
                ++links;
            }
        }
        QVERIFY(links > 10);
    }
    void no_page_shows_what_is_not_for_its_reader() {
        UserGuide guide;
        QTextBrowser& pages = pages_of(guide);
        for (const QString& name : QDir(":/help").entryList({"*.md"})) {
            pages.setSource(QUrl("qrc:/help/" + name));
            QVERIFY2(!pages.toPlainText().contains("SPDX"), qPrintable(name));
        }
    }
    void a_link_to_a_heading_shows_it() {
        UserGuide guide;
        guide.show();
        QTextBrowser& pages = pages_of(guide);
        pages.setSource(QUrl("qrc:/help/operations.md#which-kernel-is-which-operation"));
        QCOMPARE(pages.textCursor().block().text(), QString("Which kernel is which operation"));
        QVERIFY(pages.viewport()->rect().contains(pages.cursorRect().center()));
    }
    void pages_are_walked_back() {
        UserGuide guide;
        QTextBrowser& pages = pages_of(guide);
        pages.setSource(QUrl("qrc:/help/chart.md"));
        for (QPushButton* button : guide.findChildren<QPushButton*>())
            if (button->text() == "&Back") button->click();
        QVERIFY(pages.toPlainText().startsWith("Roofwalk: user guide"));
    }
};

}  // namespace tst_user_guide

ROOFWALK_TEST(tst_user_guide, TestUserGuide, QApplication)
#include "tst_user_guide.moc"
