// SPDX-License-Identifier: GPL-3.0-or-later
// A program that uses the false driver as it is told: each argument is a command, and "-" reads more of them
// from standard input, a line each, with an "ok" on standard output for each that is done.
//   context DEVICE | current N | destroy N         launch NAME BLOCKS [TIMES [MICROSECONDS]]
//   stream-launch NAME BLOCKS                      launch-kernel NAME BLOCKS, by the handle of a CUkernel
//   graph NAME... | capture NAME... (of 2 blocks)  run-graph [TIMES]            bad-launch
//     where "(" makes a graph in a node until ")", and "@" is the launch of the last graph;
//     of capture "started:NAME" is launched with an attribute; a NAME that begins with cluster runs in
//     clusters; of graph "attributes:NAME" gets one, "kernel:NAME" has a CUkernel, "cast:NAME" has it as a
//     function, "v3:NAME" is a newer call
//   recapture NAME..., into the graph of the last capture
//   begin-capture | capture-launch NAME | end-capture | destroy-stream, of a capture that lasts over commands
//   begin-graphics-capture | end-graphics-capture
//   change N NAME | disable N: the N-th kernel that was added to a graph, from 0, in the last graph
//   push NAME | pop | push-in DOMAIN NAME | pop-in  threads N NAME TIMES        print TEXT | clock
//   start NAME | start-in DOMAIN NAME, on another thread; end, the last one;
//   leak-ranges TIMES
//   exit-elsewhere N MICROSECONDS LAUNCHES, on another thread and after those, while this one goes on
//   fork EXIT_CODE | exec                          exit N | _exit N | crash | kill | wait | launch-at-exit
//   close-descriptors | use-descriptors, that were closed, for its own
//   check-descriptors, that they still are
//   load AGENT, as a debugger would                open LIBRARY
//   set NAME VALUE, of its environment
//   tally FILE: from here on it holds the process and how many launches it has completed, as two words
//   busy malloc|lock|timed-lock|computing|waiting, until SIGUSR1 comes
#include <cuda.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

extern "C" {
CUresult roofwalk_fake_recapture(CUstream stream, CUstreamCaptureMode mode, CUgraph graph);
CUresult roofwalk_fake_graphics_capture(CUstream stream, bool begins);
CUresult cuGraphAddNode_v3(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* edges, std::size_t count, CUgraphNodeParams* made);
CUresult set_kernel_v1(CUgraphExec exec, CUgraphNode node,
                       const CUDA_KERNEL_NODE_PARAMS_v1* kernel) __asm__("cuGraphExecKernelNodeSetParams");
}

namespace {

std::vector<CUcontext> contexts;
std::vector<CUgraphExec> graphs;
std::vector<CUgraphNode> kernel_nodes;
const char* program = nullptr;

/// A tool must leave this as it was.
constexpr int errno_of_program = EDOM;

void check(CUresult result) {
    if (result == CUDA_SUCCESS) return;
    std::fprintf(stderr, "the driver said %d\n", static_cast<int>(result));
    _exit(98);
}

void check_errno() {
    if (errno == errno_of_program) return;
    std::fprintf(stderr, "errno was changed to %d\n", errno);
    _exit(99);
}

CUfunction function_of(const std::string& name) {
    CUfunction function = nullptr;
    check(cuModuleGetFunction(&function, nullptr, name.c_str()));
    return function;
}

CUkernel kernel_of(const std::string& name) {
    CUkernel kernel = nullptr;
    check(cuLibraryGetKernel(&kernel, nullptr, name.c_str()));
    return kernel;
}

/// Outlives the program in a file, so that others know how far it came before it was killed.
struct Tally {
    std::uint64_t process = 0;
    std::atomic<std::uint64_t> launches{0};  ///< that are complete
};
Tally* tally = nullptr;

void keep_tally(const std::string& path) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof(Tally)) != 0) _exit(89);
    void* const memory = mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) _exit(89);
    tally = new (memory) Tally{static_cast<std::uint64_t>(getpid())};
    close(file);
}

void launch(CUfunction function, unsigned blocks, CUstream stream = nullptr) {
    errno = errno_of_program;
    check(cuLaunchKernel(function, blocks, 1, 1, 64, 1, 1, 256, stream, nullptr, nullptr));
    check_errno();
    if (tally != nullptr) ++tally->launches;
}

