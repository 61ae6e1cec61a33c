// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>

#include "profiler/wire/uuid_text.h"
#include "tests/support/folder_tests.h"

namespace tst_uuid_text {

using namespace roofwalk::wire;

class TestUuidText : public QObject {
    Q_OBJECT

  private slots:
    void it_is_as_nvidia_smi_shows_it() {
        const std::array<unsigned char, 16> bytes{0xef, 0x5c, 0x8d, 0x02, 0x6a, 0x54, 0x3a, 0x5e,
                                                  0x9c, 0x1d, 0x2d, 0x0c, 0x3c, 0x6f, 0x1a, 0x77};
        const std::string text = uuid_text<unsigned char>("GPU", bytes);
        QCOMPARE(text, std::string("GPU-ef5c8d02-6a54-3a5e-9c1d-2d0c3c6f1a77"));
        std::array<char, 16> characters{};
        characters.fill('\xff');
        QCOMPARE(uuid_text<char>("MIG", characters), std::string("MIG-ffffffff-ffff-ffff-ffff-ffffffffffff"));
    }
};

}  // namespace tst_uuid_text

ROOFWALK_TEST(tst_uuid_text, TestUuidText, NoApplication)
#include "tst_uuid_text.moc"
