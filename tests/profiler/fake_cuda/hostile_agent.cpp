// SPDX-License-Identifier: GPL-3.0-or-later
// A program that wishes harm to who attaches to it: it has the libraries of the folder that is its argument
// loaded, waits as an agent does, and tells whoever comes what no agent would. Prints "ready" when it waits,
// and ends when it has told all, or with "idle" as a second argument never.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/wire/agent_address.h"
#include "profiler/wire/record_writer.h"
#include "profiler/wire/send_bytes.h"

namespace {

using namespace roofwalk;
using Bytes = std::vector<std::byte>;

int peer = -1;
std::vector<std::byte> room(wire::header_size + wire::longest_payload);
wire::RecordWriter writer(room);

void tell_bytes(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto sent = send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

template <class Record>
void tell(const Record& record) {
    tell_bytes(writer.frame(record));
}

void tell_frame(wire::FrameHeader header, std::span<const std::byte> payload) {
    Bytes bytes(wire::header_size);
    wire::write_header(std::span(bytes).first<wire::header_size>(), header);
    tell_bytes(bytes);
    tell_bytes(payload);
}

const std::string escapes =
    "\x1B]0;title\a\x1B[2J\xC2\x9B"
    "31m\xE2\x80\xAE\r\n../../etc/passwd";

void tell_who_it_is() {
    const std::array<std::string_view, 3> command{escapes, "$(reboot)", "'; reboot; '"};
    const std::array<std::string_view, 1> ranks{"RANK=99999999999999999999"};
    wire::SessionStart start;
    start.process = 1;
    start.start_ns = ~std::uint64_t{0};
    start.host = escapes;
    start.command = command;
    start.rank_environment = ranks;
    tell(start);
}

void tell_of_devices() {
    const Bytes image(std::size_t{1} << 16U, std::byte{0xFF});
    for (std::uint32_t number = 0; number < 200; ++number) {
        wire::Device device;
        device.device = number * 0x01000193U;
        device.name = escapes;
        device.chip = number % 2 == 0 ? "GH100" : "../../GH100";
        device.sm_count = ~0U;
        device.memory_bytes = ~std::uint64_t{0};
        device.counter_availability = image;
        tell(device);
    }
}

void tell_of_launches() {
    const std::string long_name(wire::longest_text, 'N');
    const std::string nested = "_Z1f" + std::string(8000, 'P') + "i";
    const std::array<std::string_view, 2> ranges{long_name, escapes};
    const std::array<wire::MetricValue, 3> values{{{0, 1e308}, {~0U, -1}, {1, 0}}};
    const Bytes image(65536, std::byte{0x41});
    for (std::uint64_t number = 0; number < 200; ++number) {
        wire::KernelLaunch launch;
        launch.id = number * 0x100000001B3U;
        launch.name = number % 3 == 0 ? std::string_view(long_name) : number % 3 == 1 ? nested : escapes;
        launch.device = static_cast<std::uint32_t>(number);
        launch.grid = {~0U, ~0U, ~0U};
        launch.block = {0, 0, 0};
        launch.duration_ns = ~std::uint64_t{0};
        launch.nvtx = ranges;
        launch.plan = static_cast<char>(number);
        launch.status = number % 2 == 0 ? wire::LaunchStatus::counted : wire::LaunchStatus::awaited;
        launch.metric_table = static_cast<std::uint32_t>(number % 4);
        launch.values = values;
        launch.counter_data = image;
        launch.range = ~0U;
        launch.image_launch = number;
        tell(launch);
    }
}

/// Frames that lie of their length, stand inside of each other, or are of nobody.
void tell_odd_frames() {
    const Bytes noise(100'000, std::byte{0xD7});
    tell_bytes(noise);
    tell_frame({wire::wire_version, 99, 8, 0, 1}, std::span(noise).first(8));
    tell_frame({99, 6, 8, wire::checksum_of(std::span(noise).first(8)), 2}, std::span(noise).first(8));
    tell_frame({wire::wire_version, 4, wire::longest_payload, 0, 3}, {});
    Bytes nested;
    while (nested.size() < wire::longest_payload) {
        const auto left = static_cast<std::uint32_t>(wire::longest_payload - nested.size());
        Bytes header(wire::header_size);
        wire::write_header(std::span(header).first<wire::header_size>(), {wire::wire_version, 4, left, 0, 4});
        nested.insert(nested.end(), header.begin(), header.end());
    }
    tell_bytes(nested);
    tell(wire::Note{wire::NoteLevel::error, -1, escapes, escapes});
}

/// Where a reader expects memory that it can read without waiting.
void hand_over_a_descriptor(int descriptor) {
    const auto frame = writer.frame(wire::LaunchCounts{~std::uint64_t{0}, 0, 0, 0, ~std::uint64_t{0}});
    static_cast<void>(wire::send_bytes(peer, frame, descriptor));
}

int listen_as_agent() {
    const wire::SocketAddress at = wire::agent_address(getpid());
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&at.address), at.size) != 0 ||
        listen(listener, 4) != 0)
        return -1;
    return listener;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) return 2;
    const std::string folder = arguments[1];
    for (const char* const name : {"libcuda.so.1", "libcupti.so.13"})
        if (dlopen((folder + "/" + name).c_str(), RTLD_NOW) == nullptr)
            std::fprintf(stderr, "%s\n", dlerror());
    if (count > 2) {
        std::puts("ready");
        std::fflush(stdout);
        for (;;)
            pause();
    }
    const int listener = listen_as_agent();
    if (listener < 0) return 1;
    std::puts("ready");
    std::fflush(stdout);
    peer = accept(listener, nullptr, nullptr);
    if (peer < 0) return 1;
    tell_who_it_is();
    hand_over_a_descriptor(open("/", O_RDONLY | O_CLOEXEC));
    tell_of_devices();
    tell_of_launches();
    tell_odd_frames();
    return 0;
}
