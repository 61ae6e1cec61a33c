// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_suggestions.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_suggestions {

using namespace roofwalk;

namespace {

constexpr Pipe fp16{PipeKind::tensor_fp16};
constexpr Pipe fp32{PipeKind::fp32};

Launch launch_of(Pipe pipe, double work, Dim3 grid, Dim3 block = {256, 1, 1}) {
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.work.push_back({.pipe = pipe, .work = Flops(work)});
    return launch;
}

/// Every launch runs the kernel of that name.
Profile profile_of(const std::string& name, std::vector<Launch> launches) {
    Profile profile;
    profile.sources.emplace_back();
    profile.devices.emplace_back();
    profile.kernels.push_back({name, {}, {}});
    profile.launches = std::move(launches);
    return profile;
}

std::vector<Suggestion> suggested(const std::string& name, std::vector<Launch> launches) {
    return suggest_operations(profile_of(name, std::move(launches)), {});
}

/// The operation suggested for one launch, or "none".
std::string only(const std::string& name, const Launch& launch) {
    const auto list = suggested(name, {launch});
    return list.size() == 1 ? list.front().operation : "none";
}

void add_traffic(Launch& launch, Boundary boundary, double total, double written = 0) {
    launch.traffic.push_back({.boundary = boundary,
                              .total = Bytes(total),
                              .read = Bytes(total - written),
                              .write = Bytes(written)});
}

/// What is assumed of one launch, or "nothing".
std::string assumed(const std::string& name, const Launch& launch) {
    const auto list = assume_operations(profile_of(name, {launch}), {});
    return list.size() == 1 ? list.front().operation : "nothing";
}

const std::string tensor_name = "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn";
constexpr double square = 2.0 * 4096 * 4096 * 4096;

}  // namespace

class TestOpSuggestions : public QObject {
    Q_OBJECT

