// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/devices/known_devices.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_device_table {

using namespace roofwalk;

namespace {

/// A GPU as its datasheet has it: dense rates in TFLOP/s or TOP/s, an FMA counted as two; 0: there is none.
/// `fp16` is with FP32 accumulation; `narrow` is that of INT8, and of FP8 where the chip has it, which takes
/// FP32 accumulation at the same share of its rate as FP16 does.
struct Datasheet {
    const char* name;
    ComputeCapability capability;
    int sms;
    double boost_ghz;
    double fp64;
    double fp64_tensor;
    double fp32;
    double fp16;
    double fp16_acc16;
    double narrow;
    bool has_fp8;
    double gb_per_s;
    double l2_mib;
};

constexpr Datasheet datasheets[]{
    {"Tesla V100 SXM2 16 GB", {7, 0}, 80, 1.530, 7.8, 0, 15.7, 125, 125, 0, false, 900, 6},
    {"Tesla V100 PCIe 32 GB", {7, 0}, 80, 1.380, 7.0, 0, 14.0, 112, 112, 0, false, 900, 6},
    {"Tesla V100S PCIe", {7, 0}, 80, 1.597, 8.2, 0, 16.4, 130, 130, 0, false, 1134, 6},
    {"Tesla V100 SXM3 32 GB",
     {7, 0},
     80,
     1.597,
     8.17664,
     0,
     16.35328,
     130.82624,
     130.82624,
     0,
     false,
     981,
     6},
    {"Tesla T4", {7, 5}, 40, 1.590, 0.25, 0, 8.1, 65, 65, 130, false, 320, 4},
    {"Quadro RTX 6000", {7, 5}, 72, 1.770, 0.50976, 0, 16.3, 130.5, 130.5, 261, false, 672, 6},
    {"A100 SXM 40 GB", {8, 0}, 108, 1.410, 9.7, 19.5, 19.5, 312, 312, 624, false, 1555, 40},
    {"A100 PCIe 40 GB", {8, 0}, 108, 1.410, 9.7, 19.5, 19.5, 312, 312, 624, false, 1555, 40},
    {"A100 SXM 80 GB", {8, 0}, 108, 1.410, 9.7, 19.5, 19.5, 312, 312, 624, false, 2039, 40},
    {"A100 PCIe 80 GB", {8, 0}, 108, 1.410, 9.7, 19.5, 19.5, 312, 312, 624, false, 1935, 40},
    {"A800 SXM 80 GB", {8, 0}, 108, 1.410, 9.7, 19.5, 19.5, 312, 312, 624, false, 2039, 40},
    {"A800 PCIe 80 GB", {8, 0}, 108, 1.410, 9.7, 19.5, 19.5, 312, 312, 624, false, 1935, 40},
    {"A800 PCIe 40 GB", {8, 0}, 108, 1.410, 9.7, 19.5, 19.5, 312, 312, 624, false, 1555, 40},
    {"A30", {8, 0}, 56, 1.440, 5.2, 10.3, 10.3, 165, 165, 330, false, 933, 24},
    {"A10", {8, 6}, 72, 1.695, 0.49, 0, 31.2, 125, 125, 250, false, 600, 6},
    {"A40", {8, 6}, 84, 1.740, 0.58, 0, 37.4, 149.7, 149.7, 299, false, 696, 6},
    {"GeForce RTX 3080", {8, 6}, 68, 1.710, 0.465, 0, 29.8, 59.5, 119, 238, false, 760, 5},
    {"L20", {8, 9}, 92, 2.520, 0.92736, 0, 59.8, 119.5, 119.5, 239, true, 864, 96},
    {"L40S", {8, 9}, 142, 2.520, 1.43, 0, 91.6, 362, 362, 733, true, 864, 96},
    {"RTX 6000 Ada", {8, 9}, 142, 2.505, 1.42, 0, 91.1, 364.2, 364.2, 728.5, true, 960, 96},
    {"GeForce RTX 4090", {8, 9}, 128, 2.520, 1.29, 0, 82.6, 165.2, 330.3, 660.6, true, 1008, 72},
    {"H100 SXM", {9, 0}, 132, 1.980, 34, 67, 67, 989, 989, 1979, true, 3350, 50},
    {"H100 PCIe", {9, 0}, 114, 1.755, 26, 51, 51, 756, 756, 1513, true, 2039, 50},
    {"H100 NVL", {9, 0}, 132, 1.785, 30, 60, 60, 835, 835, 1671, true, 3938, 50},
    {"H800 SXM", {9, 0}, 132, 1.980, 1, 0, 67, 989, 989, 1979, true, 3350, 50},
    {"H800 PCIe", {9, 0}, 114, 1.755, 0.80028, 0, 51.21792, 756, 756, 1513, true, 2039, 50},
    {"H200 SXM", {9, 0}, 132, 1.980, 34, 67, 67, 989, 989, 1979, true, 4800, 50},
    {"H200 NVL", {9, 0}, 132, 1.785, 30, 60, 60, 835, 835, 1671, true, 4800, 50},
    {"GH200 96 GB", {9, 0}, 132, 1.980, 34, 67, 67, 989, 989, 1979, true, 4000, 50},
    {"GH200 144 GB", {9, 0}, 132, 1.980, 34, 67, 67, 989, 989, 1979, true, 4900, 50},
    {"B200", {10, 0}, 148, 1.965, 37, 37, 75, 2250, 2250, 4500, true, 7700, 126},
    {"GB200", {10, 0}, 152, 2.062, 40, 40, 80, 2500, 2500, 5000, true, 8000, 126},
    {"GeForce RTX 5080", {12, 0}, 84, 2.617, 0.88, 0, 56.3, 112.6, 225.1, 450.2, true, 960, 64},
    {"GeForce RTX 5090", {12, 0}, 170, 2.407, 1.64, 0, 104.8, 209.5, 419, 838, true, 1792, 96},
    {"RTX PRO 6000 Blackwell", {12, 0}, 188, 2.617, 1.97, 0, 126, 503.8, 503.8, 1008, true, 1792, 128},
};

const Device& called(std::string_view name) {
    return *std::ranges::find(known_devices(), name, &Device::name);
}

double tera(const Device& device, PipeKind kind, bool sparse = false) {
    const ComputeCeiling* ceiling = device.ceilings.find(Pipe{kind, sparse});
    return ceiling ? ceiling->rate.value() / 1e12 : 0;
}

}  // namespace

