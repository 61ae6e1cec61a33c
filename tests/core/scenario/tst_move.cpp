// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/move.h"

#include <QTest>
#include <algorithm>

#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"

namespace tst_move {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr MemoryLevel l2 = MemoryLevel::l2;
constexpr Pipe tf32{PipeKind::tensor_tf32, false};

/// Bounds: HBM 1 ms, L2 0.25 ms, FP32 0.1 ms. Gv is 4.
KernelModel memory_bound_kernel() {
    const Device device = machine(
        {compute_ceiling(fp32, 20e12), compute_ceiling(tf32, 160e12)},
        {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12), bandwidth_ceiling(Boundary::l2_sm_sectors, 8e12)});
    return kernel_model(
        point_of(profile_of(
            device,
            {launch(4e-3, {{fp32, 2e9}}, {{Boundary::hbm_dram_rw, 2e9}, {Boundary::l2_sm_sectors, 2e9}})})),
        {});
}

Move bytes_move(double at_hbm, double at_l2 = 1) {
    Move move;
    move.bytes[hbm] = at_hbm;
    move.bytes[l2] = at_l2;
    return move;
}

Move time_move(double factor) {
    Move move;
    move.time_rule = MoveTime::factor;
    move.time = factor;
    return move;
}

KernelState made(const KernelModel& model, const Move& move) {
    return moved(model.measured, model, move);
}

}  // namespace

class TestMove : public QObject {
    Q_OBJECT

