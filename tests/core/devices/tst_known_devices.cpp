// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/devices/chip.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/known_devices.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_known_devices {

using namespace roofwalk;

namespace {

const Device& row(std::string_view name) {
    for (const Device& device : known_devices())
        if (device.name == name) return device;
    qFatal("no such row");
}

const ComputeCeiling& ceiling(const Device& device, PipeKind kind, bool sparse = false) {
    return *device.ceilings.find(Pipe{kind, sparse});
}

double tera(std::string_view name, PipeKind kind) {
    return ceiling(row(name), kind).rate.value() / 1e12;
}

double giga(std::string_view name, Boundary boundary) {
    return row(name).ceilings.find(boundary)->rate.value() / 1e9;
}

/// How far a datasheet figure may be from SMs * clock * rate: its rounding, and one figure that implies
/// another clock.
double tolerance(const std::string& name, PipeKind kind) {
    const bool fp64 = kind == PipeKind::fp64;
    if (fp64 && name == "H800 SXM") return 0.05;  // one digit is printed: reports of it have 1.045 TFLOP/s
    if (fp64 && (name == "Tesla T4" || name.starts_with("H") || name.starts_with("GH"))) return 0.018;
    if (name == "L40S" && !fp64) return 0.013;
    return 0.01;
}

}  // namespace

class TestKnownDevices : public QObject {
    Q_OBJECT

