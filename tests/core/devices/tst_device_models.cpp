// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/analysis.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_device_models {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr DeviceIndex first{0};
constexpr DeviceIndex second{1};
constexpr DeviceIndex third{2};

Device called(const char* name, double bandwidth) {
    Device device =
        machine({compute_ceiling(fp32, 20e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, bandwidth)});
    device.name = name;
    return device;
}

Launch on(DeviceIndex device, double seconds) {
    Launch result = launch(seconds, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}});
    result.device = device;
    return result;
}

/// Two devices called "alpha" and between them one called "beta", which takes most time.
Profile three_devices() {
    Profile profile = profile_of(called("alpha", 1e12), {on(first, 1e-2), on(second, 9e-2), on(third, 2e-2)});
    profile.devices.push_back(called("beta", 2e12));
    profile.devices.push_back(called("alpha", 1e12));
    return profile;
}

double hbm(const CeilingSet& ceilings) {
    return ceilings.find(Boundary::hbm_dram_rw)->rate.value();
}

}  // namespace

class TestDeviceModels : public QObject {
    Q_OBJECT

  private slots:
    void devices_of_one_name_are_one_model() {
        QCOMPARE(models_of(three_devices()), (std::vector{first, second, first}));
        QVERIFY(models_of(Profile{}).empty());
        Profile other_tool = three_devices();
        other_tool.devices[2].name = "NVIDIA alpha";
        QCOMPARE(models_of(other_tool), (std::vector{first, second, first}));
    }
    void a_point_is_of_the_model_of_its_launches() {
        const Profile profile = three_devices();
        const Analysis analysis = analyse(profile, {});
        const std::vector<DeviceIndex> models = models_of(profile);
        QCOMPARE(analysis.points.size(), std::size_t{3});
        QVERIFY(model_of(profile, models, analysis, analysis.points[1]) == second);
        QVERIFY(model_of(profile, models, analysis, analysis.points[2]) == first);
    }
    void models_come_by_their_share_of_time() {
        const Analysis analysis = analyse(three_devices(), {});
        QCOMPARE(analysis.models.size(), std::size_t{2});
        QVERIFY(analysis.models[0].device == second && analysis.models[1].device == first);
        QCOMPARE(hbm(analysis.models[0].ceilings), 2e12);
        QCOMPARE(hbm(analysis.models[1].ceilings), 1e12);
    }
    void a_typed_ceiling_is_of_one_model() {
        AnalysisOptions options;
        options.overrides["beta"].bandwidth = {bandwidth_ceiling(Boundary::hbm_dram_rw, 5e12)};
        const Analysis analysis = analyse(three_devices(), options);
        QCOMPARE(hbm(*analysis.points[0].ceilings), 1e12);
        QCOMPARE(hbm(*analysis.points[1].ceilings), 5e12);
        QCOMPARE(hbm(*analysis.points[2].ceilings), 1e12);
        QCOMPARE(hbm(analysis.ceilings), 5e12);
        options.overrides = {};
        options.overrides["alpha"].bandwidth = {bandwidth_ceiling(Boundary::hbm_dram_rw, 3e12)};
        const Analysis other = analyse(three_devices(), options);
        QCOMPARE(hbm(*other.points[0].ceilings), 3e12);
        QCOMPARE(hbm(*other.points[1].ceilings), 2e12);
        QCOMPARE(hbm(*other.points[2].ceilings), 3e12);
    }
    void what_is_typed_for_a_device_is_found_by_its_name() {
        AnalysisOptions options;
        options.overrides["beta"].bandwidth = {bandwidth_ceiling(Boundary::hbm_dram_rw, 5e12)};
        QCOMPARE(hbm(overrides_of(options, called("beta", 1))), 5e12);
        QVERIFY(overrides_of(options, called("alpha", 1)).empty());
    }
    void slices_that_share_a_name_have_typed_ceilings_of_their_own() {
        Profile profile;
        profile.devices = {called("beta", 1), called("beta", 1), called("alpha", 1)};
        profile.devices[0].sm_count = 42;
        profile.devices[1].sm_count = 14;
        QCOMPARE(model_name(profile, profile.devices[0]), std::string("beta, 42 SMs"));
        QCOMPARE(model_name(profile, profile.devices[1]), std::string("beta, 14 SMs"));
        QCOMPARE(model_name(profile, profile.devices[2]), std::string("alpha"));
        AnalysisOptions options;
        options.overrides["beta, 14 SMs"].bandwidth = {bandwidth_ceiling(Boundary::hbm_dram_rw, 5e12)};
        QVERIFY(overrides_of(options, profile.devices[0]).empty());
        QCOMPARE(hbm(overrides_of(options, profile.devices[1])), 5e12);
    }
};

}  // namespace tst_device_models

ROOFWALK_TEST(tst_device_models, TestDeviceModels, NoApplication)
#include "tst_device_models.moc"
