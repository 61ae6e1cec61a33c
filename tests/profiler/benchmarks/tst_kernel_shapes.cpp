// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "profiler/benchmarks/kernel_shapes.h"
#include "tests/support/folder_tests.h"

namespace tst_kernel_shapes {

using namespace roofwalk::ceilings;

class TestKernelShapes : public QObject {
    Q_OBJECT

  private slots:
    void a_fma_is_two_flop() {
        // 512 threads, eight chains, 32 steps; packed numbers are two.
        QCOMPARE(fma::flop_per_round(1), 2.0 * 512 * 8 * 32);
        QCOMPARE(fma::flop_per_round(2), 2 * fma::flop_per_round(1));
    }
    void a_product_is_two_m_n_k_for_each_warp() {
        QCOMPARE(flop_of_product(16, 8, 16), 4096.0);
        QCOMPARE(mma::flop_per_round(16, 8, 16), 4096.0 * 32 * 8);  // 32 products of each of eight warps
        QCOMPARE(mma::flop_per_round(8, 8, 4), 512.0 * 32 * 8);
    }
    void a_wgmma_is_counted_for_each_warpgroup() {
        // 16 of m64n256k16 for each of two warpgroups.
        QCOMPARE(wgmma::flop_per_round(2), 2.0 * 64 * 256 * 16 * 16 * 2);
        QCOMPARE(wgmma::flop_per_round(1), 2 * wgmma::flop_per_round(2));
        QCOMPARE(wgmma::flop_per_round(4), wgmma::flop_per_round(2) / 2);
        QVERIFY(wgmma::b_bytes + wgmma::warpgroups * wgmma::a_bytes <= 48 * 1024);
    }
    void bytes_are_those_of_all_loads() {
        QCOMPARE(stream::tile_bytes, 512U * 8 * 16);
        QCOMPARE(moved::tiles_per_round * 256 * 16, stream::tile_bytes);
        QCOMPARE(shared::bytes_per_round, 512.0 * 32 * 16);
    }
    void the_sweep_has_the_intensity_of_its_counts() {
        for (const unsigned fma : {1U, 8U, 512U}) {
            QCOMPARE(sweep::flop_per_round(fma) / stream::tile_bytes, sweep::intensity(fma));
            QCOMPARE(sweep::intensity(fma), fma / 2.0);
        }
    }
};

}  // namespace tst_kernel_shapes

ROOFWALK_TEST(tst_kernel_shapes, TestKernelShapes, NoApplication)
#include "tst_kernel_shapes.moc"