/// To sleep takes 50 us more than is asked for.
void pass(std::chrono::microseconds time) {
    constexpr std::chrono::microseconds least_to_sleep(50);
    if (time >= least_to_sleep) return std::this_thread::sleep_for(time);
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
}

void launch(const std::string& name, unsigned blocks, CUstream stream = nullptr) {
    launch(function_of(name), blocks, stream);
}

void launch_programmatically(const std::string& name, CUstream stream) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    const CUlaunchConfig config{2, 1, 1, 64, 1, 1, 0, stream, &attribute, 1};
    check(cuLaunchKernelEx(&config, function_of(name), nullptr, nullptr));
}

template <class Params>
void fill(Params& kernel) {
    kernel.gridDimX = 2;
    kernel.gridDimY = kernel.gridDimZ = 1;
    kernel.blockDimX = 64;
    kernel.blockDimY = kernel.blockDimZ = 1;
}

void add_kernel(CUgraph graph, CUgraphNode& node, const CUgraphNode* last, std::size_t count,
                const std::string& name) {
    const std::string kind = name.substr(0, name.find(':') + 1);
    const std::string own = name.substr(kind.size());
    if (kind == "v3:") {
        CUgraphNodeParams params{};
        params.type = CU_GRAPH_NODE_TYPE_KERNEL;
        params.kernel.func = function_of(own);
        fill(params.kernel);
        return check(cuGraphAddNode_v3(&node, graph, last, nullptr, count, &params));
    }
    CUDA_KERNEL_NODE_PARAMS kernel{};
    if (kind == "kernel:")
        kernel.kern = kernel_of(own);
    else
        kernel.func = kind == "cast:" ? reinterpret_cast<CUfunction>(kernel_of(own)) : function_of(own);
    fill(kernel);
    check(cuGraphAddKernelNode(&node, graph, last, count, &kernel));
    const CUkernelNodeAttrValue value{};
    if (kind == "attributes:")
        check(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value));
}

CUgraph graph_of(std::istream& names) {
    CUgraph graph = nullptr;
    check(cuGraphCreate(&graph, 0));
    CUgraphNode last = nullptr;
    for (std::string name; names >> name && name != ")";) {
        CUgraphNode node = nullptr;
        const std::size_t count = last != nullptr ? 1 : 0;
        if (name == "(") {
            CUgraph child = graph_of(names);
            check(cuGraphAddChildGraphNode(&node, graph, &last, count, child));
            check(cuGraphDestroy(child));
        } else {
            add_kernel(graph, node, &last, count, name);
            kernel_nodes.push_back(node);
        }
        last = node;
    }
    return graph;
}

void add_graph(std::istream& names) {
    CUgraph graph = graph_of(names);
    check(cuGraphInstantiate(&graphs.emplace_back(), graph, 0));
}

void capture_graph(std::istream& names, bool anew) {
    static CUgraph graph = nullptr;
    CUstream stream = nullptr;
    check(cuStreamCreate(&stream, 0));
    check(anew ? roofwalk_fake_recapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL, graph)
               : cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    for (std::string name; names >> name;)
        if (name == "@")
            check(cuGraphLaunch(graphs.back(), stream));
        else if (name.starts_with("started:"))
            launch_programmatically(name.substr(name.find(':') + 1), stream);
        else
            launch(name, 2, stream);
    check(cuStreamEndCapture(stream, &graph));
    check(cuGraphInstantiate(&graphs.emplace_back(), graph, 0));
}

bool run_capture(const std::string& verb, std::istream& rest) {
    static CUstream stream = nullptr;
    if (verb == "begin-capture") {
        check(cuStreamCreate(&stream, 0));
        check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    } else if (verb == "capture-launch") {
        std::string name;
        rest >> name;
        launch(name, 2, stream);
    } else if (verb == "end-capture") {
        CUgraph graph = nullptr;
        check(cuStreamEndCapture(stream, &graph));
        check(cuGraphInstantiate(&graphs.emplace_back(), graph, 0));
    } else if (verb == "begin-graphics-capture" || verb == "end-graphics-capture") {
        const bool begins = verb.starts_with("begin");
        if (begins) check(cuStreamCreate(&stream, 0));
        check(roofwalk_fake_graphics_capture(stream, begins));
    } else if (verb == "destroy-stream") {
        check(cuStreamDestroy(stream));
    } else {
        return false;
    }
    return true;
}

