// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "core/model/memory_level.h"
#include "tests/support/folder_tests.h"

namespace tst_memory_level {

using namespace roofwalk;

class TestMemoryLevel : public QObject {
    Q_OBJECT

  private slots:
    void boundaries_are_told_apart_by_id_and_words() {
        std::set<std::string_view> ids;
        std::set<std::string> words;
        std::size_t place = 0;
        for (const Boundary boundary : all_boundaries) {
            QCOMPARE(static_cast<std::size_t>(boundary), place++);
            QCOMPARE(enum_from_id<Boundary>(id_of(boundary)).value(), boundary);
            QVERIFY(id_of(boundary).starts_with(id_of(level_of(boundary))));
            ids.insert(id_of(boundary));
            words.insert(describe(boundary, MemoryName::dram));
        }
        QCOMPARE(ids.size(), enum_size<Boundary>);
        QCOMPARE(words.size(), enum_size<Boundary>);
        QVERIFY(!enum_from_id<Boundary>("l3/all"));
    }
    void every_level_has_a_boundary_of_its_own() {
        for (const MemoryLevel level : all_levels) {
            QCOMPARE(level_of(default_boundary(level)), level);
            QCOMPARE(enum_from_id<MemoryLevel>(id_of(level)).value(), level);
            QVERIFY(!label_of(level, MemoryName::dram).empty());
        }
        QVERIFY(!enum_from_id<MemoryLevel>("l3"));
        QCOMPARE(default_boundary(MemoryLevel::l2), Boundary::l2_sm_sectors);
        QCOMPARE(default_boundary(MemoryLevel::smem), Boundary::smem_wavefronts);
    }
};

}  // namespace tst_memory_level

ROOFWALK_TEST(tst_memory_level, TestMemoryLevel, NoApplication)
#include "tst_memory_level.moc"
