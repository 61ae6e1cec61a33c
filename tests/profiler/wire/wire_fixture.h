// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "profiler/wire/record_reader.h"
#include "profiler/wire/record_writer.h"

namespace roofwalk::test {

using Bytes = std::vector<std::byte>;

inline wire::KernelLaunch made_launch() {
    static constexpr std::array<std::string_view, 2> ranges{"epoch 1", "forward"};
    static constexpr std::array<wire::MetricValue, 2> values{{{0, 1234.5}, {3, 0.0}}};
    static constexpr std::array<std::byte, 5> image{std::byte{1}, std::byte{0}, std::byte{255}, std::byte{7},
                                                    std::byte{9}};
    wire::KernelLaunch launch;
    launch.id = 41;
    launch.name = "_Z5saxpyPfS_f";
    launch.device = 1;
    launch.context = 2;
    launch.stream = 7;
    launch.grid = {1024, 2, 3};
    launch.block = {256, 1, 1};
    launch.registers = 40;
    launch.static_shared = 0;
    launch.start_ns = 1'700'000'000'000'000'000;
    launch.duration_ns = 12'345;
    launch.nvtx = ranges;
    launch.plan = 'A';
    launch.passes = 1;
    launch.status = wire::LaunchStatus::counted;
    launch.metric_table = 6;
    launch.values = values;
    launch.counter_data = image;
    return launch;
}

inline wire::Note made_note() {
    return {wire::NoteLevel::warning, 35, "Counters are restricted.", "Enable"};
}

/// Frames of one stream, one behind the other.
class Stream {
  public:
    template <class Record>
    void add(const Record& record) {
        const auto frame = writer_.frame(record);
        starts_.push_back(bytes_.size());
        bytes_.insert(bytes_.end(), frame.begin(), frame.end());
    }

    [[nodiscard]] const Bytes& bytes() const { return bytes_; }
    [[nodiscard]] std::size_t start_of(std::size_t frame) const {
        return frame < starts_.size() ? starts_[frame] : bytes_.size();
    }

  private:
    Bytes room_ = Bytes(1U << 20U);
    wire::RecordWriter writer_{room_};
    Bytes bytes_;
    std::vector<std::size_t> starts_;
};

/// What a reader made of a whole stream, without what its records refer to.
struct Story {
    std::vector<wire::ReadRecord> records;
    std::vector<wire::Damage> damages;
};

inline Story read_all(std::span<const std::byte> bytes, std::size_t step = SIZE_MAX) {
    wire::RecordReader reader;
    Story story;
    const auto drain = [&] {
        while (const auto reading = reader.next()) {
            if (const auto* damage = std::get_if<wire::Damage>(&*reading))
                story.damages.push_back(*damage);
            else
                story.records.push_back(std::get<wire::ReadRecord>(*reading));
        }
    };
    while (!bytes.empty()) {
        const auto part = bytes.first(std::min(step, bytes.size()));
        reader.append(part);
        drain();
        bytes = bytes.subspan(part.size());
    }
    reader.finish();
    drain();
    return story;
}

/// A frame with a right header around any payload.
inline Bytes framed(std::uint16_t kind, std::span<const std::byte> payload, wire::FrameHeader header = {}) {
    header.kind = kind;
    header.length = static_cast<std::uint32_t>(payload.size());
    header.checksum = wire::checksum_of(payload);
    Bytes frame(wire::header_size);
    wire::write_header(std::span(frame).first<wire::header_size>(), header);
    frame.insert(frame.end(), payload.begin(), payload.end());
    return frame;
}

}  // namespace roofwalk::test
