// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "core/operations/op_binding.h"
#include "core/scenario/presets.h"
#include "core/scenario/scenario_effect.h"
#include "tests/core/scenario/preset_move.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_preset_fusion {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr double elements = 1e8;

/// Element-wise kernels, each under its own name, with bytes per element read and written.
Profile chain(std::initializer_list<std::pair<double, double>> kernels, bool apart = true) {
    Profile profile = profile_of(
        machine({compute_ceiling(fp32, 2e13)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12)}), {});
    profile.kernels.clear();
    for (const auto& [read, write] : kernels) {
        Launch one = launch((read + write) * elements / 1.5e12, {{fp32, elements}},
                            {{Boundary::hbm_dram_rw, (read + write) * elements}});
        if (apart) {
            one.traffic[0].read = Bytes(read * elements);
            one.traffic[0].write = Bytes(write * elements);
        }
        one.kernel = static_cast<KernelIndex>(profile.kernels.size());
        profile.kernels.push_back({"k" + std::to_string(profile.kernels.size()), {}, {}});
        profile.launches.push_back(one);
    }
    return profile;
}

/// Fuses every kernel of a profile; or says why not.
Result<ScenarioEffect> fused(const Profile& profile, std::optional<double> intermediates = {},
                             Seconds launch_floor = {}) {
    AnalysisOptions options;
    options.launch_floor = launch_floor;
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    const Analysis analysis = analyse(profile, options);
    std::vector<std::uint32_t> all(analysis.points.size());
    std::iota(all.begin(), all.end(), 0U);
    Scenario scenario;
    for (const std::uint32_t point : all) {
        PresetSubject subject = preset_subject(profile, analysis, point);
        subject.chosen = all;
        const Result<Move> move = test::preset_move(*find_preset("fuse"), subject, intermediates);
        if (!move) return tl::unexpected(move.error());
        scenario.moves.push_back(*move);
    }
    return effect_of(scenario, profile, analysis);
}

}  // namespace

class TestPresetFusion : public QObject {
    Q_OBJECT