  private slots:
    void a_move_of_nothing_changes_nothing() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Analysis analysis = analyse(RandomKernels(seed).profile(20), {});
            for (const KernelPoint& point : analysis.points) {
                const KernelModel model = kernel_model(point, {});
                QVERIFY(made(model, {}) == model.measured);
                QVERIFY(made(model, time_move(1)) == model.measured);
            }
        }
    }
    void fewer_bytes_at_the_binding_level_take_less_time() {
        const KernelState state = made(memory_bound_kernel(), bytes_move(0.5));
        QCOMPARE(state.bytes[hbm]->value(), 1e9);
        QCOMPARE(state.bytes[l2]->value(), 2e9);
        QVERIFY(near(state.time->value(), 2e-3));
    }
    void the_next_bound_ends_the_gain() {
        QVERIFY(near(made(memory_bound_kernel(), bytes_move(0.01)).time->value(), 1e-3));
        QVERIFY(near(made(memory_bound_kernel(), bytes_move(0.01, 0.01)).time->value(), 0.4e-3));
    }
    void to_the_roof_is_the_speed_of_light() {
        Move move = bytes_move(0.5);
        move.time_rule = MoveTime::to_roof;
        QVERIFY(near(made(memory_bound_kernel(), move).time->value(), 0.5e-3));
    }
    void time_stops_at_the_roof_unless_beyond_the_model() {
        Move move = time_move(0.1);
        QVERIFY(near(made(memory_bound_kernel(), move).time->value(), 1e-3));
        move.beyond_model = true;
        QVERIFY(near(made(memory_bound_kernel(), move).time->value(), 4e-4));
    }
    void a_unit_busier_than_the_roof_ends_what_keeps_bytes_and_work() {
        KernelModel model = memory_bound_kernel();
        model.facts.throughput[HardwareUnit::sm] = 0.6;  // of 4 ms
        Move to_roof;
        to_roof.time_rule = MoveTime::to_roof;
        QVERIFY(near(made(model, to_roof).time->value(), 2.4e-3));
        QVERIFY(near(made(model, time_move(0.1)).time->value(), 2.4e-3));
        QVERIFY(near(made(model, time_move(0.7)).time->value(), 2.8e-3));
        Move beyond = time_move(0.1);
        beyond.beyond_model = true;
        QVERIFY(near(made(model, beyond).time->value(), 4e-4));
        // Half of the work keeps the SM busy for half as long.
        to_roof.work = 0.5;
        QVERIFY(near(made(model, to_roof).time->value(), 1.2e-3));
    }
    void without_a_roof_the_nearest_limit_ends_it() {
        Profile profile = profile_of(machine({}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12)}),
                                     {launch(4e-3, {}, {{Boundary::hbm_dram_rw, 2e9}})});
        Move to_roof;
        to_roof.time_rule = MoveTime::to_roof;
        QVERIFY(near(made(kernel_model(point_of(profile), {}), to_roof).time->value(), 1e-3));
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l1tex)), 75});
        const KernelModel model = kernel_model(point_of(profile), {});
        QVERIFY(near(made(model, to_roof).time->value(), 3e-3));
        QVERIFY(near(made(model, time_move(0.5)).time->value(), 3e-3));
    }
    void more_bytes_at_the_same_time_push_the_time_up_at_the_roof() {
        Move move = bytes_move(8);
        move.time_rule = MoveTime::factor;
        QVERIFY(near(made(memory_bound_kernel(), move).time->value(), 8e-3));
    }
    void work_changes_on_every_pipe() {
        Move move;
        move.work = 0.5;
        const KernelState state = made(memory_bound_kernel(), move);
        QCOMPARE(state.work[fp32].value(), 1e9);
        QCOMPARE(state.time->value(), 4e-3);  // memory binds
    }
    void work_goes_to_another_pipe_and_gains_where_it_binds() {
        KernelModel model = memory_bound_kernel();
        Move move;
        move.pipe = {fp32, tf32};
        QCOMPARE(made(model, move).time->value(), 4e-3);
        for (const Pipe pipe : all_pipes)
            model.measured.work[pipe] = model.measured.work[pipe] * 100;  // FP32 10 ms
        const KernelState state = made(model, move);
        QCOMPARE(state.work[fp32].value(), 0.0);
        QCOMPARE(state.work[tf32].value(), 2e11);
        QVERIFY(near(state.time->value(), 4e-3 / 8));
    }
    void a_pipe_without_a_ceiling_leaves_the_time() {
        Move move;
        move.pipe = {fp32, tensor_int8};
        const KernelModel model = memory_bound_kernel();
        QCOMPARE(made(model, move).time->value(), 4e-3);
    }
    void unknown_time_and_bytes_stay_unknown() {
        const KernelModel model = kernel_model(
            point_of(profile_of(machine({compute_ceiling(fp32, 1e13)}, {}), {launch({}, {{fp32, 1e9}}, {})})),
            {});
        const KernelState state = made(model, bytes_move(0.5));
        QVERIFY(state == model.measured);
        QVERIFY(!state.time && !state.bytes[hbm]);
    }
    void a_factor_of_l1_overrules_its_part_of_shared_memory() {
        AnalysisOptions options;
        constexpr MemoryLevel l1 = MemoryLevel::l1;
        constexpr MemoryLevel smem = MemoryLevel::smem;
        options.boundaries[l1] = Boundary::l1_unified;
        const KernelModel model = kernel_model(
            point_of(profile_of(machine({}, {}),
                                {launch(1e-3, {},
                                        {{Boundary::l1_unified, 10e9}, {Boundary::smem_wavefronts, 4e9}})}),
                     options),
            options);
        Move move;
        move.bytes[smem] = 0.5;
        QCOMPARE(made(model, move).bytes[l1]->value(), 8e9);
        move.bytes[l1] = 0.5;
        QCOMPARE(made(model, move).bytes[l1]->value(), 5e9);
        QCOMPARE(made(model, move).bytes[smem]->value(), 2e9);
    }
    void moves_of_one_kernel_may_change_places() {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            RandomKernels random(seed);
            const Analysis analysis = analyse(random.profile(20), {});
            for (const KernelPoint& point : analysis.points) {
                const KernelModel model = kernel_model(point, {});
                const std::array moves{bytes_move(random.amount(0.1, 10)),
                                       bytes_move(1, random.amount(0.1, 10)),
                                       bytes_move(random.amount(0.1, 10), random.amount(0.1, 10))};
                std::array order{0U, 1U, 2U};
                std::optional<KernelState> first;
                do {
                    KernelState state = model.measured;
                    for (const unsigned i : order)
                        state = moved(state, model, moves[i]);
                    if (!first) first = state;
                    QCOMPARE(state.time.has_value(), first->time.has_value());
                    if (state.time) QVERIFY(near(state.time->value(), first->time->value()));
                    if (state.bytes[hbm])
                        QVERIFY(near(state.bytes[hbm]->value(), first->bytes[hbm]->value()));
                } while (std::ranges::next_permutation(order).found);
            }
        }
    }
    void a_halving_and_a_doubling_cancel() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Analysis analysis = analyse(RandomKernels(seed).profile(20), {});
            for (const KernelPoint& point : analysis.points) {
                const KernelModel model = kernel_model(point, {});
                const KernelState back = moved(made(model, bytes_move(0.5)), model, bytes_move(2));
                QVERIFY(back.bytes == model.measured.bytes);
                if (back.time) QVERIFY(near(back.time->value(), model.measured.time->value()));
            }
        }
    }
};

}  // namespace tst_move

ROOFWALK_TEST(tst_move, TestMove, NoApplication)
#include "tst_move.moc"
