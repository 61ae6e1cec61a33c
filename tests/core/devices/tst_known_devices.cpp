// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <set>

#include "core/devices/chip.h"
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
        QCOMPARE(known_devices().size(), std::size_t{44});
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
        QVERIFY(ceiling(row("L40"), PipeKind::tensor_fp16).provenance.detail.find("half") !=
                std::string::npos);
        QVERIFY(ceiling(row("GB200"), PipeKind::fp32).provenance.detail.find("public dumps") !=
                std::string::npos);
    }
};

}  // namespace tst_known_devices

ROOFWALK_TEST(tst_known_devices, TestKnownDevices, NoApplication)
#include "tst_known_devices.moc"
