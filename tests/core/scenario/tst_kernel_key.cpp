// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kernel_key.h"

#include "core/operations/op_binding.h"

#include <QTest>
#include <algorithm>

#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_kernel_key {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Two kernels by turns, with two sizes of grid, under an NVTX range for the first half.
Profile walked_profile() {
    Profile profile = profile_of(machine({}, {}), {});
    profile.kernels = {{"a(int)", "a", {}}, {"b(int)", "b", {}}};
    profile.nvtx_stacks.push_back({"outer", "inner"});
    for (std::uint32_t i = 0; i < 8; ++i) {
        Launch one = launch(1e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}});
        one.kernel = KernelIndex{i % 2};
        one.grid = {i % 4 < 2 ? 1U : 2U, 1, 1};
        one.block = {128, 1, 1};
        one.nvtx = i < 4 ? NvtxIndex{1} : NvtxIndex::none;
        profile.launches.push_back(one);
    }
    return profile;
}

Analysis by(GroupBy group_by, const Profile& profile) {
    AnalysisOptions options;
    options.group_by = group_by;
    return analyse(profile, options);
}

FoundKernel find(const Profile& profile, const Analysis& analysis, const KernelKey& key) {
    const std::array<const KernelKey*, 1> keys{&key};
    return find_kernels(profile, analysis, keys).front();
}

}  // namespace

class TestKernelKey : public QObject {
    Q_OBJECT

