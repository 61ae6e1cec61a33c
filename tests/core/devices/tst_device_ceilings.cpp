// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/devices/device_ceilings.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_device_ceilings {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Device gpu(const char* name, ComputeCapability capability, int sms, double boost) {
    Device device;
    device.name = name;
    device.compute_capability = capability;
    device.sm_count = sms;
    device.boost_clock = Hertz(boost);
    return device;
}

double tera(const CeilingSet& set, PipeKind kind) {
    const ComputeCeiling* ceiling = set.find(Pipe{kind, false});
    return ceiling ? ceiling->rate.value() / 1e12 : 0;
}

}  // namespace

class TestDeviceCeilings : public QObject {
    Q_OBJECT

  private slots:
    void memory_moves_data_twice_a_cycle() {
        Device h100;
        h100.memory_clock = Hertz(2.619e9);
        h100.memory_bus_bits = 5120;
        const CeilingSet set = ceilings_from_attributes(h100);
        QCOMPARE(set.find(Boundary::hbm_dram_rw)->rate.value(), 3352.32e9);
        QVERIFY(set.compute.empty());
    }
    void pipes_follow_from_sms_clock_and_architecture() {
        const CeilingSet a100 = ceilings_from_attributes(gpu("A100", {8, 0}, 108, 1.41e9));
        QVERIFY(std::abs(tera(a100, PipeKind::fp32) - 19.49) < 0.005);
        QVERIFY(std::abs(tera(a100, PipeKind::fp64) - 9.75) < 0.005);
        QVERIFY(std::abs(tera(a100, PipeKind::tensor_fp16) - 311.9) < 0.05);
        QVERIFY(std::abs(a100.find(Boundary::smem_wavefronts)->rate.value() / 1e9 - 19491.8) < 0.1);
        const ComputeCeiling* fp32_ceiling = a100.find(fp32);
        QCOMPARE(fp32_ceiling->provenance.source, CeilingSource::attributes);
        QCOMPARE(fp32_ceiling->provenance.clock->value(), 1.41e9);
        QCOMPARE(fp32_ceiling->provenance.detail, std::string("108 SMs * 128 FLOP a cycle, dense"));
    }
    void a_v100_at_its_base_clock_has_6_7_teraflops_of_fp64() {
        QVERIFY(std::abs(tera(ceilings_from_attributes(gpu("V100", {7, 0}, 80, 1.312e9)), PipeKind::fp64) -
                         6.717) < 0.0005);
    }
    void boards_lack_what_their_chip_could_do() {
        const auto of = [](const char* name, ComputeCapability capability) {
            return ceilings_from_attributes(gpu(name, capability, 100, 1e9));
        };
        QCOMPARE(tera(of("NVIDIA GeForce RTX 3080", {8, 6}), PipeKind::tensor_fp16), 51.2);
        QCOMPARE(tera(of("NVIDIA GeForce RTX 3080", {8, 6}), PipeKind::tensor_fp16_acc16), 102.4);
        QCOMPARE(tera(of("NVIDIA GeForce RTX 5060 Ti", {12, 0}), PipeKind::tensor_fp8), 102.4);
        QCOMPARE(tera(of("NVIDIA GeForce RTX 5060 Ti", {12, 0}), PipeKind::tensor_fp4), 409.6);
        QCOMPARE(tera(of("NVIDIA GeForce RTX 4080", {8, 9}), PipeKind::tensor_fp8), 102.4);
        QCOMPARE(tera(of("NVIDIA RTX 6000 Ada Generation", {8, 9}), PipeKind::tensor_fp8), 204.8);
        QCOMPARE(tera(of("NVIDIA A40", {8, 6}), PipeKind::tensor_fp16), 102.4);
        QCOMPARE(tera(of("NVIDIA GeForce GTX 1650", {7, 5}), PipeKind::tensor_fp16), 0.0);
        QCOMPARE(tera(of("NVIDIA GeForce GTX 1650", {7, 5}), PipeKind::fp32), 12.8);
        QCOMPARE(tera(of("NVIDIA H800", {9, 0}), PipeKind::fp64), 0.4);
        QCOMPARE(tera(of("NVIDIA L40", {8, 9}), PipeKind::tensor_fp16), 51.2);
        QCOMPARE(tera(of("NVIDIA L40S", {8, 9}), PipeKind::tensor_fp16), 102.4);
        QCOMPARE(tera(of("NVIDIA A10G", {8, 6}), PipeKind::tensor_fp16), 51.2);
        QCOMPARE(tera(of("NVIDIA A10", {8, 6}), PipeKind::tensor_fp16), 102.4);
    }
    void turing_moves_half_the_bytes_of_others_through_l1_and_shared_memory() {
        const CeilingSet t4 = ceilings_from_attributes(gpu("Tesla T4", {7, 5}, 40, 1e9));
        for (const Boundary boundary : {Boundary::l1_unified, Boundary::l1_writeback, Boundary::l1_tag,
                                        Boundary::smem_wavefronts, Boundary::smem_requested})
            QCOMPARE(t4.find(boundary)->rate.value(), 40e9 * 64);
    }
    void an_unknown_architecture_has_no_pipes() {
        const CeilingSet set = ceilings_from_attributes(gpu("future", {42, 0}, 100, 1e9));
        QVERIFY(set.empty());
    }
    void practical_roofs_are_lower_and_say_so() {
        CeilingSet set;
        set.compute.push_back(compute_ceiling(tensor_fp16, 312e12));
        set.bandwidth.push_back(bandwidth_ceiling(Boundary::hbm_dram_rw, 2039e9));
        const CeilingSet practical = practical_ceilings(set, {});
        QCOMPARE(practical.compute[0].rate.value(), 249.6e12);
        QCOMPARE(practical.bandwidth[0].rate.value(), 1794.32e9);
        QVERIFY(practical.compute[0].provenance.detail.find("80.0 %") == 0);
        QVERIFY(practical.bandwidth[0].provenance.detail.find("88.0 %") == 0);
    }
    void a_measured_ceiling_is_practical_already() {
        CeilingSet set;
        set.bandwidth.push_back(bandwidth_ceiling(Boundary::hbm_dram_rw, 1.8e12));
        set.bandwidth[0].provenance.source = CeilingSource::benchmark;
        QCOMPARE(practical_ceilings(set, {}), set);
    }
};

}  // namespace tst_device_ceilings

ROOFWALK_TEST(tst_device_ceilings, TestDeviceCeilings, NoApplication)
#include "tst_device_ceilings.moc"
