// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/ceilings/apply_measured.h"
#include "core/roofline/device_ceilings.h"
#include "tests/core/ceilings/hopper.h"

using namespace roofwalk;

namespace {

Profile profile_of(const std::string& uuid) {
    Profile profile;
    Device device = hopper::measured().device.device;
    device.uuid = uuid;
    profile.devices.push_back(device);
    return profile;
}

double hbm(const Profile& profile, const CeilingSet* of_launch = nullptr, const CeilingSet& typed = {}) {
    return resolve_ceilings(profile.devices[0], of_launch, ClockBasis::measured, typed)
        .find(Boundary::hbm_dram_rw)
        ->rate.value();
}

}  // namespace

class TestApplyMeasured : public QObject {
    Q_OBJECT

  private slots:
    void the_board_is_found_by_its_uuid() {
        Profile profile = profile_of(hopper::uuid);
        const MeasuredCeilings measured = hopper::measured();
        QCOMPARE(add_measured(profile, {&measured, 1}), std::size_t(1));
        QCOMPARE(hbm(profile), 3.2e12);
    }
    void no_other_device_gets_them_in_silence() {
        const MeasuredCeilings measured = hopper::measured();
        for (const char* uuid : {"", "GPU-00000000-0000-0000-0000-000000000000"}) {
            Profile profile = profile_of(uuid);
            QCOMPARE(add_measured(profile, {&measured, 1}), std::size_t(0));
            QVERIFY(profile.devices[0].ceilings.empty());
        }
    }
    void on_request_a_device_without_uuid_gets_those_of_its_model() {
        const MeasuredCeilings measured = hopper::measured();
        Profile nameless = profile_of("");
        QCOMPARE(add_measured_on_request(nameless, measured), std::size_t(1));
        Profile other_board = profile_of("GPU-00000000-0000-0000-0000-000000000000");
        QCOMPARE(add_measured_on_request(other_board, measured), std::size_t(0));
        Profile other_model = profile_of("");
        other_model.devices[0].name = "NVIDIA A100-SXM4-80GB";
        QCOMPARE(add_measured_on_request(other_model, measured), std::size_t(0));
        Profile slice = profile_of("");
        slice.devices[0].sm_count = 66;
        QCOMPARE(add_measured_on_request(slice, measured), std::size_t(0));
    }
    void they_go_before_counters_and_behind_what_was_typed() {
        Profile profile = profile_of(hopper::uuid);
        const MeasuredCeilings measured = hopper::measured();
        add_measured(profile, {&measured, 1});
        CeilingSet counters;
        counters.bandwidth.push_back({Boundary::hbm_dram_rw,
                                      ByteRate(3.35e12),
                                      {CeilingSource::counters, ClockBasis::measured, {}, {}, {}, {}}});
        QCOMPARE(hbm(profile, &counters), 3.2e12);
        CeilingSet typed;
        typed.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(1e12), {}});
        QCOMPARE(hbm(profile, &counters, typed), 1e12);
    }
    void the_last_measurement_holds() {
        Profile profile = profile_of(hopper::uuid);
        std::vector<MeasuredCeilings> both{hopper::measured(), hopper::measured()};
        both[1].rates[0].rate = 3.1e12;
        add_measured(profile, both);
        QCOMPARE(hbm(profile), 3.1e12);
        QCOMPARE(profile.devices[0].ceilings.bandwidth.size(), std::size_t(2));
    }
};

QTEST_APPLESS_MAIN(TestApplyMeasured)
#include "tst_apply_measured.moc"