  private slots:
    void every_row_is_found_by_its_key() {
        const Profile profile = walked_profile();
        for (const GroupBy group_by : {GroupBy::launch, GroupBy::kernel, GroupBy::nvtx}) {
            const Analysis analysis = by(group_by, profile);
            std::vector<KernelKey> keys;
            for (const KernelPoint& point : analysis.points)
                keys.push_back(key_of(profile, analysis, point));
            std::vector<const KernelKey*> wanted;
            for (const KernelKey& key : keys)
                wanted.push_back(&key);
            const auto found = find_kernels(profile, analysis, wanted);
            for (std::uint32_t i = 0; i < found.size(); ++i) {
                QVERIFY(found[i].match == KeyMatch::found);
                QCOMPARE(found[i].point, i);
                QCOMPARE(std::ranges::count(keys, keys[i]), std::ptrdiff_t{1});
            }
        }
    }
    void rows_by_operation_are_found_by_its_text() {
        const Profile profile = walked_profile();
        AnalysisOptions options;
        options.group_by = GroupBy::operation;
        Bindings bindings;
        bindings.user = {{profile.kernel_of(profile.launches.front()).name, std::nullopt, "copy n=8"}};
        options.launch_operations =
            std::make_shared<const LaunchOperations>(bind_operations(profile, bindings));
        const Analysis analysis = analyse(profile, options);
        for (const KernelPoint& point : analysis.points)
            QVERIFY(find(profile, analysis, key_of(profile, analysis, point)).match == KeyMatch::found);
        const KernelKey key = key_of(profile, analysis, analysis.points.front());
        QCOMPARE(key.name, std::string("copy n=8"));
        options.group_by = GroupBy::kernel;
        QVERIFY(find(profile, analyse(profile, options), key).match == KeyMatch::other_grouping);
    }
    void launches_are_told_apart_by_shape_and_order() {
        const Profile profile = walked_profile();
        const Analysis analysis = by(GroupBy::launch, profile);
        const KernelKey key = key_of(profile, analysis, analysis.points[6]);
        QCOMPARE(key.name, std::string("a(int)"));
        QCOMPARE(key.grid.x, 2U);
        QCOMPARE(key.occurrence, 1U);
        QCOMPARE(key_of(profile, analysis, analysis.points[4]).occurrence, 1U);
        QCOMPARE(key_of(profile, analysis, analysis.points[4]).grid.x, 1U);
    }
    void kernels_of_two_files_are_told_apart_by_order() {
        const Profile one = walked_profile();
        const std::array<const Profile*, 2> both{&one, &one};
        const Profile profile = merge_profiles(both);
        const Analysis analysis = by(GroupBy::kernel, profile);
        QCOMPARE(analysis.points.size(), std::size_t{4});
        const KernelKey key = key_of(profile, analysis, analysis.points[3]);
        QCOMPARE(key.occurrence, 1U);
        QCOMPARE(find(profile, analysis, key).point, 3U);
        // Reading the first file alone is no reason to move another kernel instead.
        QVERIFY(find(one, by(GroupBy::kernel, one), key).match == KeyMatch::other_row);
    }
    void an_nvtx_row_goes_by_its_path() {
        const Profile profile = walked_profile();
        const Analysis analysis = by(GroupBy::nvtx, profile);
        QCOMPARE(key_of(profile, analysis, analysis.points[0]).name, std::string("outer / inner"));
    }
    void what_is_not_found_says_why() {
        const Profile profile = walked_profile();
        const Analysis analysis = by(GroupBy::kernel, profile);
        KernelKey key = key_of(profile, analysis, analysis.points[0]);
        key.group_by = GroupBy::launch;
        QVERIFY(find(profile, analysis, key).match == KeyMatch::other_grouping);
        // Another grouping is no reason where there is no such kernel at all.
        key.name = "c(int)";
        QVERIFY(find(profile, analysis, key).match == KeyMatch::unknown);
        key.group_by = GroupBy::kernel;
        QVERIFY(find(profile, analysis, key).match == KeyMatch::unknown);
        key.group_by = GroupBy::nvtx;
        key.name = "outer / inner";
        QVERIFY(find(profile, analysis, key).match == KeyMatch::other_grouping);
        key.name = "outer";
        QVERIFY(find(profile, analysis, key).match == KeyMatch::unknown);
    }
    void a_launch_that_is_not_there_is_told_from_a_kernel_that_is_not() {
        const Profile profile = walked_profile();
        const Analysis analysis = by(GroupBy::launch, profile);
        KernelKey key = key_of(profile, analysis, analysis.points[0]);
        key.occurrence = 2;
        QVERIFY(find(profile, analysis, key).match == KeyMatch::other_row);
        key.occurrence = 0;
        key.grid.x = 3;
        QVERIFY(find(profile, analysis, key).match == KeyMatch::other_row);
    }
    void several_keys_at_once_are_those_of_each() {
        const Profile profile = walked_profile();
        for (const GroupBy group_by : {GroupBy::launch, GroupBy::kernel, GroupBy::nvtx}) {
            const Analysis analysis = by(group_by, profile);
            std::vector<std::uint32_t> points;
            for (std::uint32_t i = static_cast<std::uint32_t>(analysis.points.size()); i-- > 0;)
                points.push_back(i);
            points.push_back(0);  // the same row again
            const std::vector<KernelKey> keys = keys_of(profile, analysis, points);
            QCOMPARE(keys.size(), points.size());
            for (std::size_t i = 0; i < points.size(); ++i)
                QVERIFY(keys[i] == key_of(profile, analysis, analysis.points[points[i]]));
        }
        QVERIFY(keys_of(profile, by(GroupBy::launch, profile), {}).empty());
    }
    void keys_that_are_the_same_are_all_found() {
        const Profile profile = walked_profile();
        const Analysis analysis = by(GroupBy::launch, profile);
        const KernelKey key = key_of(profile, analysis, analysis.points[4]);
        const std::array<const KernelKey*, 2> twice{&key, &key};
        for (const FoundKernel& found : find_kernels(profile, analysis, twice))
            QCOMPARE(found.point, 4U);
    }
    void a_filter_does_not_shift_occurrences() {
        const Profile one = walked_profile();
        const std::array<const Profile*, 2> both{&one, &one};
        const Profile profile = merge_profiles(both);
        Analysis analysis = by(GroupBy::kernel, profile);
        const KernelKey key = key_of(profile, analysis, analysis.points[2]);
        QCOMPARE(key.occurrence, 1U);
        analysis.points.erase(analysis.points.begin());
        QCOMPARE(find(profile, analysis, key).point, 1U);
        QVERIFY(key_of(profile, analysis, analysis.points[1]) == key);
    }
};

}  // namespace tst_kernel_key

ROOFWALK_TEST(tst_kernel_key, TestKernelKey, NoApplication)
#include "tst_kernel_key.moc"
