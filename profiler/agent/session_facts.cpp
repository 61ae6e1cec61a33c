// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/session_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>

namespace roofwalk::agent {

namespace {

constexpr std::array rank_variables{"OMPI_COMM_WORLD_RANK",
                                    "OMPI_COMM_WORLD_LOCAL_RANK",
                                    "OMPI_COMM_WORLD_SIZE",
                                    "PMIX_RANK",
                                    "PMI_RANK",
                                    "PMI_SIZE",
                                    "MV2_COMM_WORLD_RANK",
                                    "SLURM_PROCID",
                                    "SLURM_LOCALID",
                                    "SLURM_NTASKS",
                                    "SLURM_JOB_ID",
                                    "RANK",
                                    "LOCAL_RANK",
                                    "WORLD_SIZE",
                                    "GROUP_RANK"};

constexpr std::size_t most_bytes = 65536;

std::string content_of(const char* path) {
    std::string content(most_bytes, '\0');
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    std::size_t size = 0;
    while (file >= 0 && size < content.size()) {
        const auto taken = read(file, content.data() + size, content.size() - size);
        if (taken <= 0) break;
        size += static_cast<std::size_t>(taken);
    }
    if (file >= 0) close(file);
    content.resize(size);
    return content;
}

}  // namespace

SessionFacts SessionFacts::of_this_process() {
    SessionFacts facts;
    char text[PATH_MAX] = "";
    if (gethostname(text, sizeof(text) - 1) == 0) facts.host = text;
    if (getcwd(text, sizeof(text)) != nullptr) facts.directory = text;
    facts.command_bytes = content_of("/proc/self/cmdline");
    for (const char* const name : rank_variables)
        if (const char* const value = std::getenv(name))
            facts.ranks.push_back(std::string(name) + "=" + value);
    return facts;
}

std::vector<std::string_view> SessionFacts::command() const {
    std::vector<std::string_view> arguments;
    std::string_view rest = command_bytes;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\0'), rest.size());
        arguments.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return arguments;
}

}  // namespace roofwalk::agent
