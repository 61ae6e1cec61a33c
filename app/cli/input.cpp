// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/cli/console.h"
#include "app/cli/input_text.h"
#include "app/cli/output.h"
#include "core/base/progress.h"
#include "core/import/open_profile.h"

namespace roofwalk::cli {

namespace {

constexpr std::size_t warnings_said = 20;

Result<Profile> read_quietly(const std::string& file) {
    ProgressLine line(file);
    Progress progress;
    progress.report = [&line](double share) { line.show(share); };
    if (!is_stream(file)) {
        keep_from_output(file);
        return open_profile(file, progress);
    }
    return InputText::read(file).and_then([&](const InputText& input) {
        return read_profile(std::as_bytes(std::span(input.text())), said_name(file), progress);
    });
}

void say_warnings(const Profile& profile) {
    struct Repeated {
        const Error* first;
        std::size_t times;
    };
    std::vector<Repeated> distinct;
    for (const Warning& warning : profile.warnings) {
        const auto same = std::ranges::find_if(
            distinct, [&](const Repeated& seen) { return seen.first->what == warning.message.what; });
        if (same != distinct.end())
            ++same->times;
        else
            distinct.push_back({&warning.message, 1});
    }
    for (const Repeated& warning : std::span(distinct).first(std::min(distinct.size(), warnings_said))) {
        const std::string more =
            warning.times > 1 ? fmt::format(" (and {} more like it)", warning.times - 1) : "";
        say_warning(to_line(*warning.first) + more);
    }
    if (distinct.size() > warnings_said)
        say_warning(fmt::format("{} further warnings are in the output of --format json.",
                                distinct.size() - warnings_said));
}

}  // namespace

Result<Profile> read_input(const std::string& file) {
    Result<Profile> profile = read_quietly(file);
    if (profile) say_warnings(*profile);
    return profile;
}

Result<Profile> read_reports(NamedFiles& files) {
    std::vector<Profile> profiles;
    std::vector<LostReport> lost;
    for (const NamedReport& report : files.reports) {
        Result<Profile> profile = read_input(report.file);
        if (profile) {
            profiles.push_back(*std::move(profile));
            continue;
        }
        std::optional<LostReport> of_session = lost_report(report, profile.error());
        if (!of_session) return profile;
        lost.push_back(*std::move(of_session));
    }
    if (profiles.empty()) return tl::unexpected(std::move(lost.front().why));
    say_lost(lost);
    files.lost.insert(files.lost.end(), lost.begin(), lost.end());
    if (profiles.size() == 1) return std::move(profiles.front());
    std::vector<const Profile*> all;
    for (const Profile& profile : profiles)
        all.push_back(&profile);
    return merge_profiles(all);
}

}  // namespace roofwalk::cli
