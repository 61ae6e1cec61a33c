// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QToolButton>

#include "core/advice/guide.h"
#include "core/base/text.h"
#include "core/report/kernel_page.h"
#include "core/roofline/ncu_command.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/move.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_window.h"
#include "ui/panels/kernel_panel.h"

namespace tst_kernel_panel {

using namespace roofwalk;
using test::ShownWindow;

namespace {

constexpr int widest_page = 348;  // of the usual panel, less a scroll bar
constexpr int widest_part = widest_page - 28;

KernelPanel& panel_of(ShownWindow& s) {
    return *s.window.findChild<KernelPanel*>();
}

/// Everything the panel says, label after label.
QStringList words(ShownWindow& s) {
    QStringList texts;
    for (const QLabel* label : panel_of(s).widget()->findChildren<QLabel*>())
        texts.append(label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
    return texts;
}

/// What a folded heading says, and under which one may be.
QToolButton* fold(ShownWindow& s, const QString& heading) {
    for (QToolButton* head : panel_of(s).widget()->findChildren<QToolButton*>("fold"))
        if (head->accessibleName() == heading) return head;
    return nullptr;
}

QString command_of(ShownWindow& s) {
    const auto buttons = panel_of(s).findChildren<QPushButton*>("copy_command");
    if (buttons.size() != 1) return {};
    QTest::mouseClick(buttons.front(), Qt::LeftButton);
    return QGuiApplication::clipboard()->text();
}

void select(ShownWindow& s, const char* name) {
    const auto& points = s.document().analysis()->points;
    for (std::uint32_t i = 0; i < points.size(); ++i)
        if (points[i].name.find(name) != std::string::npos) s.document().select(i);
}

}  // namespace

class TestKernelPanel : public QObject {
    Q_OBJECT

  private slots:
    void without_a_selection_the_session_is_summed_up() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QStringList texts = words(s);
        QVERIFY2(texts.first().startsWith("At most "), qPrintable(texts.first()));  // can be recovered
        QVERIFY(texts.filter("3 kernels").size() == 1);
        QVERIFY(texts.filter("3 kernels").first().startsWith("Where the time goes"));
        for (const char* told_by_the_tables : {" of the time and ", "on the memory side"})
            QVERIFY2(texts.filter(told_by_the_tables).isEmpty(), qPrintable(texts.join(u'|')));
        QVERIFY(texts.contains("a.json"));
    }

