// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ncu_counters.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_ncu_counters {

using namespace roofwalk;

namespace {

Device device_of(int major, int minor) {
    Device device;
    device.compute_capability = ComputeCapability{major, minor};
    return device;
}

}  // namespace

class TestNcuCounters : public QObject {
    Q_OBJECT

  private slots:
    void l1_writeback_is_counted_by_architecture() {
        QVERIFY(l1_writeback_counter(device_of(7, 0)) == "l1tex__lsu_writeback_active");
        QVERIFY(l1_writeback_counter(device_of(7, 5)) == "l1tex__lsu_writeback_active_mem_lg");
        QVERIFY(l1_writeback_counter(device_of(8, 9)) == "l1tex__lsu_writeback_active_mem_lg");
        QVERIFY(l1_writeback_counter(device_of(9, 0)) == "l1tex__lsu_writeback_active_mem_lgds");
    }
    void geforce_blackwell_names_dram_bytes_by_operation() {
        QVERIFY(dram_counters(device_of(12, 0)).read == "dram__bytes_op_read");
        QVERIFY(dram_counters(device_of(12, 0)).write == "dram__bytes_op_write");
        QVERIFY(dram_counters(device_of(10, 0)).read == "dram__bytes_read");
        QVERIFY(dram_counters(Device{}).write == "dram__bytes_write");
    }
    void only_data_centre_blackwell_packs_fp32() {
        QVERIFY(has_packed_fp32(device_of(10, 0)));
        QVERIFY(has_packed_fp32(device_of(10, 3)));
        QVERIFY(!has_packed_fp32(device_of(9, 0)));
        QVERIFY(!has_packed_fp32(device_of(12, 0)));
        QVERIFY(!has_packed_fp32(Device{}));
    }
};

}  // namespace tst_ncu_counters

ROOFWALK_TEST(tst_ncu_counters, TestNcuCounters, NoApplication)
#include "tst_ncu_counters.moc"
