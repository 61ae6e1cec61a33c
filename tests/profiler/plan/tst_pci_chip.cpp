// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/pci_chip.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_pci_chip {

using namespace roofwalk;

class TestPciChip : public QObject {
    Q_OBJECT

  private slots:
    void boards_have_the_chip_of_their_number_data() {
        QTest::addColumn<int>("device");
        QTest::addColumn<QString>("chip");
        const auto row = [](const char* board, int device, const char* chip) {
            QTest::newRow(board) << device << chip;
        };
        row("V100 SXM2 32 GB", 0x1db5, "GV100");
        row("T4", 0x1eb8, "TU104");
        row("A100 SXM4 80 GB", 0x20b2, "GA100");
        row("A10", 0x2236, "GA102");
        row("RTX 3070", 0x2484, "GA104");
        row("RTX 3060", 0x2503, "GA106");
        row("L4", 0x27b8, "AD104");
        row("RTX 4090", 0x2684, "AD102");
        row("RTX 4060", 0x2882, "AD107");
        row("H100 SXM5", 0x2330, "GH100");
        row("B200", 0x2901, "GB100");
        row("RTX 5090", 0x2b85, "GB202");
        row("none of ours", 0x1234, "");
        row("not known", 0, "");
    }
    void boards_have_the_chip_of_their_number() {
        QFETCH(const int, device);
        QFETCH(const QString, chip);
        QCOMPARE(std::string(chip_of_pci_device(static_cast<std::uint16_t>(device))), chip.toStdString());
    }
};

}  // namespace tst_pci_chip

ROOFWALK_TEST(tst_pci_chip, TestPciChip, NoApplication)
#include "tst_pci_chip.moc"
