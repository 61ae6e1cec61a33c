// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>

#include "core/model/string_pool.h"
#include "tests/support/folder_tests.h"

namespace tst_string_pool {

using namespace roofwalk;

class TestStringPool : public QObject {
    Q_OBJECT

  private slots:
    void equal_texts_are_stored_once() {
        StringPool pool;
        const TextId id = pool.intern("dram__bytes.sum");
        QVERIFY(id != TextId::none);
        QCOMPARE(pool.intern("dram__bytes.sum"), id);
        QCOMPARE(pool.find("dram__bytes.sum"), id);
        QVERIFY(pool.view(id) == "dram__bytes.sum");
        QCOMPARE(pool.intern(""), TextId::none);
        QCOMPARE(pool.find("never seen"), TextId::none);
    }
    void views_stay_valid_while_the_pool_grows() {
        StringPool pool;
        const std::string_view first = pool.view(pool.intern("first"));
        for (int i = 0; i < 10000; ++i)
            (void)pool.intern(std::to_string(i));
        QVERIFY(first == "first");
        QVERIFY(pool.view(pool.find("9999")) == "9999");
    }
    void a_copy_owns_its_texts() {
        StringPool copy;
        TextId id = TextId::none;
        {
            StringPool pool;
            id = pool.intern("a text long enough not to be stored inside the string object");
            copy = pool;
        }
        QVERIFY(copy.view(id).starts_with("a text long enough"));
        QCOMPARE(copy.find(copy.view(id)), id);
    }
};

}  // namespace tst_string_pool

ROOFWALK_TEST(tst_string_pool, TestStringPool, NoApplication)
#include "tst_string_pool.moc"
