// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real machines: entries S0-01 to S0-09, S0-20 to S0-22, S0-36, S0-37 and S2-03 of the acceptance list, with
// the corrected values.
#include <QTest>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/operations/gemm.h"
#include "core/roofline/utilisation.h"
#include "tests/core/roofline/acceptance.h"
#include "tests/support/folder_tests.h"

namespace tst_acceptance_gpus {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;
constexpr Boundary smem = Boundary::smem_wavefronts;

/// Peaks as the articles print them, where a datasheet differs in the third digit.
const Device v100 = machine({compute_ceiling(tensor_fp16, 125e12)}, {bandwidth_ceiling(hbm, 900e9)});
const Device h100 = machine({compute_ceiling(tensor_fp16, 990e12), compute_ceiling(tensor_int8, 1979e12)},
                            {bandwidth_ceiling(hbm, 3350e9)});
const Device h200 = machine({compute_ceiling(tensor_fp16, 990e12)}, {bandwidth_ceiling(hbm, 4800e9)});

/// An entry of the built-in table.
Device preset(const char* name) {
    return *find_known_device(name);
}

double bandwidth(const CeilingSet& set, Boundary boundary = hbm) {
    return set.find(boundary)->rate.value() / 1e9;
}

double peak(const CeilingSet& set, Pipe pipe = tensor_fp16) {
    return set.find(pipe)->rate.value() / 1e12;
}

double ridge(const CeilingSet& set, Pipe pipe = tensor_fp16, Boundary boundary = hbm) {
    return ridge_point(set.find(pipe)->rate, set.find(boundary)->rate).value();
}

CeilingSet practical(const Device& device) {
    return practical_ceilings(device.ceilings, {});
}

double reached_on_an_a100(double intensity) {
    static const Device a100 = preset("A100 80GB SXM");
    return attainable(a100.ceilings.find(tensor_fp16)->rate, a100.ceilings.find(hbm)->rate,
                      Intensity(intensity))
               .value() /
           1e12;
}

void add_a100() {
    const Device large = preset("A100 80GB SXM");
    const Device small = preset("A100 40GB SXM");
    number("S0-01 80 GB peak", peak(large.ceilings), 312, 0);
    number("S0-01 80 GB bandwidth", bandwidth(large.ceilings), 2039, 0);
    number("S0-01 40 GB bandwidth", bandwidth(small.ceilings), 1555, 0);
    number("S0-01 40 GB ridge", ridge(small.ceilings), 200.6, 0.05);
    number("S0-02 at 1", reached_on_an_a100(1), 2.039, 1e-12);
    number("S0-02 at 10", reached_on_an_a100(10), 20.39, 1e-12);
    number("S0-02 at 100", reached_on_an_a100(100), 203.9, 1e-12);
    const Launch tensor_work = launch(1, {{tensor_fp16, 1e12}}, {{hbm, 1e12}});
    number("S0-03 tick", ridge_tick(scene_of(profile_of(large, {tensor_work})), "HBM"), 153.02, 0.005);
    constexpr double table[][2] = {{0.5, 1.02},   {1, 2.04},     {2, 4.08},   {4, 8.16},
                                   {8, 16.31},    {16, 32.62},   {32, 65.25}, {64, 130.5},
                                   {128, 260.99}, {153, 311.97}, {256, 312},  {512, 312}};
    for (const auto& row : table)
        number("S0-04 at " + format_number(row[0]), reached_on_an_a100(row[0]), row[1], 0.0051);
}

/// Which launch is judged by which compute ceiling.
void add_staircase() {
    const Device device = machine(
        {compute_ceiling(fp64, 9.7e12), compute_ceiling(fp32, 19.5e12), compute_ceiling(tensor_fp16, 312e12)},
        {bandwidth_ceiling(hbm, 2039e9), bandwidth_ceiling(l2, 6000e9), bandwidth_ceiling(smem, 19000e9)});
    const auto compute_ceiling_of = [&](std::initializer_list<std::pair<Pipe, double>> mix) {
        return point_of(profile_of(device, {launch(10, mix, {{hbm, 1e9}})})).compute_ceiling->value() / 1e12;
    };
    number("S0-05 FP64 only", compute_ceiling_of({{fp64, 1e12}}), 9.7, 1e-9);
    number("S0-05 FP32 only", compute_ceiling_of({{fp32, 1e12}}), 19.5, 1e-9);
    number("S0-05 tensor only", compute_ceiling_of({{tensor_fp16, 1e12}}), 312, 1e-9);
    number("S0-05 half tensor, half FP32", compute_ceiling_of({{fp32, 1e12}, {tensor_fp16, 1e12}}), 39, 1e-9);
    number("S0-05 a measured zero does not count", compute_ceiling_of({{fp64, 0}, {tensor_fp16, 1e12}}), 312,
           1e-9);

    const auto roof = [&](std::initializer_list<std::pair<Boundary, double>> bytes,
                          const AnalysisOptions& how = {}) {
        const KernelPoint point = point_of(profile_of(device, {launch(10, {{fp32, 10e12}}, bytes)}), how);
        return (*point.work / *point.speed_of_light).value() / 1e12;
    };
    number("S0-05 all levels: L2 binds", roof({{hbm, 2e12}, {l2, 12e12}, {smem, 9.5e12}}), 5, 1e-9);
    number("S0-05 no bytes in L2: HBM binds", roof({{hbm, 2e12}, {smem, 9.5e12}}), 10.195, 1e-9);
    number("S0-05 no bytes in HBM and L2: FP32 binds", roof({{smem, 9.5e12}}), 19.5, 1e-9);
    AnalysisOptions without_l2;
    without_l2.levels = {true, false, false, true};
    number("S0-05 a roof that is not drawn binds all the same",
           roof({{hbm, 2e12}, {l2, 12e12}, {smem, 9.5e12}}, without_l2), 5, 1e-9);
}

/// As the chart marks it.
double practical_tick(const Device& device) {
    SceneOptions options;
    options.practical_roofs = true;
    return ridge_tick(
        scene_of(profile_of(device, {launch(1, {{tensor_fp16, 1e12}}, {{hbm, 1e12}})}), options),
        "DRAM practical");
}

void add_generations() {
    const Device a100 = preset("A100 80GB SXM");
    number("S0-06 V100 ridge", ridge(v100.ceilings), 138.89, 0.005);
    number("S0-06 A100 ridge", ridge(a100.ceilings), 153.02, 0.005);
    number("S0-06 H100 ridge", ridge(h100.ceilings), 295.52, 0.005);
    number("S0-06 H200 ridge", ridge(h200.ceilings), 206.25, 0.005);
    number("S0-06 V100 of the table", ridge(preset("V100 SXM2").ceilings), 138.89, 0.005);
    number("S0-06 H100 of the table", ridge(preset("H100 SXM").ceilings), 295.22, 0.005);
    number("S0-06 H200 of the table", ridge(preset("H200").ceilings), 206.04, 0.005);
    number("S0-06 V100 practical peak", peak(practical(v100)), 100, 1e-9);
    number("S0-06 A100 practical peak", peak(practical(a100)), 249.6, 1e-9);
    number("S0-06 H100 practical peak", peak(practical(h100)), 792, 1e-9);
    number("S0-06 V100 practical bandwidth", bandwidth(practical(v100)), 792, 1e-9);
    number("S0-06 A100 practical bandwidth", bandwidth(practical(a100)), 1794, 0.5);
    number("S0-06 H100 practical bandwidth", bandwidth(practical(h100)), 2948, 1e-9);
    number("S0-06 H200 practical bandwidth", bandwidth(practical(h200)), 4224, 1e-9);
    number("S0-06 V100 practical ridge", ridge(practical(v100)), 126.26, 0.005);
    number("S0-06 A100 practical ridge", ridge(practical(a100)), 139.11, 0.005);
    number("S0-06 H100 practical ridge", ridge(practical(h100)), 268.66, 0.005);
    number("S0-06 H200 practical ridge", ridge(practical(h200)), 187.50, 0.005);
    number("S0-06 tick of the practical roofs", practical_tick(h100), 268.66, 0.005);
    number("S0-06 tick of the practical roofs, H200", practical_tick(h200), 187.50, 0.005);
    number("S0-06 other factors", ridge(practical_ceilings(h100.ceilings, {1, 0.5})), 591.04, 0.005);
    number("S2-03 FP16 ridge", ridge(h100.ceilings), 295.5, 0.05);
    number("S2-03 INT8 ridge", ridge(h100.ceilings, tensor_int8), 590.7, 0.05);
    const Device h100_of_the_table = preset("H100 SXM");
    number("S2-03 FP16 of the table", peak(h100_of_the_table.ceilings), 989, 1e-9);
    number("S2-03 INT8 of the table", peak(h100_of_the_table.ceilings, tensor_int8), 1979, 1e-9);
    number("S2-03 bandwidth of the table", bandwidth(h100_of_the_table.ceilings), 3350, 1e-9);
    number("S2-03 FP16 ridge of the table", ridge(h100_of_the_table.ceilings), 295.2, 0.05);
    number("S2-03 INT8 ridge of the table", ridge(h100_of_the_table.ceilings, tensor_int8), 590.7, 0.05);
}

/// Per cent of the bandwidth that a copy of `rate` GB/s reaches on a device.
double stream(const CeilingSet& ceilings, double rate) {
    Device device;
    device.ceilings.bandwidth = ceilings.bandwidth;
    const KernelPoint copy = point_of(profile_of(device, {launch(1, {{fp32, 0}}, {{hbm, rate * 1e9}})}));
    return memory_utilisation(copy)->share * 100;
}

CeilingSet memory_of(double clock, int bus_bits) {
    Device device;
    device.memory_clock = Hertz(clock);
    device.memory_bus_bits = bus_bits;
    return ceilings_from_attributes(device);
}

void add_streams() {
    const auto typed = [](double rate) { return CeilingSet{{}, {bandwidth_ceiling(hbm, rate * 1e9)}}; };
    const CeilingSet xeon = memory_of(1466.5e6, 768);  // two sockets of six channels DDR4-2933
    const CeilingSet epyc = memory_of(1600e6, 1024);   // two sockets of eight channels DDR4-3200
    number("S0-09 Xeon 8280 theoretical", bandwidth(xeon), 281.57, 0.005);
    number("S0-09 EPYC 7742 theoretical", bandwidth(epyc), 409.6, 1e-9);
    number("S0-09 Xeon 8280", stream(typed(281), 210), 74.7, 0.05);
    number("S0-09 EPYC 7742", stream(typed(410), 340), 82.9, 0.05);
    number("S0-09 V100", stream(preset("V100 SXM2").ceilings, 820), 91.1, 0.05);
    number("S0-09 A100", stream(preset("A100 80GB SXM").ceilings, 1800), 88.3, 0.05);
    number("S0-09 H100", stream(preset("H100 SXM").ceilings, 2900), 86.6, 0.05);
}

void add_products() {
    const auto intensity = [](double m, double n, double k) {
        return gemm_intensity({.m = m, .n = n, .k = k}).value();
    };
    const auto batch = [](double n, const CeilingSet& ceilings) {
        return gemm_batch_to_ridge({.n = n, .k = 4096}, Intensity(ridge(ceilings))).value();
    };
    number("S0-20 4096 cubed", intensity(4096, 4096, 4096), 1365.33, 0.005);
    number("S0-21 one row", intensity(1, 4096, 4096), 0.9995, 5e-5);
    number("S0-21 32 rows", intensity(32, 4096, 4096), 31.51, 0.005);
    number("S0-22 A100", batch(11008, preset("A100 80GB SXM").ceilings), 161.5, 0.5);
    number("S0-22 H100", batch(11008, h100.ceilings), 327.5, 0.5);
    number("S0-22 V100", batch(11008, v100.ceilings), 145.5, 0.5);
    number("S0-22 H200", batch(11008, h200.ceilings), 221.5, 0.5);
    number("S0-22 H100, square weights", batch(4096, h100.ceilings), 345.5, 0.5);
}

void add_levels() {
    const CeilingSet typed{{compute_ceiling(tensor_fp16, 312e12)},
                           {bandwidth_ceiling(hbm, 2039e9), bandwidth_ceiling(l2, 6000e9),
                            bandwidth_ceiling(smem, 19000e9), bandwidth_ceiling(Boundary::l1_tag, 80000e9)}};
    number("S0-36 HBM ridge", ridge(typed, tensor_fp16, hbm), 153, 0.5);
    number("S0-36 L2 ridge", ridge(typed, tensor_fp16, l2), 52, 0.05);
    number("S0-36 SMEM ridge", ridge(typed, tensor_fp16, smem), 16.4, 0.05);
    number("S0-36 register ridge", ridge(typed, tensor_fp16, Boundary::l1_tag), 3.9, 0.05);
    const CeilingSet a100 = preset("A100 80GB SXM").ceilings;
    number("S0-36 SMEM of the table", bandwidth(a100, smem), 19492, 0.5);
    number("S0-36 L2 of the table", bandwidth(a100, l2), 7219, 0.5);
}

/// A feed-forward layer of 256 tokens, FP16, 235.8 FLOP/byte, that takes a millisecond.
KernelPoint feed_forward_on(const Device& device) {
    const GemmShape shape{.m = 256, .n = 11008, .k = 4096};
    return point_of(profile_of(device, {launch(1e-3, {{tensor_fp16, gemm_work(shape).value()}},
                                               {{hbm, gemm_bytes(shape).value()}})}));
}

/// The band of a kernel that reaches a share of the FP16 tensor peak, or of the bandwidth, of an H100.
std::string_view band(double of_peak, double of_bandwidth, const PracticalLimits& limits = {}) {
    const KernelPoint point = point_of(
        profile_of(h100, {launch(1, {{tensor_fp16, of_peak * 990e12}}, {{hbm, of_bandwidth * 3350e9}})}));
    return label_of(practical_band(point, limits).value());
}

void add_bands() {
    word("S0-08 large GEMM, 80 % of the peak", band(0.80, 0.1), "little room");
    word("S0-08 61 % of the peak", band(0.61, 0.1), "little room");
    word("S0-08 59 % of the peak", band(0.59, 0.1), "some room");
    word("S0-08 small GEMM, 40 % of the peak", band(0.40, 0.1), "some room");
    word("S0-08 25 % of the peak", band(0.25, 0.1), "some room");
    word("S0-08 23 % of the peak", band(0.23, 0.1), "much room");
    word("S0-08 coalesced, 85 % of the bandwidth", band(0.01, 0.85), "little room");
    word("S0-08 67 % of the bandwidth", band(0.01, 0.67), "little room");
    word("S0-08 65 % of the bandwidth", band(0.01, 0.65), "some room");
    word("S0-08 strided, 50 % of the bandwidth", band(0.01, 0.50), "some room");
    word("S0-08 random, 20 % of the bandwidth", band(0.01, 0.20), "much room");
    word("S0-08 limits edited upward", band(0.01, 0.67, {0.90, 0.80}), "much room");
    word("S0-08 limits edited downward", band(0.01, 0.20, {0.20, 0.10}), "little room");
}

void add_toggles() {
    const Device a100 = preset("A100 80GB SXM");
    const Profile profile =
        profile_of(a100, {launch(1, {{fp32, 1e12}}, {{hbm, 1e12}, {l2, 1e12}, {smem, 1e12}})});
    word("S0-05 roofs of what the kernel runs", roofs_drawn(scene_of(profile)),
         "roof-hbm roof-l2 roof-smem roof-fp32");
    SceneOptions more;
    more.extra_pipes = {tensor_fp16};
    word("S0-05 a roof switched on", roofs_drawn(scene_of(profile, more)),
         "roof-hbm roof-l2 roof-smem roof-fp32 roof-tensor-fp16");
    SceneOptions fewer;
    fewer.hidden_pipes = {fp32};
    fewer.levels = {true, false, false, false};
    word("S0-05 roofs switched off", roofs_drawn(scene_of(profile, fewer)), "roof-hbm");
}

}  // namespace

