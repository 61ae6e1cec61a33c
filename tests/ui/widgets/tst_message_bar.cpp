// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "tests/support/folder_tests.h"
#include "ui/widgets/message_bar.h"

namespace tst_message_bar {

using namespace roofwalk;

namespace {

Notice message(const char* what, Severity severity = Severity::error) {
    return {severity, what, "report.ncu-rep, offset 12", "Write the report again."};
}

QStringList headlines(const MessageBar& bar) {
    QCoreApplication::processEvents();  // a layout shows new rows in the next turn of the loop
    QStringList texts;
    for (const QLabel* label : bar.findChildren<QLabel*>("message_what"))
        if (label->isVisibleTo(&bar)) texts.append(label->accessibleName());
    return texts;
}

MessageBar* bar_above_chart(QWidget& page) {
    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins({});
    auto* bar = new MessageBar;
    auto* chart = new QWidget;
    chart->setMinimumHeight(240);
    column->addWidget(bar);
    column->addWidget(chart, 1);
    return bar;
}

/// How many messages are seen whole, and how many in part.
std::pair<int, int> whole_and_cut(const MessageBar& bar) {
    const QRect view = bar.viewport()->rect();
    std::pair<int, int> seen;
    for (const MessageRow* row : bar.findChildren<MessageRow*>()) {
        if (!row->isVisibleTo(&bar)) continue;
        const QRect place(row->mapTo(bar.viewport(), QPoint()), row->size());
        if (view.contains(place))
            ++seen.first;
        else if (view.intersects(place))
            ++seen.second;
    }
    return seen;
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
        bar.show_notice(message("The file is damaged"));
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
        Notice error = message("A sentence that would be broken into many lines by a narrow column");
        error.hint = QString("A hint of many words. ").repeated(20).toStdString();
        bar->show_notice(error);
        const QSize before = bar->sizeHint();
        QVERIFY2(before.height() < 200, std::to_string(before.height()).c_str());
        QVERIFY2(before.width() < 900, std::to_string(before.width()).c_str());
    }

    void equal_messages_are_counted() {
        MessageBar bar;
        bar.show_notice(message("Twice"));
        bar.show_notice(message("Twice"));
        QCOMPARE(bar.count(), std::size_t{1});
        QCOMPARE(headlines(bar), QStringList{"Twice (said 2 times)"});
    }

    void the_newest_stand_in_their_order_and_the_rest_wait() {
        MessageBar bar;
        for (const char* what : {"1", "2", "3", "4", "5"})
            bar.show_notice(message(what, Severity::warning));
        bar.show();
        QCOMPARE(headlines(bar), QStringList({"3", "4", "5"}));
        click(bar, "Dismiss this message");
        QCOMPARE(headlines(bar), QStringList({"2", "4", "5"}));
        bar.dismiss_all();
        QVERIFY(bar.isHidden());
    }

    void an_offer_that_is_declined_stays() {
        MessageBar bar;
        bool agrees = false;
        int asked = 0;
        const auto act = [&] {
            ++asked;
            bar.show_notice(message("Meanwhile"));  // its row moves
            return agrees;
        };
        Notice lost = message("Lost work", Severity::information);
        lost.action = NoticeAction::recover;
        bar.offer(lost, act);
        bar.show();
        const auto recover = [&] { bar.findChildren<QPushButton*>("message_offer").last()->click(); };
        recover();
        QTRY_COMPARE(asked, 1);
        QCOMPARE(headlines(bar), QStringList({"Lost work", "Meanwhile"}));
        agrees = true;
        recover();
        QTRY_COMPARE(asked, 2);
        QCOMPARE(headlines(bar), QStringList{"Meanwhile (said 2 times)"});
        agrees = false;
        int told = 0;
        bar.offer(lost, act, [&] { return ++told > 1; });
        const auto discard = [&] { bar.findChild<QPushButton*>("message_discard")->click(); };
        discard();
        QTRY_COMPARE(told, 1);
        QCOMPARE(headlines(bar), QStringList({"Meanwhile (said 2 times)", "Lost work"}));
        discard();
        QTRY_COMPARE(headlines(bar), QStringList{"Meanwhile (said 2 times)"});
        QCOMPARE(asked, 2);
    }