bool change_graph(const std::string& verb, std::istream& rest) {
    std::size_t at = 0;
    if (verb == "change") {
        std::string name;
        rest >> at >> name;
        CUDA_KERNEL_NODE_PARAMS_v1 kernel{};
        kernel.func = function_of(name);
        fill(kernel);
        check(set_kernel_v1(graphs.back(), kernel_nodes.at(at), &kernel));
    } else if (verb == "disable") {
        rest >> at;
        check(cuGraphNodeSetEnabled(graphs.back(), kernel_nodes.at(at), 0));
    } else {
        return false;
    }
    return true;
}

void run_threads(int count, const std::string& name, int times) {
    std::vector<std::thread> threads;
    for (int at = 0; at < count; ++at)
        threads.emplace_back([&, at] {
            check(cuCtxSetCurrent(contexts.front()));
            for (int time = 0; time < times; ++time)
                launch(name + std::to_string(at), 4);
        });
    for (std::thread& thread : threads)
        thread.join();
}

void exit_elsewhere(std::istream& rest) {
    int code = 0;
    int pause_us = 0;
    int launches = 0;
    rest >> code >> pause_us >> launches;
    std::thread([=, context = contexts.front()] {
        check(cuCtxSetCurrent(context));
        pass(std::chrono::microseconds(pause_us));
        for (int time = 0; time < launches; ++time)
            launch("elsewhere", 4);
        std::exit(code);
    }).detach();
}

/// A child that uses the driver although it must not, as programs do by mistake, and ends in order.
void fork_child(int code) {
    const pid_t child = fork();
    if (child == 0) {
        launch("in_child", 1);
        std::exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code) _exit(97);
}

void push_range([[maybe_unused]] const std::string& name) {
#if __has_include(<nvtx3/nvToolsExt.h>)
    nvtxRangePushA(name.c_str());
#endif
}

#if __has_include(<nvtx3/nvToolsExt.h>)
nvtxDomainHandle_t domain = nullptr;
#endif

/// With a name that is registered, as libraries do that push often.
void push_range_in([[maybe_unused]] const std::string& domain_name,
                   [[maybe_unused]] const std::string& name) {
#if __has_include(<nvtx3/nvToolsExt.h>)
    domain = nvtxDomainCreateA(domain_name.c_str());
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, name.c_str());
    nvtxDomainRangePushEx(domain, &event);
#endif
}

void pop_range_in() {
#if __has_include(<nvtx3/nvToolsExt.h>)
    nvtxDomainRangePop(domain);
#endif
}

#if __has_include(<nvtx3/nvToolsExt.h>)
std::vector<std::pair<nvtxDomainHandle_t, nvtxRangeId_t>> started;
#endif

void start_range([[maybe_unused]] const std::string& domain_name, [[maybe_unused]] const std::string& name) {
#if __has_include(<nvtx3/nvToolsExt.h>)
    std::thread([&] {
        if (domain_name.empty()) {
            started.emplace_back(nullptr, nvtxRangeStartA(name.c_str()));
            return;
        }
        nvtxEventAttributes_t event{};
        event.version = NVTX_VERSION;
        event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        event.messageType = NVTX_MESSAGE_TYPE_ASCII;
        event.message.ascii = name.c_str();
        nvtxDomainHandle_t in = nvtxDomainCreateA(domain_name.c_str());
        started.emplace_back(in, nvtxDomainRangeStartEx(in, &event));
    }).join();
#endif
}

void end_range() {
#if __has_include(<nvtx3/nvToolsExt.h>)
    const auto [in, id] = started.back();
    started.pop_back();
    if (in != nullptr)
        nvtxDomainRangeEnd(in, id);
    else
        nvtxRangeEnd(id);
#endif
}

void pop_range() {
#if __has_include(<nvtx3/nvToolsExt.h>)
    nvtxRangePop();
#endif
}

/// The other end of what stands under each of `own_descriptors`.
int other_end = -1;
std::vector<int> own_descriptors;
constexpr std::string_view own_bytes = "for the program alone";

