// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/device.h"

#include <QTest>

#include "tests/support/folder_tests.h"

namespace tst_device {

using namespace roofwalk;

class TestDevice : public QObject {
    Q_OBJECT

  private slots:
    void a_name_begins_with_its_maker() {
        QCOMPARE(vendor_in_name("NVIDIA H100 80GB HBM3"), Vendor::nvidia);
        QCOMPARE(vendor_in_name("AMD Instinct MI300X"), Vendor::amd);
        QCOMPARE(vendor_in_name("Intel(R) Data Center GPU Max 1550"), Vendor::intel);
        for (const Vendor vendor : {Vendor::nvidia, Vendor::amd, Vendor::intel})
            QCOMPARE(vendor_in_name(label_of(vendor)), vendor);
        for (const char* name : {"", "H100", "AMDAHL 1", " NVIDIA"})
            QCOMPARE(vendor_in_name(name), Vendor::unknown);
    }
};

}  // namespace tst_device

ROOFWALK_TEST(tst_device, TestDevice, NoApplication)
#include "tst_device.moc"