  private slots:
    // S4-04: 12 + 8 + 8 bytes an element become 12.
    void three_kernels_keep_the_first_inputs_and_the_last_result() {
        const ScenarioEffect effect = *fused(chain({{8, 4}, {4, 4}, {4, 4}}));
        QVERIFY(near(effect.before.bytes[hbm]->value(), 28 * elements));
        QVERIFY(near(effect.after.bytes[hbm]->value(), 12 * elements));
        QVERIFY(near(*speed_up(effect.before, effect.after), 28.0 / 12));
    }
    // S0-31: three alike are about three times as fast.
    void three_alike_are_three_times_as_fast() {
        const ScenarioEffect effect = *fused(chain({{4, 4}, {4, 4}, {4, 4}}));
        QVERIFY(near(*speed_up(effect.before, effect.after), 3));
    }
    // 6 us of three launches at 2 us become 2 us, although no roof limits kernels that short.
    void each_launch_that_is_saved_gains_what_a_launch_takes() {
        Profile brief = chain({{8, 4}, {4, 4}, {4, 4}});
        for (Launch& launch : brief.launches) {
            launch.duration = Seconds(3e-6);
            for (TrafficSample& sample : launch.traffic) {
                sample.total = sample.total * 1e-5;
                sample.read = *sample.read * 1e-5;
                sample.write = *sample.write * 1e-5;
            }
            launch.work[0].work = launch.work[0].work * 1e-5;
        }
        const ScenarioEffect effect = *fused(brief, {}, usual_launch_floor);
        QVERIFY(near(effect.before.time.value(), 9e-6));
        QVERIFY(near(effect.after.time.value(), 5e-6));
        for (const MovedKernel& kernel : effect.kernels)
            QVERIFY(near(kernel.state.launches, 1.0 / 3));
    }
    // Two launches of 2 us are saved, each of them shorter by 12 of 28 bytes already, as all of the time is.
    void a_saved_launch_that_fewer_bytes_made_shorter_counts_as_short() {
        const Profile two = chain({{8, 4}, {4, 4}, {4, 4}});
        const ScenarioEffect free = *fused(two);
        const ScenarioEffect effect = *fused(two, {}, usual_launch_floor);
        const double shorter = free.after.time / free.before.time;
        const double saved = 4e-6 * shorter;
        QVERIFY(near((free.after.time - effect.after.time).value(), saved));
    }
    void a_person_may_say_how_many_bytes_are_between() {
        const ScenarioEffect effect = *fused(chain({{8, 4}, {4, 4}}, false), 8 * elements);
        QVERIFY(near(effect.after.bytes[hbm]->value(), 12 * elements));
        QCOMPARE(effect.steps.size(), std::size_t{2});
    }
    void bytes_that_are_not_told_apart_are_asked_for() {
        const auto refused = fused(chain({{8, 4}, {4, 4}}, false));
        QVERIFY(!refused);
        QCOMPARE(refused.error().what, std::string("It is not known what the kernels leave for each other"));
        QVERIFY(refused.error().hint.find("dram__bytes_read.sum") != std::string::npos);
    }
    void kernels_that_are_only_timed_save_launches() {
        Profile timed = chain({{8, 4}, {4, 4}, {4, 4}});
        for (Launch& launch : timed.launches) {
            launch.work.clear();
            launch.traffic.clear();
            launch.duration = Seconds(10e-6);
        }
        const auto effect = fused(timed, {}, Seconds(2e-6));
        QVERIFY2(effect, effect ? "" : effect.error().what.c_str());
        QVERIFY(near(effect->after.time.value(), 26e-6));
    }
    void kernels_with_the_bytes_of_their_operations_are_fused_by_these() {
        Profile timed = chain({{8, 4}, {4, 4}});
        timed.launches[0].algorithm = timed.texts.intern("elementwise n=1e8 inputs=2");
        timed.launches[1].algorithm = timed.texts.intern("elementwise n=1e8");
        for (Launch& launch : timed.launches) {
            launch.work.clear();
            launch.traffic.clear();
        }
        const auto effect = fused(timed);
        QVERIFY2(effect, effect ? "" : effect.error().what.c_str());
        QVERIFY(near(effect->after.bytes[hbm]->value(), 12 * elements));
    }
    void one_kernel_alone_is_not_fused() {
        QCOMPARE(fused(chain({{8, 4}})).error().what, std::string("Fusion takes two kernels or more"));
    }
    void inputs_and_results_must_remain() {
        const Profile copies = chain({{0, 4}, {4, 0}});
        QCOMPARE(fused(copies).error().what, std::string("Nothing would be left of the bytes at DRAM"));
    }
    void no_more_is_saved_than_one_writes_and_the_next_reads() {
        QCOMPARE(fused(chain({{8, 4}, {4, 4}}), 10 * elements).error().what,
                 std::string("1.00 GB of intermediates are more than the kernels can leave for each other at "
                             "DRAM: 800 MB at most"));
        // Not told apart, no kernel shares more than it moves: 8 with the first, 4 are left for the third.
        const auto three = [](double bytes) {
            return fused(chain({{4, 4}, {8, 4}, {4, 4}}, false), bytes * elements);
        };
        QVERIFY(three(23.9));
        QVERIFY(three(24.1).error().what.find("2.40 GB at most") != std::string::npos);
    }
    void any_saving_is_one() {
        const ScenarioEffect effect = *fused(chain({{8, 4}, {4, 4}}, false), 64);
        QVERIFY(*effect.after.bytes[hbm] < *effect.before.bytes[hbm]);
        const ScenarioEffect little = *fused(chain({{8000, 1}, {1, 8000}}));
        QVERIFY(near(little.after.bytes[hbm]->value(), 16000 * elements));
    }
    void strangers_are_not_fused() {
        QCOMPARE(fused(chain({{8, 0}, {0, 8}})).error().what,
                 std::string("The kernels leave nothing for each other at DRAM or L2"));
    }
};

}  // namespace tst_preset_fusion

ROOFWALK_TEST(tst_preset_fusion, TestPresetFusion, NoApplication)
#include "tst_preset_fusion.moc"
