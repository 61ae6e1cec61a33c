// SPDX-License-Identifier: GPL-3.0-or-later
// Works in the window faster than its jobs end: opens, cancels, opens again, moves kernels, exports,
// compares, measures, and closes it while all of that runs. Built with the thread sanitizer, which ends the
// program with exit code 66 where it sees a race.
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <QApplication>
#include <QDir>
#include <QRunnable>
#include <QTest>
#include <QThreadPool>
#include <cstdio>
#include <functional>
#include <thread>

#include "tests/ui/shown_window.h"
#include "ui/export/exporter.h"
#include "ui/panels/ceiling_benchmark_job.h"

using namespace roofwalk;

namespace {

/// What the pool runs in the place of a task.
class QueuedTask : public QRunnable {
  public:
    explicit QueuedTask(QRunnable* task) : task_(task) { __tsan_release(this); }

    void run() override {
        __tsan_acquire(this);
        const bool ours = task_->autoDelete();
        task_->run();
        if (ours) delete task_;
    }

  private:
    QRunnable* task_;
};

/// That of Qt, before which one stands here.
template <class Function>
Function* qt_function(const char* symbol) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, symbol));
}

constexpr int kernels = 300;
constexpr int rounds = 8;
constexpr int moves = 6;
constexpr int longest_wait = 60'000;  // [ms]

/// Tells how far it is until it is stopped.
Result<MeasuredCeilings> measure_until(const std::stop_token& stop,
                                       const OnCeilingBenchmarkProgress& on_progress) {
    CeilingBenchmarkProgress progress{0, 1'000'000, "hbm_copy"};
    for (; !stop.stop_requested(); ++progress.done) {
        on_progress(progress);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return MeasuredCeilings{};
}

CeilingBenchmarkBackend benchmarks() {
    return {[] { return CeilingStoreContent{}; },
            [](const std::stop_token&) { return CeilingBenchmarkOffer{}; },
            [](const std::string&, const std::stop_token& stop, const OnCeilingBenchmarkProgress& progress) {
                return measure_until(stop, progress);
            },
            [](const MeasuredCeilings&) -> Result<StoreOutcome> {
                return StoreOutcome{"Kept on the shelf.", true};
            }};
}

Scenario scenario_of(int moved) {
    Scenario scenario;
    scenario.name = "Less";
    scenario.moves.emplace_back().kernel.name = "stream_add(float const*, float*)";
    scenario.moves.back().bytes[MemoryLevel::hbm] = 1.0 / (moved + 2);
    return scenario;
}

bool wait_until(const char* what, const std::function<bool()>& is_so) {
    if (QTest::qWaitFor(is_so, longest_wait)) return true;
    std::fprintf(stderr, "ui_threads: %s\n", what);
    return false;
}

bool has_copy(const test::ShownWindow& s) {
    return !QDir(s.settings.recovery_folder()).isEmpty(QDir::Files);
}

/// Everything at once, none of it waited for.
void hurry_through(test::ShownWindow& s, const QStringList& reports, int round) {
    Document& document = s.document();
    document.loader().open(reports, ReportLoader::Opening::replace);
    if (round % 2 == 1) document.loader().job().cancel();
    document.loader().open({reports.last()}, ReportLoader::Opening::add);
    if (document.empty()) return;
    document.loader().compare_with(reports);
    for (int move = 0; move < moves; ++move) {
        test::set_scenario(document, scenario_of(round * moves + move));
        document.select(static_cast<std::uint32_t>(move) % 2);
        if (move == 2) document.analysing().cancel();
        QTest::qWait(move * 10);
    }
    auto* exporter = s.window.findChild<Exporter*>();
    ExportRequest request;
    for (const ExportFormat format : all_export_formats) {
        request.format = format;
        exporter->export_to(s.folder.filePath("out." + suffix_of(format)), request);
    }
}

bool work(test::ShownWindow& s) {
    const QStringList reports{test::write_three_kernels(s.folder, "a.json"),
                              test::write_many_kernels(s.folder, "b.json", kernels)};
    auto* benchmark = s.window.findChild<CeilingBenchmarkJob*>();
    benchmark->look();
    benchmark->measure("GPU-0");
    if (!s.open(reports)) return false;
    for (int round = 0; round < rounds; ++round)
        hurry_through(s, reports, round);
    if (!wait_until("the reports were not shown", [&] { return s.settle(); })) return false;
    test::set_scenario(s.document(), scenario_of(0));
    if (!wait_until("the changes are in no copy", [&] { return has_copy(s); })) return false;
    const QString last = s.folder.filePath("out." + suffix_of(all_export_formats.back()));
    if (!wait_until("the exports were not written", [&] { return QFile::exists(last); })) return false;
    const bool told = wait_until("no benchmark was told of", [&] { return benchmark->progress().done > 0; });
    benchmark->cancel();
    if (!told || !wait_until("the benchmarks did not end", [&] { return !benchmark->running(); }))
        return false;
    benchmark->measure("GPU-0");
    hurry_through(s, reports, rounds);  // and away
    return true;
}

}  // namespace

// Qt is not built for the sanitizer, which therefore sees neither the mutex under which a task is queued nor
// the count of those who hold a result. It is told of both, of each task by itself: what was done before the
// start is seen by the task, and what was done with a result by the last who holds it. Nothing else is, so
// that no race of ours is hidden.
void QThreadPool::start(QRunnable* task, int priority) {
    static auto* const start =
        qt_function<void(QThreadPool*, QRunnable*, int)>("_ZN11QThreadPool5startEP9QRunnablei");
    start(this, new QueuedTask(task), priority);
}

bool QFutureInterfaceBase::derefT() const noexcept {
    static auto* const let_go =
        qt_function<bool(const QFutureInterfaceBase*)>("_ZNK20QFutureInterfaceBase6derefTEv");
    __tsan_release(&mutex());
    const bool is_held = let_go(this);
    if (!is_held) __tsan_acquire(&mutex());
    return is_held;
}

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    test::ShownWindow shown({}, {}, benchmarks());
    return work(shown) ? 0 : 1;
}
