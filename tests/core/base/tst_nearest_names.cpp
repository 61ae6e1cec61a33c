// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>

#include "core/base/nearest_names.h"
#include "core/base/text.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_nearest_names {

using namespace roofwalk;

namespace {

constexpr std::array<std::string_view, 5> names{"gemm", "gemv", "softmax", "layernorm", "k"};

std::string nearest(std::string_view word) {
    return joined(nearest_names(word, names), " ");
}

}  // namespace

class TestNearestNames : public QObject {
    Q_OBJECT

  private slots:
    void a_slip_finds_its_name() {
        QCOMPARE(nearest("gem"), std::string("gemm gemv"));
        QCOMPARE(nearest("sotfmax"), std::string("softmax"));
        QCOMPARE(nearest("layer_norm"), std::string("layernorm"));
    }
    void a_part_finds_its_name() { QCOMPARE(nearest("norm"), std::string("layernorm")); }
    void a_stranger_finds_nothing() {
        QCOMPARE(nearest("q"), std::string());
        QCOMPARE(nearest("get"), std::string());
        QCOMPARE(nearest(""), std::string());
        QCOMPARE(nearest(std::string(100'000, 'g')), std::string());
    }
};

}  // namespace tst_nearest_names

ROOFWALK_TEST(tst_nearest_names, TestNearestNames, NoApplication)
#include "tst_nearest_names.moc"
