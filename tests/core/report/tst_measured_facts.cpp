// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/measured_facts.h"

#include <QTest>
#include <algorithm>

#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_measured_facts {

using namespace roofwalk;

class TestMeasuredFacts : public QObject {
    Q_OBJECT

  private slots:
    void every_rate_has_a_row_below_its_unit() {
        const MeasuredCeilings measured = hopper::measured();
        const FactTable facts = measured_facts(measured);
        const auto row_of = [&](const std::string& name) {
            return std::ranges::find(facts.rows, name,
                                     [](const FactRow& row) { return row.cells.front().text; });
        };
        QVERIFY(facts.rows.size() > measured.rates.size());
        QVERIFY(row_of(std::string(label_of(RateUnit::byte_per_second))) < row_of("hbm.read"));
        const auto hbm = row_of("hbm.read");
        QVERIFY(hbm != facts.rows.end() && hbm->strong);
        QCOMPARE(hbm->cells.size(), facts.headers.size());
        QCOMPARE(hbm->cells[1].text, std::string("3.20 T"));
        QVERIFY(!hbm->cells[1].note.empty() && !hbm->cells[2].note.empty());
        QVERIFY(!row_of("hbm.copy")->strong);
    }
};

}  // namespace tst_measured_facts

ROOFWALK_TEST(tst_measured_facts, TestMeasuredFacts, NoApplication)
#include "tst_measured_facts.moc"
