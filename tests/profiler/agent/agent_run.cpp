// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profiler/agent/agent_run.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QTest>
#include <array>
#include <cstring>

#include "profiler/wire/agent_address.h"
#include "profiler/wire/backlog.h"
#include "profiler/wire/send_bytes.h"

namespace roofwalk::test {

namespace {

std::vector<std::string> copies_of(wire::TextList texts) {
    return {texts.begin(), texts.end()};
}

HeardLaunch copy_of(const wire::KernelLaunch& launch) {
    HeardLaunch copy;
    copy.id = launch.id;
    copy.name = launch.name;
    copy.device = launch.device;
    copy.context = launch.context;
    copy.stream = launch.stream;
    copy.grid = launch.grid;
    copy.block = launch.block;
    copy.registers = launch.registers;
    copy.dynamic_shared = launch.dynamic_shared;
    copy.start_ns = launch.start_ns;
    copy.duration_ns = launch.duration_ns;
    copy.nvtx = copies_of(launch.nvtx);
    copy.plan = launch.plan.value_or('-');
    copy.passes = launch.passes;
    copy.status = launch.status;
    copy.table = launch.metric_table;
    copy.image.assign(reinterpret_cast<const char*>(launch.counter_data.data()), launch.counter_data.size());
    copy.range = launch.range;
    copy.image_launch = launch.image_launch;
    return copy;
}

}  // namespace

std::string Heard::told() const {
    std::string text;
    for (const HeardLaunch& launch : launches)
        text += (text.empty() ? "" : " ") + launch.name + ":" + launch.plan;
    return text;
}

const HeardLaunch* Heard::find(const std::string& name) const {
    for (const HeardLaunch& launch : launches)
        if (launch.name == name) return &launch;
    return nullptr;
}

AgentRun::AgentRun(const QString& folder_name) {
    QDir(folder_.path()).mkpath(folder_name);
    socket_path_ = folder_.filePath(folder_name + "/s").toStdString();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_path_.data(), socket_path_.size());
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool listens = bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
                         listen(listener_, 8) == 0;
    if (!listens) qFatal("no socket at %s", socket_path_.c_str());
}

AgentRun::~AgentRun() {
    program_.kill();
    program_.waitForFinished();
    for (const Peer& peer : peers_)
        if (peer.socket >= 0) close(peer.socket);
    close(listener_);
}

void AgentRun::set_environment(const std::map<QString, QString>& environment, bool dormant) {
    auto all = QProcessEnvironment::systemEnvironment();
    all.insert("CUDA_INJECTION64_PATH", ROOFWALK_AGENT_LIBRARY);
    all.insert("NVTX_INJECTION64_PATH", ROOFWALK_AGENT_LIBRARY);
    all.insert(wire::agent_cupti_variable, ROOFWALK_FAKE_CUPTI);
    if (!dormant) all.insert(wire::agent_socket_variable, QString::fromStdString(socket_path_));
    for (const auto& [name, value] : environment)
        all.insert(name, value);
    program_.setProcessEnvironment(all);
}

void AgentRun::start(const QStringList& commands, const std::map<QString, QString>& environment) {
    set_environment(environment, false);
    program_.start(ROOFWALK_FAKE_TARGET, commands);
    QVERIFY(program_.waitForStarted());
}

void AgentRun::start_dormant(const QStringList& commands, const std::map<QString, QString>& environment) {
    set_environment(environment, true);
    program_.start(ROOFWALK_FAKE_TARGET, commands);
    QVERIFY(program_.waitForStarted());
}

QString AgentRun::agent() {
    return QStringLiteral(ROOFWALK_AGENT_LIBRARY);
}

QString AgentRun::cupti() {
    return QStringLiteral(ROOFWALK_FAKE_CUPTI);
}

QString AgentRun::cupti_12() {
    return QStringLiteral(ROOFWALK_FAKE_CUPTI_12);
}