/// The built-in table against the figures of the datasheets, row by row.
class TestDeviceTable : public QObject {
    Q_OBJECT

  private slots:
    void each_gpu_has_the_figures_of_its_datasheet_data() {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t i = 0; i < std::size(datasheets); ++i)
            QTest::newRow(datasheets[i].name) << i;
    }
    void each_gpu_has_the_figures_of_its_datasheet() {
        QFETCH(std::size_t, index);
        const Datasheet& expected = datasheets[index];
        const auto found = std::ranges::find(known_devices(), expected.name, &Device::name);
        QVERIFY(found != known_devices().end());
        const Device& device = *found;
        QVERIFY(device.compute_capability == expected.capability);
        QCOMPARE(int(device.sm_count.value()), expected.sms);
        QCOMPARE(device.ceilings.find(Pipe{PipeKind::fp32})->provenance.clock->value(),
                 expected.boost_ghz * 1e9);
        QCOMPARE(tera(device, PipeKind::fp64), expected.fp64);
        QCOMPARE(tera(device, PipeKind::tensor_fp64), expected.fp64_tensor);
        QCOMPARE(tera(device, PipeKind::fp32), expected.fp32);
        QCOMPARE(tera(device, PipeKind::tensor_fp16), expected.fp16);
        QCOMPARE(tera(device, PipeKind::tensor_bf16), expected.capability.major >= 8 ? expected.fp16 : 0);
        QCOMPARE(tera(device, PipeKind::tensor_fp16_acc16), expected.fp16_acc16);
        QCOMPARE(tera(device, PipeKind::tensor_int8), expected.narrow);
        QCOMPARE(
            tera(device, PipeKind::tensor_fp8),
            expected.has_fp8 ? expected.narrow * std::round(2 * expected.fp16 / expected.fp16_acc16) / 2 : 0);
        QCOMPARE(device.ceilings.find(Boundary::hbm_dram_rw)->rate.value() / 1e9, expected.gb_per_s);
        QCOMPARE(device.l2_size->value(), expected.l2_mib * 1024 * 1024);
    }
    void four_bits_are_told_where_the_chip_has_them() {
        const auto fp4 = [](const char* name) { return tera(called(name), PipeKind::tensor_fp4); };
        QCOMPARE(fp4("B200"), 9000.0);
        QCOMPARE(fp4("GB200"), 10000.0);
        QCOMPARE(fp4("GeForce RTX 5080"), 900.4);
        QCOMPARE(fp4("GeForce RTX 5090"), 1676.0);
        QCOMPARE(fp4("RTX PRO 6000 Blackwell"), 2015.0);
        QCOMPARE(fp4("H100 SXM"), 0.0);
    }
    void blackwell_ultra_gives_up_fp64_and_int8_for_four_bits() {
        const Device& b300 = called("B300");  // an eighth of an HGX B300
        QVERIFY((b300.compute_capability == ComputeCapability{10, 3}));
        QCOMPARE(tera(b300, PipeKind::fp64), 10.0 / 8);
        QCOMPARE(tera(b300, PipeKind::fp32), 600.0 / 8);
        QCOMPARE(tera(b300, PipeKind::tensor_fp16), 36000.0 / 8 / 2);
        QCOMPARE(tera(b300, PipeKind::tensor_fp8), 72000.0 / 8 / 2);
        QCOMPARE(tera(b300, PipeKind::tensor_fp4), 108000.0 / 8);
        QCOMPARE(tera(b300, PipeKind::tensor_fp4, true), 144000.0 / 8);  // not twice the dense figure
        QCOMPARE(tera(b300, PipeKind::tensor_int8), 307.0 / 2);
        const Device& gb300 = called("GB300");        // a 72nd of an NVL72
        QCOMPARE(tera(gb300, PipeKind::fp64), 1.25);  // 4 FLOP a cycle and SM
        QVERIFY(std::abs(152 * 4 * 2.055e9 / 1.25e12 - 1) < 1e-3);
        QVERIFY(gb300.ceilings.find(Pipe{PipeKind::fp64})->provenance.detail.find("FP64 derived") !=
                std::string::npos);
        QCOMPARE(tera(gb300, PipeKind::tensor_fp8), 720000.0 / 72 / 2);
        QCOMPARE(tera(gb300, PipeKind::tensor_fp4), 1080000.0 / 72);
        QCOMPARE(tera(gb300, PipeKind::tensor_fp4, true), 1440000.0 / 72);
        QVERIFY(!b300.l2_size && !gb300.l2_size);
    }
    void blackwell_with_hbm_has_no_more_memory_than_its_driver_reports() {
        for (const auto& [name, mib] :
             {std::pair{"B200", 183359.0}, {"GB200", 189471.0}, {"B300", 275040.0}, {"GB300", 284208.0}}) {
            const double share = called(name).memory_size->value() / (mib * 1024 * 1024);
            QVERIFY2(share <= 1 && share > 0.99, name);
        }
        QCOMPARE(called("B300").ceilings.find(Boundary::hbm_dram_rw)->rate.value() / 1e9, 7700.0);
        QCOMPARE(called("GB300").ceilings.find(Boundary::hbm_dram_rw)->rate.value() / 1e9, 8000.0);
    }
    void a_board_that_no_clock_explains_has_what_is_printed_and_no_more() {
        for (const auto& [name, dram] : {std::pair{"H20 96 GB", 4000.0}, {"H20 141 GB", 4800.0}}) {
            const Device& h20 = called(name);
            QVERIFY(!h20.boost_clock);
            QCOMPARE(*h20.sm_count, 78);
            QCOMPARE(h20.ceilings.compute.size(), std::size_t{7});
            QCOMPARE(h20.ceilings.bandwidth.size(), std::size_t{1});
            QCOMPARE(tera(h20, PipeKind::tensor_fp16), 148.0);
            QCOMPARE(tera(h20, PipeKind::tensor_int8), 296.0);
            QCOMPARE(h20.ceilings.find(Boundary::hbm_dram_rw)->rate.value() / 1e9, dram);
            QVERIFY(!h20.ceilings.find(Pipe{PipeKind::tensor_fp16})->provenance.clock);
        }
    }
    void dense_figures_of_jetson_are_half_of_the_sparse_ones() {
        for (const auto& [name, fp32, sparse_fp16, sparse_int8, dram] :
             {std::tuple{"Jetson AGX Orin 64 GB", 5.32, 85.0, 170.0, 204.8},
              {"Jetson AGX Orin 32 GB", 3.365, 54.0, 108.0, 204.8},
              {"Jetson AGX Thor T5000", 8.064, 517.0, 0.0, 273.0},
              {"Jetson Orin NX 16 GB", 1.88, 0.0, 0.0, 102.4},
              {"Jetson Orin Nano 8 GB", 1.28, 0.0, 40.0, 68.0},
              {"Jetson Orin Nano Super 8 GB", 2.089, 0.0, 67.0, 102.4}}) {
            const Device& jetson = called(name);
            const double cores = 128.0 * *jetson.sm_count;
            const double of_cores = 2 * cores * jetson.boost_clock->value() / 1e12;
            QVERIFY(std::abs(of_cores / fp32 - 1) < 0.001);
            QCOMPARE(tera(jetson, PipeKind::fp32), fp32);
            QCOMPARE(tera(jetson, PipeKind::tensor_fp16), sparse_fp16 / 2);
            QCOMPARE(tera(jetson, PipeKind::tensor_fp16, true), sparse_fp16);
            QCOMPARE(tera(jetson, PipeKind::tensor_int8), sparse_int8 / 2);
            QCOMPARE(jetson.ceilings.find(Boundary::hbm_dram_rw)->rate.value() / 1e9, dram);
        }
        QCOMPARE(tera(called("Jetson AGX Thor T5000"), PipeKind::tensor_fp4), 1035.0);
    }
    void figures_that_nvidia_does_not_print_are_called_second_hand() {
        std::size_t marked = 0;
        for (const Device& device : known_devices()) {
            const std::string& detail = device.ceilings.find(Boundary::hbm_dram_rw)->provenance.detail;
            const std::size_t page = detail.find("https://");
            const bool is_of_others =
                page != std::string::npos && detail.find("nvidia.com", page) == std::string::npos;
            const auto is_marked_in = [](const Provenance& provenance) {
                return provenance.detail.find(" datasheet, second-hand") != std::string::npos;
            };
            const bool is_marked = is_marked_in(device.ceilings.find(Boundary::hbm_dram_rw)->provenance);
            QVERIFY2((is_of_others || device.name.starts_with("A800")) == is_marked, detail.c_str());
            for (const ComputeCeiling& ceiling : device.ceilings.compute)
                if (is_of_datasheet(device, ceiling.pipe) && !ceiling.pipe.sparse)
                    QCOMPARE(is_marked_in(ceiling.provenance), is_marked);
            marked += is_marked ? 1 : 0;
        }
        QCOMPARE(marked, std::size_t{26});
    }
    void the_editions_of_the_rtx_pro_6000_have_figures_of_their_own() {
        for (const auto& [name, fp32, dram] : {std::tuple{"RTX PRO 6000 Blackwell", 126.0, 1792.0},
                                               {"RTX PRO 6000 Blackwell Max-Q", 110.0, 1792.0},
                                               {"RTX PRO 6000 Blackwell Server Edition", 120.0, 1597.0}}) {
            QCOMPARE(tera(called(name), PipeKind::fp32), fp32);
            QCOMPARE(called(name).ceilings.find(Boundary::hbm_dram_rw)->rate.value() / 1e9, dram);
        }
    }
    void a_gb10_has_no_tensor_figure_but_the_printed_one() {
        const Device& gb10 = called("GB10");
        QVERIFY((gb10.compute_capability == ComputeCapability{12, 1}));
        QVERIFY(std::abs(48 * 256 * gb10.boost_clock->value() / 1e12 / tera(gb10, PipeKind::fp32) - 1) <
                0.001);
        QCOMPARE(tera(gb10, PipeKind::tensor_fp4, true), 1000.0);
        QCOMPARE(tera(gb10, PipeKind::tensor_fp16), 0.0);
    }
    void figures_name_the_page_that_prints_them() {
        for (const char* name : {"A800 SXM 80 GB", "GeForce RTX 3080", "GeForce RTX 4080", "GeForce RTX 5080",
                                 "H800 SXM", "H20 96 GB", "H20 141 GB", "H200 NVL", "B300", "GB300",
                                 "Jetson AGX Orin 64 GB", "Jetson AGX Orin 32 GB", "Jetson AGX Thor T5000"}) {
            const CeilingSet& set = called(name).ceilings;
            QVERIFY2(set.find(Boundary::hbm_dram_rw)->provenance.detail.find("https://") != std::string::npos,
                     name);
            QVERIFY(set.find(Pipe{PipeKind::fp32})->provenance.detail.find("https://") != std::string::npos);
        }
    }
};

}  // namespace tst_device_table

ROOFWALK_TEST(tst_device_table, TestDeviceTable, NoApplication)
#include "tst_device_table.moc"
