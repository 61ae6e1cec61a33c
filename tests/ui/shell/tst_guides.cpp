// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Six steps and Help > Lessons, as a reader clicks through them.
#include "tests/support/folder_tests.h"
#include "ui/panels/document_page.h"
#include "ui/panels/kernel_panel.h"
#include "ui/widgets/text_page_view.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

#include "app/gui/bundled_samples.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_tip.h"
#include "tests/ui/shown_window.h"
#include "ui/workspace/session_files.h"

namespace tst_guides {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// A window with one of the two pages in front.
struct Reader {
    Reader(const char* command, const char* page) : page_name(page) { s.action(command).trigger(); }

    [[nodiscard]] DocumentPage& page() { return *s.window.findChild<DocumentPage*>(page_name); }
    [[nodiscard]] QString words() {
        QStringList texts;
        for (const QLabel* label : page().widget()->findChildren<QLabel*>())
            texts.append(label->accessibleName());
        return texts.join('\n');
    }
    [[nodiscard]] bool says(const QString& text) {
        return QTest::qWaitFor([&] { return words().contains(text); }, 10'000);
    }
    [[nodiscard]] bool offers(const QString& button) {
        return page().widget()->findChild<QPushButton*>(button) != nullptr;
    }
    /// Scrolls to a button of the page and clicks it; "dock_details" finds "dock_details/copy_command" too.
    [[nodiscard]] bool click(const QString& name) {
        QPushButton* button = nullptr;
        const auto find = [&] {
            for (QPushButton* each : page().widget()->findChildren<QPushButton*>())
                if (each->objectName() == name || each->objectName().startsWith(name + '/')) button = each;
            return button != nullptr;
        };
        if (!QTest::qWaitFor(find, 10'000)) return false;
        page().ensureWidgetVisible(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCoreApplication::processEvents();
        return s.settle();
    }
    [[nodiscard]] bool front(const char* dock) {
        return QTest::qWaitFor([&] { return is_seen(*s.window.findChild<QDockWidget*>(dock)); }, 10'000);
    }

    [[nodiscard]] QPoint dot(const std::string& kernel) {
        const Scene& scene = *s.chart().scene();
        for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
            if (s.document().analysis()->points[scene.dots[i].point].name == kernel)
                return s.chart().dot_position(i).toPoint();
        return {};
    }
    /// Drags a dot by factors of its place.
    void drag(const std::string& kernel, double right, double up) {
        const Range x = s.chart().x_range();
        const Range y = s.chart().y_range();
        const QPointF at = dot(kernel);
        const QPointF by(std::log(right) / std::log(x.hi / x.lo) * s.chart().plot_area().width(),
                         -std::log(up) / std::log(y.hi / y.lo) * s.chart().plot_area().height());
        QTest::mousePress(&s.chart(), Qt::LeftButton, {}, at.toPoint());
        for (const double part : {0.3, 0.7, 1.0})
            QTest::mouseMove(&s.chart(), (at + by * part).toPoint());
        QTest::mouseRelease(&s.chart(), Qt::LeftButton, {}, (at + by).toPoint());
    }
    void click_row(const QString& kernel) {
        const int name = test::column_of(s.table(), "kernel");
        for (int row = 0; row < s.table().model()->rowCount(); ++row)
            if (s.cell(row, name) == kernel)
                QTest::mouseClick(s.table().viewport(), Qt::LeftButton, {},
                                  s.table().visualRect(s.table().model()->index(row, name)).center());
    }

    ShownWindow s{{}, {}, {}, lessons_folder()};
    const char* page_name;
};

}  // namespace

class TestGuides : public QObject {
    Q_OBJECT

  private slots:
    void escape_leaves_a_guide_before_the_selection() {
        Reader r("six_steps", "six_steps_page");
        QVERIFY(r.s.open({test::write_three_kernels(r.s.folder, "a.json")}));
        QVERIFY(r.front("dock_six_steps"));
        r.s.document().select(0);
        QTest::keyClick(&r.s.window, Qt::Key_Escape);
        QVERIFY(!r.s.window.findChild<QDockWidget*>("dock_six_steps")->isVisible());
        for (const char* before : {"dock_ceilings", "dock_details"}) {
            auto* dock = r.s.window.findChild<QDockWidget*>(before);
            dock->raise();
            QTRY_VERIFY(is_seen(*dock));
            r.s.action("six_steps").trigger();
            QTRY_VERIFY(!is_seen(*dock));
            QTest::keyClick(&r.s.window, Qt::Key_Escape);
            QTRY_VERIFY2(is_seen(*dock), before);
        }
        QVERIFY(r.s.document().selection());
        QTest::keyClick(&r.s.window, Qt::Key_Escape);
        QVERIFY(!r.s.document().selection());
    }

    void all_lessons_are_answered_as_a_reader_would() {
        Reader r("lessons", "lesson_page");
        QVERIFY(r.front("dock_lessons"));
        QVERIFY(r.says("1. ") && r.offers("lesson_6"));
        QVERIFY(r.click("lesson_0"));
        const std::array<std::function<void()>, 8> deeds{
            [&] { QTest::mouseClick(&r.s.chart(), Qt::LeftButton, {}, r.dot("triad_v100")); },
            [&] { r.click_row("gemm_m328"); },
            [&] { r.drag("attention_unfused", 100, 1.2); },
            [&] { r.drag("gemv_fp16", 10, 3); },
            [&] { r.drag("gemm_naive", 16, 16); },
            [&] {
                QVERIFY(r.click("choice_0"));
                QVERIFY(!r.words().contains("\nCorrect\n"));
                QVERIFY(r.click("choice_2"));
            },
            [&] { r.drag("gemv_shared", 1, 3); },
            [&] { r.drag("stencil_naive", 32.0 / 11, 32.0 / 11); }};
        for (std::size_t i = 0; i < deeds.size(); ++i) {
            QVERIFY(r.says(QString("Lesson %1 of 8").arg(i + 1)));
            QTRY_VERIFY(r.offers("lesson_" + QString::number(i)) && r.s.chart().isVisible());
            QTRY_COMPARE(r.page().widget()->findChild<QPushButton*>("lesson_" + QString::number(i))->text(),
                         QString("Begin again"));
            QVERIFY(r.s.settle() && r.front("dock_lessons"));
            QVERIFY2(!r.words().contains("\nCorrect\n"), qPrintable(r.words()));
            deeds.at(i)();
            QVERIFY(r.s.settle());
            QVERIFY2(r.says("\nCorrect\n"), qPrintable(r.words()));
            QVERIFY2(!r.words().contains('{'), qPrintable(r.words()));
            QVERIFY(!r.s.window.isWindowModified());
            QCOMPARE(r.offers("lesson_" + QString::number(i + 1)), i < 7);
            if (i < 7) {  // in sight without scrolling
                auto* next = r.page().widget()->findChild<QPushButton*>("lesson_" + QString::number(i + 1));
                QVERIFY(next->visibleRegion().boundingRect().height() == next->height());
                QVERIFY(r.click(next->objectName()));
            }
        }
        QCOMPARE(r.s.chooser.asked, 0);
        QVERIFY2(r.s.messages().count() == 0, qPrintable(test::told(r.s)));
        // Back: it is asked again, and its session is as it was.
        QVERIFY(r.click("lesson_6"));
        QVERIFY(r.says("Lesson 7 of 8") && !r.words().contains("\nCorrect\n"));
        QVERIFY(r.click("lessons"));
        QVERIFY(r.says("Lessons\n"));
        QCOMPARE(r.words().count(": done"), 7);
        QCOMPARE(r.words().count(": to do"), 1);
    }

    void a_lesson_is_saved_elsewhere_and_is_over_with_another_file() {
        Reader r("lessons", "lesson_page");
        QVERIFY(r.click("lesson_3"));
        QTRY_VERIFY(!r.s.document().empty());
        QVERIFY(r.s.settle());
        r.drag("gemv_fp16", 2, 2);
        QVERIFY(r.s.settle());
        QVERIFY(!r.s.document().spec().scenario.moves.empty());
        r.s.chooser.to_save = r.s.folder.filePath("mine.roofwalk");
        r.s.action("save").trigger();
        QVERIFY(QFileInfo::exists(r.s.chooser.to_save));
        QVERIFY(!r.s.chooser.suggested.startsWith(lessons_folder()));
        QVERIFY(r.says("is not open"));
    }

    void a_lesson_begins_again_unanswered() {
        Reader r("lessons", "lesson_page");
        QVERIFY(r.click("lesson_0"));
        QTRY_VERIFY(!r.s.document().empty());
        QVERIFY(r.s.settle() && !r.words().contains("Not yet"));
        r.click_row("triad_a100");
        QVERIFY2(r.s.settle() && r.says("Not yet"), qPrintable(r.words()));
        r.click_row("triad_v100");
        QVERIFY(r.s.settle() && r.says("\nCorrect\n"));
        QVERIFY(r.click("lesson_0"));
        QVERIFY(r.s.settle());
        QVERIFY2(!r.words().contains("\nCorrect\n") && !r.words().contains("Not yet"), qPrintable(r.words()));
    }

    void a_report_that_is_added_to_a_lesson_is_work() {
        Reader r("lessons", "lesson_page");
        QVERIFY(r.click("lesson_5"));
        QTRY_VERIFY(!r.s.document().empty());
        QVERIFY(r.s.settle() && !r.s.window.isWindowModified());
        r.s.document().loader().open({test::write_three_kernels(r.s.folder, "a.json")},
                                     ReportLoader::Opening::add);
        QVERIFY(r.s.settle());
        QTRY_VERIFY(r.s.window.isWindowModified());
        r.s.chooser.keep = FileChooser::Keep::stay;
        QVERIFY(!r.s.window.close());
        QCOMPARE(r.s.chooser.asked, 1);
        r.s.chooser.keep = FileChooser::Keep::discard;
    }

    void without_lessons_it_is_said() {
        ShownWindow s({}, {}, {}, "/nowhere");
        s.action("lessons").trigger();
        QCOMPARE(s.messages().count(), 1);
    }

    void the_six_steps_are_done_from_their_buttons() {
        Reader r("six_steps", "six_steps_page");
        QVERIFY(r.front("dock_six_steps"));
        QVERIFY(r.says("1. Collect: to do"));
        r.s.chooser.to_open = {test::write_three_kernels(r.s.folder, "a.json")};
        QVERIFY(r.click("open"));
        QTRY_VERIFY(!r.s.document().empty());
        QVERIFY(r.s.settle());
        QVERIFY2(r.front("dock_six_steps"), "the steps stay when something is opened");
        r.s.document().select(std::nullopt);
        QVERIFY(r.says("2. Place: to do"));
        QVERIFY(r.click("next"));
        QVERIFY(r.says("2. Place: done") && r.says("3. Which roof: done") && r.says("4. Vertical gap: done"));
        const Range before = r.s.chart().x_range();
        QVERIFY(r.click("focus"));
        QTRY_VERIFY(r.s.chart().x_range() != before);
        for (const char* panel : {"dock_ceilings", "dock_details"}) {
            QVERIFY(r.click(panel));
            QVERIFY(r.front(panel));
            r.s.action("six_steps").trigger();
            QVERIFY(r.front("dock_six_steps"));
        }
        bool asked = false;
        QTimer::singleShot(0, &r.s.window, [&] {
            QTimer::singleShot(100, &r.s.window, [&] {
                auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
                asked = dialog != nullptr;
                if (dialog) dialog->reject();
            });
        });
        QVERIFY(r.click("bind_operation"));
        QTRY_VERIFY(asked);
        QVERIFY(r.click("what_if_menu"));
        auto* menu = r.s.window.findChild<QMenu*>("what_if_menu");
        QTRY_VERIFY(menu->isVisible());
        menu->close();
        QTest::keyClick(&r.s.chart(), Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(r.s.settle());
        QVERIFY2(r.says("Moved, not measured"), qPrintable(r.words()));
        r.s.chooser.to_open = {test::write_three_kernels(r.s.folder, "b.json")};
        QVERIFY(r.click("compare_with"));
        QVERIFY2(r.says("6. Move and check: done"), qPrintable(r.words()));
        r.s.document().loader().close_all();
        QVERIFY(r.says("1. Collect: to do") && r.front("dock_six_steps"));
    }

    void a_step_leads_to_what_it_speaks_of() {
        Reader r("six_steps", "six_steps_page");
        r.s.window.resize(1000, 500);
        QVERIFY(r.s.open({test::write_kernel_without_flops(r.s.folder, "a.json")}));
        r.s.action("next").trigger();
        QVERIFY(r.s.settle() && r.click("dock_details/copy_command"));
        auto* copy = r.s.window.findChild<KernelPanel*>()->findChild<QPushButton*>("copy_command");
        QTRY_VERIFY(copy != nullptr && !copy->visibleRegion().isEmpty());
        QTest::mouseClick(copy, Qt::LeftButton);
        QVERIFY(copy->text() != copy->accessibleName());
        const QString command = QApplication::clipboard()->text();
        QVERIFY(command.startsWith("ncu"));
        QCOMPARE(test::tip_words(copy->toolTip()), command);  // no panel spells it out
        QVERIFY(std::ranges::none_of(r.s.window.findChild<KernelPanel*>()->findChildren<QLabel*>(),
                                     [&](QLabel* label) { return label->accessibleName() == command; }));

        QVERIFY(r.s.open({test::write_kernel_bound_by_l1(r.s.folder, "b.json")}));
        r.s.action("next").trigger();
        r.s.action("six_steps").trigger();
        QVERIFY(r.s.settle() && r.click("dock_ceilings/ceiling_l1"));
        const auto seen = [&] {
            auto* row = r.s.window.findChild<QCheckBox*>("ceiling_l1");
            return row != nullptr && !row->visibleRegion().isEmpty();
        };
        QTRY_VERIFY(seen());
        r.s.action("six_steps").trigger();
        r.s.chart().zoom(8);
        QVERIFY(r.click("focus"));
        const Zones zones = *r.s.chart().scene()->zones;
        QVERIFY(r.s.chart().y_range().holds(zones.peak));
        QVERIFY(r.s.chart().x_range().holds(zones.peak / zones.bandwidth));
    }

    void an_operation_that_numbers_tell_is_accepted_from_its_step() {
        Reader r("six_steps", "six_steps_page");
        QVERIFY(r.s.open({test::write_gemm_by_its_numbers(r.s.folder, "a.json")}));
        r.s.action("next").trigger();
        QVERIFY(r.s.settle() && r.says("5. Horizontal gap: to do") && r.says("GEMM 4096 x 4096 x 4096"));
        QVERIFY(r.click("accept_operation"));
        QVERIFY2(r.says("5. Horizontal gap: done"), qPrintable(r.words()));
    }

    void without_a_document_the_guides_have_a_button_that_closes_them() {
        ShownWindow s({}, {}, {}, lessons_folder());
        for (const char* guide : {"six_steps", "lessons"}) {
            s.action(guide).trigger();
            auto* dock = s.window.findChild<QDockWidget*>(QString("dock_%1").arg(guide));
            QTRY_VERIFY(is_seen(*dock));
            auto* close = dock->findChild<QAbstractButton*>("qt_dockwidget_closebutton");
            QVERIFY(close && close->isVisible());
            close->click();
            QVERIFY(!dock->isVisible());
        }
    }
};

}  // namespace tst_guides

ROOFWALK_TEST(tst_guides, TestGuides, QApplication)
#include "tst_guides.moc"