void use_descriptors() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) _exit(93);
    other_end = ends[0];
    if (write(other_end, own_bytes.data(), own_bytes.size()) < 0) _exit(93);
    for (int descriptor = 200; descriptor < 216; ++descriptor)
        if (fcntl(descriptor, F_GETFD) < 0) own_descriptors.push_back(dup2(ends[1], descriptor));
}

/// Nobody closed them, read what is for them, or wrote to them.
void check_descriptors() {
    for (const int descriptor : own_descriptors) {
        std::array<char, 64> room{};
        const auto there = recv(descriptor, room.data(), room.size(), MSG_PEEK | MSG_DONTWAIT);
        if (std::string_view(room.data(), there < 0 ? 0 : static_cast<std::size_t>(there)) != own_bytes)
            _exit(92);
    }
    char written = 0;
    if (own_descriptors.empty() || recv(other_end, &written, 1, MSG_DONTWAIT) >= 0) _exit(91);
}

/// Waits for a lock that nobody gives, with a time limit that comes again and again.
void wait_for_lock() {
    static pthread_mutex_t& held = *[] {
        auto* const made = new pthread_mutex_t(PTHREAD_MUTEX_INITIALIZER);
        pthread_mutex_lock(made);
        return made;
    }();
    timespec end{};
    clock_gettime(CLOCK_REALTIME, &end);
    ++end.tv_sec;
    pthread_mutex_timedlock(&held, &end);
}

