// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/shell/start_page.h"

#include <QDockWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "app/gui/bundled_samples.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"

namespace tst_start_page {

using namespace roofwalk;
using test::ShownWindow;
using test::told;

namespace {

QPushButton* button_of(ShownWindow& s, const Sample& sample) {
    for (QPushButton* button : s.window.findChild<StartPage*>()->findChildren<QPushButton*>())
        if (button->text() == sample.title) return button;
    return nullptr;
}

/// Clicks a bundled sample and waits for what it holds.
void click_sample(ShownWindow& s, const QString& file) {
    for (const Sample& sample : bundled_samples()) {
        if (!sample.path.endsWith(file)) continue;
        QPushButton* button = button_of(s, sample);
        QVERIFY(button != nullptr && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(!s.document().empty());
        QVERIFY(s.settle());
        QVERIFY2(s.messages().count() == 0, qPrintable(told(s)));
        QVERIFY(!button->isVisible());
        return;
    }
    QFAIL("no such sample is offered");
}

}  // namespace

class TestStartPage : public QObject {
    Q_OBJECT

  private slots:
    void the_walk_opens_with_its_path_on_the_chart() {
        ShownWindow s(bundled_samples());
        click_sample(s, "gemm-walk-a100.roofwalk");
        QTRY_VERIFY(s.document().result().comparison != nullptr);
        QVERIFY(s.settle());
        const std::vector<ScenePath>& paths = s.chart().scene()->paths;
        QCOMPARE(paths.size(), std::size_t{1});
        QCOMPARE(paths.front().places.size(), std::size_t{5});
        QVERIFY(s.window.findChild<QDockWidget*>("dock_compare")->isVisible());
        QVERIFY(!s.window.isWindowModified());
    }

    void the_decode_layer_opens_with_its_moves() {
        ShownWindow s(bundled_samples());
        click_sample(s, "llm-decode-h100.roofwalk");
        QCOMPARE(s.table().model()->rowCount(), 8);
        QVERIFY(!s.chart().scene()->paths.empty());
        const auto* scenario = s.window.findChild<QDockWidget*>("dock_scenario");
        QVERIFY(scenario->isVisible());
        QTRY_VERIFY(scenario->height() <= s.window.height() / 4);
        QVERIFY(!s.window.isWindowModified());
    }

    void long_work_shows_its_progress_and_can_be_stopped() {
        ShownWindow s;
        const QString path = test::write_many_kernels(s.folder, "many.json", 20'000);
        auto* stop = s.window.findChild<QToolButton*>("cancel_work");
        auto* bar = s.window.findChild<QProgressBar*>();
        QVERIFY(!stop->isVisible() && !bar->isVisible());
        s.window.open({path});
        QVERIFY(stop->isVisible() && bar->isVisible());
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(s.settle());
        QVERIFY(!stop->isVisible() && !bar->isVisible());
        QVERIFY(s.document().empty() || s.document().profile()->launches.size() < 20'000);
        QVERIFY2(s.messages().count() > 0, "nobody says that not everything was read");

        QSignalSpy shares(bar, &QProgressBar::valueChanged);
        s.document().loader().close_all();
        QVERIFY(s.open({path}));
        QVERIFY(!shares.isEmpty());
        QCOMPARE(s.document().profile()->launches.size(), std::size_t{20'000});
        QVERIFY(!stop->isVisible() && !bar->isVisible());
    }
};

}  // namespace tst_start_page

ROOFWALK_TEST(tst_start_page, TestStartPage, QApplication)
#include "tst_start_page.moc"
