// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/message_bar.h"
#include "ui/message_row.h"

using namespace roofwalk;

namespace {

Error message(const char* what) {
    return {ErrorCode::corrupt, what, "report.ncu-rep, offset 12", "Write the report again."};
}

QStringList headlines(const MessageBar& bar) {
    QCoreApplication::processEvents();  // a layout shows new rows in the next turn of the loop
    QStringList texts;
    for (const QLabel* label : bar.findChildren<QLabel*>("message_what"))
        if (label->isVisibleTo(&bar)) texts.append(label->accessibleName());
    return texts;
}

void click(const MessageBar& bar, const QString& name) {
    for (QToolButton* button : bar.findChildren<QToolButton*>())
        if (button->accessibleName() == name && button->isVisibleTo(&bar)) {
            QTest::mouseClick(button, Qt::LeftButton);
            return;
        }
    QFAIL("no such button");
}

}  // namespace

class TestMessageBar : public QObject {
    Q_OBJECT

  private slots:
    void a_message_stays_until_it_is_dismissed() {
        MessageBar bar;
        QVERIFY(!bar.isVisibleTo(nullptr));
        bar.show_message(MessageBar::Severity::error, message("The file is damaged"));
        bar.show();
        QCOMPARE(headlines(bar), QStringList{"The file is damaged"});
        click(bar, "Dismiss this message");
        QCOMPARE(bar.count(), std::size_t{0});
        QVERIFY(bar.isHidden());
    }

    void its_size_before_the_first_layout_is_that_of_its_window() {
        QWidget window;
        window.resize(900, 600);
        auto* bar = new MessageBar(&window);
        Error error = message("A sentence that would be broken into many lines by a narrow column");
        error.hint = QString("A hint of many words. ").repeated(20).toStdString();
        bar->show_message(MessageBar::Severity::error, error);
        const QSize before = bar->sizeHint();
        QVERIFY2(before.height() < 200, std::to_string(before.height()).c_str());
        QVERIFY2(before.width() < 900, std::to_string(before.width()).c_str());
    }

    void equal_messages_are_counted() {
        MessageBar bar;
        bar.show_message(MessageBar::Severity::error, message("Twice"));
        bar.show_message(MessageBar::Severity::error, message("Twice"));
        QCOMPARE(bar.count(), std::size_t{1});
        QCOMPARE(headlines(bar), QStringList{"Twice (2 times)"});
    }

    void the_newest_stand_on_top_and_the_rest_wait() {
        MessageBar bar;
        for (const char* what : {"1", "2", "3", "4", "5"})
            bar.show_message(MessageBar::Severity::warning, message(what));
        bar.show();
        QCOMPARE(headlines(bar), QStringList({"5", "4", "3"}));
        click(bar, "Dismiss this message");
        QCOMPARE(headlines(bar).size(), 3);
        QVERIFY(headlines(bar).contains("2"));
        bar.dismiss_all();
        QVERIFY(bar.isHidden());
    }

    void an_offer_that_is_declined_stays() {
        MessageBar bar;
        bool agrees = false;
        int asked = 0;
        const auto act = [&] {
            ++asked;
            bar.show_message(MessageBar::Severity::error, message("Meanwhile"));  // its row moves
            return agrees;
        };
        bar.show_message(MessageBar::Severity::warning, message("Lost work"), {"Recover", act});
        bar.show();
        const auto recover = [&] { bar.findChildren<QPushButton*>("message_offer").last()->click(); };
        recover();
        QTRY_COMPARE(asked, 1);
        QCOMPARE(headlines(bar), QStringList({"Meanwhile", "Lost work"}));
        agrees = true;
        recover();
        QTRY_COMPARE(asked, 2);
        QCOMPARE(headlines(bar), QStringList{"Meanwhile (2 times)"});
    }

    void a_message_is_copied_whole() {
        MessageBar bar;
        bar.show_message(MessageBar::Severity::error, message("The file is damaged"));
        bar.show();
        click(bar, "Copy this message");
        const QString copied = QGuiApplication::clipboard()->text();
        for (const char* part : {"The file is damaged", "offset 12", "Write the report again."})
            QVERIFY2(copied.contains(part), qPrintable(copied));
    }

    void where_there_is_no_room_messages_scroll_and_none_is_cut() {
        QWidget page;
        auto* column = new QVBoxLayout(&page);
        column->setContentsMargins({});
        auto* bar = new MessageBar;
        auto* chart = new QWidget;
        chart->setMinimumHeight(240);
        column->addWidget(bar);
        column->addWidget(chart, 1);
        const QString path =
            "/home/someone/" + QString("a_folder_with_a_long_name/").repeated(5) + "report.json";
        Error first = message("The file is damaged");
        first.where = path.toStdString();
        bar->show_message(MessageBar::Severity::error, first);
        bar->show_message(MessageBar::Severity::warning, message("The file ends early"));
        page.resize(330, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QCOMPARE(page.width(), 330);
        QTRY_COMPARE(bar->verticalScrollBar()->maximum(), 0);  // all is seen
        QVERIFY(bar->height() < 400);
        const int whole = bar->height();
        page.resize(330, 330);
        QTRY_VERIFY(bar->verticalScrollBar()->maximum() > 0);
        QCOMPARE(chart->height(), 240);
        QVERIFY(bar->widget()->height() >= whole);
        QCOMPARE(bar->widget()->width(), bar->viewport()->width());
        for (const QLabel* label : bar->findChildren<QLabel*>()) {
            if (!label->isVisible()) continue;
            QVERIFY(label->height() >= label->heightForWidth(label->width()));
            QVERIFY(label->width() >= label->minimumSizeHint().width());
        }
    }

    void markup_in_a_message_is_shown_as_it_is() {
        MessageBar bar;
        bar.show_message(MessageBar::Severity::error, message("<b>kernel<int></b>"));
        QCOMPARE(headlines(bar), QStringList{"<b>kernel<int></b>"});
        for (const QLabel* label : bar.findChildren<QLabel*>("message_what"))
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
};

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"
