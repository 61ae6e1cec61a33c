// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "core/import/open_profile.h"
#include "profiler/recording/remote_session.h"
#include "tests/profiler/recording/made_root.h"

namespace roofwalk::test {

/// What ssh does with its words: the first is the host, a shell there gets the others.
inline constexpr const char* false_ssh = "#!/bin/sh\nshift\nexec sh -c \"$*\"\n";

/// Lines of a shell script that write a recording.
inline constexpr const char* recording_begins =
    R"(echo '{"format":"roofwalk-profile","version":1,"recording":true}'
echo '{"more":{"devices":[{"id":"gpu0","name":"H100 SXM"}]}}'
)";
inline constexpr const char* recording_ends = "echo '{\"end\":{\"whole\":true}}'\n";

inline std::string recorded_launch(int number) {
    return R"(echo '{"name":"saxpy","device":"gpu0","process":7,"duration_ns":1000,"bytes":{"hbm/dram-rw":1000},)"
           R"("flops":{"fp32":500},"launch":)" +
           std::to_string(number) + "}'\n";
}

/// Another machine with a false roofwalk-cli, and the command that reaches it.
class RemoteNode {
  public:
    explicit RemoteNode(const std::string& roofwalk_cli, const std::string& ssh = false_ssh) {
        program("ssh", ssh);
        program("roofwalk-cli", "#!/bin/sh\n" + roofwalk_cli);
        request.launch.through = {path("ssh"), "node", path("roofwalk-cli")};
        request.launch.command = {"./app"};
        request.output = path("run.jsonl");
    }

    [[nodiscard]] std::string path(const char* name) const { return (root.path() / name).string(); }
    void program(const std::string& name, const std::string& text) const {
        std::filesystem::permissions(root.write(name, text), std::filesystem::perms::owner_all);
    }
    [[nodiscard]] std::unique_ptr<RemoteSession> start(const RemoteLimits& limits = {}) const {
        auto session = RemoteSession::start(request, limits);
        if (!session) qWarning("%s", to_line(session.error()).c_str());
        return session ? *std::move(session) : nullptr;
    }
    [[nodiscard]] Profile file() const {
        auto read = open_profile(path("run.jsonl"), {});
        if (!read) qWarning("%s", to_line(read.error()).c_str());
        return read ? *std::move(read) : Profile{};
    }
    [[nodiscard]] std::string text_of(const char* name) const {
        std::ifstream stream(path(name));
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    MadeRoot root;
    ProfileRequest request;
};

}  // namespace roofwalk::test
