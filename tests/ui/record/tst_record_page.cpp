// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/record/capture_fields.h"
#include "ui/record/record_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <algorithm>

#include "ui/shell/settings.h"

namespace tst_record_page {

using namespace roofwalk;

namespace {

struct Page {
    Page() {
        settings.set_last_folder(folder.path());
        page.show();
    }

    template <class Widget>
    [[nodiscard]] Widget& find(const char* name) {
        return *page.findChild<Widget*>(name);
    }
    void type(const char* name, const QString& text) {
        auto& field = find<QLineEdit>(name);
        field.clear();
        QTest::keyClicks(&field, text);
    }
    void type_command(const QString& text) {
        auto* field = find<QComboBox>("record_command").lineEdit();
        field->clear();
        QTest::keyClicks(field, text);
    }
    [[nodiscard]] QString words(const char* name) {
        const auto& label = find<QLabel>(name);
        return label.isVisible() ? label.accessibleName() : QString();
    }
    [[nodiscard]] QPushButton& start() { return find<QPushButton>("record_start"); }

    QTemporaryDir folder;
    Settings settings{folder.filePath("settings.json")};
    RecordPage page{settings};
};

RunningProgram program(std::uint32_t process, const char* name, std::optional<Error> obstacle) {
    RunningProgram running{process, name, std::string("./") + name, std::move(obstacle)};
    running.again.command = {std::string("./") + name, "--size", "64 k"};
    running.again.directory = "/work";
    return running;
}

Error refused() {
    return {ErrorCode::bad_argument, "No agent is in this process", "process 7", "Start it anew."};
}

}  // namespace

class TestRecordPage : public QObject {
    Q_OBJECT

