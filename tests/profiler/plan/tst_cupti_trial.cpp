// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/cupti_trial.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "profiler/plan/counter_planner.h"

#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_cupti_trial {

using namespace roofwalk;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// The false CUPTI in folders of its own, each as a toolkit that no loader knows.
class MadeToolkits {
  public:
    [[nodiscard]] fs::path add(const char* name, bool with_helper = true) const {
        const fs::path folder = fs::path(folder_.path().toStdString()) / name;
        const fs::path made = ROOFWALK_FAKE_CUPTI;
        fs::create_directories(folder);
        fs::copy_file(made, folder / "libcupti.so.13");
        if (with_helper)
            fs::copy_file(made.parent_path() / "libnvperf_host.so", folder / "libnvperf_host.so");
        return folder / "libcupti.so.13";
    }

  private:
    QTemporaryDir folder_;
};

bool is_loaded_here(const fs::path& library) {
    return dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
}

}  // namespace

class TestCuptiTrial : public QObject {
    Q_OBJECT

  private slots:
    void cleanup() {
        qunsetenv("FAKE_CUPTI_DIES");
        qunsetenv("FAKE_CUPTI_FAIL");
        qunsetenv("FAKE_CUPTI_HANGS");
        qunsetenv("FAKE_CUPTI_VERSION");
    }

    void one_that_no_loader_knows_plans_with_what_stands_beside_it() {
        const MadeToolkits toolkits;
        const fs::path library = toolkits.add("pip");
        qputenv("FAKE_CUPTI_VERSION", "130102");
        const CuptiChoice choice = choose_cupti({library});
        QVERIFY2(choice.passed_over.empty(),
                 choice.passed_over.empty() ? "" : choice.passed_over[0].what.c_str());
        QCOMPARE(choice.library, library);
        QCOMPARE(choice.version, 130102U);
        QVERIFY((choice.chips == std::vector<std::string>{"GH100"}));
        QCOMPARE(words_for_cupti(choice.version), std::string("13.1"));
        QCOMPARE(words_for_cupti(24), std::string("12.6"));
        QCOMPARE(words_for_cupti(28), std::string("12.9"));
        QCOMPARE(words_for_cupti(22), std::string("before 13, API 22"));
        QVERIFY(!is_loaded_here(library));
    }

    void one_that_is_reached_by_a_link_has_its_helper_where_it_really_is() {
        const MadeToolkits toolkits;
        const fs::path library = toolkits.add("whole");
        const fs::path link = library.parent_path().parent_path() / "libcupti.so.13";
        fs::create_symlink(library, link);
        QCOMPARE(choose_cupti({link}).library, link);
    }

    void one_without_its_helper_does_not_plan_with_that_of_another() {
        const MadeToolkits toolkits;
        const fs::path library = toolkits.add("half", false);
        const CuptiChoice choice = choose_cupti({library});
        QVERIFY(choice.library.empty());
        const Error why = why_no_cupti(choice);
        QCOMPARE(why.where, library.string());
        QVERIFY2(why.what.find("libnvperf_host.so") != std::string::npos, why.what.c_str());
        QVERIFY(!why.hint.empty());
    }

    void one_that_dies_takes_nobody_with_it_and_the_next_is_used() {
        const MadeToolkits toolkits;
        const fs::path newer = toolkits.add("newer");
        const fs::path older = toolkits.add("older");
        qputenv("FAKE_CUPTI_DIES", newer.c_str());
        const CuptiChoice choice = choose_cupti({newer, older});
        QCOMPARE(choice.library, older);
        QCOMPARE(choice.passed_over.size(), std::size_t{1});
        QCOMPARE(choice.passed_over[0].where, newer.string());
        QVERIFY2(choice.passed_over[0].what.find("signal 11") != std::string::npos,
                 choice.passed_over[0].what.c_str());
        QVERIFY(!choice.passed_over[0].hint.empty());
        QVERIFY(choose_cupti({newer}).library.empty());
        // A driver that is there is not what it lacks.
        QVERIFY(choice.passed_over[0].hint.find("driver") != std::string::npos);
        const Error with_driver = why_no_cupti(choose_cupti({newer}, {.driver_cuda = 13000}));
        QVERIFY2(with_driver.hint.find("driver") == std::string::npos, with_driver.hint.c_str());
        QVERIFY(with_driver.hint.find("--cupti") != std::string::npos);
    }

    void a_file_that_is_not_there_is_not_to_be_installed() {
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "libcupti.so.13";
        const Error absent = why_no_cupti(choose_cupti({file}));
        QVERIFY2(absent.hint.find("--cupti") != std::string::npos, absent.hint.c_str());
        QVERIFY(absent.hint.find("Install") == std::string::npos);
        fs::copy_file("/proc/self/status", file);
        QVERIFY(why_no_cupti(choose_cupti({file})).hint.find("Install") != std::string::npos);
    }

