// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/advice/level_words.h"
#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_level_words {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

KernelPoint with_bytes(std::initializer_list<std::pair<Boundary, double>> bytes) {
    return point_of(profile_of(round_machine(), {launch(1, {{fp32, 1e11}}, bytes)}));
}

}  // namespace

class TestLevelWords : public QObject {
    Q_OBJECT

  private slots:
    void reuse_is_told_from_level_to_level() {
        const KernelPoint point = with_bytes({{hbm, 1e11}, {l2, 2.3e11}, {smem, 6.1e11}});
        QCOMPARE(reuse_sentence(point),
                 std::string("For each byte that DRAM moves, 2.30 cross L2 and 6.10 cross SMEM."));
        QCOMPARE(level_reuse(point).size(), std::size_t{2});
        QCOMPARE(level_reuse(point)[1].level, MemoryLevel::smem);
        QCOMPARE(level_reuse(point)[1].factor, 6.1);
    }
    void a_level_without_bytes_is_named() {
        QCOMPARE(reuse_sentence(with_bytes({{hbm, 1e11}, {l2, 1e11}, {smem, 0}})),
                 std::string("For each byte that DRAM moves, 1.00 cross L2. No byte was counted at SMEM."));
        QCOMPARE(reuse_sentence(with_bytes({{hbm, 0}, {l2, 1e11}, {smem, 3e11}})),
                 std::string("For each byte that L2 moves, 3.00 cross SMEM. No byte was counted at DRAM."));
        QCOMPARE(reuse_sentence(with_bytes({{hbm, 1e11}, {l2, 0}})),
                 std::string("No byte was counted at L2."));
    }
    void what_hbm_moves_beyond_the_requests_is_told() {
        QCOMPARE(
            reuse_sentence(with_bytes({{hbm, 1e11}, {l2, 0.6e11}, {smem, 0.5e11}})),
            std::string(
                "For each byte that DRAM moves, 0.500 cross SMEM. L2 is asked for only 0.600 bytes for each "
                "byte that DRAM moves."));
    }
    void one_level_or_none_says_nothing() {
        QVERIFY(reuse_sentence(with_bytes({{hbm, 1e11}})).empty());
        QVERIFY(reuse_sentence(with_bytes({})).empty());
        QVERIFY(reuse_sentence(with_bytes({{hbm, 0}, {l2, 0}})).empty());
        QVERIFY(binding_sentence(with_bytes({})).empty());
    }
    void the_level_that_binds_is_named_with_its_reason() {
        QCOMPARE(
            binding_sentence(with_bytes({{hbm, 4e11}, {l2, 5e11}, {smem, 0}})),
            std::string(
                "DRAM binds: at its ceiling it would take 400 ms. That is longer than L2 100 ms, FP32 10.0 ms."));
        QCOMPARE(
            binding_sentence(with_bytes({{hbm, 1e10}, {l2, 4e12}})),
            std::string(
                "L2 binds: at its ceiling it would take 800 ms. That is longer than DRAM 10.0 ms, FP32 10.0 ms."));
    }
};

}  // namespace tst_level_words

ROOFWALK_TEST(tst_level_words, TestLevelWords, NoApplication)
#include "tst_level_words.moc"
