// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/report/report_fixture.h"

#include <sstream>
namespace roofwalk::test {

Profile saxpy_profile(const std::string& awkward_name) {
    Profile profile;
    SourceInfo source;
    source.path = "/home/jane/run.json";
    source.format = SourceFormat::roofwalk_json;
    profile.sources = {source};
    Device device;
    device.name = "Machine, 20 TFLOP/s";
    const Provenance typed{CeilingSource::user, ClockBasis::boost, {}, "exercise", "", ""};
    device.ceilings.compute.push_back({Pipe{PipeKind::fp32}, FlopRate(20e12), typed});
    device.ceilings.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(800e9), typed});
    profile.devices = {device};
    profile.kernels = {{"void saxpy<float>(int, float const*, float*)", "saxpy", ""},
                       {awkward_name, "", ""},
                       {"failed", "", ""}};
    Launch saxpy;
    saxpy.grid = {1000, 1, 1};
    saxpy.block = {256, 1, 1};
    saxpy.duration = Seconds(2e-3);
    saxpy.work = {{Pipe{PipeKind::fp32}, Origin::measured, TextId::none, Flops(2e8)}};
    saxpy.traffic = {{Boundary::hbm_dram_rw, Origin::measured, TextId::none, Bytes(1.2e9), {}, {}},
                     {Boundary::smem_wavefronts, Origin::measured, TextId::none, Bytes(0), {}, {}}};
    Launch awkward;
    awkward.kernel = KernelIndex{1};
    awkward.duration = Seconds(1e-3);
    awkward.traffic = {{Boundary::hbm_dram_rw, Origin::measured, TextId::none, Bytes(4e8), {}, {}}};
    Launch failed;
    failed.kernel = KernelIndex{2};
    failed.failed = true;
    profile.launches = {awkward, saxpy, failed};
    profile.warnings.push_back({{ErrorCode::contradiction, "Counters disagree", "launch 1", "Profile again"},
                                {LaunchIndex{1}},
                                false,
                                false,
                                "/home/jane/run.json"});
    return profile;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

}  // namespace roofwalk::test
