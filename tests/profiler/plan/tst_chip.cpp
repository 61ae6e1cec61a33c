// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/chip.h"
#include "tests/support/folder_tests.h"

#include <QTest>
#include <set>

namespace tst_chip {

using namespace roofwalk;

class TestChip : public QObject {
    Q_OBJECT

  private slots:
    void every_name_stands_once() {
        std::set<std::string_view> names;
        for (const Chip& chip : planned_chips())
            QVERIFY(names.insert(chip.name).second);
        QCOMPARE(names.size(), std::size_t{29});
    }

    void a_chip_is_found_by_its_whole_name() {
        QVERIFY(find_chip("GH100") != nullptr);
        QVERIFY(find_chip("GH100")->family == ChipFamily::hopper);
        QVERIFY(!find_chip("GB20B")->counts_dram);
        QVERIFY(find_chip("GH10") == nullptr);
        QVERIFY(find_chip("") == nullptr);
    }
};

}  // namespace tst_chip

ROOFWALK_TEST(tst_chip, TestChip, NoApplication)
#include "tst_chip.moc"
