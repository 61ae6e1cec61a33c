// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/wire/record_reader.h"

#include <QTest>

#include "tests/profiler/wire/wire_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_record_reader {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

wire::Orders made_orders(wire::TextList patterns) {
    wire::Orders orders;
    orders.armed = true;
    orders.counters = false;
    orders.memory_first = 7;
    orders.kernels = patterns;
    orders.except = patterns;
    orders.nvtx_ranges = patterns;
    orders.skip = 3;
    orders.count = 100;
    orders.replay = wire::Replay::always;
    return orders;
}

/// A stream with every kind of record, its list fields full and empty.
template <class Use>
void with_every_record(const Use& use) {
    static constexpr std::array<std::string_view, 3> command{"./train", "--name", "a b"};
    static constexpr std::array<std::string_view, 1> ranks{"OMPI_COMM_WORLD_RANK=3"};
    const Bytes image(300, std::byte{0xD7});
    wire::SessionStart start;
    start.process = 4711;
    start.parent = 1;
    start.host = "node07";
    start.directory = "/home/me/my project";
    start.command = command;
    start.rank_environment = ranks;
    start.agent_version = "0.1.0";
    wire::Device device;
    device.name = "NVIDIA H100 80GB HBM3";
    device.chip = "GH100";
    device.uuid.fill(0xAB);
    device.capability_major = 9;
    device.sm_count = 132;
    device.sm_clock_khz = 1'980'000;
    device.memory_bytes = 85'520'809'984;
    device.counter_availability = image;
    device.cupti_version = 130001;
    use(start);
    use(device);
    use(wire::MetricTable{6, 1, command});
    use(made_launch());
    use(wire::KernelLaunch{});
    use(wire::LaunchCounts{100, 40, 30, 20, 10});
    use(made_note());
    use(wire::SessionEnd{5, 100});
    use(made_orders(command));
    use(wire::CounterPlan{1, 'B', 6, 2, command, image});
    use(wire::PlansSent{1});
    use(wire::WantPlan{"_Z5saxpyPfS_f", 1, {1024, 2, 3}, {256, 1, 1}, 4096, 'B'});
}

}  // namespace

class TestRecordReader : public QObject {
    Q_OBJECT

  private slots:
    void every_record_arrives_as_it_was() {
        with_every_record([](const auto& record) {
            Bytes room(1U << 16U);
            const auto frame = wire::RecordWriter(room).frame(record);
            wire::RecordReader reader;
            reader.append(frame);
            const auto reading = reader.next();
            QVERIFY(reading);
            const auto& arrived = std::get<wire::ReadRecord>(*reading).record;
            Bytes again(room.size());
            const auto second =
                std::visit([&](const auto& kind) { return wire::RecordWriter(again).frame(kind); }, arrived);
            QVERIFY(std::ranges::equal(frame, second));
        });
    }

    void a_launch_keeps_what_is_known_and_what_is_not() {
        Stream stream;
        stream.add(made_launch());
        wire::RecordReader reader;
        reader.append(stream.bytes());
        const auto reading = reader.next();
        QVERIFY(reading);
        const auto& launch = std::get<wire::KernelLaunch>(std::get<wire::ReadRecord>(*reading).record);
        QVERIFY(launch.name == "_Z5saxpyPfS_f");
        QVERIFY(launch.grid == (wire::Extent{1024, 2, 3}));
        QCOMPARE(launch.registers.value_or(0), 40U);
        QVERIFY(launch.static_shared.has_value());
        QVERIFY(!launch.dynamic_shared.has_value());
        QCOMPARE(launch.nvtx.size(), std::size_t{2});
        QVERIFY(launch.nvtx.back() == "forward");
        QVERIFY(launch.plan == 'A');
        QVERIFY(launch.values.back() == (wire::MetricValue{3, 0.0}));
        QCOMPARE(launch.counter_data.size(), std::size_t{5});
    }

    void orders_arrive_as_they_were() {
        static constexpr std::array<std::string_view, 2> patterns{"nccl*", "nvshmem*"};
        Stream stream;
        stream.add(made_orders(patterns));
        wire::RecordReader reader;
        reader.append(stream.bytes());
        const auto reading = reader.next();
        QVERIFY(reading);
        const auto& orders = std::get<wire::Orders>(std::get<wire::ReadRecord>(*reading).record);
        QVERIFY(orders.armed && !orders.counters && orders.work && orders.tensor);
        QCOMPARE(orders.memory_first, 7U);
        QVERIFY(orders.replay == wire::Replay::always);
        QCOMPARE(orders.memory_every, 20U);
        QVERIFY(orders.except.back() == "nvshmem*");
        QCOMPARE(orders.count.value_or(0), std::uint64_t{100});
    }

    void bytes_may_come_one_at_a_time() {
        Stream stream;
        with_every_record([&](const auto& record) { stream.add(record); });
        const Story at_once = read_all(stream.bytes());
        QCOMPARE(at_once.records.size(), std::size_t{12});
        for (const std::size_t step : {1U, 3U, 27U, 29U, 100U}) {
            const Story story = read_all(stream.bytes(), step);
            QVERIFY(story.damages.empty());
            QCOMPARE(story.records.size(), at_once.records.size());
            for (std::size_t i = 0; i < story.records.size(); ++i) {
                QCOMPARE(story.records[i].offset, static_cast<std::uint64_t>(stream.start_of(i)));
                QCOMPARE(story.records[i].sequence, std::uint64_t{i});
                QCOMPARE(story.records[i].missing, std::uint64_t{0});
            }
        }
    }

    void nothing_is_nothing() {
        const Story story = read_all({});
        QVERIFY(story.records.empty() && story.damages.empty());
    }

    void frames_that_were_never_sent_are_counted() {
        Stream all;
        for (int i = 0; i < 5; ++i)
            all.add(made_note());
        Bytes some(all.bytes().begin(), all.bytes().begin() + static_cast<std::ptrdiff_t>(all.start_of(1)));
        some.insert(some.end(), all.bytes().begin() + static_cast<std::ptrdiff_t>(all.start_of(4)),
                    all.bytes().end());
        const Story story = read_all(some);
        QVERIFY(story.damages.empty());
        QCOMPARE(story.records.size(), std::size_t{2});
        QCOMPARE(story.records.back().missing, std::uint64_t{3});
    }
};

}  // namespace tst_record_reader

ROOFWALK_TEST(tst_record_reader, TestRecordReader, NoApplication)
#include "tst_record_reader.moc"
