// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/record_collector.h"

#include <QTest>

#include "core/import/json/json_reader.h"
#include "tests/profiler/recording/scripted_agent.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_record_collector {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// A collector that keeps the lines of its recordings, with a place for agents to call.
class Bench {
  public:
    explicit Bench(CaptureOptions request = {}, bool counts = true, bool replays_types = false)
        : collector_(request, counts ? std::make_unique<ScriptedPlanner>(replays_types) : nullptr,
                     "Roofwalk test",
                     [this](std::size_t number, const ProcessRecording&, const std::string& lines) {
                         if (text_.size() <= number) text_.resize(number + 1);
                         text_[number] += lines;
                         most_at_once_ = std::max(most_at_once_, launches_in(lines));
                     }) {
        auto listener = AgentListener::make();
        if (!listener) return;
        socket_ = listener->socket();
        collector_.listen(*std::move(listener));
    }

    [[nodiscard]] const std::filesystem::path& socket() const { return socket_; }
    RecordCollector& collector() { return collector_; }
    /// Of what was written in one piece, the most launches.
    [[nodiscard]] std::size_t most_at_once() const { return most_at_once_; }

    /// Of the first agent.
    [[nodiscard]] const ProcessRecording& recording() const { return *collector_.recordings().at(0); }

    /// Serves the agents for a few turns.
    void serve() {
        for (int turn = 0; turn < 20; ++turn)
            collector_.wait(std::chrono::milliseconds(1));
    }
    /// An agent ends in order.
    void end(ScriptedAgent& agent) {
        agent.tell(wire::SessionEnd{});
        agent.hang_up();
        serve();
    }

    [[nodiscard]] Profile read_back(std::size_t number = 0) const {
        auto read = read_json(text_.at(number), "run.jsonl", {});
        if (read) return *std::move(read);
        qWarning("%s", to_line(read.error()).c_str());
        return {};
    }

  private:
    static std::size_t launches_in(std::string_view lines) {
        std::size_t count = 0;
        for (auto at = lines.find(",\"launch\":"); at != std::string_view::npos;
             at = lines.find(",\"launch\":", at + 1))
            ++count;
        return count;
    }

    std::size_t most_at_once_ = 0;
    std::vector<std::string> text_;
    RecordCollector collector_;
    std::filesystem::path socket_;
};

/// An agent that has been given its plans.
std::unique_ptr<ScriptedAgent> armed_agent(Bench& bench) {
    auto agent = std::make_unique<ScriptedAgent>(bench.socket());
    agent->begin();
    agent->tell_device();
    bench.serve();
    agent->hear(wire::RecordKind::plans_sent);
    return agent;
}

wire::KernelLaunch timed_launch(std::uint64_t id) {
    wire::KernelLaunch launch = plain_launch(id);
    launch.duration_ns = 2500;
    return launch;
}

wire::KernelLaunch awaited_launch(std::uint64_t id) {
    wire::KernelLaunch launch = plain_launch(id);
    launch.status = wire::LaunchStatus::awaited;
    return launch;
}

