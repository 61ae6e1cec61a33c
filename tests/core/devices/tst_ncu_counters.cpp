// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/chip.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_ncu_counters {

using namespace roofwalk;

class TestNcuCounters : public QObject {
    Q_OBJECT

  private slots:
    void l1_writeback_is_counted_by_architecture() {
        QVERIFY(l1_writeback_counter(ComputeCapability{7, 0}) == "l1tex__lsu_writeback_active");
        QVERIFY(l1_writeback_counter(ComputeCapability{7, 5}) == "l1tex__lsu_writeback_active_mem_lg");
        QVERIFY(l1_writeback_counter(ComputeCapability{8, 9}) == "l1tex__lsu_writeback_active_mem_lg");
        QVERIFY(l1_writeback_counter(ComputeCapability{9, 0}) == "l1tex__lsu_writeback_active_mem_lgds");
    }
    void geforce_blackwell_names_dram_bytes_by_operation() {
        QVERIFY(dram_counters(ComputeCapability{12, 0}).read == "dram__bytes_op_read");
        QVERIFY(dram_counters(ComputeCapability{12, 0}).write == "dram__bytes_op_write");
        QVERIFY(dram_counters(ComputeCapability{10, 0}).read == "dram__bytes_read");
        QVERIFY(dram_counters(std::nullopt).write == "dram__bytes_write");
    }
    void only_data_centre_blackwell_packs_fp32() {
        QVERIFY(has_packed_fp32(ComputeCapability{10, 0}));
        QVERIFY(has_packed_fp32(ComputeCapability{10, 3}));
        QVERIFY(!has_packed_fp32(ComputeCapability{9, 0}));
        QVERIFY(!has_packed_fp32(ComputeCapability{12, 0}));
        QVERIFY(!has_packed_fp32(std::nullopt));
    }
};

}  // namespace tst_ncu_counters

ROOFWALK_TEST(tst_ncu_counters, TestNcuCounters, NoApplication)
#include "tst_ncu_counters.moc"