QString AgentRun::cupti_12_4() {
    return QStringLiteral(ROOFWALK_FAKE_CUPTI_12_4);
}

bool AgentRun::attach() {
    const wire::SocketAddress at = wire::agent_address(static_cast<pid_t>(program_.processId()));
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(made, reinterpret_cast<const sockaddr*>(&at.address), at.size) != 0) {
        close(made);
        return false;
    }
    add_peer(made);
    return true;
}

void AgentRun::detach() {
    close(peers_.back().socket);
    peers_.back().socket = -1;
    sessions_.back().gone = true;
}

bool AgentRun::tell(const QString& command) {
    program_.write((command + "\n").toUtf8());
    QByteArray answer;
    pump_until([&] {
        if (!program_.canReadLine()) program_.waitForReadyRead(1);
        while (answer.isEmpty() && program_.canReadLine())
            answer = program_.readLine();
        return !answer.isEmpty() || program_.state() == QProcess::NotRunning;
    });
    return answer == "ok\n";
}

void AgentRun::send_all(int socket, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

void AgentRun::add_peer(int socket) {
    peers_.emplace_back().socket = socket;
    sessions_.emplace_back();
    if (sends_orders) send_orders(peers_.size() - 1);
}

void AgentRun::send_orders(std::size_t session) {
    wire::Orders made;
    made.armed = orders.armed;
    made.counters = orders.counters;
    made.work = orders.work;
    made.memory_first = orders.memory_first;
    made.memory_every = orders.memory_every;
    made.kernels = orders.kernels;
    made.except = orders.except;
    made.nvtx_ranges = orders.nvtx_ranges;
    made.skip = orders.skip;
    made.count = orders.count;
    made.cupti = orders.cupti;
    made.replay = orders.replay;
    send(session, made);
}

void AgentRun::send_plan(std::size_t session, std::uint32_t device, char letter, std::uint32_t table) {
    static constexpr std::string_view types = "sm__ops_path_tensor_src_fp64.sum";
    std::vector<std::string_view> names{"gpu__time_duration.sum", "dram__bytes_read.sum"};
    const bool replays = letter == 'E';
    const std::uint32_t passes = letter == 'B' ? tensor_passes : replays ? 2 : 1;
    // Patched instructions need a second pass.
    if (replays) names.emplace_back("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
    if (letter == 'B' || (replays && replay_counts_types)) names.push_back(types);
    std::string config = "FALSE CONFIG\n";
    for (const std::string_view name : names)
        config += std::string(name) + "\n";
    send(session, wire::CounterPlan{device, letter, table, passes, names, std::as_bytes(std::span(config))});
}

void AgentRun::send_plans(std::size_t session, std::uint32_t device) {
    for (const char letter : plan_letters)
        send_plan(session, device, letter, device * 10 + static_cast<std::uint32_t>(letter - 'A'));
    send(session, wire::PlansSent{device});
}

bool AgentRun::settle() {
    // A plan that no launch is given, but that is answered in its turn.
    const std::uint32_t table = ++last_settled_;
    send_plan(sessions_.size() - 1, sessions_.back().devices.front().first, 'Z', table);
    return pump_until([&] {
        const auto& tables = sessions_.back().tables;
        return std::find(tables.begin(), tables.end(), table) != tables.end();
    });
}

void AgentRun::hear(std::size_t session, const wire::ReadRecord& found) {
    Heard& heard = sessions_[session];
    heard.missing += found.missing;
    if (const auto* start = std::get_if<wire::SessionStart>(&found.record)) {
        heard.start = *start;
        heard.command = copies_of(start->command);
        heard.ranks = copies_of(start->rank_environment);
    } else if (const auto* device = std::get_if<wire::Device>(&found.record)) {
        heard.devices.emplace_back(device->device, std::string(device->chip));
        heard.cupti_versions.push_back(device->cupti_version.value_or(0));
        if (sends_plans) send_plans(session, device->device);
    } else if (const auto* table = std::get_if<wire::MetricTable>(&found.record)) {
        heard.tables.push_back(table->table);
    } else if (const auto* launch = std::get_if<wire::KernelLaunch>(&found.record)) {
        if (launch->status == wire::LaunchStatus::awaited)
            heard.awaited.push_back(launch->id);
        else
            heard.launches.push_back(copy_of(*launch));
        if (on_launch) on_launch(*launch);
    } else if (const auto* counts = std::get_if<wire::LaunchCounts>(&found.record)) {
        heard.counts = *counts;
        ++heard.times_counted;
    } else if (const auto* note = std::get_if<wire::Note>(&found.record)) {
        heard.notes.push_back({note->level, note->code, std::string(note->what), std::string(note->where)});
    } else if (const auto* end = std::get_if<wire::SessionEnd>(&found.record)) {
        heard.end = *end;
    }
}

void AgentRun::read_from(std::size_t session) {
    std::array<std::byte, 65536> room;
    Peer& peer = peers_[session];
    const auto taken = wire::receive_bytes(peer.socket, room, peer.backlog);
    if (taken < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (taken > 0) {
        peer.received += static_cast<std::uint64_t>(taken);
        peer.reader.append(std::span(room).first(static_cast<std::size_t>(taken)));
    } else {
        const wire::BacklogContent left = wire::read_backlog(peer.backlog, peer.received);
        close(peer.backlog);
        peer.reader.append(left.bytes);
        peer.reader.finish();
        sessions_[session].frames = left.frames;
    }
    while (const auto reading = peer.reader.next()) {
        if (const auto* found = std::get_if<wire::ReadRecord>(&*reading))
            hear(session, *found);
        else
            ++sessions_[session].damages;
    }
    if (taken > 0) return;
    sessions_[session].last_frame = peer.reader.frames();
    close(peer.socket);
    peer.socket = -1;
    sessions_[session].gone = true;
}

void AgentRun::pump_once(int timeout_ms) {
    std::vector<pollfd> watched{{listener_, POLLIN, 0}};
    for (const Peer& peer : peers_)
        watched.push_back({reads ? peer.socket : -1, POLLIN, 0});
    poll(watched.data(), watched.size(), timeout_ms);
    for (std::size_t at = 1; at < watched.size(); ++at)
        if ((watched[at].revents & (POLLIN | POLLHUP)) != 0) read_from(at - 1);
    if ((watched.front().revents & POLLIN) != 0)
        if (const int made = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); made >= 0) add_peer(made);
}

bool AgentRun::pump_until(const std::function<bool()>& enough, int patience_ms) {
    QElapsedTimer waited;
    waited.start();
    while (!enough()) {
        if (waited.elapsed() > patience_ms) return false;
        pump_once(5);
    }
    return true;
}

void AgentRun::finish() {
    const bool ended = pump_until([&] {
        if (program_.state() != QProcess::NotRunning) program_.waitForFinished(1);
        return program_.state() == QProcess::NotRunning;
    });
    QVERIFY(ended);
    pump_once(0);
    reads = true;
    QVERIFY(pump_until([&] {
        return std::all_of(sessions_.begin(), sessions_.end(), [](const Heard& heard) { return heard.gone; });
    }));
}

void AgentRun::run(const QStringList& commands, const std::map<QString, QString>& environment) {
    start(commands, environment);
    finish();
}

void AgentRun::run_loader(const std::map<QString, QString>& environment) {
    set_environment(environment, false);
    program_.start(ROOFWALK_AGENT_LOADER, QStringList());
    QVERIFY(program_.waitForStarted());
    finish();
}

const Heard& AgentRun::only() const {
    static const Heard nothing;
    if (sessions_.size() != 1) qWarning("%zu agents have come", sessions_.size());
    return sessions_.empty() ? nothing : sessions_.front();
}

}  // namespace roofwalk::test