    void a_kernel_starts_with_its_sentence_and_answers_the_questions() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "sgemm");
        const QStringList texts = words(s);
        QVERIFY(texts.join('\n').contains(
            QString::fromStdString(verdict_sentences(*s.document().selected_point()).text())));
        const auto ridge = texts.indexOf("Left or right of the ridge?");
        QVERIFY(ridge > 0);
        QVERIFY2(texts[ridge + 1].startsWith("Right, by a factor of "), qPrintable(texts[ridge + 1]));
        const auto roof = texts.indexOf("Below the roof?");
        QVERIFY(roof > 0);
        QVERIFY2(texts[roof + 1].contains(" of the practical roof ("), qPrintable(texts[roof + 1]));
        const auto first = texts.indexOf("What first?");
        QVERIFY(first > 0 && first < texts.indexOf("Why?") && texts.indexOf("Why?") < ridge);
        const KernelPoint& point = *s.document().selected_point();
        const KernelAdvice advice = advise(*s.document().profile(), *s.document().analysis(), point);
        QCOMPARE(
            texts[first + 1],
            QString::fromStdString(kernel_guide(advice, point, s.document().analysis()->options).primary));
    }

    void what_to_do_first_comes_with_what_it_is_worth_and_nothing_is_said_twice() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto* foot = s.window.findChild<QLabel*>("session_sentence");
        QVERIFY(foot->accessibleName().isEmpty() && foot->text().isEmpty());  // the details say it
        select(s, "stream_add");
        const KernelPoint& point = *s.document().selected_point();
        const std::string share =
            format_percent(*recoverable_time(point) / s.document().analysis()->total_time);
        QCOMPARE(words(s).filter(QString::fromStdString(share) + " of the time of all kernels").size(), 1);
        const QString away = QString::fromStdString(format_factor(1 / point.gap->efficiency()));
        QCOMPARE(words(s).filter(away).size(), 1);  // in the title
        const std::string room = recoverable_words(point, s.document().analysis()->total_time);
        QCOMPARE(words(s).filter(QString::fromStdString(room.substr(room.find(' ')))).size(), 1);
        QVERIFY(foot->text().contains("recovered"));  // in the session
        s.document().set_filter("stream_add");
        QVERIFY(s.settle());
        QTRY_VERIFY2(foot->accessibleName().contains("1 of 3 kernels"), qPrintable(foot->accessibleName()));
        s.document().set_filter("no such kernel");
        QVERIFY(s.settle());
        QTRY_VERIFY2(words(s).first().startsWith("0 of 3 kernels"), qPrintable(words(s).first()));
    }

    void a_range_says_which_action_reaches_each_end() {
        ShownWindow s;
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        QVERIFY(s.open({QString::fromStdString(test::sample("2024.2.1_rtx3070_image-filters").string())}));
        select(s, "dilate");
        const QStringList texts = words(s);
        const auto worth = texts.indexOf("What is it worth?");
        QVERIFY2(worth > 0, qPrintable(texts.join('\n')));
        QCOMPARE(
            texts[worth + 1],
            QString("0.19–1.92 µs. To the least time of the same launches: 192 ns, 1.20 % of the time of "
                    "all kernels. Up to the second figure with fewer launches."));
        QVERIFY(!texts.contains("Recoverable"));
    }

    void kernels_without_a_time_are_named_once_on_a_page() {
        ShownWindow s;
        const QString path = s.folder.filePath("untimed.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"device": "A100 SXM4 80GB", "kernels": [)"
                   R"({"name": "saxpy", "duration_ns": 1000000, "bytes": 1e8, "flops": 1e10},)"
                   R"({"name": "copy", "bytes": 1e8}, {"name": "fill", "bytes": 1e8}]})");
        file.close();
        QVERIFY(s.open({path}));
        const QString told = "Not timed, so in no share here: copy and 1 more kernel.";
        QCOMPARE(words(s).filter("Not timed").join('|'), told);
        select(s, "saxpy");
        QCOMPARE(words(s).filter("Not timed").join('|'), told);
        select(s, "copy");
        QVERIFY(words(s).filter("Not timed").isEmpty());
    }

    void what_was_only_timed_is_measured_first_by_a_command_of_its_own() {
        ShownWindow s;
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        QVERIFY(s.open({QString::fromStdString(test::sample("2023.1.1_a10g_12kernels").string())}));
        s.document().select(0);
        const QStringList texts = words(s);
        const auto first = texts.indexOf("What first?");
        QVERIFY2(first > 0 && texts[first + 1].startsWith("Measure its bytes and FLOP."),
                 qPrintable(texts.join('\n')));
        QVERIFY(!texts[first + 1].contains("ncu"));
        QVERIFY(command_of(s).startsWith("ncu "));  // once is enough
    }

    void the_next_kernels_are_one_click_away() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 6)}));
        const std::vector<std::uint32_t> ranked = matching_ranked(s.document().result());
        s.document().select(ranked[1]);
        const auto next = [&] {
            QStringList names;
            for (const QPushButton* button : panel_of(s).widget()->findChildren<QPushButton*>())
                if (button->objectName().startsWith("kernel_")) names.append(button->objectName());
            return names;
        };
        QCOMPARE(next(),
                 (QStringList{QString("kernel_%1").arg(ranked[0]), QString("kernel_%1").arg(ranked[2]),
                              QString("kernel_%1").arg(ranked[3])}));
        QTest::mouseClick(panel_of(s).findChild<QPushButton*>(next()[1]), Qt::LeftButton);
        QTRY_COMPARE(s.document().selection(), std::optional(ranked[2]));
        QVERIFY(next().contains(QString("kernel_%1").arg(ranked[1])));
    }

    void integer_work_is_counted_where_there_is_no_other_and_else_one_click_away() {
        ShownWindow s;
        const auto report = [&](const QByteArray& other) {
            const QString path = s.folder.filePath("integer.json");
            QFile file(path);
            if (!file.open(QIODevice::WriteOnly)) return path;
            file.write(R"({"device": "A100 SXM4 80GB", "kernels": [{"name": "julia", "duration_ns": 1000000,)"
                       R"( "bytes": 1e8, "flops": {"fp32": 0, "tensor.int8": 1e11}})" +
                       other + "]}");
            return path;
        };
        QVERIFY(s.open({report("")}));
        QCOMPARE(s.document().analysis()->options.operations, OperationClass::integer);
        QCOMPARE(s.document().analysis()->points[0].work->value(), 1e11);
        QVERIFY(panel_of(s).findChild<QPushButton*>("operations_integer") == nullptr);
        s.document().loader().close_all();
        QVERIFY(
            s.open({report(R"(, {"name": "saxpy", "duration_ns": 1000000, "bytes": 1e8, "flops": 1e10})")}));
        s.document().select(0);
        QTest::mouseClick(panel_of(s).findChild<QPushButton*>("operations_integer"), Qt::LeftButton);
        QTRY_COMPARE(s.document().analysis_options().operations, OperationClass::integer);
        QTRY_VERIFY(panel_of(s).findChild<QPushButton*>("operations_integer") == nullptr);
    }

    void next_kernels_with_long_names_that_begin_alike_read_apart() {
        ShownWindow s;
        const QString path = s.folder.filePath("alike.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray kernels;
        for (int i = 0; i < 4; ++i)
            kernels += QStringLiteral(
                           "%1{\"name\": \"vectorized_elementwise_kernel<%2, Functor<float>>\", "
                           "\"flops\": 1e8, \"bytes\": 1e9, \"duration_ns\": %3}")
                           .arg(i > 0 ? "," : "")
                           .arg(i)
                           .arg(3000000 + i * 1000000)
                           .toUtf8();
        file.write(R"({"device": "A100 SXM4 80GB", "kernels": [)" + kernels + "]}");
        file.close();
        QVERIFY(s.open({path}));
        s.document().select(0);
        QVERIFY(s.settle());
        QSet<QString> names;
        for (const QPushButton* button : panel_of(s).widget()->findChildren<QPushButton*>())
            if (button->objectName().startsWith("kernel_")) names.insert(button->text().section(':', 0, 0));
        QCOMPARE(names.size(), 3);
    }

    void next_launches_of_one_kernel_have_their_numbers() {
        ShownWindow s;
        const QString path = s.folder.filePath("launches.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"device": "A100 SXM4 80GB", "kernels": [)");
        for (int i = 0; i < 3; ++i)
            file.write(QStringLiteral(R"(%1{"name": "copy", "flops": 1e8, "bytes": 1e9, "duration_ns": %2})")
                           .arg(i > 0 ? "," : "")
                           .arg(5000000 - i * 1000000)
                           .toUtf8());
        file.write("]}");
        file.close();
        QVERIFY(s.open({path}));
        s.document().change_analysis([](auto& options) { options.group_by = GroupBy::launch; });
        QVERIFY(s.settle());
        s.document().select(0);
        QVERIFY(s.settle());
        QStringList names;
        for (const QPushButton* button : panel_of(s).widget()->findChildren<QPushButton*>())
            if (button->objectName().startsWith("kernel_")) names.append(button->text().section(':', 0, 0));
        QCOMPARE(names, (QStringList{"copy, launch 1", "copy, launch 2"}));
    }

    void a_next_kernel_keeps_its_figure_where_its_name_has_no_room() {
        ShownWindow s;
        s.window.resize(1000, 700);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a_report_with_a_long_name.json"),
                        test::write_three_kernels(s.folder, "another_report_of_it.json")}));
        select(s, "sgemm");
        QVERIFY(s.settle());
        const auto button = [&] {
            for (auto* each : panel_of(s).widget()->findChildren<QPushButton*>())
                if (each->objectName().startsWith("kernel_")) return each;
            return static_cast<QPushButton*>(nullptr);
        };
        QVERIFY(button());
        const QString whole = button()->accessibleName();
        const QString figure = whole.section(": ", -1);
        const int usual = button()->sizeHint().width();
        for (const int less : {0, 20, 60, 100}) {
            button()->resize(usual - less, button()->height());
            const QString shown = button()->text();
            QVERIFY2(shown.endsWith(": " + figure), qPrintable(shown));
            QCOMPARE(shown == whole, less == 0);
            QVERIFY(button()->fontMetrics().horizontalAdvance(shown) <=
                    button()->fontMetrics().horizontalAdvance(whole) - less);
            if (less == 20) QCOMPARE(shown.section(", ", -1), whole.section(", ", -1));  // the name gives way
        }
    }

    void a_kernel_without_recoverable_time_is_no_next_one() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"),
                        test::write_kernel_without_roof(s.folder, "b.json")}));
        const auto& points = s.document().analysis()->points;
        int left_out = 0;
        for (std::uint32_t selected = 0; selected < points.size(); ++selected) {
            s.document().select(selected);
            for (std::uint32_t i = 0; i < points.size(); ++i) {
                if (i == selected || recoverable_time(points[i])) continue;
                ++left_out;
                QVERIFY(!panel_of(s).findChild<QPushButton*>(QString("kernel_%1").arg(i)));
            }
        }
        QVERIFY(left_out > 0);
    }

    void a_moved_kernel_is_told_as_measured_and_as_the_chart_draws_it() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "stream_add");
        QVERIFY(!words(s).join('\n').contains("Measured: "));
        const KernelPoint& point = *s.document().selected_point();
        Scenario scenario;
        Move& move = scenario.moves.emplace_back();
        move.kernel = key_of(*s.document().profile(), *s.document().analysis(), point);
        move.bytes = {1e-3, 1e-3, 1e-3, 1e-3};  // another ceiling binds then
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        QTRY_VERIFY(
            words(s).contains("Measured: " + QString::fromStdString(verdict_sentences(point).text())));
        const auto& gaps = s.document().scene()->gaps;
        const auto drawn = std::ranges::find(gaps, *s.document().selection(), &GapMark::point);
        QVERIFY(drawn != gaps.end());
        QVERIFY(!QString::fromStdString(verdict_sentences(point).text())
                     .contains(QString::fromStdString(drawn->label)));
        QVERIFY2(words(s).join('\n').contains(QString::fromStdString(drawn->label)), drawn->label.c_str());
    }

    void all_selected_kernels_are_told_of_together() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.document().select_points({0, 1, 2});
        QVERIFY2(words(s).first().startsWith("3 kernels selected: 10.0 ms"), qPrintable(words(s).first()));
        QVERIFY(words(s).filter("The filter hides").isEmpty());
        s.document().set_filter("stream");
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QVERIFY(s.settle());
        QTRY_COMPARE(words(s).filter("The filter hides 2 of them").size(), 1);
    }

    void a_reader_keeps_the_place_while_the_kernel_is_the_same() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "sgemm");
        QCoreApplication::processEvents();
        QScrollBar& bar = *panel_of(s).verticalScrollBar();
        QVERIFY(bar.maximum() > 100);
        bar.setValue(100);
        AnalysisOptions options = s.document().analysis_options();
        options.clock = ClockBasis::boost;
        s.document().set_analysis_options(options);
        QVERIFY(s.settle());
        QCoreApplication::processEvents();
        QCOMPARE(bar.value(), 100);
        select(s, "stream_add");
        QCoreApplication::processEvents();
        QCOMPARE(bar.value(), 0);
    }

    void a_single_launch_is_told_by_its_number() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "sgemm");
        const FactTable facts =
            launch_facts(*s.document().profile(), *s.document().analysis(), *s.document().selected_point());
        QStringList found;
        for (const FactRow& row : facts.rows)
            if (row.cells[0].text == "Launch number") found.append(QString::fromStdString(row.cells[1].text));
        const auto& launches = s.document().profile()->launches;
        const auto sgemm = std::ranges::find_if(launches, [&](const Launch& launch) {
            return s.document().profile()->kernel_of(launch).name.find("sgemm") != std::string::npos;
        });
        QCOMPARE(found, QStringList{QString::number(sgemm - launches.begin())});
    }

    void a_kernel_of_a_real_report_fits_the_panel_and_names_no_option_of_commands() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const auto& report : test::sample_reports()) {
            ShownWindow s;
            if (!s.open({QString::fromStdString(report.string())})) continue;
            const auto* panel = s.window.findChild<KernelPanel*>();
            const auto kernels = std::min<std::size_t>(s.document().analysis()->points.size(), 6);
            for (std::uint32_t i = 0; i < kernels; ++i) {
                s.document().select(i);
                const QString options =
                    words(s).filter(QRegularExpression("roofwalk-cli|^(?!ncu ).* --[a-z]")).join('\n');
                QVERIFY2(options.isEmpty(), qPrintable(options));  // the window names its own means
                for (const QLabel* label : panel->widget()->findChildren<QLabel*>())
                    QVERIFY2(label->minimumSizeHint().width() <= widest_part,
                             qPrintable(QString::fromStdString(report.filename().string()) + ": " +
                                        label->text()));
                QVERIFY2(panel->widget()->minimumSizeHint().width() <= widest_page,
                         report.filename().c_str());
            }
        }
    }

    void bounds_and_levels_list_every_pipe_and_level() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "sgemm");
        const QStringList texts = words(s);
        for (const char* text :
             {"FP32", "HBM", "L2", "SMEM", "HBM read+write", "L2 by sectors", "SMEM wavefronts"})
            QVERIFY2(texts.contains(text), text);
        QVERIFY(texts.contains("30.0"));
        QVERIFY(texts.contains("7.50"));
        QVERIFY(texts.contains("1.50"));
    }

    void a_kernel_without_flops_names_the_metrics_and_the_command() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_without_flops(s.folder, "a.json")}));
        select(s, "unknown_work");
        QCOMPARE(words(s).filter(QRegularExpression("^Not measured: FLOPs\\b")).size(), 1);
        const KernelPoint& point = *s.document().selected_point();
        const auto further =
            options_to_collect(advise(*s.document().profile(), *s.document().analysis(), point));
        QVERIFY(!further.empty());  // one command collects both
        QCOMPARE(command_of(s), QString::fromStdString(ncu_command(*s.document().profile(), &point,
                                                                   s.document().analysis()->options,
                                                                   *s.document().analysis(), further)));
    }

    void without_counters_there_are_no_heads_of_empty_tables() {
        ShownWindow s;
        QFile file(s.folder.filePath("timed.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"device": "A100 SXM4 40GB", "kernels": [{"name": "only_timed", "duration_ns": 1000}]})");
        file.close();
        QVERIFY(s.open({file.fileName()}));
        select(s, "only_timed");
        QVERIFY(words(s).contains("only_timed"));
        QVERIFY(!words(s).contains("Bounds") && !words(s).contains("Levels"));
    }

    void what_was_not_measured_comes_after_the_questions() {
        ShownWindow s;
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        QVERIFY(s.open({QString::fromStdString(test::sample("2023.1.1_a10g_sgemm").string())}));
        s.document().select(0);
        const QStringList texts = words(s);
        const auto missing = texts.indexOf("Not measured");
        const auto question = texts.indexOf("Left or right of the ridge?");
        QVERIFY(question > 0 && missing > question);
        QVERIFY(missing < texts.indexOf("Bounds"));
        for (const char* part : {"SMEM traffic", "by ncu's "})
            QVERIFY2(texts[missing + 1].contains(part), qPrintable(texts[missing + 1]));
        QCOMPARE(texts.filter("traffic (").size(), 1);
    }

    void of_figures_from_a_model_one_line_says_what_is_missing() {
        ShownWindow s;
        QVERIFY(s.open({test::write_modelled_kernel(s.folder, "a.json")}));
        select(s, "by_hand");
        const QStringList texts = words(s);
        QVERIFY(!texts.contains("Not measured"));
        const QStringList told = texts.filter("Not measured: L2 traffic");
        QCOMPARE(told.size(), 1);
        QVERIFY2(told.first().contains("SMEM traffic") && told.first().contains("no run to profile again"),
                 qPrintable(told.first()));
        QVERIFY2(!texts.join('\n').contains("lts__"), qPrintable(texts.join('\n')));
        QVERIFY(panel_of(s).findChild<QPushButton*>("copy_command") == nullptr);
    }

    void advice_stands_on_the_page_and_its_command_collects_what_would_tell() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_with_busy_sm(s.folder, "a.json")}));
        select(s, "issuing");
        QVERIFY(!words(s).contains("Not measured"));
        QToolButton* head = fold(s, "May also be, but was not measured");
        QVERIFY(head != nullptr && !head->isChecked());
        QVERIFY(panel_of(s).findChild<QPushButton*>("copy_command") == nullptr);  // until it is unfolded
        QTest::mouseClick(head, Qt::LeftButton);
        QVERIFY2(command_of(s).contains("-o roofwalk_report"), qPrintable(command_of(s)));
    }

    void what_is_folded_stays_as_a_reader_left_it() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "sgemm");
        QVERIFY(!words(s).contains("Grid"));
        QTest::mouseClick(fold(s, "Launch"), Qt::LeftButton);
        QVERIFY(words(s).contains("Grid"));
        select(s, "stream_add");
        QVERIFY(words(s).contains("Grid"));
        QTest::mouseClick(fold(s, "Launch"), Qt::LeftButton);
        select(s, "sgemm");
        QVERIFY(!words(s).contains("Grid"));
    }

    void no_sentence_and_no_figure_of_a_level_is_said_twice() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "stream_add");
        QStringList told = words(s).filter(QRegularExpression("\\.$"));
        QCOMPARE(told.removeDuplicates(), 0);
        const KernelPoint& point = *s.document().selected_point();
        const QString bytes = QString::fromStdString(format(point.at(MemoryLevel::hbm)->bytes));
        QCOMPARE(words(s).filter(bytes + "\n").size(), 1);
        QCOMPARE(words(s).filter(QRegularExpression("^" + QRegularExpression::escape(bytes) + "$")).size(),
                 0);
    }

    void the_overview_tells_how_to_measure_the_rest() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_without_flops(s.folder, "a.json")}));
        QVERIFY2(command_of(s).startsWith("ncu --set full"), qPrintable(command_of(s)));
        ShownWindow whole;
        QVERIFY(whole.open({test::write_three_kernels(whole.folder, "b.json")}));
        QVERIFY(panel_of(whole).findChild<QPushButton*>("copy_command") == nullptr);
    }

    void a_roof_that_is_not_known_is_typed_and_not_measured_again() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_without_roof(s.folder, "a.json")}));
        const QStringList texts = words(s);
        const auto heading = texts.indexOf("Roof not known");
        QVERIFY2(heading > 0, qPrintable(texts.join(u'|')));
        QVERIFY2(texts[heading + 1].startsWith("No ceiling is known of 'GPU of nobody'"),
                 qPrintable(texts[heading + 1]));
        QVERIFY2(texts[heading + 1].contains("Ceilings panel"), qPrintable(texts[heading + 1]));
        QVERIFY(!texts.contains("Not measured"));
        QVERIFY(panel_of(s).findChild<QPushButton*>("copy_command") == nullptr);
        ShownWindow measured;
        QVERIFY(measured.open({test::write_three_kernels(measured.folder, "b.json")}));
        QVERIFY(!words(measured).contains("Roof not known"));
    }

    void a_busy_unit_is_no_limit_of_bytes() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_with_busy_sm(s.folder, "a.json")}));
        select(s, "issuing");
        const QString text = words(s).join('\n');
        QVERIFY2(text.contains("limit of SM (70.0 %"), qPrintable(text));
    }

    void work_that_was_not_counted_is_a_lower_bound_with_its_command() {
        ShownWindow s;
        QVERIFY(s.open({test::write_kernel_with_uncounted_work(s.folder, "a.json")}));
        select(s, "half_counted");
        const QStringList texts = words(s);
        QVERIFY(texts.contains("≥ 200 MFLOP\nat 19.5 TFLOP/s"));
        QVERIFY(texts.contains("≥ 0.167"));
        QCOMPARE(texts.filter(QRegularExpression("^tensor work\\b")).size(), 1);
        const QString all = texts.join(QChar(10));
        QVERIFY2(all.contains("HBM at 58.9 % of"), qPrintable(all));
        QVERIFY2(all.contains("Not known (tensor instructions not counted, FP16 Tensor by its name)"),
                 qPrintable(all));
        QVERIFY(command_of(s).contains("regex:sm__ops_path_tensor_.*"));
    }

    void names_of_strangers_are_never_markup() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        select(s, "sgemm");
        for (const QLabel* label : panel_of(s).widget()->findChildren<QLabel*>())
            if (label->pixmap().isNull()) QCOMPARE(label->textFormat(), Qt::PlainText);
    }
};

}  // namespace tst_kernel_panel

ROOFWALK_TEST(tst_kernel_panel, TestKernelPanel, QApplication)
#include "tst_kernel_panel.moc"
