// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/view_focus.h"

#include <QTest>

#include "tests/support/folder_tests.h"

namespace tst_view_focus {

using namespace roofwalk;

namespace {

/// Launches of the kernels named, from one file.
Profile profile_of(std::initializer_list<const char*> kernels, const char* file = "run.json") {
    Profile profile;
    profile.sources.push_back({.path = file, .format = {}, .tool = {}, .command_line = {}, .created = {}});
    profile.devices.emplace_back();
    for (const char* name : kernels) {
        auto kernel = std::ranges::find(profile.kernels, name, &Kernel::name);
        if (kernel == profile.kernels.end()) kernel = profile.kernels.insert(kernel, {name, {}, {}});
        Launch launch;
        launch.kernel = static_cast<KernelIndex>(kernel - profile.kernels.begin());
        profile.launches.push_back(launch);
    }
    return profile;
}

Analysis by(GroupBy group_by, const Profile& profile) {
    AnalysisOptions options;
    options.group_by = group_by;
    return analyse(profile, options);
}

using Found = std::vector<std::optional<std::uint32_t>>;

Found follow(const Profile& before, const Analysis& analysis, std::initializer_list<std::uint32_t> points,
             const Profile& after, const Analysis& now) {
    return follow_points({&before, &analysis}, std::vector<std::uint32_t>(points), {&after, &now});
}

}  // namespace

class TestViewFocus : public QObject {
    Q_OBJECT

  private slots:
    void a_launch_is_found_in_the_group_that_holds_it() {
        const Profile profile = profile_of({"a", "b", "a"});
        const Analysis launches = by(GroupBy::launch, profile);
        const Analysis kernels = by(GroupBy::kernel, profile);
        QCOMPARE(follow(profile, launches, {2, 1}, profile, kernels), (Found{0, 1}));
    }
    void a_group_is_found_at_its_first_launch() {
        const Profile profile = profile_of({"a", "b", "a"});
        const Analysis kernels = by(GroupBy::kernel, profile);
        const Analysis launches = by(GroupBy::launch, profile);
        QCOMPARE(follow(profile, kernels, {1, 0}, profile, launches), (Found{1, 0}));
    }
    void launches_of_a_file_read_again_are_told_by_name_and_order() {
        const Profile before = profile_of({"a", "b", "a"});
        const Profile after = profile_of({"c", "a", "a", "b"});
        const Analysis old_points = by(GroupBy::launch, before);
        const Analysis new_points = by(GroupBy::launch, after);
        QCOMPARE(follow(before, old_points, {0, 1, 2}, after, new_points), (Found{1, 3, 2}));
    }
    void of_the_launches_of_a_kernel_the_first_to_look_at_is_selected() {
        const Profile profile = profile_of({"a", "b", "a", "a"});
        const Analysis kernels = by(GroupBy::kernel, profile);
        const Analysis launches = by(GroupBy::launch, profile);
        const auto selected = [&](std::vector<std::uint32_t> ranking) {
            return followed({0U, {}, {}}, {&profile, &kernels}, {&profile, &launches}, ranking).points();
        };
        QCOMPARE(selected({1, 2, 3, 0}), std::vector<std::uint32_t>{2});
        QCOMPARE(selected({3, 0, 1, 2}), std::vector<std::uint32_t>{3});
        QCOMPARE(
            followed({3U, {}, {}}, {&profile, &launches}, {&profile, &kernels}, std::vector{1U, 0U}).selected,
            std::optional(0U));
    }
    void a_launch_that_is_gone_is_absent() {
        const Profile before = profile_of({"a", "b", "a"});
        const Profile after = profile_of({"a"});
        const Analysis old_points = by(GroupBy::launch, before);
        const Analysis new_points = by(GroupBy::launch, after);
        QCOMPARE(follow(before, old_points, {0, 1, 2}, after, new_points),
                 (Found{0, std::nullopt, std::nullopt}));
    }
    void the_same_name_in_another_file_is_another_kernel() {
        const Profile before = profile_of({"a"}, "one.json");
        const Profile after = profile_of({"a"}, "two.json");
        const Analysis old_points = by(GroupBy::launch, before);
        const Analysis new_points = by(GroupBy::launch, after);
        QCOMPARE(follow(before, old_points, {0}, after, new_points), Found{std::nullopt});
    }
};

}  // namespace tst_view_focus

ROOFWALK_TEST(tst_view_focus, TestViewFocus, NoApplication)
#include "tst_view_focus.moc"