class TestAcceptanceGpus : public QObject {
    Q_OBJECT

  private slots:
    void numbers_are_those_of_the_list_data() {
        add_number_columns();
        add_a100();
        add_staircase();
        add_generations();
        add_streams();
        add_products();
        add_levels();
    }
    void numbers_are_those_of_the_list() { compare_numbers(); }

    void words_are_those_of_the_list_data() {
        add_word_columns();
        word("S0-01 SKU with 80 GB", preset("A100 80GB SXM").name, "A100 SXM 80 GB");
        word("S0-01 SKU with 40 GB", preset("A100 40GB SXM").name, "A100 SXM 40 GB");
        add_toggles();
        word("S0-07 on a V100", word_of(feed_forward_on(v100).verdict.side), "compute");
        word("S0-07 on an A100", word_of(feed_forward_on(preset("A100 80GB SXM")).verdict.side), "compute");
        word("S0-07 on an H100", word_of(feed_forward_on(h100).verdict.side), "memory");
        word("S0-07 binds on a V100", label_of(*feed_forward_on(v100).binding, MemoryName::hbm),
             "FP16 Tensor");
        word("S0-07 binds on an H100", label_of(*feed_forward_on(h100).binding, MemoryName::hbm), "HBM");
        add_bands();
    }
    void words_are_those_of_the_list() { compare_words(); }

    void a_faster_level_moves_the_ridge_left() {  // S0-37
        const Scene scene =
            scene_of(profile_of(preset("A100 80GB SXM"),
                                {launch(1, {{tensor_fp16, 1e12}}, {{hbm, 1e12}, {l2, 1e12}, {smem, 1e12}})}));
        QVERIFY(ridge_tick(scene, "L2") < ridge_tick(scene, "HBM"));
        QVERIFY(ridge_tick(scene, "SMEM") < ridge_tick(scene, "L2"));
    }
};

}  // namespace tst_acceptance_gpus

ROOFWALK_TEST(tst_acceptance_gpus, TestAcceptanceGpus, NoApplication)
#include "tst_acceptance_gpus.moc"
