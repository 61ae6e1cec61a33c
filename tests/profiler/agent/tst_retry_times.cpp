// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/agent/launch_sampler.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_retry_times {

using roofwalk::agent::RetryTimes;

namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t start = 1000 * second;

/// How long after its refusal each of so many tries is due [s].
QList<qulonglong> distances(RetryTimes& times, int tries) {
    QList<qulonglong> found;
    std::uint64_t now = start;
    for (int at = 0; at < tries; ++at) {
        times.refused(now);
        std::uint64_t waited = 0;
        while (!times.take_turn(now + waited * second))
            ++waited;
        now += waited * second;
        found.append(waited);
    }
    return found;
}

}  // namespace

class TestRetryTimes : public QObject {
    Q_OBJECT

  private slots:
    void distances_grow_up_to_a_minute() {
        RetryTimes times;
        QCOMPARE(distances(times, 9), (QList<qulonglong>{1, 2, 4, 8, 16, 32, 60, 60, 60}));
    }

    void what_was_never_refused_is_not_due() {
        RetryTimes times;
        QVERIFY(!times.is_waiting());
        QVERIFY(!times.take_turn(start));
    }

    void a_try_is_due_once() {
        RetryTimes times;
        times.refused(start);
        QVERIFY(times.take_turn(start + second));
        QVERIFY(!times.take_turn(start + 100 * second));
        QVERIFY(times.is_waiting());
    }
};

}  // namespace tst_retry_times

ROOFWALK_TEST(tst_retry_times, TestRetryTimes, QCoreApplication)
#include "tst_retry_times.moc"
