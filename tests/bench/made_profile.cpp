// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/made_profile.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace roofwalk::bench {

namespace {

/// Work, bytes and time of one launch.
struct Numbers {
    double flops;
    double dram;
    double l2;
    double smem;
    double seconds;
};

class NumberSource {
  public:
    Numbers next() {
        const double dram = std::pow(10, 6 + 3 * unit_(engine_));
        const double l2 = dram * (1 + 4 * unit_(engine_));
        const double smem = l2 * (1 + 4 * unit_(engine_));
        const double flops = dram * std::pow(10, -2 + 5 * unit_(engine_));
        const double bound = std::max(dram / 1.555e12, flops / 19.5e12);
        return {std::round(flops), std::round(dram), std::round(l2), std::round(smem),
                bound * (1 + 9 * unit_(engine_))};
    }

  private:
    std::mt19937 engine_{20260101};
    std::uniform_real_distribution<> unit_{0, 1};
};

std::string kernel_name(std::uint32_t kernel) {
    return fmt::format("void solver::step_{}<float, {}>(float*, const float*, int)", kernel, 32 + kernel % 8);
}

}  // namespace

Profile made_profile(std::uint32_t kernels, std::uint32_t launches) {
    Profile profile;
    profile.sources.emplace_back();
    Device device;
    device.name = "NVIDIA A100-SXM4-40GB";
    profile.devices.push_back(device);
    for (std::uint32_t k = 0; k < kernels; ++k)
        profile.kernels.push_back({kernel_name(k), "", ""});
    NumberSource source;
    profile.launches.reserve(launches);
    for (std::uint32_t i = 0; i < launches; ++i) {
        const Numbers numbers = source.next();
        Launch& launch = profile.launches.emplace_back();
        launch.kernel = KernelIndex{i % kernels};
        launch.grid = {108, 1, 1};
        launch.block = {256, 1, 1};
        launch.duration = Seconds(numbers.seconds);
        WorkSample work;
        work.pipe = {PipeKind::fp32, false};
        work.work = Flops(numbers.flops);
        launch.work.push_back(work);
        const auto add = [&](Boundary boundary, double bytes) {
            TrafficSample traffic;
            traffic.boundary = boundary;
            traffic.total = Bytes(bytes);
            launch.traffic.push_back(traffic);
        };
        add(Boundary::hbm_dram_rw, numbers.dram);
        add(Boundary::l2_sm_sectors, numbers.l2);
        add(Boundary::smem_wavefronts, numbers.smem);
    }
    return profile;
}

std::string made_json_lines(std::uint32_t kernels, std::uint32_t launches) {
    std::string text =
        R"({"format":"roofwalk-profile","version":1,"devices":[{"id":"gpu","name":"NVIDIA A100-SXM4-40GB"}]})"
        "\n";
    NumberSource source;
    for (std::uint32_t i = 0; i < launches; ++i) {
        const Numbers numbers = source.next();
        text += fmt::format(
            R"({{"name":"{}","device":"gpu","grid":[108,1,1],"block":[256,1,1],"duration_ns":{:.1f},)"
            R"("flops":{{"fp32":{:.0f}}},"bytes":{{"hbm":{:.0f},"l2":{:.0f},"smem":{:.0f}}}}})"
            "\n",
            kernel_name(i % kernels), numbers.seconds * 1e9, numbers.flops, numbers.dram, numbers.l2,
            numbers.smem);
    }
    return text;
}

}  // namespace roofwalk::bench
