// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/devices/match_device.h"
#include "tests/support/folder_tests.h"

namespace tst_ambiguous_device {

using namespace roofwalk;

namespace {

Device named(std::string name) {
    Device device;
    device.name = std::move(name);
    return device;
}

constexpr double gib = 1073741824;

}  // namespace

class TestAmbiguousDevice : public QObject {
    Q_OBJECT

  private slots:
    void a_name_that_fits_several_boards_says_whose_roofs_stand() {
        QCOMPARE(matched_entry(named("A100")), std::string("A100 SXM 80 GB"));
        QCOMPARE(
            ambiguous_device_note(named("A100")),
            std::string("'A100' is taken for the A100 SXM 80 GB; it may also be the A100 SXM 40 GB, A100 "
                        "PCIe 40 GB or A100 PCIe 80 GB."));
    }
    void a_name_that_fits_one_board_or_none_is_not_in_doubt() {
        for (const char* name : {"A100 PCIe 40 GB", "NVIDIA A100-SXM4-80GB", "H200", "RTX 3090", "Voodoo 2"})
            QCOMPARE(ambiguous_device_note(named(name)), std::string());
    }
    void what_the_profile_says_beside_the_name_settles_it() {
        Device device = named("A100");
        device.memory_size = Bytes(39.5 * gib);
        QCOMPARE(matched_entry(device), std::string());  // both forms of 40 GB have one memory
        device.memory_size = Bytes(79.2 * gib);
        QCOMPARE(matched_entry(device), std::string("A100 SXM 80 GB"));  // the PCIe form is slower
    }
    void a_memory_roof_of_its_own_needs_no_table() {
        Device device = named("A100");
        device.memory_clock = Hertz(1215e6);
        device.memory_bus_bits = 5120;
        QCOMPARE(matched_entry(device), std::string());
    }
};

}  // namespace tst_ambiguous_device

ROOFWALK_TEST(tst_ambiguous_device, TestAmbiguousDevice, NoApplication)
#include "tst_ambiguous_device.moc"
