// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/devices/match_device.h"
#include "core/devices/measured_ceilings.h"
#include "core/roofline/analysis.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"

namespace tst_measured_use {

using namespace roofwalk;

namespace {

Profile profile_of(const std::string& uuid) {
    Profile profile;
    Device device = hopper::measured().device.device;
    device.uuid = uuid;
    profile.devices.push_back(device);
    return profile;
}

MeasuredUse use_of(std::vector<MeasuredCeilings> list, MeasuredChoice choice = {}) {
    MeasuredUse use{{}, std::move(choice)};
    for (MeasuredCeilings& measured : list)
        use.known.push_back(std::make_shared<const MeasuredCeilings>(std::move(measured)));
    return use;
}

CeilingSet resolved(const Profile& profile, const MeasuredUse& use, const CeilingSet* of_launch = nullptr,
                    const CeilingSet& typed = {}) {
    AnalysisOptions options;
    options.measured = measured_sets(profile, use);
    const Device& device = profile.devices[0];
    return resolve_ceilings(device, of_launch, ClockBasis::measured, typed, measured_of(options, device));
}

double hbm(const CeilingSet& set) {
    return set.find(Boundary::hbm_dram_rw)->rate.value();
}

constexpr const char* other_uuid = "GPU-00000000-0000-0000-0000-000000000000";

}  // namespace

class TestMeasuredUse : public QObject {
    Q_OBJECT

  private slots:
    void the_board_is_found_by_its_uuid() {
        QCOMPARE(hbm(resolved(profile_of(hopper::uuid), use_of({hopper::measured()}))), 3.2e12);
    }
    void no_other_device_gets_them_in_silence() {
        for (const char* uuid : {"", other_uuid})
            QVERIFY(measured_sets(profile_of(uuid), use_of({hopper::measured()})).empty());
    }
    void a_row_of_the_table_is_the_model_of_its_boards() {
        MeasuredCeilings measured = hopper::measured();
        measured.device.device.name = "NVIDIA H100 80GB HBM3";
        measured.device.device.sm_count = 132;
        for (const auto& [name, given] : {std::pair("H100 SXM", true), std::pair("H100 PCIe", false)}) {
            Profile profile;
            profile.devices.push_back(*find_known_device(name));
            const MeasuredUse use = use_of({measured}, measured_choice_from(hopper::uuid));
            QCOMPARE(!measured_sets(profile, use).empty(), given);
        }
    }
    void nothing_is_used_where_a_person_wants_none() {
        const MeasuredUse use = use_of({hopper::measured()}, measured_choice_from("none"));
        QVERIFY(measured_sets(profile_of(hopper::uuid), use).empty());
    }
    void a_profile_that_is_written_can_carry_them() {
        Profile profile = profile_of(hopper::uuid);
        Provenance older;
        older.source = CeilingSource::benchmark;
        profile.devices[0].ceilings.bandwidth = {{Boundary::hbm_dram_rw, ByteRate(1e12), older},
                                                 {Boundary::hbm_dram_rw, ByteRate(2e12), {}}};
        merge_measured(profile, use_of({hopper::measured()}));
        const CeilingSet& merged = profile.devices[0].ceilings;
        QCOMPARE(hbm(merged), 3.2e12);
        QCOMPARE(merged.bandwidth.size(), std::size_t{3});  // HBM, L2, and what somebody typed
        QCOMPARE(hbm(resolved(profile, {})), 3.2e12);
        Profile elsewhere = profile_of(other_uuid);
        merge_measured(elsewhere, use_of({hopper::measured()}));
        QVERIFY(elsewhere.devices[0].ceilings.empty());
    }
    void on_request_a_device_without_uuid_gets_those_of_its_model() {
        const MeasuredUse use = use_of({hopper::measured()}, measured_choice_from(hopper::uuid));
        Profile nameless = profile_of("");
        QCOMPARE(hbm(resolved(nameless, use)), 3.2e12);
        QCOMPARE(hbm(resolved(profile_of(hopper::uuid), use)), 3.2e12);
        QVERIFY(measured_sets(profile_of(other_uuid), use).empty());
        nameless.devices[0].sm_count = 66;  // a slice
        QVERIFY(measured_sets(nameless, use).empty());
        nameless.devices[0] = {};
        nameless.devices[0].name = "NVIDIA A100-SXM4-80GB";
        QVERIFY(measured_sets(nameless, use).empty());
    }
    void models_of_one_name_are_told_apart() {
        const MeasuredUse use = use_of({hopper::measured()}, measured_choice_from(hopper::uuid));
        Profile two = profile_of("");
        two.devices.push_back(two.devices[0]);
        two.devices[1].sm_count = 66;
        AnalysisOptions options;
        options.measured = measured_sets(two, use);
        QVERIFY(!measured_of(options, two.devices[0]).empty());
        QVERIFY(measured_of(options, two.devices[1]).empty());
    }
    void they_go_before_counters_and_behind_what_was_typed() {
        const Profile profile = profile_of(hopper::uuid);
        const MeasuredUse use = use_of({hopper::measured()});
        CeilingSet counters;
        counters.bandwidth.push_back({Boundary::hbm_dram_rw,
                                      ByteRate(3.35e12),
                                      {CeilingSource::counters, ClockBasis::measured, {}, {}, {}, {}}});
        QCOMPARE(hbm(resolved(profile, use, &counters)), 3.2e12);
        CeilingSet typed;
        typed.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(1e12), {}});
        QCOMPARE(hbm(resolved(profile, use, &counters, typed)), 1e12);
    }
    void what_a_cut_measurement_lacks_stays_with_the_file() {
        Profile profile = profile_of(hopper::uuid);
        profile.devices[0].ceilings.compute.push_back(
            {Pipe{PipeKind::fp64},
             FlopRate(33e12),
             {CeilingSource::benchmark, ClockBasis::measured, {}, {}, {}, {}}});
        MeasuredCeilings cut = hopper::measured();
        cut.rates.resize(1);
        const CeilingSet set = resolved(profile, use_of({cut}));
        QCOMPARE(hbm(set), 3.2e12);
        QCOMPARE(set.find(Pipe{PipeKind::fp64})->rate.value(), 33e12);
        QCOMPARE(set.find(Pipe{PipeKind::fp64})->provenance.source, CeilingSource::benchmark);
    }
    void the_last_measurement_of_a_board_holds() {
        MeasuredCeilings later = hopper::measured();
        later.rates[0].rate = 3.1e12;
        QCOMPARE(hbm(resolved(profile_of(hopper::uuid), use_of({hopper::measured(), later}))), 3.1e12);
    }
    void a_choice_survives_its_text() {
        for (const char* text : {"own", "none", hopper::uuid})
            QCOMPARE(text_of(measured_choice_from(text)), std::string(text));
    }
};

}  // namespace tst_measured_use

ROOFWALK_TEST(tst_measured_use, TestMeasuredUse, NoApplication)
#include "tst_measured_use.moc"