const std::vector<std::byte> memory_image = image_of({12'500, 4096, 2048, 0});
const std::vector<std::byte> work_image = image_of({100, 0, 200});

}  // namespace

class TestRecordCollector : public QObject {
    Q_OBJECT

  private slots:
    void an_agent_gets_orders_and_the_plans_of_its_device() {
        CaptureOptions request;
        request.filter.count = 7;
        Bench bench(request);
        const auto agent = armed_agent(bench);
        QVERIFY(agent->connected() && agent->orders);
        QVERIFY(agent->orders->armed && agent->orders->counters);
        QCOMPARE(agent->orders->count, std::optional<std::uint64_t>(7));
        QVERIFY((agent->except == std::vector<std::string>{"^nccl", "^nvshmem"}));
        QVERIFY((agent->plans == std::vector<char>{'A', 'B', 'C', 'E', 'D', 'F', 'G'}));
        QVERIFY(agent->orders->replay == wire::Replay::once);
    }

    /// A recorder that is killed has written what it has read.
    void each_launch_is_written_when_it_is_read() {
        Bench bench;
        const auto agent = armed_agent(bench);
        for (std::uint64_t id = 0; id < 20; ++id)
            agent->tell(timed_launch(id));
        bench.serve();
        QCOMPARE(bench.read_back().launches.size(), std::size_t{20});
        QCOMPARE(bench.most_at_once(), std::size_t{1});
    }

    void nothing_is_replayed_where_that_is_not_wanted() {
        CaptureOptions request;
        request.replay = ReplayPolicy::never;
        Bench bench(request);
        const auto agent = armed_agent(bench);
        QVERIFY((agent->plans == std::vector<char>{'A', 'B', 'C', 'D', 'F', 'G'}));
        QVERIFY(agent->orders->replay == wire::Replay::never);
    }

    void without_a_planner_kernels_are_timed() {
        Bench bench({}, false);
        const auto agent = armed_agent(bench);
        QVERIFY(!agent->orders->counters && agent->plans.empty());
        agent->tell(timed_launch(1));
        bench.end(*agent);
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{1});
        QCOMPARE(read.launches[0].duration->value(), 2.5e-6);
        QVERIFY(read.launches[0].traffic.empty() && read.launches[0].work.empty());
        QVERIFY(!read.sources[0].partial);
    }

    void a_cupti_whose_name_steers_a_terminal_is_shown_as_text() {
        Bench bench;
        bench.collector().offer_cupti("/opt/\x1B[2J/libcupti.so.13");
        ScriptedAgent agent(bench.socket());
        agent.begin();
        agent.tell_device("GH100", 130'100);
        bench.serve();
        const auto& problems = bench.recording().problems();
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY(problems[0].hint.find('\x1B') == std::string::npos);
        QVERIFY(problems[0].hint.find(R"($'/opt/\033[2J/libcupti.so.13')") != std::string::npos);
    }

    void a_command_that_steers_a_terminal_is_recorded_as_text() {
        Bench bench;
        ScriptedAgent agent(bench.socket());
        agent.begin(4711, "./app\x1B[2J\xFF it's");
        bench.serve();
        const Profile profile = bench.recording().snapshot();
        QCOMPARE(profile.sources.at(0).command_line, std::string(R"($'./app\033[2J\377 it\'s')"));
    }

    void launches_without_the_time_they_awaited_are_kept_and_told() {
        Bench bench({}, false);
        const auto agent = armed_agent(bench);
        agent->tell(timed_launch(1));
        for (const std::uint64_t id : {1U, 2U, 3U})
            agent->tell(awaited_launch(id));
        agent->tell(timed_launch(2));
        bench.serve();
        QCOMPARE(bench.recording().counts().recorded, std::uint64_t{2});
        QCOMPARE(bench.recording().counts().seen, std::uint64_t{3});
        agent->hang_up();
        bench.serve();
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{3});
        QCOMPARE(std::ranges::count_if(read.launches, [](const Launch& l) { return l.duration.has_value(); }),
                 std::ptrdiff_t{2});
        QCOMPARE(read.warnings.at(0).message.what,
                 std::string("No time came for 1 of the launches of process 4711"));
        const Error& told = bench.recording().problems().at(0);
        QVERIFY(told.where.starts_with("Process 4711 ended without a last word"));
    }

    void what_a_killed_agent_left_behind_is_recorded_and_what_it_dropped_is_counted() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(plain_launch(1));
        agent->leave_behind(std::array{plain_launch(2), plain_launch(3)}, 40);
        bench.serve();
        QCOMPARE(bench.collector().connected(), std::size_t{0});
        QCOMPARE(bench.recording().counts().dropped, std::uint64_t{40});
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{3});
        QVERIFY(read.sources.front().partial);
    }

    void a_time_that_did_not_come_is_not_laid_to_an_end_that_was_in_order() {
        Bench bench({}, false);
        const auto agent = armed_agent(bench);
        agent->tell(awaited_launch(1));
        bench.end(*agent);
        const Error& told = bench.recording().problems().at(0);
        QCOMPARE(told.what, std::string("No time came for 1 of the launches of process 4711"));
        QVERIFY(told.where.empty());
    }

    void plans_of_launches_that_are_alike_become_one() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(counted_launch(1, 'A', agent->tables['A'], memory_image));
        agent->tell(counted_launch(2, 'C', agent->tables['C'], work_image));
        agent->tell(plain_launch(3));
        bench.end(*agent);
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{3});
        QCOMPARE(read.devices[0].sm_count, std::optional(132));
        QCOMPARE(read.kernels[0].name, std::string("saxpy(float*)"));
        for (const Launch& launch : read.launches) {
            QCOMPARE(launch.duration->value(), 12.5e-6);
            QCOMPARE(launch.find(Boundary::hbm_dram_rw)->total.value(), 6144.0);
            QCOMPARE(launch.find(Pipe{PipeKind::fp32})->work.value(), 500.0);
        }
        const WorkSample& work = *read.launches[0].find(Pipe{PipeKind::fp32});
        QVERIFY(read.texts.view(work.source).find("launch 2") != std::string_view::npos);
        QCOMPARE(read.launches[2].find(Boundary::hbm_dram_rw)->origin, Origin::estimated);
        QVERIFY(!read.sources[0].partial);
    }

    void a_launch_that_was_replayed_has_work_of_its_own() {
        Bench bench;
        const auto agent = armed_agent(bench);
        const auto all = image_of({37'500, 4096, 2048, 0, 100, 0, 200});
        agent->tell(counted_launch(1, 'E', agent->tables['E'], all));
        agent->tell(counted_launch(2, 'A', agent->tables['A'], memory_image));
        agent->tell(plain_launch(3));
        bench.end(*agent);
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{3});
        QCOMPARE(read.launches[0].duration->value(), 37.5e-6);
        QCOMPARE(read.launches[1].duration->value(), 12.5e-6);
        QCOMPARE(read.launches[2].duration->value(), 12.5e-6);
        for (const Launch& launch : read.launches)
            QCOMPARE(launch.find(Pipe{PipeKind::fp32})->work.value(), 500.0);
        const auto source = [&](std::size_t at) {
            return read.texts.view(read.launches[at].find(Pipe{PipeKind::fp32})->source);
        };
        QVERIFY(source(0).find("launch") == std::string_view::npos);
        QVERIFY(source(1).find("launch 1") != std::string_view::npos);
        QVERIFY(source(1).find("alike") == std::string_view::npos);
    }

    /// Figures of an H100: a kernel that sets registers by HFMA2, and a product by wgmma.
    void vectors_in_the_tensor_pipe_ask_for_no_types() {
        Bench bench({}, true, true);
        const auto agent = armed_agent(bench);
        const auto replayed = [](double tensor, double half, double group, double vectors, double work) {
            return image_of({37'500, 4096, 2048, tensor, 100, 0, 200, half, 0, 0, group, vectors, work});
        };
        const auto vectors = replayed(32'768, 32'768, 0, 32'768, 0);
        const auto alone = image_of({37'500, 4096, 2048, 32'768});
        const auto product = replayed(2'097'152, 2'097'152, 2'097'152, 0, 137'438'953'472);
        agent->tell(counted_launch(1, 'E', agent->tables['E'], vectors));
        agent->tell(counted_launch(2, 'A', agent->tables['A'], alone));
        agent->tell(counted_launch(3, 'E', agent->tables['E'], product, "nvjet"));
        bench.end(*agent);
        QVERIFY(agent->wanted.empty());
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{3});
        const Pipe bf16{PipeKind::tensor_bf16};
        QCOMPARE(read.launches[2].find(bf16)->work.value(), 137'438'953'472.0);
        for (const std::size_t at : {0U, 1U})
            QVERIFY(read.launches[at].find(bf16) == nullptr ||
                    read.launches[at].find(bf16)->work.value() == 0);
    }

    void work_that_was_counted_before_the_time_gets_it() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(counted_launch(1, 'C', agent->tables['C'], work_image));
        agent->tell(counted_launch(2, 'A', agent->tables['A'], memory_image));
        bench.serve();
        const Profile live = bench.recording().snapshot();
        QCOMPARE(live.launches.size(), std::size_t{2});
        for (const Launch& launch : live.launches) {
            QCOMPARE(launch.duration->value(), 12.5e-6);
            QCOMPARE(launch.find(Pipe{PipeKind::fp32})->work.value(), 500.0);
        }
    }

    void a_launch_that_was_timed_before_the_plans_came_keeps_its_time() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(timed_launch(1));
        agent->tell(counted_launch(2, 'A', agent->tables['A'], memory_image));
        agent->tell(timed_launch(3));
        bench.end(*agent);
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{3});
        QCOMPARE(read.launches[1].duration->value(), 12.5e-6);
        for (const std::size_t at : {0U, 2U}) {
            QCOMPARE(read.launches[at].duration->value(), 2.5e-6);
            QCOMPARE(read.launches[at].find(Boundary::hbm_dram_rw)->total.value(), 6144.0);
            QCOMPARE(read.launches[at].find(Boundary::hbm_dram_rw)->origin, Origin::estimated);
        }
        QCOMPARE(bench.recording().snapshot().launches[0].duration->value(), 2.5e-6);
    }

    void a_plan_c_that_nothing_fits_to_is_like_the_others() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(counted_launch(1, 'A', agent->tables['A'], memory_image));
        agent->tell(counted_launch(2, 'C', agent->tables['C'], work_image));
        agent->tell(counted_launch(3, 'C', agent->tables['C'], work_image));
        bench.serve();
        for (const Launch& launch : bench.recording().snapshot().launches)
            QCOMPARE(launch.duration->value(), 12.5e-6);
    }

    void the_live_profile_is_the_one_in_the_file() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(plain_launch(1));
        agent->tell(counted_launch(2, 'A', agent->tables['A'], memory_image));
        agent->tell(counted_launch(3, 'C', agent->tables['C'], work_image));
        bench.end(*agent);
        const Profile live = bench.recording().snapshot();
        const Profile read = bench.read_back();
        QCOMPARE(live.launches.size(), read.launches.size());
        for (std::size_t i = 0; i < live.launches.size(); ++i) {
            QCOMPARE(live.launches[i].duration, read.launches[i].duration);
            QCOMPARE(live.launches[i].work.size(), read.launches[i].work.size());
            QCOMPARE(live.launches[i].traffic.size(), read.launches[i].traffic.size());
        }
        QCOMPARE(live.warnings.size(), read.warnings.size());
    }

    void types_of_some_instructions_do_not_stand_for_all_data() {
        QTest::addColumn<bool>("all");
        QTest::newRow("one plan of three") << false;
        QTest::newRow("all three") << true;
    }
    void types_of_some_instructions_do_not_stand_for_all() {
        QFETCH(bool, all);
        Bench bench;
        const auto agent = armed_agent(bench);
        const auto busy = image_of({12'500, 4096, 2048, 64});
        const auto counted = image_of({12'600, 4096, 2048, 1e6});
        const auto none = image_of({12'600, 4096, 2048, 0});
        agent->tell(counted_launch(1, 'A', agent->tables['A'], busy));
        agent->tell(counted_launch(2, 'D', agent->tables['D'], counted));
        if (all) {
            agent->tell(counted_launch(3, 'F', agent->tables['F'], none));
            agent->tell(counted_launch(4, 'G', agent->tables['G'], none));
        }
        agent->tell(wire::SessionEnd{});
        agent->hang_up();
        bench.serve();
        const Profile read = bench.read_back();
        const WorkSample* const work = read.launches[0].find(Pipe{PipeKind::tensor_bf16});
        QCOMPARE(work != nullptr, all);
        if (all) QCOMPARE(work->work.value(), 1e6);
        QCOMPARE(read.launches[0].uncounted.tensor, !all);
    }

    void tensor_cores_at_work_ask_for_the_plan_that_counts_them() {
        Bench bench;
        const auto agent = armed_agent(bench);
        const auto busy = image_of({12'500, 4096, 2048, 64});
        agent->tell(counted_launch(1, 'A', agent->tables['A'], busy));
        bench.serve();
        agent->hear(wire::RecordKind::want_plan);
        QCOMPARE(agent->wanted.front(), std::string("_Z5saxpyPf B"));
        const auto counted = image_of({12'600, 4096, 2048, 1e6});
        agent->tell(counted_launch(2, 'B', agent->tables['B'], counted));
        agent->tell(counted_launch(3, 'A', agent->tables['A'], busy));
        bench.end(*agent);
        const Profile read = bench.read_back();
        for (const Launch& launch : read.launches)
            QCOMPARE(launch.find(Pipe{PipeKind::tensor_bf16})->work.value(), 1e6);
        QCOMPARE(read.launches[1].duration->value(), 12.6e-6);
        QCOMPARE(std::ranges::count(agent->wanted, "_Z5saxpyPf B"), 1);
    }

    void kernels_of_a_graph_share_one_image() {
        Bench bench;
        const auto agent = armed_agent(bench);
        const auto image = image_of({1000, 10, 0, 0, 2000, 20, 0, 0});
        agent->tell(counted_launch(1, 'A', agent->tables['A'], image));
        wire::KernelLaunch second = counted_launch(2, 'A', agent->tables['A'], {});
        second.name = "_Z4axpyPf";
        second.range = 1;
        second.image_launch = 1;
        agent->tell(second);
        bench.serve();
        const Profile live = bench.recording().snapshot();
        QCOMPARE(live.launches[0].duration->value(), 1e-6);
        QCOMPARE(live.launches[1].duration->value(), 2e-6);
    }

    void a_process_that_is_gone_without_a_word_is_cut() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(counted_launch(1, 'A', agent->tables['A'], memory_image));
        agent->hang_up();
        bench.serve();
        const Profile read = bench.read_back();
        QCOMPARE(read.launches.size(), std::size_t{1});
        QVERIFY(read.sources[0].partial);
        QVERIFY(read.warnings.at(0).message.what.find("4711") != std::string::npos);
        QCOMPARE(bench.collector().connected(), std::size_t{0});
    }

    void processes_have_recordings_of_their_own() {
        Bench bench;
        const auto first = armed_agent(bench);
        ScriptedAgent second(bench.socket());
        second.begin(4712);
        second.tell_device();
        bench.serve();
        second.hear(wire::RecordKind::plans_sent);
        first->tell(counted_launch(1, 'A', first->tables['A'], memory_image));
        second.tell(counted_launch(1, 'A', second.tables['A'], image_of({500, 1, 1, 0})));
        bench.serve();
        const auto recordings = bench.collector().recordings();
        QCOMPARE(recordings.size(), std::size_t{2});
        QCOMPARE(recordings[1]->process(), 4712U);
        QCOMPARE(bench.read_back(1).launches[0].duration->value(), 500e-9);
        QCOMPARE(bench.read_back(1).launches[0].process, 4712U);
    }

    void disarmed_agents_answer_and_are_whole() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(counted_launch(1, 'A', agent->tables['A'], memory_image));
        bench.serve();
        agent->forget_heard();
        bench.collector().disarm();
        agent->hear(wire::RecordKind::orders);
        QVERIFY(!agent->orders->armed);
        QVERIFY(!bench.collector().drained());
        // Counts that were under way are no answer yet.
        agent->tell(wire::LaunchCounts{1, 1, 0, 0, 0});
        bench.serve();
        QVERIFY(!bench.collector().drained());
        agent->tell(counted_launch(2, 'A', agent->tables['A'], memory_image));
        agent->tell(wire::LaunchCounts{2, 2, 0, 0, 0});
        bench.serve();
        QVERIFY(bench.collector().drained());
        bench.collector().close("never");
        QVERIFY(!bench.read_back().sources[0].partial);
        QCOMPARE(bench.read_back().launches.size(), std::size_t{2});
    }

    void notes_failures_and_unknown_chips_are_told_once() {
        Bench bench;
        ScriptedAgent agent(bench.socket());
        agent.begin();
        agent.tell_device("GZ999");
        for (int i = 0; i < 2; ++i)
            agent.tell(wire::Note{wire::NoteLevel::error, 35, "Counters are restricted.", "Enable"});
        agent.tell(wire::Note{wire::NoteLevel::information, {}, "Hello.", ""});
        wire::KernelLaunch failed = plain_launch(1);
        failed.status = wire::LaunchStatus::failed;
        agent.tell(failed);
        bench.serve();
        agent.hear(wire::RecordKind::plans_sent);
        QVERIFY(agent.plans.empty());
        const ProcessRecording& recording = bench.recording();
        QCOMPARE(recording.problems().size(), std::size_t{2});
        QCOMPARE(recording.problems()[1].where, std::string("Enable, code 35"));
        QVERIFY(recording.problems()[1].hint.find("roofwalk-cli check") != std::string::npos);
        QVERIFY(recording.snapshot().launches[0].failed);
        QCOMPARE(recording.measured(), std::size_t{0});
    }

    void of_a_chip_that_could_not_be_asked_for_the_agents_reason_is_told_alone() {
        Bench bench;
        ScriptedAgent agent(bench.socket());
        agent.begin();
        agent.tell_device("");
        agent.tell(wire::Note{wire::NoteLevel::error, 15, "CUPTI cannot work.", "Initialize"});
        bench.serve();
        agent.hear(wire::RecordKind::plans_sent);
        QVERIFY(agent.plans.empty());
        QCOMPARE(bench.recording().problems().size(), std::size_t{1});
        QCOMPARE(bench.recording().problems()[0].where, std::string("Initialize, code 15"));
    }

    void counter_data_that_cannot_be_evaluated_lose_their_launch_alone() {
        Bench bench;
        const auto agent = armed_agent(bench);
        agent->tell(counted_launch(1, 'A', agent->tables['A'], image_of({1})));
        agent->tell(counted_launch(2, 'A', agent->tables['A'], memory_image));
        bench.serve();
        const ProcessRecording& recording = bench.recording();
        QCOMPARE(recording.problems().size(), std::size_t{1});
        const Profile live = recording.snapshot();
        QCOMPARE(live.launches.size(), std::size_t{2});
        QCOMPARE(live.launches[0].find(Boundary::hbm_dram_rw)->origin, Origin::estimated);
    }

    void garbage_is_no_agent() {
        Bench bench;
        ScriptedAgent agent(bench.socket());
        agent.tell(wire::LaunchCounts{});
        agent.hang_up();
        bench.serve();
        QVERIFY(bench.collector().recordings().empty());
        QCOMPARE(bench.collector().connected(), std::size_t{0});
    }
};

}  // namespace tst_record_collector

ROOFWALK_TEST(tst_record_collector, TestRecordCollector, NoApplication)
#include "tst_record_collector.moc"