    void one_that_dies_in_planning_is_not_chosen_data() {
        QTest::addColumn<QString>("call");
        for (const char* const call : {"GetSupportedChips", "Initialize", "ConfigAddMetrics",
                                       "GetConfigImageSize", "GetConfigImage", "GetNumOfPasses"})
            QTest::newRow(call) << QStringLiteral("cuptiProfilerHost%1:-4").arg(QLatin1String(call));
    }
    void one_that_dies_in_planning_is_not_chosen() {
        QFETCH(const QString, call);
        const MadeToolkits toolkits;
        qputenv("FAKE_CUPTI_FAIL", call.toLatin1());
        const Error why = why_no_cupti(choose_cupti({toolkits.add("newer")}));
        QVERIFY2(why.what.find("signal 4") != std::string::npos, why.what.c_str());
        QVERIFY(!why.hint.empty());
    }

    /// It plans, or evaluates, until it dies; then each call is the same error, and no other process begins.
    void one_that_dies_later_is_an_error_of_its_planner_data() {
        QTest::addColumn<QString>("call");
        for (const char* const call :
             {"Initialize", "ConfigAddMetrics", "GetConfigImageSize", "GetConfigImage", "GetNumOfPasses"})
            QTest::newRow(call) << QStringLiteral("cuptiProfilerHost%1:-4:2").arg(QLatin1String(call));
    }
    void one_that_dies_later_is_an_error_of_its_planner() {
        QFETCH(const QString, call);
        const MadeToolkits toolkits;
        const CuptiChoice choice = choose_cupti({toolkits.add("one")});
        qputenv("FAKE_CUPTI_FAIL", call.toLatin1());
        CuptiPlanner planner(choice.library, choice.version, std::nullopt);
        const auto first = planner.counters_of("GH100", {});
        QVERIFY(!first);
        QVERIFY2(first.error().what.find("signal 4") != std::string::npos, first.error().what.c_str());
        qunsetenv("FAKE_CUPTI_FAIL");
        const auto again = planner.counters_of("GH100", {});
        QVERIFY(!again);
        QVERIFY(again.error() == first.error());
        QCOMPARE(again.error().where, choice.library.string());
    }

    void one_that_dies_in_evaluating_is_an_error_of_its_planner() {
        const MadeToolkits toolkits;
        const CuptiChoice choice = choose_cupti({toolkits.add("one")});
        qputenv("FAKE_CUPTI_FAIL", "cuptiProfilerHostEvaluateToGpuValues:-4:3");
        CuptiPlanner planner(choice.library, choice.version, std::nullopt);
        const auto counters = planner.counters_of("GH100", {});
        QVERIFY(counters && counters->left_out.empty() && !counters->plans.empty());
        const std::vector<std::uint8_t> no_image{1, 2, 3};
        const auto evaluate = [&] {
            return planner.evaluate("GH100", {}, no_image, 0, counters->plans.front().metrics);
        };
        for (int refused = 0; refused < 2; ++refused) {
            const auto values = evaluate();
            QVERIFY(!values);
            QVERIFY2(values.error().what.find("Evaluate") != std::string::npos, values.error().what.c_str());
        }
        for (int dead = 0; dead < 2; ++dead) {
            const auto values = evaluate();
            QVERIFY(!values);
            QVERIFY2(values.error().what.find("signal 4") != std::string::npos, values.error().what.c_str());
        }
        QVERIFY(!is_loaded_here(choice.library));
    }

    void one_process_answers_question_after_question() {
        const MadeToolkits toolkits;
        CuptiProcess process(
            toolkits.add("one"), [asked = 0](const CuptiHost&, const CuptiAnswer& question) mutable {
                return Result<CuptiAnswer>(CuptiAnswer{question.at(0), std::to_string(++asked)});
            });
        const std::string of_any_bytes = std::string(3'000'000, '\0') + "end";
        for (const char* const nth : {"1", "2", "3"}) {
            const auto told = process.ask({of_any_bytes});
            QVERIFY(told && (*told == CuptiAnswer{of_any_bytes, nth}));
        }
    }

    void one_that_refuses_says_with_which_code() {
        const MadeToolkits toolkits;
        const fs::path library = toolkits.add("refuses");
        qputenv("FAKE_CUPTI_FAIL", "cuptiGetVersion:999");
        const Error why = why_no_cupti(choose_cupti({library}));
        QVERIFY2(why.what.find("999") != std::string::npos, why.what.c_str());
        QVERIFY(!why.hint.empty());
    }

