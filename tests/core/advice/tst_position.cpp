// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_position {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::string position_of_launch(const Launch& launch) {
    const auto position = position_of(point_of(profile_of(round_machine(), {launch})), {});
    return position ? std::string(id_of(*position)) : "none";
}

}  // namespace

class TestPosition : public QObject {
    Q_OBJECT

  private slots:
    void there_are_five_positions_data() {
        QTest::addColumn<double>("flop");
        QTest::addColumn<double>("hbm_bytes");
        QTest::addColumn<QString>("position");
        QTest::newRow("far left, near the roof") << 1e11 << 0.8e12 << "at_memory_roof";
        QTest::newRow("far left, just below") << 1e11 << 0.799e12 << "below_memory_roof";
        QTest::newRow("far left, as far below as counts") << 1e11 << 0.6e12 << "below_memory_roof";
        QTest::newRow("far left, far below") << 1e11 << 0.1e12 << "below_both";
        QTest::newRow("far right, near the roof") << 8e12 << 1e10 << "at_compute_roof";
        QTest::newRow("far right, just below") << 7.99e12 << 1e10 << "below_compute_roof";
        QTest::newRow("far right, as far below as counts") << 6e12 << 1e10 << "below_compute_roof";
        QTest::newRow("far right, far below") << 1e12 << 1e10 << "below_both";
        QTest::newRow("near the ridge, far below both") << 3e12 << 0.3e12 << "below_both";
        QTest::newRow("near the ridge, memory busy") << 5e12 << 0.7e12 << "below_memory_roof";
        QTest::newRow("above the roof") << 1e11 << 1.1e12 << "none";
    }
    void there_are_five_positions() {
        QFETCH(double, flop);
        QFETCH(double, hbm_bytes);
        QFETCH(QString, position);
        QCOMPARE(QString::fromStdString(position_of_launch(second_of(flop, hbm_bytes, hbm_bytes))), position);
    }
    // S0-35, corrected: a symptom says of the ceiling that binds what its position says, and never the
    // opposite.
    void the_symptom_of_each_position_agrees_with_it_data() {
        QTest::addColumn<double>("flop");
        QTest::addColumn<double>("hbm_bytes");
        QTest::addColumn<QString>("symptom");
        const auto row = [](const char* name, double flop, double bytes, const char* symptom) {
            QTest::newRow(name) << flop << bytes << QString(symptom);
        };
        row("at the memory roof", 1e11, 0.9e12,
            "DRAM reaches 90.0 % of its ceiling, the kernel 102.3 % of the practical roof (above "
            "what is usual); the compute pipes wait for data.");
        row("below the memory roof", 1e11, 0.65e12,
            "Moving the bytes is the longest of the bounds; DRAM reaches 65.0 % of its ceiling, the kernel "
            "73.9 % of the practical roof (some room).");
        row("at the compute roof", 9e12, 1e10,
            "FP32 reaches 90.0 % of its ceiling, the kernel 112.5 % of the practical roof (above "
            "what is usual); memory has time to spare.");
        row("below the compute roof", 7e12, 1e10,
            "Arithmetic is the longest of the bounds; FP32 reaches 70.0 % of its ceiling, the kernel 87.5 % "
            "of the "
            "practical roof (little room). The SM may be busy issuing other instructions all the same.");
        row("below both", 3e12, 0.3e12,
            "Neither the memory nor the pipes are used much, and the ridge is near: no roof stands out. ");
        row("below both, left of the ridge", 1e11, 0.3e12,
            "Neither the memory nor the pipes are used much; DRAM reaches 30.0 % of its ceiling");
        row("below both, right of the ridge", 3e12, 1e10,
            "Neither the memory nor the pipes are used much; FP32 reaches 30.0 % of its ceiling");
    }
    void the_symptom_of_each_position_agrees_with_it() {
        QFETCH(double, flop);
        QFETCH(double, hbm_bytes);
        QFETCH(QString, symptom);
        const KernelPoint point =
            point_of(profile_of(round_machine(), {second_of(flop, hbm_bytes, hbm_bytes)}));
        const auto position = position_of(point, {});
        QVERIFY(position.has_value());
        const QString told = QString::fromStdString(guide_without_counters(*position, point).symptom);
        QVERIFY2(told.startsWith(symptom), qPrintable(told));
        const auto general = position_guide(*position).symptom;
        const bool at =
            *position == RoofPosition::at_memory_roof || *position == RoofPosition::at_compute_roof;
        QCOMPARE(general.find("near its peak") != std::string_view::npos, at);
    }
    void a_copy_has_a_place_and_a_kernel_of_integers_does_not() {
        const auto copy = [](double bytes) { return second_of(0, bytes, bytes); };
        QCOMPARE(position_of_launch(copy(0.9e12)), std::string("at_memory_roof"));
        QCOMPARE(position_of_launch(copy(0.65e12)), std::string("below_memory_roof"));
        QCOMPARE(position_of_launch(copy(0.59e12)), std::string("below_both"));
        QCOMPARE(position_of_launch(copy(0.00166e12)), std::string("below_both"));
        QCOMPARE(position_of_launch(copy(1.2e12)), std::string("none"));
        Launch integers = copy(0.1e12);
        integers.work.push_back({.pipe = {PipeKind::int32}, .work = Flops(1e12)});
        QCOMPARE(position_of_launch(integers), std::string("none"));
        // Of integer work on tensor cores the ceiling is known.
        Profile tensor = profile_of(round_machine(), {copy(0.1e12)});
        tensor.devices[0].ceilings.compute.push_back(compute_ceiling({PipeKind::tensor_int8}, 1e15));
        tensor.launches[0].work.push_back({.pipe = {PipeKind::tensor_int8}, .work = Flops(1e12)});
        QCOMPARE(position_of(point_of(tensor), {}), std::optional(RoofPosition::below_both));
    }
    void a_copy_that_keeps_a_cache_busy_is_below_the_memory_roof() {
        Profile profile = profile_of(round_machine(), {second_of(0, 0.3e12, 0.3e12)});
        QCOMPARE(position_of(point_of(profile), {}), std::optional(RoofPosition::below_both));
        add_metrics(profile, 0, {{metric_of(HardwareUnit::l2), 90}});
        QCOMPARE(position_of(point_of(profile), {}), std::optional(RoofPosition::below_memory_roof));
    }
    void the_practical_roof_is_named_where_it_is_another_one() {
        // 6.9 TFLOP/s at 9.86 FLOP/byte: HBM binds, but FP32 keeps less of its ceiling in practice.
        const auto told = [](double flop, double bytes) {
            const KernelPoint point = point_of(profile_of(round_machine(), {second_of(flop, bytes, bytes)}));
            return guide_without_counters(position_of(point, {}).value(), point).symptom;
        };
        QVERIFY(told(6.9e12, 0.7e12).find("practical roof of FP32") != std::string::npos);
        QVERIFY(told(1e11, 0.7e12).find("practical roof (") != std::string::npos);
    }
    void where_work_was_not_counted_what_is_nearest_to_its_limit_tells_the_position() {
        Launch incomplete = at_memory_roof();
        incomplete.uncounted.tensor = true;
        QCOMPARE(position_of_launch(incomplete), std::string("at_memory_roof"));
        const Launch bytes_alone = launch(1, {}, {{hbm, 1e11}});
        QCOMPARE(position_of_launch(bytes_alone), std::string("none"));  // the SM may be near its limit
        const Profile sm_too = with_metrics(bytes_alone, {{metric_of(HardwareUnit::sm), 20}});
        QCOMPARE(position_of(point_of(sm_too), {}), std::optional(RoofPosition::below_both));
        QCOMPARE(position_of_launch(launch(1, {}, {})), std::string("none"));
    }
    void a_busy_unit_is_not_said_to_wait() {
        Profile profile = profile_of(round_machine(), {far_below_memory_roof()});
        add_metrics(profile, 0, {{metric_of(HardwareUnit::l2), 90}});
        const KernelPoint point = point_of(profile);
        QCOMPARE(point.verdict.kernel_class, KernelClass::memory_bound);
        const KernelGuide guide = guide_without_counters(position_of(point, {}).value(), point);
        QVERIFY(guide.symptom.find("L2 90.0 % busy") != std::string::npos);
        QVERIFY(guide.primary.find("fewer requests") != std::string::npos);
        QCOMPARE(guide.title, position_guide(RoofPosition::below_memory_roof).title);
    }
    void what_to_do_first_is_about_the_level_that_binds() {
        const auto first = [](double hbm_bytes, double l2_bytes, double smem_bytes) {
            Launch launch = second_of(1e11, hbm_bytes, l2_bytes);
            launch.traffic[2].total = Bytes(smem_bytes);
            const KernelPoint point = point_of(profile_of(round_machine(), {launch}));
            return guide_without_counters(position_of(point, {}).value(), point).primary;
        };
        QVERIFY(first(0.9e12, 1e12, 1e12).starts_with("Move fewer bytes"));
        QVERIFY(first(0.1e12, 4.5e12, 1e12).starts_with("Ask less of L2"));
        QVERIFY(first(0.1e12, 1e12, 18e12).starts_with("Ask less of L1 and shared memory"));
    }
    void how_near_a_roof_is_has_the_scale_of_the_tables() {
        const auto guide = [](double hbm_bytes) {
            const KernelPoint point =
                point_of(profile_of(round_machine(), {second_of(1e11, hbm_bytes, 0.4e12)}));
            return guide_without_counters(position_of(point, {}).value(), point);
        };
        QCOMPARE(
            guide(0.7e12).symptom,
            std::string("Moving the bytes is the longest of the bounds; DRAM reaches 70.0 % of its ceiling, "
                        "the kernel 79.5 % of the practical roof (little room)."));
        QVERIFY(guide(0.7e12).primary.starts_with("Move fewer bytes"));
        QVERIFY(guide(0.65e12).symptom.ends_with("(some room)."));
        QVERIFY(guide(0.65e12).primary.starts_with("Make every transfer count"));
    }
    void at_the_compute_roof_only_what_is_faster_is_advised() {
        const auto first = [](Pipe pipe, std::vector<ComputeCeiling> more) {
            Device device = round_machine();
            for (ComputeCeiling& ceiling : more)
                device.ceilings.compute.push_back(std::move(ceiling));
            const double rate = pipe == tensor_fp16 ? 160e12 : 10e12;
            const Launch busy = launch(1, {{pipe, 0.9 * rate}}, {{hbm, 1e10}, {l2, 2e10}, {smem, 0}});
            const KernelPoint point = point_of(profile_of(device, {busy}));
            return guide_without_counters(position_of(point, {}).value(), point).primary;
        };
        const Pipe int8{PipeKind::tensor_int8};
        const Pipe sparse{PipeKind::tensor_fp16, true};
        const Pipe tf32{PipeKind::tensor_tf32};
        QVERIFY(first(tensor_fp16, {}).starts_with("Do less work"));
        QCOMPARE(
            first(tensor_fp16, {compute_ceiling(int8, 320e12), compute_ceiling(sparse, 320e12)}),
            std::string("Do the work in a faster way, where the numbers allow it: a lower precision, 2:4 "
                        "sparsity."));
        QVERIFY(first(fp32, {compute_ceiling(tf32, 80e12)}).ends_with("tensor cores, a lower precision."));
        QVERIFY(first(fp32, {}).ends_with("it: a lower precision."));
    }
    void every_position_says_what_to_do() {
        const std::array launches{at_memory_roof(),     below_memory_roof(), at_compute_roof(),
                                  below_compute_roof(), below_both_roofs(),  far_below_memory_roof()};
        static_assert(launches.size() > enum_size<RoofPosition>);
        for (std::size_t i = 0; i < launches.size(); ++i) {
            const KernelPoint point = point_of(profile_of(round_machine(), {launches[i]}));
            const auto expected = static_cast<RoofPosition>(std::min(i, enum_size<RoofPosition> - 1));
            QCOMPARE(position_of(point, {}), std::optional(expected));
            QCOMPARE(position_guide(expected).position, expected);
            const KernelGuide guide = guide_without_counters(expected, point);
            QCOMPARE(guide.title, position_guide(expected).title);
            for (const std::string_view words :
                 {std::string_view(guide.symptom), std::string_view(guide.meaning),
                  std::string_view(guide.primary), std::string_view(guide.secondary),
                  position_guide(expected).symptom})
                QVERIFY(!words.empty());
            QVERIFY(guide.primary != guide.secondary);
        }
    }
};

}  // namespace tst_position

ROOFWALK_TEST(tst_position, TestPosition, NoApplication)
#include "tst_position.moc"
