// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_json.h"
#include "tests/support/folder_tests.h"

#include <QTest>

namespace tst_uuid_for_file {

using namespace roofwalk;

class TestUuidForFile : public QObject {
    Q_OBJECT

  private slots:
    void that_of_a_board_stays_as_it_is() {
        QCOMPARE(uuid_for_file("GPU-ef5c8d02-6a54"), std::string("GPU-ef5c8d02-6a54"));
    }
    void a_file_name_holds_no_way_out_of_its_folder() {
        QCOMPARE(uuid_for_file("../a b/c"), std::string("___a_b_c"));
        QCOMPARE(uuid_for_file(std::string_view("\0\n\xc3", 3)), std::string("___"));
    }
};

}  // namespace tst_uuid_for_file

ROOFWALK_TEST(tst_uuid_for_file, TestUuidForFile, NoApplication)
#include "tst_uuid_for_file.moc"
