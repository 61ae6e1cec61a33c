// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workspace/workspace_spec.h"

namespace roofwalk::test {

/// Every member differs from its default.
inline WorkspaceSpec whole_session() {
    WorkspaceSpec session;
    session.joined = true;
    session.sources = {{"runs/old \"one\".ncu-rep", "xxh3-128:00112233445566778899aabbccddeeff"},
                       {"/b.json", ""}};
    session.baselines = {{"runs/older.ncu-rep", "xxh3-128:ffeeddccbbaa99887766554433221100"}};
    session.view.ran_on.emplace().name = "our board";
    session.view.ran_on->compute_capability = ComputeCapability{8, 6};
    session.view.ran_on->sm_count = 84;
    session.view.ran_on->ceilings.bandwidth.push_back(
        {Boundary::hbm_dram_rw,
         ByteRate(9e11),
         {.source = CeilingSource::user, .clock = {}, .detail = "board.json"}});
    session.view.other_device = session.view.ran_on;
    session.view.other_device->name = "their board";
    session.view.comparison = {0.05, 7, {}};
    AnalysisOptions& analysis = session.view.analysis;
    analysis = nersc_view(analysis);
    analysis.group_by = GroupBy::launch;
    analysis.clock = ClockBasis::boost;
    analysis.operations = OperationClass::all;
    analysis.levels = {true, false, true, false};
    analysis.l1_where_it_binds = false;
    analysis.practical = {0.7, 0.6};
    analysis.practical_limits = {0.5, 0.25};
    analysis.launch_floor = Seconds(3e-6);
    SceneOptions& scene = session.view.scene;
    scene.levels = analysis.levels;
    scene.colour_by = ColourBy::report;
    scene.hidden_pipes = {{PipeKind::fp64, false}};
    scene.extra_pipes = {{PipeKind::tensor_fp16, true}};
    scene.practical_roofs = true;
    scene.theory_roofs = false;
    scene.measured_roof = false;
    scene.zones = false;
    scene.operation_ranges = true;
    scene.labelled = 3;
    scene.gaps = 5;
    session.view.measured.for_model = "GPU-ef5c8d02-6a54-3a5e-9c1d-2d0c3c6f1a77";
    session.view.roofs_of = "NVIDIA A100";
    session.view.filter = "time > 1 ms";
    session.view.selection = {{GroupBy::launch, "k<int>(float*)", {4, 2, 1}, {128, 1, 1}, 7},
                              {GroupBy::launch, "other", {}, {}, 0}};
    session.view.axes = ChartView{{0.125, 1e3}, {1e9, 1.0 / 3 * 1e14}};
    CeilingSet typed;
    typed.compute.push_back({{PipeKind::fp32, false}, FlopRate(19.5e12), {}});
    typed.bandwidth.push_back({Boundary::hbm_dram_rw, ByteRate(1.9e12), {}});
    typed.compute[0].provenance.detail = "typed in the ceilings panel";
    session.ceilings = {{"NVIDIA A100", typed}};
    session.bindings.user = {{"k<int>(float*)", 2, "gemm m=8 n=8 k=8", true, "its matrices are square"},
                             {"other", {}, "copy n=1e6"}};
    session.bindings.rules = {{R"(gemm_(\d+)x(\d+))", "gemm m=$1 n=$2 k=8", RuleSubject::nvtx_path},
                              {"copy", "copy n=8"}};
    session.thresholds.occupancy = 0.25;
    session.scenario.name = "Tile, then the roof";
    Move& move = session.scenario.moves.emplace_back();
    move.kernel.name = "other";
    move.bytes[MemoryLevel::hbm] = 0.5;
    session.notes = "Look at the second kernel.\n\"Tile\" it?";
    session.autosave_of = "/home/somebody/walk.roofwalk";
    session.autosave_of_hash = "xxh3-128:00112233445566778899aabbccddeeff";
    return session;
}

}  // namespace roofwalk::test
