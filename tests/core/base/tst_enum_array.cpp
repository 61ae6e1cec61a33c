// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/enum_array.h"

#include <QTest>
#include <algorithm>

#include "tests/support/folder_tests.h"

namespace tst_enum_array {

enum class Fruit : std::uint8_t { apple, pear, plum };

}  // namespace tst_enum_array

template <>
inline constexpr std::size_t roofwalk::enum_size<tst_enum_array::Fruit> = 3;

namespace tst_enum_array {

using namespace roofwalk;

class TestEnumArray : public QObject {
    Q_OBJECT

  private slots:
    void an_enumerator_has_its_place() {
        EnumArray<Fruit, int> stock{1, 2};
        stock[Fruit::plum] += 3;
        QVERIFY(stock == (EnumArray<Fruit, int>{1, 2, 3}));
        QVERIFY(stock != (EnumArray<Fruit, int>{}));
        QCOMPARE(std::ranges::count(stock, 2), std::ptrdiff_t{1});
        static_assert(EnumArray<Fruit, int>{4, 5, 6}[Fruit::pear] == 5);
    }
    void enumerators_stand_in_their_order() {
        constexpr std::array expected{Fruit::apple, Fruit::pear, Fruit::plum};
        QVERIFY(enumerators<Fruit> == expected);
    }
    void an_enumerator_is_found_by_its_id() {
        constexpr EnumArray<Fruit, std::string_view> ids{"apple", "pear", "plum"};
        static_assert(from_id(ids, "plum") == Fruit::plum);
        QVERIFY(!from_id(ids, "cherry") && !from_id(ids, ""));
    }
    void a_row_in_another_place_is_noticed() {
        struct Row {
            Fruit fruit;
            int price;
        };
        constexpr EnumArray<Fruit, Row> right{{{Fruit::apple, 1}, {Fruit::pear, 2}, {Fruit::plum, 3}}};
        constexpr EnumArray<Fruit, Row> wrong{{{Fruit::pear, 2}, {Fruit::apple, 1}, {Fruit::plum, 3}}};
        QVERIFY(is_in_order(right, &Row::fruit) && !is_in_order(wrong, &Row::fruit));
    }
};

}  // namespace tst_enum_array

ROOFWALK_TEST(tst_enum_array, TestEnumArray, NoApplication)
#include "tst_enum_array.moc"