  private slots:
    void nothing_can_be_started_before_the_machine_was_looked_at() {
        Page p;
        p.type_command("./a");
        QVERIFY(!p.start().isEnabled());
        QVERIFY2(p.words("record_counters_note").contains("Looking"),
                 qPrintable(p.words("record_counters_note")));
        p.page.show_offer({});
        QVERIFY(p.start().isEnabled());
    }
    void what_is_typed_becomes_the_request() {
        Page p;
        p.page.show_offer({});
        p.type_command("./gemm --size 4096 \"a b\"");
        p.type("record_folder", "/tmp");
        p.find<QPlainTextEdit>("record_variables").setPlainText("CUDA_VISIBLE_DEVICES=1\nEMPTY=\nX=a=b");
        p.type("record_kernels", "gemm, norm{1,2}, f<float, 4>");
        p.type("record_ranges", "step");
        p.find<QSpinBox>("record_skip").setValue(10);
        p.find<QSpinBox>("record_count").setValue(100);
        p.find<QCheckBox>("record_every_launch").click();
        p.find<QComboBox>("record_replay").setCurrentIndex(0);
        p.type("record_file", "/tmp/%h-%p.jsonl");
        QSignalSpy spy(&p.page, &RecordPage::start_requested);
        QTest::mouseClick(&p.start(), Qt::LeftButton);
        QCOMPARE(spy.size(), 1);
        const auto request = spy[0][0].value<ProfileRequest>();
        QCOMPARE(request.launch.command, (std::vector<std::string>{"./gemm", "--size", "4096", "a b"}));
        QCOMPARE(request.launch.directory.string(), std::string("/tmp"));
        QCOMPARE(request.launch.environment,
                 (std::vector<std::pair<std::string, std::string>>{
                     {"CUDA_VISIBLE_DEVICES", "1"}, {"EMPTY", ""}, {"X", "a=b"}}));
        QVERIFY(request.measuring.counters);
        QVERIFY(request.measuring.every_launch);
        QCOMPARE(request.measuring.replay, ReplayPolicy::never);
        QCOMPARE(request.measuring.filter.kernels,
                 (std::vector<std::string>{"gemm", "norm{1,2}", "f<float, 4>"}));
        QCOMPARE(request.measuring.filter.except, (std::vector<std::string>{"^nccl", "^nvshmem"}));
        QCOMPARE(request.measuring.filter.nvtx_ranges, std::vector<std::string>{"step"});
        QCOMPARE(request.measuring.filter.skip, std::uint64_t{10});
        QCOMPARE(request.measuring.filter.count, std::optional<std::uint64_t>(100));
        QCOMPARE(request.output, std::string("/tmp/%h-%p.jsonl"));
        QVERIFY(!request.attach_to);
    }
    void commas_part_patterns_whatever_brackets_are_open() {
        Page p;
        const auto patterns = [&p](const char* text) {
            p.find<QLineEdit>("record_kernels").setText(text);
            return p.page.findChild<FilterFields*>()->filter().kernels;
        };
        using Patterns = std::vector<std::string>;
        QCOMPARE(patterns("operator<,gemm"), (Patterns{"operator<", "gemm"}));
        QCOMPARE(patterns("operator<, m{2,3}"), (Patterns{"operator<", "m{2,3}"}));
        QCOMPARE(patterns(R"(gemm\(,copy)"), (Patterns{R"(gemm\()", "copy"}));
        QCOMPARE(patterns(R"(f<a, b\>>,copy)"), (Patterns{R"(f<a, b\>>)", "copy"}));
        QCOMPARE(patterns("a{,b<"), (Patterns{"a{", "b<"}));
    }
    void a_click_switches_the_ranges_of_pytorch_on() {
        Page p;
        p.page.show_offer({});
        p.type_command("python3 train.py");
        QVERIFY(!p.page.request()->launch.pytorch_ranges);
        QVERIFY(p.words("record_pytorch_note").contains("program is not changed"));
        QTest::mouseClick(&p.find<QCheckBox>("record_pytorch"), Qt::LeftButton, {}, {8, 8});
        QVERIFY(p.page.request()->launch.pytorch_ranges);
    }
    void without_a_file_name_one_is_suggested() {
        Page p;
        p.page.show_offer({});
        p.type_command("/opt/bin/my gemm");
        p.type_command("\"/opt/bin/my gemm\" x");
        QCOMPARE(QString::fromStdString(p.page.request()->output), p.folder.filePath("my_gemm-%p.jsonl"));
        QVERIFY(!p.page.request()->measuring.filter.count);
    }
    void what_is_wrong_is_said_beside_the_button() {
        Page p;
        p.page.show_offer({});
        QVERIFY2(p.words("record_fault").contains("No program is named"),
                 qPrintable(p.words("record_fault")));
        QVERIFY(!p.start().isEnabled());
        p.type_command("./a");
        QVERIFY(p.words("record_fault").isEmpty());
        p.find<QPlainTextEdit>("record_variables").setPlainText("A");
        QVERIFY2(p.words("record_fault").contains("sets no variable: A"),
                 qPrintable(p.words("record_fault")));
        p.find<QPlainTextEdit>("record_variables").clear();
        p.page.show_fault({ErrorCode::bad_argument, "It is no program", "./a", "Name another."});
        QCOMPARE(p.words("record_fault"), QString("It is no program (./a). Name another."));
    }
    void counters_that_may_not_be_read_say_why_and_time_is_left() {
        Page p;
        RecordingOffer offer;
        offer.no_counters =
            Error{ErrorCode::bad_argument, "Only administrators may read counters", {}, "Ask."};
        p.page.show_offer(offer);
        p.type_command("./a");
        QVERIFY(!p.find<QCheckBox>("record_counters").isEnabled());
        QVERIFY(!p.find<QCheckBox>("record_every_launch").isEnabled());
        QVERIFY(p.words("record_counters_note").startsWith("Only administrators"));
        QVERIFY(!p.page.request()->measuring.counters);
        offer.no_counters.reset();
        std::ranges::fill(offer.cost, RecordingCost{"One pass a launch.", {}});
        p.page.show_offer(offer);
        QVERIFY(p.page.request()->measuring.counters);
        QCOMPARE(p.words("record_counters_note"), QString("One pass a launch."));
    }
    void the_cost_is_that_of_what_is_chosen() {
        Page p;
        RecordingOffer offer;
        offer.cost = {{{"56 of 1,000.", "All 1,000."},
                       {"56 of 1,000, one twice.", "All 1,000, one twice."},
                       {"56 of 1,000 twice.", "All 1,000 twice."}}};
        offer.cost_elsewhere = "As the chip there has it.";
        p.page.show_offer(offer);
        p.type_command("./a");
        QCOMPARE(p.words("record_counters_note"), QString("56 of 1,000, one twice."));
        p.find<QComboBox>("record_replay").setCurrentIndex(2);
        QCOMPARE(p.words("record_counters_note"), QString("56 of 1,000 twice."));
        p.find<QCheckBox>("record_every_launch").click();
        QCOMPARE(p.words("record_counters_note"), QString("All 1,000 twice."));
        p.type("record_through", "ssh node");
        QCOMPARE(p.words("record_counters_note"), QString("As the chip there has it."));
        p.find<QCheckBox>("record_counters").click();
        QVERIFY(p.words("record_counters_note").isEmpty());
    }
    void what_this_machine_lacks_does_not_matter_to_another() {
        Page p;
        RecordingOffer offer;
        offer.obstacle = Error{ErrorCode::bad_argument, "No driver is loaded", {}, {}};
        offer.no_counters = Error{ErrorCode::bad_argument, "Only administrators may", {}, {}};
        p.page.show_offer(offer);
        p.type_command("./a");
        QVERIFY(!p.start().isEnabled());
        p.type("record_through", "ssh -p 2222 \"my node\"");
        QVERIFY(p.start().isEnabled());
        const Result<ProfileRequest> request = p.page.request();
        QCOMPARE(request->launch.through, (std::vector<std::string>{"ssh", "-p", "2222", "my node"}));
        QVERIFY(request->measuring.counters);
        p.find<QRadioButton>("record_attach").click();
        QVERIFY(!p.start().isEnabled());
    }
    void where_nothing_can_be_recorded_the_reason_stands_there() {
        Page p;
        RecordingOffer offer;
        offer.obstacle = Error{ErrorCode::bad_argument, "No driver is loaded", {}, "Install one."};
        p.page.show_offer(offer);
        p.type_command("./a");
        QVERIFY(!p.start().isEnabled());
        QCOMPARE(p.words("record_fault"), QString("No driver is loaded. Install one."));
        QVERIFY(!p.find<QCheckBox>("record_counters").isEnabled());
        QVERIFY(!p.find<QCheckBox>("record_every_launch").isEnabled());
        QCOMPARE(p.words("record_counters_note"), QString("No driver is loaded."));
    }
    void nsight_compute_records_instead_of_the_agent() {
        Page p;
        RecordingOffer offer;
        std::ranges::fill(offer.cost, RecordingCost{"56 of 1,000.", {}});
        offer.cost_of_ncu = "In 12 passes.";
        p.page.show_offer(offer);
        p.type_command("./gemm");
        p.find<QCheckBox>("record_counters").click();  // the agent would take the time alone
        p.find<QRadioButton>("record_with_ncu").click();
        QVERIFY(!p.find<QCheckBox>("record_counters").isEnabled());
        QVERIFY(!p.find<QCheckBox>("record_every_launch").isEnabled());
        const QComboBox& replay = p.find<QComboBox>("record_replay");
        QVERIFY(!replay.isEnabled());
        const QList<QLabel*> labels = p.page.findChildren<QLabel*>();
        const auto words = std::ranges::find(labels, &replay, &QLabel::buddy);
        QVERIFY(words != labels.end() && !(*words)->isEnabled());
        QVERIFY(p.words("record_counters_note").isEmpty());
        QVERIFY(p.words("record_ncu_note").contains("In 12 passes."));
        const Result<ProfileRequest> request = p.page.request();
        QVERIFY(request->with_ncu && request->measuring.counters && !request->measuring.every_launch);
        QCOMPARE(QString::fromStdString(request->output), p.folder.filePath("gemm-%p.ncu-rep"));
        p.find<QRadioButton>("record_with_agent").click();
        QVERIFY(!p.page.request()->with_ncu);
        QVERIFY(!p.page.request()->measuring.counters);
    }
    void nsight_compute_says_why_it_cannot_record() {
        Page p;
        RecordingOffer offer;
        offer.no_ncu = Error{ErrorCode::not_profiled, "The program ncu is not on PATH", {}, {}};
        offer.programs = {program(8, "ready", std::nullopt)};
        p.page.show_offer(offer);
        QVERIFY(!p.find<QRadioButton>("record_with_ncu").isEnabled());
        QCOMPARE(p.words("record_ncu_note"), QString("The program ncu is not on PATH."));
        p.page.show_offer({});
        p.type_command("./gemm");
        p.find<QRadioButton>("record_with_ncu").click();
        QVERIFY(p.start().isEnabled());
        p.type("record_through", "ssh node");
        QVERIFY(!p.start().isEnabled());
        QVERIFY2(p.words("record_fault").contains("on the other machine"),
                 qPrintable(p.words("record_fault")));
        p.find<QLineEdit>("record_through").clear();
        p.find<QRadioButton>("record_attach").click();
        QVERIFY(p.words("record_fault").contains("runs already"));
        QVERIFY(!p.start().isEnabled());
    }
    void what_the_agent_lacks_does_not_matter_to_nsight_compute() {
        Page p;
        RecordingOffer offer;
        offer.obstacle = Error{ErrorCode::not_profiled, "The chip is newer than CUPTI", {}, {}};
        p.page.show_offer(offer);
        p.type_command("./a");
        QVERIFY(!p.start().isEnabled());
        p.find<QRadioButton>("record_with_ncu").click();
        QVERIFY(p.start().isEnabled());
    }
    void paths_are_completed_as_they_are_typed() {
        Page p;
        const QDir folder(p.folder.path());
        QVERIFY(folder.mkpath("gemm_build"));
        QFile file(folder.filePath("gemm_app"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QString typed = folder.filePath("gemm_");
        const auto offered = [&](QLineEdit& field) {
            field.setFocus();
            field.clear();
            QTest::keyClicks(&field, typed);
            const QCompleter* completer = field.completer();
            QStringList names;
            for (int row = 0; row < completer->completionModel()->rowCount(); ++row)
                names.append(completer->completionModel()
                                 ->index(row, completer->completionColumn())
                                 .data()
                                 .toString());
            names.sort();
            return names;
        };
        auto& command = *p.find<QComboBox>("record_command").lineEdit();
        QTRY_COMPARE(offered(command), (QStringList{"gemm_app", "gemm_build"}));
        QTRY_COMPARE(offered(p.find<QLineEdit>("record_folder")), QStringList{"gemm_build"});
    }
    void a_program_that_runs_is_chosen_from_a_list() {
        Page p;
        RecordingOffer offer;
        offer.programs = {program(7, "busy", refused()), program(8, "ready", std::nullopt)};
        p.page.show_offer(offer);
        p.find<QRadioButton>("record_attach").click();
        QVERIFY(!p.start().isEnabled());
        auto& list = p.find<QTreeWidget>("record_programs");
        QCOMPARE(list.topLevelItemCount(), 2);
        list.setCurrentItem(list.topLevelItem(0));
        QVERIFY(!p.start().isEnabled());
        QVERIFY(p.words("record_attach_obstacle").startsWith("No agent is in this process"));
        list.setCurrentItem(list.topLevelItem(1));
        QVERIFY(p.start().isEnabled());
        QVERIFY(p.words("record_attach_obstacle").isEmpty());
        QCOMPARE(p.page.request()->attach_to, std::optional<std::uint32_t>(8));
        p.page.show_offer(offer);  // looked again: it is still chosen
        QCOMPARE(p.page.request()->attach_to, std::optional<std::uint32_t>(8));
        offer.programs.clear();
        p.page.show_offer(offer);
        QVERIFY(!p.start().isEnabled());
        QVERIFY(p.words("record_attach_obstacle").contains("No program"));
    }
    void who_opens_the_page_can_type_the_program_at_once() {
        Page p;
        p.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&p.page));
        p.page.focus_first();
        QTest::keyClicks(QApplication::focusWidget(), "./app");
        QCOMPARE(p.find<QComboBox>("record_command").currentText(), QStringLiteral("./app"));
        p.find<QRadioButton>("record_attach").click();
        p.page.focus_first();
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&p.find<QTreeWidget>("record_programs")));
    }
    void an_agent_is_loaded_where_that_can_be_tried_and_is_wanted() {
        Page p;
        RecordingOffer offer;
        offer.programs = {program(7, "plain", refused()), program(8, "closed", refused()),
                          program(9, "ready", std::nullopt)};
        offer.programs[1].no_injection = Error{ErrorCode::not_profiled, "gdb is not installed", {}, {}};
        p.page.show_offer(offer);
        p.find<QRadioButton>("record_attach").click();
        auto& list = p.find<QTreeWidget>("record_programs");
        auto& inject = p.find<QCheckBox>("record_inject");
        list.setCurrentItem(list.topLevelItem(0));
        QCOMPARE(list.topLevelItem(0)->text(2), QStringLiteral("with gdb"));
        QVERIFY(!p.page.request() && inject.isVisible() && inject.isEnabled());
        QVERIFY(p.words("record_injection_note").contains("may not survive"));
        inject.click();
        QCOMPARE(p.page.request()->attach_to, std::optional<std::uint32_t>(7));
        QVERIFY(p.page.request()->inject);
        list.setCurrentItem(list.topLevelItem(1));
        QVERIFY(!p.page.request() && !inject.isEnabled());
        QCOMPARE(p.words("record_injection_note"), QStringLiteral("gdb is not installed."));
        list.setCurrentItem(list.topLevelItem(2));
        QVERIFY(!inject.isVisible());
        QVERIFY(!p.page.request()->inject);
    }
    void loading_an_agent_can_be_tried_before() {
        Page p;
        RecordingOffer offer;
        offer.programs = {program(7, "plain", refused())};
        p.page.show_offer(offer);
        p.find<QRadioButton>("record_attach").click();
        auto& list = p.find<QTreeWidget>("record_programs");
        list.setCurrentItem(list.topLevelItem(0));
        QSignalSpy asked(&p.page, &RecordPage::trial_requested);
        p.find<QPushButton>("record_try_injection").click();
        QCOMPARE(asked.size(), 1);
        QVERIFY(p.words("record_trial").startsWith("Trying"));
        p.page.show_trial("It works here.");
        QCOMPARE(p.words("record_trial"), QStringLiteral("It works here."));
    }
    void a_program_that_cannot_be_attached_to_is_started_anew_with_its_command_line() {
        Page p;
        RecordingOffer offer;
        offer.programs = {program(7, "busy", refused())};
        p.page.show_offer(offer);
        p.find<QRadioButton>("record_attach").click();
        auto& list = p.find<QTreeWidget>("record_programs");
        list.setCurrentItem(list.topLevelItem(0));
        QTest::mouseClick(&p.find<QPushButton>("record_restart"), Qt::LeftButton);
        QVERIFY(p.find<QRadioButton>("record_launch").isChecked());
        const Result<ProfileRequest> request = p.page.request();
        QVERIFY(request.has_value());
        QCOMPARE(request->launch.command, (std::vector<std::string>{"./busy", "--size", "64 k"}));
        QCOMPARE(request->launch.directory.string(), std::string("/work"));
    }
    void commands_are_remembered() {
        QTemporaryDir folder;
        Settings settings(folder.filePath("settings.json"));
        {
            RecordPage page(settings);
            page.show_offer({});
            for (const char* command : {"./a 1", "./b 2", "./a 1"}) {
                page.findChild<QComboBox*>("record_command")->setEditText(command);
                page.findChild<QPushButton*>("record_start")->click();
            }
        }
        RecordPage page(settings);
        const auto& history = *page.findChild<QComboBox*>("record_command");
        QCOMPARE(history.count(), 2);
        QCOMPARE(history.itemText(0), QString("./a 1"));
        QVERIFY(history.currentText().isEmpty());
    }
};

}  // namespace tst_record_page

ROOFWALK_TEST(tst_record_page, TestRecordPage, QApplication)
#include "tst_record_page.moc"
