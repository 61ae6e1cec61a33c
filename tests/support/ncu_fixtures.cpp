// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ncu_fixtures.h"

#include "tests/support/ncu_section_writer.h"

namespace roofwalk::test {

namespace {

constexpr double sm_count = 108;
constexpr double sm_clock = 1.1e9;
constexpr double dram_clock = 1.215e9;
constexpr double l2_clock = 1.064e9;
constexpr double l2_slices = 80;
constexpr double dram_bytes_per_cycle = 1280;
constexpr double tensor_ops_per_cycle = 2048 * sm_count;

/// What one launch does; totals.
struct Launched {
    std::string name;
    std::string function_name;
    std::string mangled_name;
    std::array<std::uint64_t, 3> grid;
    std::array<std::uint64_t, 3> block;
    double duration_ns = 0;
    double fadd = 0;
    double fmul = 0;
    double ffma = 0;
    double tensor_fp16 = 0;  ///< operations, 2 per multiply-add
    double dram_read = 0;    ///< bytes
    double dram_write = 0;
    double l2_read = 0;  ///< sectors
    double l2_write = 0;
    double shared_load = 0;  ///< wavefronts
    double shared_store = 0;
    std::vector<std::string> nvtx;
};

void add_clocks(FixtureKernel& kernel, const Launched& launched) {
    const double seconds = launched.duration_ns * 1e-9;
    kernel.add("gpu__time_duration.sum", launched.duration_ns);
    for (const char* unit : {"gpc", "sm", "smsp", "l1tex"})
        kernel.add(std::string(unit) + "__cycles_elapsed.avg.per_second", sm_clock);
    kernel.add("sm__cycles_elapsed.avg", sm_clock * seconds);
    kernel.add("dram__cycles_elapsed.avg.per_second", dram_clock);
    kernel.add("lts__cycles_elapsed.avg", l2_clock * seconds);
    kernel.add("lts__cycles_elapsed.sum", l2_clock * seconds * l2_slices);
    kernel.add("lts__cycles_elapsed.avg.per_second", l2_clock);
}

void add_work(FixtureKernel& kernel, const Launched& launched) {
    const double cycles = launched.duration_ns * 1e-9 * sm_clock;
    const auto thread_instructions = [&](const std::string& op, double count) {
        kernel.add("smsp__sass_thread_inst_executed_op_" + op + "_pred_on.sum.per_cycle_elapsed",
                   count / cycles);
    };
    thread_instructions("fadd", launched.fadd);
    thread_instructions("fmul", launched.fmul);
    thread_instructions("ffma", launched.ffma);
    for (const char* op : {"dadd", "dmul", "dfma", "hadd", "hmul", "hfma"})
        thread_instructions(op, 0);
    const auto peak = [&](const std::string& op, double threads) {
        kernel.add("sm__sass_thread_inst_executed_op_" + op + "_pred_on.sum.peak_sustained",
                   threads * sm_count);
    };
    peak("ffma", 64);
    peak("dfma", 32);
    peak("hfma", 128);
    const std::string tensor = "sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum";
    kernel.add(tensor, launched.tensor_fp16);
    kernel.add(tensor + ".per_cycle_elapsed", launched.tensor_fp16 / cycles);
    kernel.add(tensor + ".peak_sustained", tensor_ops_per_cycle);
    kernel.add(tensor + ".pct_of_peak_sustained_elapsed",
               100 * launched.tensor_fp16 / cycles / tensor_ops_per_cycle);
}

void add_dram(FixtureKernel& kernel, const Launched& launched) {
    const double seconds = launched.duration_ns * 1e-9;
    const double rate = (launched.dram_read + launched.dram_write) / seconds;
    kernel.add("dram__bytes_read.sum", launched.dram_read);
    kernel.add("dram__bytes_write.sum", launched.dram_write);
    kernel.add("dram__sectors_read.sum", launched.dram_read / 32);
    kernel.add("dram__sectors_write.sum", launched.dram_write / 32);
    kernel.add("dram__bytes.sum.per_second", rate);
    kernel.add("dram__bytes.sum.peak_sustained", dram_bytes_per_cycle);
    kernel.add("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
               100 * rate / (dram_bytes_per_cycle * dram_clock));
}

void add_caches(FixtureKernel& kernel, const Launched& launched) {
    const double seconds = launched.duration_ns * 1e-9;
    const double sectors = launched.l2_read + launched.l2_write;
    const std::string tex = "lts__t_sectors_srcunit_tex";
    kernel.add(tex + ".sum", sectors);
    kernel.add(tex + "_op_read.sum", launched.l2_read);
    kernel.add(tex + "_op_write.sum", launched.l2_write);
    kernel.add(tex + ".avg.peak_sustained", 2.0);
    kernel.add(tex + ".sum.pct_of_peak_sustained_elapsed",
               100 * sectors / (2 * l2_slices * l2_clock * seconds));
    kernel.add("l1tex__m_xbar2l1tex_read_bytes.sum", launched.l2_read * 32);
    kernel.add("l1tex__m_l1tex2xbar_write_bytes.sum", launched.l2_write * 32);

    const double wavefronts = launched.shared_load + launched.shared_store;
    const std::string shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared";
    kernel.add(shared + ".sum", wavefronts);
    kernel.add(shared + ".sum.pct_of_peak_sustained_elapsed",
               100 * wavefronts / (sm_count * sm_clock * seconds));
    kernel.add(shared + "_op_ld.sum", launched.shared_load);
    kernel.add(shared + "_op_st.sum", launched.shared_store);
    kernel.add(shared + "_op_atom.sum", 0.0);
    const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
    std::vector<FixtureInstance> by_instruction;
    if (launched.shared_load > 0)
        by_instruction = {{std::uint64_t{0x7f00}, whole(launched.shared_load)},
                          {std::uint64_t{0x7f80}, whole(launched.shared_store)}};
    kernel.add("memory_l1_wavefronts_shared", whole(wavefronts), by_instruction);
    kernel.add("memory_l1_wavefronts_shared_ideal", whole(wavefronts));
}

void add_opcodes(FixtureKernel& kernel, const Launched& launched) {
    std::vector<FixtureInstance> opcodes{{std::string("LDG"), launched.l2_read / 4},
                                         {std::string("STG"), launched.l2_write / 4}};
    const auto opcode = [&](const char* name, double count) {
        if (count > 0) opcodes.push_back({std::string(name), count});
    };
    opcode("FADD", launched.fadd / 32);
    opcode("FMUL", launched.fmul / 32);
    opcode("FFMA", launched.ffma / 32);
    opcode("HMMA", launched.tensor_fp16 / 4096);
    opcode("LDS", launched.shared_load);
    opcode("STS", launched.shared_store);
    double sum = 0;
    for (const FixtureInstance& instance : opcodes)
        sum += std::get<double>(instance.value);
    kernel.add("sass__inst_executed_per_opcode", sum, opcodes);
}

FixtureKernel profiled(const Launched& launched) {
    FixtureKernel kernel;
    kernel.name = launched.name;
    kernel.function_name = launched.function_name;
    kernel.mangled_name = launched.mangled_name;
    kernel.grid = launched.grid;
    kernel.block = launched.block;
    kernel.add("launch__grid_size", launched.grid[0] * launched.grid[1] * launched.grid[2]);
    kernel.add("launch__block_size", launched.block[0] * launched.block[1] * launched.block[2]);
    kernel.add("launch__registers_per_thread", std::uint64_t{32});
    add_a100_attributes(kernel);
    add_clocks(kernel, launched);
    add_work(kernel, launched);
    add_dram(kernel, launched);
    add_caches(kernel, launched);
    add_opcodes(kernel, launched);
    kernel.nvtx = {{kernel.thread, launched.nvtx}};
    kernel.sections = {write_section(dram_roofline_section('f'))};
    return kernel;
}

/// y = a * x + y over 2^26 floats: bound by DRAM.
Launched saxpy(double duration_ns) {
    constexpr double n = 1 << 26;
    return {.name = "saxpy(int, float, const float *, float *)",
            .function_name = "saxpy",
            .mangled_name = "_Z5saxpyifPKfPf",
            .grid = {262144, 1, 1},
            .block = {256, 1, 1},
            .duration_ns = duration_ns,
            .ffma = n,
            .dram_read = 8 * n,
            .dram_write = 4 * n,
            .l2_read = n / 4,
            .l2_write = n / 8,
            .nvtx = {"solve", "update"}};
}

/// 2048^3 without shared memory: bound by L2.
Launched sgemm_naive() {
    constexpr double n3 = 2048.0 * 2048 * 2048;
    return {.name = "void sgemm_naive<(int)2048>(const float *, const float *, float *)",
            .function_name = "sgemm_naive",
            .mangled_name = "_Z11sgemm_naiveILi2048EEvPKfS1_Pf",
            .grid = {64, 64, 1},
            .block = {32, 32, 1},
            .duration_ns = 7.2e6,
            .ffma = n3,
            .dram_read = 96.0 * (1 << 20),
            .dram_write = 16.0 * (1 << 20),
            .l2_read = n3 / 8,
            .l2_write = 524288,
            .nvtx = {"solve", "multiply"}};
}

/// 2048^3 through shared-memory tiles: bound by shared memory.
Launched sgemm_tiled() {
    Launched launched = sgemm_naive();
    launched.name = "void sgemm_tiled<(int)2048, (int)32>(const float *, const float *, float *)";
    launched.function_name = "sgemm_tiled";
    launched.mangled_name = "_Z11sgemm_tiledILi2048ELi32EEvPKfS1_Pf";
    launched.duration_ns = 3.4e6;
    launched.l2_read = 2.0 * 67108864;
    launched.shared_load = 335544320;
    launched.shared_store = 8388608;
    return launched;
}

/// 4096^3 in FP16 with FP32 accumulation on the tensor cores.
Launched hgemm_tensor() {
    return {.name =
                "void gemm::hgemm_tensor<gemm::Tile<(int)128, (int)128, (int)32>>(const __half *, const "
                "__half *, float *)",
            .function_name = "hgemm_tensor",
            .mangled_name = "_ZN4gemm12hgemm_tensorINS_4TileILi128ELi128ELi32EEEEEvPK6__halfS5_Pf",
            .grid = {32, 32, 1},
            .block = {256, 1, 1},
            .duration_ns = 812000,
            .fmul = 16777216,
            .tensor_fp16 = 2.0 * 4096 * 4096 * 4096,
            .dram_read = 134.0 * (1 << 20),
            .dram_write = 64.0 * (1 << 20),
            .l2_read = 67108864,
            .l2_write = 2097152,
            .shared_load = 50331648,
            .shared_store = 8388608,
            .nvtx = {"solve", "multiply"}};
}

/// 8192^2 floats, columns written without coalescing: no floating-point work at all.
Launched transpose() {
    constexpr double n = 8192.0 * 8192;
    return {.name = "transpose_naive(const float *, float *, int)",
            .function_name = "transpose_naive",
            .mangled_name = "_Z15transpose_naivePKfPfi",
            .grid = {256, 256, 1},
            .block = {32, 32, 1},
            .duration_ns = 1.12e6,
            .dram_read = 4 * n,
            .dram_write = 4 * n,
            .l2_read = n / 8,
            .l2_write = n,
            .nvtx = {"prepare"}};
}

/// Sum of 2^26 floats.
Launched reduce() {
    constexpr double n = 1 << 26;
    return {.name = "void reduce_sum<float>(const float *, float *, int)",
            .function_name = "reduce_sum",
            .mangled_name = "_Z10reduce_sumIfEvPKT_PS0_i",
            .grid = {1024, 1, 1},
            .block = {512, 1, 1},
            .duration_ns = 204800,
            .fadd = n,
            .dram_read = 4 * n,
            .dram_write = 4096,
            .l2_read = n / 8,
            .l2_write = 128,
            .shared_load = 278528,
            .shared_store = 147456,
            .nvtx = {"solve", "residual"}};
}

}  // namespace

void add_a100_attributes(FixtureKernel& kernel, std::uint64_t device_index) {
    const auto attribute = [&](const char* name, FixtureValue value) {
        kernel.add(std::string("device__attribute_") + name, std::move(value));
    };
    attribute("display_name", std::string("NVIDIA A100-SXM4-40GB"));
    attribute("device_index", device_index);
    attribute("chip", std::uint64_t{368});
    attribute("compute_capability_major", std::uint64_t{8});
    attribute("compute_capability_minor", std::uint64_t{0});
    attribute("multiprocessor_count", std::uint64_t{108});
    attribute("clock_rate", std::uint64_t{1410000});
    attribute("max_gpu_frequency_khz", std::uint64_t{1410000});
    attribute("memory_clock_rate", std::uint64_t{1215000});
    attribute("max_mem_frequency_khz", std::uint64_t{1215000});
    attribute("global_memory_bus_width", std::uint64_t{5120});
    attribute("fb_bus_width", std::uint64_t{5120});
    attribute("l2_cache_size", std::uint64_t{41943040});
    attribute("total_memory", std::uint64_t{42406903808});
}

Fixture full_report_fixture() {
    Fixture fixture;
    for (const Launched& launched : {transpose(), sgemm_naive(), sgemm_tiled(), hgemm_tensor(), saxpy(612000),
                                     saxpy(618400), reduce(), saxpy(615200)})
        fixture.kernels.push_back(profiled(launched));
    return fixture;
}

Fixture old_report_fixture() {
    Fixture fixture = full_report_fixture();
    fixture.ncu_version.clear();
    fixture.command_line.clear();
    fixture.layout.grids_in_threads = true;
    return fixture;
}

Fixture small_report_fixture() {
    Fixture fixture;
    for (const char* name : {"first(float *)", "second(float *)"}) {
        FixtureKernel kernel;
        kernel.name = name;
        kernel.add("device__attribute_display_name", std::string("NVIDIA A100-SXM4-40GB"));
        kernel.add("device__attribute_compute_capability_major", std::uint64_t{8});
        kernel.add("device__attribute_compute_capability_minor", std::uint64_t{0});
        kernel.add("gpu__time_duration.sum", 1000.0);
        kernel.add("sass__inst_executed_per_opcode", 3.0,
                   {{std::string("LDS"), 1.0}, {std::string("FFMA"), 2.0}});
        kernel.nvtx = {{kernel.thread, {"outer", "inner"}}};
        fixture.kernels.push_back(kernel);
    }
    fixture.layout.late_strings = 1;
    return fixture;
}

Fixture repeated_fixture(const FixtureKernel& kernel, std::size_t launches) {
    Fixture fixture;
    fixture.layout.results_per_block = 256;
    fixture.kernels.assign(launches, kernel);
    for (std::size_t i = 0; i < launches; ++i)
        fixture.kernels[i].set("gpu__time_duration.sum", 1000.0 + static_cast<double>(i));
    return fixture;
}

}  // namespace roofwalk::test