  private slots:
    void the_table_names_every_gpu_once() {
        QCOMPARE(known_devices().size(), std::size_t{144});
        std::set<std::string> names;
        for (const Device& device : known_devices())
            QVERIFY2(names.insert(device.name).second, device.name.c_str());
    }
    void datasheets_agree_with_units_clock_and_rates() {
        for (const Device& device : known_devices()) {
            if (!device.boost_clock) continue;
            for (const PipeRate& rate : pipe_rates(device)) {
                const ComputeCeiling* known = device.ceilings.find(rate.pipe);
                QVERIFY2(known, (device.name + " " + id_of(rate.pipe)).c_str());
                const double expected = *device.sm_count * known->provenance.clock->value() * rate.per_cycle;
                const double deviation = std::abs(expected / known->rate.value() - 1);
                QVERIFY2(deviation < tolerance(device.name, rate.pipe.kind),
                         (device.name + " " + id_of(rate.pipe) + " " + std::to_string(deviation)).c_str());
            }
            const bool rates_known =  // of every pipe
                architecture_of(device.compute_capability)->per_cycle[PipeKind::fp64] > 0;
            for (const ComputeCeiling& known : device.ceilings.compute) {
                if (!rates_known) continue;
                const auto rates = pipe_rates(device);
                QVERIFY2(std::ranges::find(rates, known.pipe, &PipeRate::pipe) != rates.end(),
                         (device.name + " " + id_of(known.pipe)).c_str());
            }
        }
    }
    void what_is_said_of_tensor_figures_stands_beside_these_alone() {
        for (const Device& device : known_devices()) {
            const auto speaks = [](const ComputeCeiling& ceiling) {
                return ceiling.provenance.detail.find("at half rate") != std::string::npos;
            };
            const std::vector<ComputeCeiling>& all = device.ceilings.compute;
            QVERIFY2(std::ranges::none_of(
                         all, [&](const auto& one) { return !is_tensor(one.pipe) && speaks(one); }),
                     device.name.c_str());
        }
    }
    /// What a pin of the memory moves in a second [Gbit/s], by the data sheets of its makers.
    void the_bus_at_a_data_rate_of_its_memory_gives_the_bandwidth() {
        const std::map<std::string, std::vector<double>> rates{
            {"gddr5", {6, 7.2, 8}},
            {"gddr5x", {10, 11, 11.4}},
            {"gddr6", {10, 12, 12.5, 13, 14, 14.5, 15, 15.5, 16, 17, 18, 20}},
            {"gddr6x", {19, 19.5, 21, 22.4, 23}},
            {"gddr7", {18, 25, 28, 30}}};
        for (const KnownDevice& known : known_device_rows()) {
            const auto of_type = rates.find(known.memory_type);
            if (of_type == rates.end()) continue;
            const double gbit =
                8 * giga(known.device.name, Boundary::hbm_dram_rw) / *known.device.memory_bus_bits;
            QVERIFY2(std::ranges::any_of(of_type->second,
                                         [&](double rate) { return std::abs(gbit / rate - 1) < 0.002; }),
                     (known.device.name + " " + std::to_string(gbit)).c_str());
        }
    }
    /// As NVIDIA prints them of each card: with sparsity, of FP16 before Ada, of FP8 there, of FP4 since.
    void geforce_cards_have_the_ai_tops_that_are_printed() {
        struct Printed {
            const char* name;
            double tops;
        };
        for (const auto& [name, tops] : std::initializer_list<Printed>{{"RTX 3050 8 GB", 73},
                                                                       {"RTX 3060 12 GB", 102},
                                                                       {"RTX 3060 Ti", 130},
                                                                       {"RTX 3070", 163},
                                                                       {"RTX 3070 Ti", 174},
                                                                       {"RTX 3080 Ti", 273},
                                                                       {"RTX 3090 Ti", 320},
                                                                       {"RTX 4060", 242},
                                                                       {"RTX 4060 Ti 16 GB", 353},
                                                                       {"RTX 4070", 466},
                                                                       {"RTX 4070 SUPER", 568},
                                                                       {"RTX 4070 Ti", 641},
                                                                       {"RTX 4070 Ti SUPER", 706},
                                                                       {"RTX 4080 SUPER", 836},
                                                                       {"RTX 5050", 421},
                                                                       {"RTX 5060", 614},
                                                                       {"RTX 5060 Ti 16 GB", 759},
                                                                       {"RTX 5070", 988},
                                                                       {"RTX 5070 Ti", 1406}}) {
            const Device& device = row(std::string("GeForce ") + name);
            const PipeKind kind = device.compute_capability->major == 12 ? PipeKind::tensor_fp4
                                  : device.compute_capability == ComputeCapability{8, 6}
                                      ? PipeKind::tensor_fp16_acc16
                                      : PipeKind::tensor_int8;
            const double sparse = ceiling(device, kind, true).rate.value() / 1e12;
            QVERIFY2(std::abs(sparse / tops - 1) < 0.004,
                     (device.name + " " + std::to_string(sparse)).c_str());
        }
    }
    void figures_are_dense_and_say_so() {
        for (const Device& device : known_devices())
            for (const ComputeCeiling& known : device.ceilings.compute) {
                QCOMPARE(known.provenance.source, CeilingSource::table);
                QCOMPARE(known.provenance.basis, ClockBasis::boost);
                QCOMPARE(known.provenance.clock.has_value(), device.boost_clock.has_value());
                QVERIFY(known.provenance.detail.find(device.name) == 0);
                if (!known.pipe.sparse) QVERIFY(known.provenance.detail.find("dense") != std::string::npos);
            }
        QCOMPARE(tera("H100 SXM", PipeKind::tensor_fp16), 989.0);
        QCOMPARE(ceiling(row("H100 SXM"), PipeKind::tensor_fp16, true).rate.value(), 1978e12);
        QVERIFY(ceiling(row("H100 SXM"), PipeKind::tensor_fp16, true).provenance.detail.find("2:4 sparse") !=
                std::string::npos);
    }
    void tensor_figures_carry_their_own_clock() {
        const Device& h100 = row("H100 SXM");
        QCOMPARE(ceiling(h100, PipeKind::fp32).provenance.clock->value(), 1.98e9);
        QCOMPARE(ceiling(h100, PipeKind::tensor_fp64).provenance.clock->value(), 1.98e9);
        QCOMPARE(ceiling(h100, PipeKind::tensor_fp16).provenance.clock->value(), 1.83e9);
        QCOMPARE(ceiling(row("A100 SXM 80 GB"), PipeKind::tensor_fp16).provenance.clock->value(), 1.41e9);
    }
    void memory_sizes_are_different_products() {
        QCOMPARE(giga("A100 SXM 40 GB", Boundary::hbm_dram_rw), 1555.0);
        QCOMPARE(giga("A100 SXM 80 GB", Boundary::hbm_dram_rw), 2039.0);
        QCOMPARE(giga("A100 PCIe 80 GB", Boundary::hbm_dram_rw), 1935.0);
        QCOMPARE(giga("GH200 144 GB", Boundary::hbm_dram_rw), 4900.0);
        QCOMPARE(row("Tesla V100 SXM2 16 GB").memory_size->value(), 16 * 1073741824.0);
        for (const Device& device : known_devices())
            QVERIFY2(device.memory_size, device.name.c_str());
    }
    void caches_follow_from_the_clock() {
        QCOMPARE(std::round(giga("A100 SXM 80 GB", Boundary::l2_sm_sectors)), 7219.0);
        QCOMPARE(std::round(giga("Tesla V100 SXM2 32 GB", Boundary::l2_sm_sectors)), 3133.0);
        QCOMPARE(std::round(giga("H100 SXM", Boundary::l2_sm_sectors)), 8750.0);
        QCOMPARE(giga("A100 SXM 80 GB", Boundary::l2_all),
                 1.5 * giga("A100 SXM 80 GB", Boundary::l2_sm_sectors));
        QCOMPARE(giga("Tesla V100 SXM2 32 GB", Boundary::l2_all),
                 giga("Tesla V100 SXM2 32 GB", Boundary::l2_sm_sectors));
        QVERIFY(row("A100 SXM 80 GB").ceilings.find(Boundary::l2_all)->provenance.detail.find("times 1.5") !=
                std::string::npos);
        CeilingSet unknown;
        add_l2_ceilings({}, ByteRate(1e12), {}, unknown);
        QVERIFY(unknown.find(Boundary::l2_sm_sectors) && !unknown.find(Boundary::l2_all));
        // What returns to the SMs is a part of what they ask for.
        QCOMPARE(resolve_ceilings(row("H100 SXM"), nullptr, ClockBasis::boost, {})
                     .find(Boundary::l2_sm_return)
                     ->rate,
                 row("H100 SXM").ceilings.find(Boundary::l2_sm_sectors)->rate);
        QCOMPARE(std::round(giga("A100 SXM 80 GB", Boundary::smem_wavefronts)), 19492.0);
        QVERIFY(!row("Tesla T4").ceilings.find(Boundary::l2_sm_sectors));
    }
    void geforce_boards_accumulate_fp32_at_half_rate() {
        QCOMPARE(tera("GeForce RTX 4090", PipeKind::tensor_fp16), 165.2);
        QCOMPARE(tera("GeForce RTX 4090", PipeKind::tensor_fp16_acc16), 330.3);
        QCOMPARE(tera("RTX 6000 Ada", PipeKind::tensor_fp16_acc16),
                 tera("RTX 6000 Ada", PipeKind::tensor_fp16));
    }
    void what_is_odd_is_noted() {
        QVERIFY(
            ceiling(row("GeForce RTX 3080"), PipeKind::tensor_fp16).provenance.detail.find("at half rate") !=
            std::string::npos);
        QVERIFY(ceiling(row("L40"), PipeKind::tensor_fp16).provenance.detail.find("half") !=
                std::string::npos);
        QVERIFY(ceiling(row("GB200"), PipeKind::fp32).provenance.detail.find("public dumps") !=
                std::string::npos);
    }
    void notes_of_tensor_figures_stand_at_tensor_roofs_alone() {
        for (const Device& device : known_devices())
            for (const ComputeCeiling& roof : device.ceilings.compute)
                for (const char* word : {"tensor", "sparse", "FP4", "FP8", "INT8"})
                    QVERIFY2(is_tensor(roof.pipe) || roof.provenance.detail.find(word) == std::string::npos,
                             roof.provenance.detail.c_str());
    }
};

}  // namespace tst_known_devices

ROOFWALK_TEST(tst_known_devices, TestKnownDevices, NoApplication)
#include "tst_known_devices.moc"