    void each_severity_is_told_apart() {
        MessageBar bar;
        for (const Severity severity : {Severity::information, Severity::warning, Severity::error})
            bar.show_notice(message("The same", severity));
        QCOMPARE(bar.count(), std::size_t{3});
        QSet<QString> names;
        for (const MessageRow* row : bar.findChildren<MessageRow*>())
            names.insert(row->accessibleName());
        QCOMPARE(names.size(), qsizetype{3});
    }

    void a_message_is_copied_whole() {
        MessageBar bar;
        bar.show_notice(message("The file is damaged"));
        bar.show();
        click(bar, "Copy this message");
        const QString copied = QGuiApplication::clipboard()->text();
        for (const char* part : {"The file is damaged", "offset 12", "Write the report again."})
            QVERIFY2(copied.contains(part), qPrintable(copied));
    }

    void where_there_is_no_room_messages_scroll_and_none_is_cut() {
        QWidget page;
        auto* bar = bar_above_chart(page);
        const QWidget* chart = page.layout()->itemAt(1)->widget();
        const QString path =
            "/home/someone/" + QString("a_folder_with_a_long_name/").repeated(5) + "report.json";
        Notice first = message("The file is damaged");
        first.where = path.toStdString();
        bar->show_notice(first);
        bar->show_notice(message("The file ends early", Severity::warning));
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

    void where_some_have_room_whole_ones_are_shown() {
        QWidget page;
        auto* bar = bar_above_chart(page);
        Notice first = message("1");
        first.hint = QString("A hint of many words. ").repeated(8).toStdString();
        bar->show_notice(first);
        for (const char* what : {"2", "3"})
            bar->show_notice(message(what, Severity::warning));
        page.resize(600, 420);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QScrollBar& scroll = *bar->verticalScrollBar();
        QTRY_VERIFY(scroll.maximum() > 0);
        QCOMPARE(scroll.value(), 0);  // the oldest of those that came together
        for (int steps = 0; scroll.value() < scroll.maximum(); ++steps) {
            QVERIFY(steps < 3);
            const int before = scroll.value();
            scroll.setValue(before + 7);  // as a finger on a pad does
            QVERIFY(scroll.value() > before);
            QVERIFY(whole_and_cut(*bar).first >= 1);
            QCOMPARE(whole_and_cut(*bar).second, 0);
        }
        scroll.setValue(scroll.value() - 7);
        QVERIFY(scroll.value() < scroll.maximum());
        QCOMPARE(whole_and_cut(*bar).second, 0);
        page.resize(600, 1000);
        QTRY_COMPARE(scroll.maximum(), 0);
        QCOMPARE(whole_and_cut(*bar), std::pair(3, 0));
    }

    void one_that_comes_later_is_brought_into_view() {
        QWidget page;
        auto* bar = bar_above_chart(page);
        for (const char* what : {"1", "2"})
            bar->show_notice(message(what, Severity::warning));
        page.resize(600, 400);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTest::qWait(200);  // longer than messages that belong together take
        bar->show_notice(message("3", Severity::warning));
        QTRY_VERIFY(bar->verticalScrollBar()->value() > 0);
        QCOMPARE(bar->verticalScrollBar()->value(), bar->verticalScrollBar()->maximum());
    }

    void markup_in_a_message_is_shown_as_it_is() {
        MessageBar bar;
        bar.show_notice(message("<b>kernel<int></b>"));
        QCOMPARE(headlines(bar), QStringList{"<b>kernel<int></b>"});
        for (const QLabel* label : bar.findChildren<QLabel*>("message_what"))
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
};

}  // namespace tst_message_bar

ROOFWALK_TEST(tst_message_bar, TestMessageBar, QApplication)
#include "tst_message_bar.moc"
