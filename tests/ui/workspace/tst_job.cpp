// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <memory>
#include <thread>

#include "tests/support/folder_tests.h"
#include "ui/workspace/job.h"

namespace tst_job {

using namespace roofwalk;

namespace {

/// Work that lasts until it is told to stop.
int wait_for_stop(const Progress& progress) {
    while (!progress.cancelled())
        std::this_thread::yield();
    return 1;
}

}  // namespace

class TestJob : public QObject {
    Q_OBJECT

  private slots:
    void a_result_arrives_on_the_thread_of_the_job() {
        Job job;
        QThread* arrived_on = nullptr;
        QThread* worked_on = nullptr;
        job.start([&](const Progress&) { return worked_on = QThread::currentThread(); },
                  [&](QThread*) { arrived_on = QThread::currentThread(); });
        QVERIFY(job.running());
        QTRY_VERIFY(!job.running());
        QCOMPARE(arrived_on, thread());
        QVERIFY(worked_on != thread());
    }

    void the_newest_start_wins_and_the_older_result_is_dropped() {
        Job job;
        QList<int> results;
        job.start(wait_for_stop, [&](int value) { results.append(value); });
        job.start([](const Progress&) { return 2; }, [&](int value) { results.append(value); });
        QTRY_VERIFY(!job.running());
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(results, QList<int>{2});
    }

    void a_cancelled_job_still_delivers_what_it_has() {
        Job job;
        int result = 0;
        job.start(wait_for_stop, [&](int value) { result = value; });
        job.cancel();
        QTRY_COMPARE(result, 1);
        QVERIFY(!job.running());
    }

    void a_dropped_job_delivers_nothing() {
        Job job;
        bool delivered = false;
        job.start(wait_for_stop, [&](int) { delivered = true; });
        QSignalSpy running(&job, &Job::running_changed);
        job.drop();
        QCOMPARE(running.count(), 1);
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(!delivered);
    }

    void a_job_that_goes_away_stops_its_work() {
        auto ended = std::make_shared<std::atomic<bool>>(false);
        {
            Job job;
            job.start(
                [ended](const Progress& progress) {
                    wait_for_stop(progress);
                    ended->store(true);
                    return 0;
                },
                [](int) { QFAIL("nobody is there to take the result"); });
        }
        QTRY_VERIFY(ended->load());
    }

    void work_without_the_memory_it_needs_is_an_error_not_the_end() {
        Job job;
        QSignalSpy failed(&job, &Job::failed);
        bool delivered = false;
        job.start([](const Progress&) -> int { throw std::bad_alloc(); }, [&](int) { delivered = true; });
        QTRY_COMPARE(failed.count(), 1);
        job.start([](const Progress&) { return std::string(std::string().max_size() + 1, ' '); },
                  [&](const std::string&) { delivered = true; });
        QTRY_COMPARE(failed.count(), 2);
        QVERIFY(!delivered && !job.running());
        QVERIFY(failed.first().first().value<Error>().what.find("memory") != std::string::npos);
    }

    void progress_is_told_while_the_work_runs() {
        Job job;
        QSignalSpy progressed(&job, &Job::progressed);
        job.start(
            [](const Progress& progress) {
                progress.at(0.25);
                return wait_for_stop(progress);
            },
            [](int) {});
        QTRY_VERIFY(!progressed.isEmpty());
        QCOMPARE(progressed.first().first().toDouble(), 0.25);
    }
};

}  // namespace tst_job

ROOFWALK_TEST(tst_job, TestJob, QCoreApplication)
#include "tst_job.moc"
