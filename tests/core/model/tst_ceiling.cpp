// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/ceiling.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ceiling {

using namespace roofwalk;

class TestCeiling : public QObject {
    Q_OBJECT

  private slots:
    void the_first_of_a_target_is_found() {
        CeilingSet set;
        QVERIFY(set.empty());
        set.compute = {{{PipeKind::fp32, false}, FlopRate(1), {}},
                       {{PipeKind::fp32, false}, FlopRate(2), {}}};
        set.bandwidth = {{Boundary::l2_all, ByteRate(3), {}}};
        QCOMPARE(set.find(Pipe{PipeKind::fp32, false})->rate.value(), 1.0);
        QVERIFY(!set.find(Pipe{PipeKind::fp32, true}));
        QCOMPARE(set.find(Boundary::l2_all)->rate.value(), 3.0);
        QVERIFY(!set.find(Boundary::l2_sm_sectors));
        QVERIFY(!set.empty());
    }
    void a_limit_is_found_whichever_kind_it_is() {
        CeilingSet set;
        set.compute.push_back({Pipe{PipeKind::fp32}, FlopRate(1), {}});
        set.bandwidth.push_back({Boundary::l2_all, ByteRate(3), {}});
        set.bandwidth[0].provenance.detail = "here";
        QCOMPARE(set.find(CeilingTarget(Pipe{PipeKind::fp32}))->rate, 1.0);
        QVERIFY(!set.find(CeilingTarget(Pipe{PipeKind::fp64})));
        const auto level = set.find(CeilingTarget(Boundary::l2_all));
        QCOMPARE(level->rate, 3.0);
        QVERIFY(level->provenance->detail == "here");
        QVERIFY(!set.find(CeilingTarget(Boundary::hbm_dram_rw)));
    }
    void ids_go_both_ways() {
        for (const CeilingSource source :
             {CeilingSource::benchmark, CeilingSource::counters, CeilingSource::attributes,
              CeilingSource::table, CeilingSource::user})
            QCOMPARE(enum_from_id<CeilingSource>(id_of(source)).value(), source);
        for (const ClockBasis basis : {ClockBasis::measured, ClockBasis::boost})
            QCOMPARE(enum_from_id<ClockBasis>(id_of(basis)).value(), basis);
        QVERIFY(!enum_from_id<CeilingSource>("rumour"));
        QVERIFY(!enum_from_id<ClockBasis>("base"));
    }
    void a_provenance_reads_as_one_line() {
        const Provenance counters{.source = CeilingSource::counters,
                                  .basis = ClockBasis::measured,
                                  .clock = Hertz(1.095e9),
                                  .detail = "dram__bytes.sum.peak_sustained"};
        QCOMPARE(
            describe(counters),
            std::string("device counters at the measured clock 1.095 GHz, dram__bytes.sum.peak_sustained"));
        QCOMPARE(describe(Provenance{}), std::string("given by the user"));
    }
};

}  // namespace tst_ceiling

ROOFWALK_TEST(tst_ceiling, TestCeiling, NoApplication)
#include "tst_ceiling.moc"