    void what_is_asked_is_answered_or_refused_as_asked() {
        const MadeToolkits toolkits;
        const fs::path library = toolkits.add("asked");
        const std::string long_text(100'000, 'x');
        const auto told = ask_cupti(library, [&](const CuptiHost&) -> Result<CuptiAnswer> {
            return CuptiAnswer{long_text, "", "two\nlines"};
        });
        QVERIFY(told && (*told == CuptiAnswer{long_text, "", "two\nlines"}));
        const auto refused = ask_cupti(library, [](const CuptiHost& host) {
            return host.config_image("ZZ999", std::vector<std::string>{"a__b.sum"})
                .map([](const ConfigImage&) { return CuptiAnswer(); });
        });
        QVERIFY(!refused);
        QVERIFY2(refused.error().hint.find("chip") != std::string::npos, refused.error().hint.c_str());
        const Error own{ErrorCode::contradiction, "What happened", library.string(), "What to do."};
        const auto kept =
            ask_cupti(library, [&](const CuptiHost&) -> Result<CuptiAnswer> { return tl::unexpected(own); });
        QVERIFY(!kept);
        QCOMPARE(kept.error(), own);
    }

    void one_that_hangs_leaves_time_for_the_next() {
        const MadeToolkits toolkits;
        const fs::path newer = toolkits.add("newer");
        const fs::path older = toolkits.add("older");
        qputenv("FAKE_CUPTI_HANGS", newer.c_str());
        const CuptiChoice choice = choose_cupti({newer, older}, {.limit = 4s});
        QCOMPARE(choice.library, older);
        QCOMPARE(choice.passed_over.size(), std::size_t{1});
        QVERIFY2(choice.passed_over[0].what.find("2 s") != std::string::npos,
                 choice.passed_over[0].what.c_str());
        const auto begin = std::chrono::steady_clock::now();
        QVERIFY(choose_cupti({newer, newer, newer}, {.limit = 200ms}).library.empty());
        QVERIFY(std::chrono::steady_clock::now() - begin < 10s);
    }

    void a_search_that_is_stopped_ends_at_once() {
        const MadeToolkits toolkits;
        const fs::path newer = toolkits.add("newer");
        const fs::path older = toolkits.add("older");
        qputenv("FAKE_CUPTI_HANGS", newer.c_str());
        std::stop_source stop;
        const std::jthread person([&] {
            std::this_thread::sleep_for(200ms);
            stop.request_stop();
        });
        const auto begin = std::chrono::steady_clock::now();
        const CuptiChoice choice = choose_cupti({newer, older}, {.stop = stop.get_token()});
        QVERIFY(std::chrono::steady_clock::now() - begin < 5s);
        QVERIFY(choice.library.empty());
        QCOMPARE(choice.passed_over.size(), std::size_t{1});
        QCOMPARE(choice.passed_over[0].code, ErrorCode::cancelled);
    }

    void one_that_needs_a_newer_driver_is_passed_over() {
        const MadeToolkits toolkits;
        const fs::path of_13 = toolkits.add("newer");
        const fs::path of_12 = of_13.parent_path().parent_path() / "libcupti.so.12";
        fs::create_symlink(toolkits.add("older"), of_12);
        const CuptiChoice choice = choose_cupti({of_13, of_12}, {.driver_cuda = 12040});
        QCOMPARE(choice.library, of_12);
        QCOMPARE(choice.passed_over.size(), std::size_t{1});
        QCOMPARE(choice.passed_over[0].where, of_13.string());
        QVERIFY2(choice.passed_over[0].what.find("CUDA 12.4") != std::string::npos,
                 choice.passed_over[0].what.c_str());
        QVERIFY(!choice.passed_over[0].hint.empty());
        QCOMPARE(choose_cupti({of_13, of_12}, {.driver_cuda = 13000}).library, of_13);
        QCOMPARE(choose_cupti({of_13, of_12}).library, of_13);
    }

    void what_is_thrown_and_what_is_open_stays_with_its_process() {
        const MadeToolkits toolkits;
        const fs::path library = toolkits.add("asked");
        const auto thrown = ask_cupti(library, [](const CuptiHost&) -> Result<CuptiAnswer> {
            throw std::runtime_error("in the child");
        });
        QVERIFY(!thrown);
        QVERIFY2(thrown.error().what.find("signal 6") != std::string::npos, thrown.error().what.c_str());
        const int open_here = dup(STDERR_FILENO);
        const auto told = ask_cupti(library, [&](const CuptiHost&) -> Result<CuptiAnswer> {
            return CuptiAnswer{std::to_string(fcntl(open_here, F_GETFD))};
        });
        close(open_here);
        QVERIFY(told && *told == CuptiAnswer{"-1"});
    }

    void where_no_pipe_is_left_cupti_is_not_blamed() {
        const MadeToolkits toolkits;
        const fs::path library = toolkits.add("asked");
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        const rlimit none{0, before.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
        const auto refused = ask_cupti(library, [](const CuptiHost&) { return Result<CuptiAnswer>(); });
        setrlimit(RLIMIT_NOFILE, &before);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::not_profiled);
        QVERIFY2(refused.error().hint.find("ulimit") != std::string::npos, refused.error().hint.c_str());
    }

    void where_there_is_none_it_says_so() {
        const Error why = why_no_cupti(choose_cupti({}));
        QCOMPARE(why.code, ErrorCode::file_not_found);
        QVERIFY(!why.hint.empty());
    }
};

}  // namespace tst_cupti_trial

ROOFWALK_TEST(tst_cupti_trial, TestCuptiTrial, NoApplication)
#include "tst_cupti_trial.moc"