/// What a thread may be in when a debugger stops it. Two do it, so that they wait for each other's locks too.
void be_busy(const std::string& with) {
    static std::mutex mutex;
    static volatile double sum = 0.5;
    static volatile std::sig_atomic_t is_done = 0;
    std::signal(SIGUSR1, [](int) { is_done = 1; });
    mallopt(M_ARENA_MAX, 1);  // one lock for all threads, and held for long: there is much to look through
    std::vector<std::unique_ptr<char[]>> pieces(with == "malloc" ? 100'000 : 0);
    for (auto& piece : pieces)
        piece = std::make_unique<char[]>(5000);
    for (std::size_t i = 0; i < pieces.size(); i += 2)
        pieces[i].reset();
    const auto work = [&] {
        while (is_done == 0) {
            if (with == "malloc") {
                malloc_trim(0);
            } else if (with == "lock") {
                const std::lock_guard lock(mutex);
                for (int i = 0; i < 100'000; ++i)
                    sum = sum * 1.000001;
            } else if (with == "timed-lock") {
                wait_for_lock();
            } else if (with == "computing") {
                sum = sum * 1.000001;
            } else {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
        }
    };
    std::thread other(work);
    work();
    other.join();
}

bool run_control(const std::string& verb, std::istream& rest) {
    int number = 0;
    if (verb == "exit") {
        rest >> number;
        std::exit(number);
    } else if (verb == "exit-elsewhere") {
        exit_elsewhere(rest);
    } else if (verb == "_exit") {
        rest >> number;
        _exit(number);
    } else if (verb == "crash") {
        volatile int* volatile nowhere = nullptr;
        *nowhere = 1;
    } else if (verb == "kill") {
        kill(getpid(), SIGKILL);
    } else if (verb == "wait") {
        pause();
    } else if (verb == "load") {
        std::string path;
        std::getline(rest >> std::ws, path);
        void* const agent = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        auto* const listen = agent != nullptr
                                 ? reinterpret_cast<int (*)(const char*)>(dlsym(agent, "RoofwalkAgentListen"))
                                 : nullptr;
        if (listen == nullptr || listen("") != 1) _exit(94);
    } else if (verb == "open") {
        std::string path;
        std::getline(rest >> std::ws, path);
        if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) _exit(90);
    } else if (verb == "busy") {
        std::string with;
        rest >> with;
        be_busy(with);
    } else if (verb == "tally") {
        std::string path;
        std::getline(rest >> std::ws, path);
        keep_tally(path);
    } else if (verb == "launch-at-exit") {
        std::atexit([] { launch("at_exit", 4); });
    } else if (verb == "fork") {
        rest >> number;
        fork_child(number);
    } else if (verb == "set") {
        std::string name;
        std::string value;
        rest >> name >> value;
        setenv(name.c_str(), value.c_str(), 1);
    } else if (verb == "exec") {
        execl(program, program, "context 0", "launch after_exec 1", "exit 12", nullptr);
        _exit(96);
    } else if (verb == "close-descriptors") {
        for (int descriptor = 3; descriptor < 1024; ++descriptor)
            close(descriptor);
    } else if (verb == "use-descriptors") {
        use_descriptors();
    } else if (verb == "check-descriptors") {
        check_descriptors();
    } else {
        return false;
    }
    return true;
}

void run(const std::string& line) {
    std::istringstream rest(line);
    std::string verb;
    std::string name;
    unsigned blocks = 1;
    int times = 1;
    rest >> verb;
    if (verb == "context") {
        rest >> times;
        check(cuCtxCreate(&contexts.emplace_back(), nullptr, 0, times));
    } else if (verb == "current") {
        rest >> times;
        check(cuCtxSetCurrent(contexts.at(static_cast<std::size_t>(times))));
    } else if (verb == "destroy") {
        rest >> times;
        check(cuCtxDestroy(contexts.at(static_cast<std::size_t>(times))));
    } else if (verb == "launch") {
        int pause_us = 0;
        if (rest >> name >> blocks && !(rest >> times)) times = 1;
        rest >> pause_us;
        for (int time = 0; time < times; ++time) {
            launch(name, blocks);
            pass(std::chrono::microseconds(pause_us));
        }
    } else if (verb == "stream-launch") {
        rest >> name >> blocks;
        static CUstream stream = nullptr;
        if (stream == nullptr) check(cuStreamCreate(&stream, 0));
        launch(name, blocks, stream);
    } else if (verb == "launch-kernel") {
        rest >> name >> blocks;
        launch(reinterpret_cast<CUfunction>(kernel_of(name)), blocks);
    } else if (verb == "bad-launch") {
        cuLaunchKernel(function_of("bad"), 0, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr);
    } else if (verb == "graph") {
        add_graph(rest);
    } else if (verb == "capture") {
        capture_graph(rest, false);
    } else if (verb == "recapture") {
        capture_graph(rest, true);
    } else if (verb == "run-graph") {
        if (!(rest >> times)) times = 1;
        for (int time = 0; time < times; ++time)
            check(cuGraphLaunch(graphs.back(), nullptr));
    } else if (verb == "threads") {
        int count = 0;
        rest >> count >> name >> times;
        run_threads(count, name, times);
    } else if (verb == "push") {
        std::getline(rest >> std::ws, name);
        push_range(name);
    } else if (verb == "pop") {
        pop_range();
    } else if (verb == "push-in") {
        std::string domain_name;
        rest >> domain_name;
        std::getline(rest >> std::ws, name);
        push_range_in(domain_name, name);
    } else if (verb == "pop-in") {
        pop_range_in();
    } else if (verb == "start" || verb == "start-in") {
        std::string domain_name;
        if (verb == "start-in") rest >> domain_name;
        std::getline(rest >> std::ws, name);
        start_range(domain_name, name);
    } else if (verb == "leak-ranges") {
        rest >> times;
        for (int time = 0; time < times; ++time)
            start_range("", "leaked");
    } else if (verb == "end") {
        end_range();
    } else if (verb == "clock") {
        std::cout << std::chrono::steady_clock::now().time_since_epoch().count() << std::endl;
    } else if (verb == "print") {
        std::getline(rest >> std::ws, name);
        std::cout << name << std::endl;
        std::cerr << name << " (stderr)" << std::endl;
    } else if (!run_capture(verb, rest) && !change_graph(verb, rest) && !run_control(verb, rest)) {
        std::fprintf(stderr, "unknown command %s\n", line.c_str());
        _exit(95);
    }
}

}  // namespace

int main(int argc, char** argv) {
    program = argv[0];
    std::signal(SIGPIPE, SIG_DFL);
    check(cuInit(0));
    for (int at = 1; at < argc; ++at) {
        const std::string command = argv[at];
        if (command != "-") {
            run(command);
            continue;
        }
        for (std::string line; std::getline(std::cin, line);) {
            run(line);
            std::cout << "ok" << std::endl;
        }
    }
    return 0;
}