  private slots:
    void a_name_tells_the_operation_and_no_sizes_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("operation");
        const char* rows[][2] = {
            {"rms_norm_matrix_kernel_float4(float *)", "rmsnorm rows= cols="},
            {"void LayerNormForward<float>(float)", "layernorm rows= cols="},
            {"softmax_warp_forward(float)", "softmax rows= cols="},
            {"reduction_kernel(const float *)", "reduction n="},
            {"void cub::DeviceReduceKernel<Policy>(int)", "reduction n="},
            {"transposeNaive(float *)", "transpose rows= cols="},
            {"void cutlass::Kernel2<cutlass_80_tensorop_i16832gemm_s8_128x64>(T1::Params)", "gemm m= n= k="},
            {"void flash_fwd_kernel<Traits<128>>(Params)", "attention_prefill seq= head_dim="},
            {"void elementwise_kernel<4, softmax_functor>(int)", "elementwise n="},
            {"sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f32_nhwckrsc_nhwc(Params)",
             "conv2d channels= height= filters= kernel_h="},
            {"void at::native::(anonymous namespace)::softmax_warp_forward<float>(float *)",
             "softmax rows= cols="},
            {"void at::native::reduce_kernel<512, 1>(int)", "reduction n="},
            {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)", ""},
            {"void layer_norm_grad_input_kernel<float>(float)", ""},
            {"poly_reduce_g(short *)", ""},
            {"distance(gemm_parameters)", ""},
            {"convertDataset(double *)", ""}};
        for (const auto& [kernel, operation] : rows)
            QTest::newRow(kernel) << QString(kernel) << QString(operation);
    }
    void a_name_tells_the_operation_and_no_sizes() {
        QFETCH(QString, kernel);
        QFETCH(QString, operation);
        QCOMPARE(QString::fromStdString(named_operation(kernel.toStdString())), operation);
    }
    void a_gemm_is_suggested_where_work_tile_and_grid_agree_data() {
        QTest::addColumn<QString>("name");
        const char* names[] = {
            "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn",
            "sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32_stage3_tensor16x8x16",
            "cutlass_80_tensorop_s16816gemm_f16_128x128_32x5_nn_align8",
            ("void cutlass::Kernel<cutlass::gemm::GemmShape<128, 128, 32>, "
             "cutlass::gemm::GemmShape<64, 64, 32> >(Params)"),
            "void gemm<(int)128, (int)8, (int)128, (int)8, (int)8>(float *, float *, float *, int)",
            "void warptiling<(int)128, (int)128, (int)16, (int)64, (int)64, (int)4, (int)8>(int, float *)",
            "void matmul<float, 128, 16, 128u>(float const*)"};
        for (const char* name : names)
            QTest::newRow(name) << name;
    }
    void a_gemm_is_suggested_where_work_tile_and_grid_agree() {
        QFETCH(QString, name);
        const auto list = suggested(name.toStdString(), {launch_of(fp16, square, {32, 32, 1})});
        QCOMPARE(list.size(), 1U);
        QCOMPARE(list[0].operation, std::string("gemm m=4096 n=4096 k=4096 dtype=fp16"));
        QCOMPARE(list[0].why,
                 std::string("137 GFLOP is 2MNK with tiles of 128 x 128 on a grid of 32 x 32. m and n "
                             "are whole tiles: the true ones may be smaller"));
        QVERIFY(list[0].launches.empty());
        QCOMPARE(list[0].count, 1U);
    }

    void scaling_by_alpha_and_beta_is_taken_off_outside_tensor_cores() {
        const std::string name = "ampere_sgemm_128x64_nn";
        const double elements = 1024.0 * 512;
        for (const double epilogue : {0.0, 1.0, 2.0, 3.0, 4.0})
            QCOMPARE(only(name, launch_of(fp32, elements * (2 * 256 + epilogue), {8, 8, 1})),
                     std::string("gemm m=1024 n=512 k=256 dtype=fp32"));
        QCOMPARE(only(name, launch_of(fp32, elements * (2 * 256 + 5), {8, 8, 1})), std::string("none"));
        QCOMPARE(only(tensor_name, launch_of(fp16, square * (1 + 1e-4), {32, 32, 1})), std::string("none"));
    }

    void an_fp64_gemm_on_tensor_cores_names_its_pipe() {
        QCOMPARE(only("cutlass_80_tensorop_d884gemm_64x64_16x4_nn",
                      launch_of(Pipe{PipeKind::tensor_fp64}, 2.0 * 640 * 640 * 64, {10, 10, 1})),
                 std::string("gemm m=640 n=640 k=64 dtype=fp64 pipe=tensor.fp64"));
    }

    void a_name_alone_is_no_evidence() {
        QCOMPARE(only("ampere_sgemm_tn", launch_of(fp32, square, {32, 32, 1})), std::string("none"));
        // Which side goes along M, and which number is the threads, the name does not say.
        Launch of_128_threads = launch_of(fp32, square, {32, 32, 1});
        of_128_threads.block = {128, 1, 1};
        for (const char* name :
             {"void sgemm<128, 64, 8>(float*)", "void matmul<float, 256, 16>(float*)",
              "void warptiling<64, 128, 16, 32, 64, 1, 4, 4, 128>(float*)", "void gemm<128, 8, 128>(float*)",
              "void gemm<128, 128, 64, 16, 8, 8>(float*)", "void gemm<128, 128, 128, 128, 8>(float*)"})
            QCOMPARE(only(name, of_128_threads), std::string("none"));
        QCOMPARE(only("conv_128x128", launch_of(fp32, square, {32, 32, 1})), std::string("none"));
        Launch nothing;
        nothing.grid = {32, 32, 1};
        QCOMPARE(only(tensor_name, nothing), std::string("none"));
    }

    void a_number_that_is_the_threads_of_the_block_is_no_side_of_the_tile() {
        const std::string whole = "gemm m=4096 n=4096 k=4096 dtype=fp32";
        Launch launch = launch_of(fp32, square, {32, 32, 1});
        QCOMPARE(only("void gemm<256, 128, 128, 8>(float*)", launch),
                 std::string("none"));  // 256 x 128, maybe
        launch.block = {128, 1, 1};
        QCOMPARE(only("void warptiling<128, 128, 16, 64, 64, 4, 8, 4, 128>(float*)", launch), whole);
        launch.grid = {64, 64, 1};
        launch.block = {64, 1, 1};
        QCOMPARE(only("void blocktiling<64, 64, 8, 8, 8>(float*)", launch), whole);  // 8 x 8 of each thread
        QCOMPARE(only("void blocktiling<64, 64, 8, 8, 4>(float*)", launch), whole);
        QCOMPARE(only("void blocktiling<64, 64, 8, 4, 4>(float*)", launch), std::string("none"));
    }

    void parts_of_k_along_z_are_one_product_where_a_name_says_so() {
        const std::string whole = "gemm m=4096 n=4096 k=4096 dtype=fp16";
        const Launch in_four = launch_of(fp16, square, {32, 32, 4});
        for (const char* name :
             {"sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32_stage3_splitK",
              "void cutlass::Kernel<cutlass::gemm::kernel::GemmSplitKParallel<cutlass::gemm::GemmShape<128, "
              "128, 32> > >(Params)",
              "maxwell_hgemm_128x128_raggedMn_splitK_nn"}) {
            QCOMPARE(only(name, in_four), whole);
            QVERIFY(suggested(name, {in_four}).front().why.find("K in 4 parts") != std::string::npos);
            QCOMPARE(only(name, launch_of(fp16, square, {32, 128, 1})), std::string("none"));
        }
        QCOMPARE(only("gemm_128x128_split_kernel", in_four), std::string("none"));  // batches, maybe
    }

    void what_the_numbers_do_not_tell_is_not_suggested() {
        QCOMPARE(only(tensor_name, launch_of(fp16, square, {32, 32, 4})), std::string("none"));
        Launch estimated = launch_of(fp16, square, {32, 32, 1});
        estimated.work[0].origin = Origin::estimated;
        QCOMPARE(only(tensor_name, estimated), std::string("none"));
        Launch modelled = launch_of(fp16, square, {32, 32, 1});
        modelled.work[0].origin = Origin::modelled;
        QCOMPARE(only(tensor_name, modelled), std::string("gemm m=4096 n=4096 k=4096 dtype=fp16"));
        QVERIFY(suggested(tensor_name, {modelled}).front().why.starts_with("137 GFLOP (modelled) is 2MNK"));
        Launch incomplete = launch_of(fp16, square, {32, 32, 1});
        incomplete.uncounted.fp16 = true;
        QCOMPARE(only(tensor_name, incomplete), std::string("none"));
        QCOMPARE(only(tensor_name, launch_of(Pipe{PipeKind::tensor_any}, square, {32, 32, 1})),
                 std::string("none"));
    }

    void bytes_that_contradict_the_shape_end_a_suggestion() {
        Launch launch = launch_of(fp16, square, {32, 32, 1});
        launch.traffic.push_back(
            {.boundary = Boundary::l2_sm_sectors, .total = Bytes(1e6), .read = {}, .write = {}});
        QCOMPARE(only(tensor_name, launch), std::string("none"));
        launch.traffic[0].total = Bytes(2e9);
        QVERIFY(only(tensor_name, launch) != "none");
    }

    void an_axpy_is_suggested_where_its_elements_fill_the_grid() {
        QCOMPARE(only("void saxpy(int, float)", launch_of(fp32, 2e6, {3907, 1, 1})),
                 std::string("axpy n=1000000 dtype=fp32"));
        QCOMPARE(only("STREAM_Triad", launch_of(Pipe{PipeKind::fp64}, 512, {1, 1, 1})),
                 std::string("triad n=256 dtype=fp64"));
        QCOMPARE(only("void saxpy(int, float)", launch_of(fp32, 2e6, {4000, 1, 1})), std::string("none"));
        QCOMPARE(only("void saxpy(int, float)", launch_of(fp32, 2e6, {100, 1, 1})), std::string("none"));
    }

    void addresses_are_not_the_work_of_a_kernel() {
        Launch launch = launch_of(fp32, 2e6, {3907, 1, 1});
        launch.work.push_back({.pipe = {PipeKind::int32}, .work = Flops(8e6)});
        QCOMPARE(only("void saxpy(int, float)", launch), std::string("axpy n=1000000 dtype=fp32"));
    }

    void a_square_product_is_assumed_where_the_work_is_that_of_one() {
        const Launch launch = launch_of(fp16, square, {128, 256, 1});
        QCOMPARE(only("wmma_gemm(__half *)", launch), std::string("none"));
        QCOMPARE(assumed("wmma_gemm(__half *)", launch), std::string("gemm m=4096 n=4096 k=4096 dtype=fp16"));
        QCOMPARE(assumed("ampere_sgemm_nn", launch_of(fp32, 1024.0 * 1024 * (2 * 1024 + 4), {8, 8, 1})),
                 std::string("gemm m=1024 n=1024 k=1024 dtype=fp32"));
        QCOMPARE(assumed("wmma_gemm(__half *)", launch_of(fp16, square / 2, {128, 256, 1})),
                 std::string("nothing"));
        QCOMPARE(assumed("stencil(float *)", launch_of(fp32, square, {128, 256, 1})), std::string("nothing"));
        // What numbers prove is not assumed too.
        QCOMPARE(assumed(tensor_name, launch_of(fp16, square, {32, 32, 1})), std::string("nothing"));
    }

    void a_square_product_is_not_assumed_against_name_grid_parameters_or_bytes() {
        const Launch launch = launch_of(fp16, square, {128, 256, 1});
        for (const char* name :
             {"gemv_fp16_matmul", "bmm_batched_gemm", "conv_gemm", "attention_gemm", "fmha_tiling",
              "wmma_gemm(short *)", "wmma_gemm(float *)", "wmma_gemm(__half *, double *)", "gemm_splitK"})
            QCOMPARE(assumed(name, launch), std::string("nothing"));
        QCOMPARE(assumed("wmma_gemm(__half const *, float *)", launch),
                 std::string("gemm m=4096 n=4096 k=4096 dtype=fp16 c=fp32"));
        QCOMPARE(assumed("wmma_gemm", launch_of(fp16, square, {32, 32, 4})), std::string("nothing"));
        QVERIFY(assumed("wmma_gemm_splitK", launch_of(fp16, square, {32, 32, 4})) != "nothing");
        // Its tiles make a C of 4096 x 8192, which no whole K agrees with.
        QCOMPARE(assumed(tensor_name, launch_of(fp16, 2.0 * 24 * 24 * 24, {32, 64, 1})),
                 std::string("nothing"));
        for (const Boundary boundary : {Boundary::l2_sm_sectors, Boundary::hbm_dram_rw}) {
            Launch moved = launch;
            add_traffic(moved, boundary, 3.0 * 4096 * 4096 * 2);
            QVERIFY(assumed("wmma_gemm", moved) != "nothing");
            moved.traffic.front().total = Bytes(0.99 * 3 * 4096 * 4096 * 2);
            QCOMPARE(assumed("wmma_gemm", moved), std::string("nothing"));
        }
    }

    void bytes_are_assumed_to_be_asked_for_once_unless_memory_moved_fewer() {
        Launch launch = launch_of(fp32, 1e6, {4096, 1, 1});
        add_traffic(launch, Boundary::l2_sm_sectors, 8000032, 3e6);
        QCOMPARE(assumed("silu", launch), std::string("nothing"));  // what memory moved is not known
        add_traffic(launch, Boundary::hbm_dram_rw, 7.9e6);
        QCOMPARE(assumed("silu", launch), std::string("nothing"));
        launch.traffic.back().total = Bytes(8e6);
        QCOMPARE(assumed("silu", launch),
                 std::string("custom flops=1000000 read=5000032 write=3000000 pipe=fp32"));
        QCOMPARE(assumed("sgemm", launch), std::string("nothing"));
        Launch changed = launch;
        changed.traffic.front().write.reset();
        QCOMPARE(assumed("silu", changed), std::string("nothing"));
        changed = launch;
        changed.work.clear();
        QCOMPARE(assumed("silu", changed), std::string("nothing"));
        changed.work.push_back({.pipe = fp32, .work = Flops(0)});
        QCOMPARE(assumed("silu", changed), std::string("custom flops=0 read=5000032 write=3000000"));
        changed.traffic.front().write = changed.traffic.front().total;
        QCOMPARE(assumed("silu", changed), std::string("nothing"));
        changed = launch;
        changed.traffic.front().total = Bytes(4095);
        changed.traffic.front().write = Bytes(1024);
        QCOMPARE(assumed("silu", changed), std::string("nothing"));
    }

    void what_was_written_last_may_still_be_in_l2() {
        Launch launch = launch_of(fp32, 1e6, {4096, 1, 1});
        add_traffic(launch, Boundary::l2_sm_sectors, 8e6, 3e6);
        const auto is_assumed = [&](double moved, double l2_size) {
            Launch counted = launch;
            add_traffic(counted, Boundary::hbm_dram_rw, moved);
            Profile profile = profile_of("silu", {counted});
            profile.devices[0].l2_size = Bytes(l2_size);
            return !assume_operations(profile, {}).empty();
        };
        QVERIFY(is_assumed(7e6, 1e6) && !is_assumed(6.9e6, 1e6));
        QVERIFY(is_assumed(5e6, 40e6) && !is_assumed(4.9e6, 40e6));  // what was read crossed memory
    }

    void nothing_is_assumed_of_what_was_not_counted() {
        // The grid tells no elements, and work that nobody measured is no copy.
        Launch launch = launch_of(fp32, 3e6, {3907, 1, 1});
        add_traffic(launch, Boundary::hbm_dram_rw, 8.6e6);
        QCOMPARE(assumed("add", launch), std::string("nothing"));
        launch.work.clear();
        for (const char* name : {"add", "linear(float *, __half *)", "at::native::copy<float>"})
            QCOMPARE(assumed(name, launch), std::string("nothing"));
    }

    void nothing_is_assumed_of_a_kernel_whose_launches_differ() {
        const std::string name = "wmma_gemm(__half *)";
        const Profile profile =
            profile_of(name, {launch_of(fp16, square, {8, 8, 1}), launch_of(fp16, square / 8, {8, 8, 1})});
        QVERIFY(assume_operations(profile, {}).empty());
    }

    void what_an_operation_rests_on_stands_beside_it() {
        const std::string name = "wmma_gemm(__half *)";
        const Profile profile = profile_of(name, {launch_of(fp16, square, {128, 256, 1})});
        const auto list = assume_operations(profile, {}, name);
        const Bindings bindings{{{name, std::nullopt, list.front().operation, false, list.front().why}}, {}};
        const LaunchOperations operations = bind_operations(profile, bindings);
        const std::string why = why_words(*operations.of(LaunchIndex{0}));
        QCOMPARE(why,
                 std::string("bound by hand; it is assumed that its matrices are square, for 137 GFLOP is "
                             "2MNK with 4096 of each"));
        QVERIFY(assume_operations(profile, operations, name).empty());
    }

    void launches_of_one_kernel_may_get_different_suggestions() {
        const auto list = suggested(
            tensor_name, {launch_of(fp16, square, {32, 32, 1}), launch_of(fp16, square / 2, {32, 16, 1}),
                          launch_of(fp16, square, {32, 32, 1})});
        QCOMPARE(list.size(), 2U);
        QVERIFY((list[0].launches == std::vector<std::uint32_t>{0, 2}));
        QCOMPARE(list[0].count, 2U);
        QCOMPARE(list[1].operation, std::string("gemm m=4096 n=2048 k=4096 dtype=fp16"));
    }

    void nothing_is_suggested_for_what_is_bound() {
        const Profile profile = profile_of(tensor_name, {launch_of(fp16, square, {32, 32, 1})});
        const Bindings bindings{{{tensor_name, std::nullopt, "copy n=1"}}, {}};
        QVERIFY(suggest_operations(profile, bind_operations(profile, bindings)).empty());
    }

    void a_suggestion_is_applied_only_when_it_is_accepted() {
        const Profile profile = profile_of(
            tensor_name, {launch_of(fp16, square, {32, 32, 1}), launch_of(fp16, square / 2, {32, 16, 1})});
        QVERIFY(bind_operations(profile, {}).of(LaunchIndex{0}) == nullptr);
        Bindings bindings;
        for (const Suggestion& suggestion : suggest_operations(profile, {}))
            for (const UserBinding& binding : bindings_of(suggestion))
                bindings.user.push_back(binding);
        const LaunchOperations operations = bind_operations(profile, bindings);
        QCOMPARE(operations.of(LaunchIndex{0})->text, std::string("gemm m=4096 n=4096 k=4096 dtype=fp16"));
        QCOMPARE(operations.of(LaunchIndex{1})->text, std::string("gemm m=4096 n=2048 k=4096 dtype=fp16"));
        QVERIFY(operations.of(LaunchIndex{0})->source == BindingSource::suggestion);
        QVERIFY(suggest_operations(profile, operations).empty());
    }

    void a_rule_for_one_kernel_reads_back() {
        const std::string name = "void f<(E)1, a=b>(float*) [clone $1]";
        const auto rule = read_binding_rule(rule_text_for(name, "copy n=8"));
        QVERIFY(rule.has_value());
        const Profile profile = profile_of(name, {Launch()});
        QVERIFY(bind_operations(profile, {{}, {*rule}}).of(LaunchIndex{0}) != nullptr);
        QVERIFY(bind_operations(profile_of(name + "x", {Launch()}), {{}, {*rule}}).of(LaunchIndex{0}) ==
                nullptr);
    }
};

}  // namespace tst_op_suggestions

ROOFWALK_TEST(tst_op_suggestions, TestOpSuggestions, NoApplication)
#include "tst_op_suggestions.moc"
