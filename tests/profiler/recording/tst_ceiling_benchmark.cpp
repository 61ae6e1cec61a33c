// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ceiling_benchmark.h"
#include "tests/support/folder_tests.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

namespace tst_ceiling_benchmark {

using namespace roofwalk;
namespace fs = std::filesystem;

namespace {

constexpr const char* first = R"(echo '{"record":"ceilings","version":1,"benchmark_version":4}')";
constexpr const char* device =
    R"(echo '{"record":"device","index":0,"uuid":"GPU-1","name":"NVIDIA H100","mig":false}')";
constexpr const char* hbm =
    R"(echo '{"record":"result","id":"hbm.read","target":"hbm/dram-rw","mix":"read","rate_byte_per_s":3e12,"spread":0,"repetitions":12}')";
constexpr const char* end = R"(echo '{"record":"end","complete":true}')";

/// A program that plays the benchmarks.
class Benchmarks {
  public:
    explicit Benchmarks(const std::vector<std::string>& lines)
        : program_(fs::path(folder_.path().toStdString()) / "benchmarks") {
        std::ofstream script(program_);
        script << "#!/bin/sh\n";
        for (const std::string& line : lines)
            script << line << '\n';
        script.close();
        fs::permissions(program_, fs::perms::owner_all);
    }

    [[nodiscard]] CeilingBenchmarkRequest request() const {
        CeilingBenchmarkRequest request;
        request.program = program_;
        request.date = "2026-11-22";
        return request;
    }
    [[nodiscard]] const fs::path& program() const { return program_; }

  private:
    QTemporaryDir folder_;
    fs::path program_;
};

}  // namespace

class TestCeilingBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void what_the_benchmarks_tell_is_the_measurement() {
        const Benchmarks benchmarks(
            {first, device, R"(echo '{"record":"progress","done":0,"of":1,"id":"hbm.read"}')", hbm, end});
        std::vector<std::string> ids;
        const auto measured = measure_ceilings(
            benchmarks.request(), {}, [&](const CeilingBenchmarkProgress& progress, const MeasuredCeilings&) {
                ids.push_back(progress.id);
            });
        QVERIFY(measured.has_value());
        QVERIFY(measured->complete);
        QCOMPARE(measured->date, std::string("2026-11-22"));
        QCOMPARE(measured->rates.size(), std::size_t(1));
        QCOMPARE(ids, std::vector<std::string>{"hbm.read"});
    }
    void a_stop_is_seen_though_the_benchmarks_are_silent() {
        const Benchmarks benchmarks({first, device, hbm,
                                     R"(echo '{"record":"progress","done":1,"of":2,"id":"l2.read"}')",
                                     "exec sleep 600"});
        std::stop_source stop;
        const auto measured = measure_ceilings(
            benchmarks.request(), stop.get_token(),
            [&](const CeilingBenchmarkProgress&, const MeasuredCeilings&) { stop.request_stop(); });
        QVERIFY(measured.has_value());
        QVERIFY(!measured->complete);
        QCOMPARE(measured->rates.size(), std::size_t(1));
        QVERIFY(measured->problems.empty());
    }
    void a_list_can_be_stopped() {
        const Benchmarks benchmarks({first, "exec sleep 600"});
        std::stop_source stop;
        stop.request_stop();
        const auto gpus = list_gpus(benchmarks.program(), stop.get_token());
        QVERIFY(!gpus.has_value());
        QCOMPARE(gpus.error().code, ErrorCode::cancelled);
    }
    void a_program_that_tells_without_end_is_ended() {
        const Benchmarks benchmarks({first, device, std::string("while true; do ") + hbm + "; done"});
        const auto measured = measure_ceilings(benchmarks.request(), {});
        QVERIFY(measured.has_value());
        QVERIFY(measured->rates.size() <= 10'000);
        QVERIFY(std::ranges::any_of(
            measured->problems, [](const Error& problem) { return problem.code == ErrorCode::too_large; }));
    }
    void only_the_end_of_the_last_words_is_told() {
        const Benchmarks benchmarks({"i=0; while [ $i -lt 2000 ]; do echo noise >&2; i=$((i+1)); done",
                                     "echo 'the last words' >&2", "exit 7"});
        const auto measured = measure_ceilings(benchmarks.request(), {});
        QVERIFY(!measured.has_value());
        QVERIFY(measured.error().hint.ends_with("the last words\n"));
        QVERIFY(measured.error().hint.size() < 400);
    }
    void a_gpu_in_slices_is_listed_with_the_reason() {
        const Benchmarks benchmarks(
            {first,
             R"(echo '{"record":"gpu","index":0,"uuid":"GPU-1","name":"A","obstacle":"It is cut","hint":"Do this."}')",
             R"(echo '{"record":"gpu","index":1,"uuid":"GPU-2","name":"B"}')"});
        const auto gpus = list_gpus(benchmarks.program());
        QVERIFY(gpus.has_value());
        QCOMPARE(gpus->size(), std::size_t(2));
        QCOMPARE(gpus->at(0).obstacle->what, std::string("It is cut"));
        QCOMPARE(gpus->at(0).obstacle->hint, std::string("Do this."));
        QVERIFY(!gpus->at(1).obstacle);
    }
};

}  // namespace tst_ceiling_benchmark

ROOFWALK_TEST(tst_ceiling_benchmark, TestCeilingBenchmark, NoApplication)
#include "tst_ceiling_benchmark.moc"
