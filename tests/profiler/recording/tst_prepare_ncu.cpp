// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_session.h"

#include <QTest>

#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_prepare_ncu {

using namespace roofwalk;
using roofwalk::test::MadeRoot;

namespace {

/// A program `ncu` on PATH for as long as it lives.
struct OnPath {
    OnPath() {
        ncu = root.write_program("ncu");
        qputenv("PATH", QByteArray::fromStdString(root.path().string()));
    }
    OnPath(const OnPath&) = delete;
    OnPath& operator=(const OnPath&) = delete;
    ~OnPath() { qputenv("PATH", before); }

    MadeRoot root;
    QByteArray before = qgetenv("PATH");
    std::filesystem::path ncu;
};

CapabilityFinding finding(const char* subject, Readiness readiness) {
    return {subject, readiness, std::string(subject) + " is what it is.", "Do this."};
}

/// As a file server whose clock is an hour behind ours writes it.
void set_back(const std::filesystem::path& file) {
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
}

}  // namespace

class TestPrepareNcu : public QObject {
    Q_OBJECT

  private slots:
    void a_report_is_new_or_changed_whatever_our_clock_says() {
        const MadeRoot root;
        const std::string output = (root.path() / "run").string();
        const auto report = root.write("run.ncu-rep", "of an earlier run");
        const auto before = reports_of(output);
        QCOMPARE(before->size(), std::size_t{1});
        QVERIFY(!written_report(output, *before));
        set_back(report);
        QCOMPARE(written_report(output, *before), std::optional(report));
        std::filesystem::remove(report);
        QVERIFY(!written_report(output, *before));
    }
    void a_report_of_a_pattern_is_found_by_its_beginning() {
        const MadeRoot root;
        const std::string output = (root.path() / "run-%p.ncu-rep").string();
        root.write("run-6.ncu-rep", "of an earlier run");
        const auto before = reports_of(output);
        set_back(root.write("other-7.ncu-rep", ""));
        root.write("run-7.txt", "");
        QVERIFY(!written_report(output, *before));
        const auto report = root.write("run-7.ncu-rep", "");
        set_back(report);
        QCOMPARE(written_report(output, *before), std::optional(report));
    }
    void where_a_pattern_names_the_folder_no_report_is_looked_for() {
        const MadeRoot root;
        QVERIFY(!reports_of((root.path() / "%q{H}" / "run").string()));
        QVERIFY(reports_of((root.path() / "absent" / "run").string())->empty());
    }
    void where_nothing_is_missing_the_program_is_named() {
        const OnPath path;
        const auto ncu = ready_ncu({finding("driver", Readiness::ready), finding("GPU", Readiness::limited),
                                    finding("counters", Readiness::limited)});
        QVERIFY2(ncu, ncu ? "" : ncu.error().what.c_str());
        QCOMPARE(*ncu, path.ncu);
    }
    void what_our_agent_lacks_keeps_nothing_from_ncu() {
        const OnPath path;
        QVERIFY(ready_ncu({finding("CUPTI", Readiness::missing)}));
    }
    void counters_that_may_not_be_read_are_told_without_a_way_out_that_ncu_lacks() {
        const OnPath path;
        const auto ncu = ready_ncu({finding("counters", Readiness::missing)});
        QVERIFY(!ncu);
        QCOMPARE(ncu.error().what, std::string("counters is what it is."));
        QCOMPARE(ncu.error().hint, std::string("Do this."));
    }
    void without_a_driver_or_a_gpu_there_is_nothing_to_record() {
        const OnPath path;
        for (const char* subject : {"driver", "GPU"}) {
            const auto ncu = ready_ncu({finding(subject, Readiness::missing)});
            QVERIFY(!ncu);
            QVERIFY(ncu.error().what.starts_with(subject));
        }
    }
};

}  // namespace tst_prepare_ncu

ROOFWALK_TEST(tst_prepare_ncu, TestPrepareNcu, QCoreApplication)
#include "tst_prepare_ncu.moc"
