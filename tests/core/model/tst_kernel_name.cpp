// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "core/model/kernel_name.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_kernel_name {

using namespace roofwalk;

namespace {

constexpr std::string_view cutlass_gemm =
    "void cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::gemm::threadblock::MmaMultistage<"
    "cutlass::gemm::GemmShape<(int)64, (int)64, (int)64>, cutlass::layout::RowMajor, (bool)0>, "
    "cutlass::epilogue::threadblock::Epilogue<float, (int)1>>>(T1::Params)";
constexpr std::string_view kokkos_lambda =
    "void "
    "Kokkos::Impl::cuda_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<collide(Grid)::[lambda(const "
    "Kokkos::Impl::CudaTeamMember &) (instance 2)], Kokkos::TeamPolicy<Kokkos::Cuda>, Kokkos::Cuda>>()";
constexpr std::string_view raja_operator =
    "void RAJA::forall_kernel<(int)256, void Sweep::operator ()<ArchLayout<Cuda, DGZ>>(T1, Sdom "
    "&)::[lambda(Zone) "
    "(instance 1)]>(T1, T2)";

std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(QString::fromStdString(text).size());
}

}  // namespace

class TestKernelName : public QObject {
    Q_OBJECT

  private slots:
    void sizes_of_an_operation_are_not_cut() {
        const char* operation = "gemm m=64 n=11008 k=4096 dtype=bf16";
        QCOMPARE(shorten_kernel_name(operation, 30), std::string("gemm m=64 n=11008 k=4096 …"));
        QCOMPARE(shorten_kernel_name(operation, 31), std::string("gemm m=64 n=11008 k=4096 … bf16"));
        QCOMPARE(shorten_kernel_name(operation, 24), std::string("gemm m=64 n=11008 … bf16"));
        QCOMPARE(shorten_kernel_name(operation, 23), std::string("gemm m=64 n=11008 …"));
        const char* mangled =
            "_ZN2at6native29vectorized_elementwise_kernelILi8EZZZNS0_49_GLOBAL__N__d2ba64fEEvv";
        QCOMPARE(shorten_kernel_name(mangled, 60),
                 std::string("at::native::vectorized_elementwise_kernel<…>"));
        QCOMPARE(shorten_kernel_name(mangled, 34), std::string("vectorized_elementwise_kernel<…>"));
        QCOMPARE(shorten_kernel_name("_ZN2ns6KernelINS_4GemmIiEEEEvv", 16), std::string("Kernel<Gemm<…>>"));
        QCOMPARE(shorten_kernel_name(operation, 35), std::string(operation));
    }
    void texts_that_differ_are_cut_to_different_texts() {
        const std::string start = "a_program_of_the_large_model_";
        const std::string end = "_of_all_the_ranks.ncu-rep";
        std::vector<std::string> whole{"short", "größe_" + start + "1" + end};
        for (int rank = 0; rank < 300; ++rank)
            whole.push_back(start + std::to_string(rank) + end);
        // They differ in no part that has room.
        for (const char* far : {"x", "y", "z"})
            whole.push_back(start + "1" + std::string(60, '_') + far + std::string(60, '_') + end);
        const auto cut = cut_apart({whole.begin(), whole.end()}, 24);
        std::set<std::string> forms;
        for (const std::string& text : whole) {
            forms.insert(cut.at(text));
            QVERIFY2(characters(cut.at(text)) <= 24, cut.at(text).c_str());
        }
        QCOMPARE(forms.size(), whole.size());
        QCOMPARE(cut.at("short"), std::string("short"));
        const std::string& of_rank = cut.at(start + "217" + end);
        QVERIFY2(of_rank.find("217") != std::string::npos && of_rank.starts_with("a_prog"), of_rank.c_str());
    }
    void of_what_all_begin_and_end_with_nothing_stays() {
        using Parts = std::vector<std::string>;
        const auto parts = [](const std::vector<std::string_view>& texts) {
            Parts marked;
            for (const DifferingPart& part : differing_parts(texts, 8))
                marked.push_back(part.marked());
            return marked;
        };
        QCOMPARE(parts({"run_rank_7_of_2.csv", "run_rank_12_of_2.csv"}), (Parts{"…7", "…12"}));
        QCOMPARE(parts({"a.ncu-rep", "größe.ncu-rep"}), (Parts{"a", "größe"}));
        QCOMPARE(parts({"run", "run2"}), (Parts{"run", "run2"}));
        QCOMPARE(parts({"alone"}), Parts{"alone"});
        QCOMPARE(parts({"2023.1_a10g_sgemm.ncu-rep", "2024.3_a100_full.ncu-rep"}),
                 (Parts{"2023.1…", "2024.3…"}));
        QCOMPARE(parts({"run_before_the_change_of_may.csv", "run_after_the_change_of_june.csv"}),
                 (Parts{"…before…", "…after…"}));  // no word is cut that has room for one before it
        // Where the first words of some are alike, what follows these tells.
        QCOMPARE(parts({"roofline_of_one.json", "roofline_of_nine.json", "other.json"}),
                 (Parts{"…one", "…nine", "other"}));
        QCOMPARE(parts({"convolution1a", "convolution1b", "convolution2"}), (Parts{"…1a", "…1b", "…2"}));
    }
    void many_alike_texts_are_told_apart() {
        std::vector<std::string> texts;
        for (const std::string_view middle : {"", "_of_the_large_model", "_of_the_large_mode"})
            for (int i = 0; i < 30; ++i)
                texts.push_back("a_program" + std::string(middle) + "_step_" + std::to_string(i * i) +
                                ".ncu-rep");
        std::set<std::string> parts;
        for (const DifferingPart& part : differing_parts({texts.begin(), texts.end()}, 8))
            parts.insert(part.marked());
        QCOMPARE(parts.size(), texts.size());
        for (const std::string& part : parts)
            QVERIFY2(characters(part) <= 14, part.c_str());
    }
    void a_text_that_is_alone_or_there_twice_loses_its_middle() {
        const std::string text = "a_program_of_the_large_model_1_of_all.ncu-rep";
        const auto cut = cut_apart({text, text}, 24);
        QCOMPARE(cut.size(), std::size_t{1});
        QCOMPARE(cut.at(text), cut_middle(text, 24));
    }
    void what_steers_text_is_not_in_a_shown_name() {
        QCOMPARE(shorten_kernel_name("ge\x1b]0;m\nm<\u202eint>(float*)", 80), std::string("ge ]0;m m< int>"));
        QCOMPARE(shorten_kernel_name("größe<µ>", 80), std::string("größe<µ>"));
        QCOMPARE(shorten_kernel_name("a\tkernel_of_some_length(int)", 12, "a\tkernel_of_same_length(int)")
                     .find('\t'),
                 std::string::npos);
    }
    void names_are_shortened_step_by_step_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("room");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* tag, std::string_view name, int room, const char* expected) {
            QTest::newRow(tag) << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())) << room
                               << QString::fromUtf8(expected);
        };
        row("parameters", "saxpy(float *, const float *, int)", 40, "saxpy");
        row("return type", "void tile<(int)64>(float *, int)", 40, "tile<64>");
        row("plain Triton name", "triton_poi_fused_add_relu_0d1d2d", 40, "triton_poi_fused_add_relu_0d1d2d");
        row("casts of literals", "void tile<(int)128, (int)64, (bool)1>(float *)", 20, "tile<128, 64, 1>");
        row("casts to any type", "void k<(unsigned char)1, (cute::GMMA::Major)0>(int *)", 40, "k<1, 0>");
        row("negative literal", "void shift<(int)-1, (int)2>(int *)", 14, "shift<-1, 2>");
        row("namespaces", "void at::native::reduce<float>(float *)", 16, "reduce<float>");
        row("anonymous namespace", "(anonymous namespace)::scale<float>(float*)", 13, "scale<float>");
        row("unnamed namespace", "void at::native::<unnamed>::fill<float>(float *)", 12, "fill<float>");
        row("inner namespaces", "void sort<cub::Policy<thrust::pair<int, int>>::Policy600>(int *)", 20,
            "sort<Policy600>");
        row("innermost arguments first", "void ns::run<ns::Outer<ns::Inner<int, float>>, char>(int)", 24,
            "run<Outer<…>, char>");
        row("all arguments", "void ns::transpose_tiles<unsigned long long, double>(int)", 20,
            "transpose_tiles<…>");
        row("the name before the sign for arguments", "void ns::transpose_tiles<unsigned long long>(int)", 17,
            "transpose_tiles…");
        row("the whole name", "void ns::transpose_tiles<unsigned long long>(int)", 15, "transpose_tiles");
        row("the middle of a name with arguments", "void ns::transpose_tiles<unsigned long long>(int)", 12,
            "transp…tiles");
        row("call operator", "ns::Functor<float>::operator()(int) const", 60,
            "ns::Functor<float>::operator()");
        row("call operator keeps its class", "a::b::c::Functor::operator()(int) const", 20,
            "Functor::operator()");
        row("call operator without parameters", "ns::Functor::operator()", 60, "ns::Functor::operator()");
        row("shift operator", "ns::operator<<(ns::Stream &, int)", 60, "ns::operator<<");
        row("shift operator template", "void ns::operator<< <int>(ns::Stream &, int)", 18,
            "ns::operator<< <…>");
        row("function pointer argument", "void apply<&(anonymous namespace)::square(float)>(float *, int)",
            60, "apply<&(anonymous namespace)::square(float)>");
        row("function pointer argument, short", "void apply<&(anonymous namespace)::square(float)>(float *)",
            22, "apply<&square(float)>");
        row("comparison in an argument", "void pick<(bool)(a>b), ns::T>(int)", 22, "pick<(bool)(a>b), T>");
        row("lambda keeps its function", kokkos_lambda, 60,
            "cuda_parallel_launch_local_memory<ParallelFor<…>>");
        row("lambda in an operator", raja_operator, 40, "forall_kernel<256, void Sweep::operato…>");
        row("as much of the arguments as fits", "void gemv_fp16<4096, 12288>(half *)", 20,
            "gemv_fp16<4096, 12…>");
        row("arguments cut at their end", cutlass_gemm, 40, "Kernel<Gemm<MmaMultistage<GemmShape<64…>");
        row("middle", "searchKernelOfTheVeryLongTreeWithLeaves(int)", 16, "searchKe…hLeaves");
        row("NVTX range", "training step (warm-up)", 60, "training step (warm-up)");
        row("NVTX range cut", "training step (warm-up)", 11, "train…m-up)");
    }
    void names_are_shortened_step_by_step() {
        QFETCH(QString, name);
        QFETCH(int, room);
        const std::string shortened = shorten_kernel_name(name.toStdString(), static_cast<std::size_t>(room));
        QTEST(QString::fromStdString(shortened), "expected");
    }
    void no_room_is_ever_exceeded() {
        for (const std::string_view name : {cutlass_gemm, kokkos_lambda, raja_operator})
            for (std::size_t room = 0; room < 200; ++room)
                QVERIFY(characters(shorten_kernel_name(name, room)) <= room);
    }
    void room_counts_characters_not_bytes() {
        QCOMPARE(shorten_kernel_name("größe_über_alles", 16), std::string("größe_über_alles"));
        QCOMPARE(shorten_kernel_name("größe_über_alles", 5), std::string("gr…es"));
    }
    void instances_of_a_template_have_one_base_name() {
        for (const char* name :
             {"void cutlass::gemm<float, 128>(float*)", "void cutlass::gemm<half, pair<1, 2> >(half*)",
              "cutlass::gemm(float*, int)"})
            QCOMPARE(kernel_base_name(name), std::string("cutlass::gemm"));
        QCOMPARE(kernel_base_name("void outer<1>::run<2>(int)"), std::string("outer::run"));
        QCOMPARE(kernel_base_name("operator<<(int)"), std::string("operator<<"));
        for (const char* broken : {"", "<", ">", "f<<<<", "f<…>"})
            QVERIFY(characters(kernel_base_name(broken)) <= characters(broken));
    }
    void names_of_any_length_are_shortened_data() {
        constexpr std::size_t megabyte = 1'000'000;
        QTest::addColumn<QByteArray>("name");
        const auto row = [](const char* tag, const std::string& name) {
            QTest::newRow(tag) << QByteArray(name.data(), static_cast<qsizetype>(name.size()));
        };
        const auto repeated = [](const std::string& part) {
            std::string text;
            while (text.size() < megabyte)
                text += part;
            return text;
        };
        row("nested templates", repeated("a<") + repeated(">"));
        row("nested templates with arguments", repeated("ns::a<int, ") + repeated(", 3>"));
        row("nested templates of a signature", "void " + repeated("a<") + repeated(">") + "(float*)");
        row("alike instances", "k<" + repeated("ns::b<(int)1, ") + repeated(">") + ">(int)");
        row("unbalanced opening", repeated("a<"));
        row("unbalanced closing", repeated("a>"));
        row("parentheses", repeated("(") + repeated(")"));
        row("open parentheses", repeated("a("));
        row("templates in parentheses", repeated("a<(") + repeated(")>"));
        row("casts", repeated("<(int") + "1");
        row("casts of literals", "k<" + repeated("(int)1, ") + "0>(int)");
        row("operators", repeated("operator<"));
        row("operator and spaces", repeated("operator ") + std::string(megabyte, ' '));
        row("operators of namespaces", repeated("a::operator<<"));
        row("lambdas", repeated("f(int)::[lambda(int) (instance 1)]::operator()<int>::"));
        row("braces", repeated("{lambda("));
        row("namespaces", repeated("a::"));
        row("colons", repeated(":"));
        row("arrows", repeated("->"));
        row("spaces", std::string(megabyte, ' '));
        row("letters", std::string(megabyte, 'a'));
        row("UTF-8", repeated("größe€<"));
        row("commas", repeated(","));
    }
    void names_of_any_length_are_shortened() {
        QFETCH(QByteArray, name);
        const std::string whole = name.toStdString();
        const std::string other = whole + "<1>";
        for (const std::size_t room : {std::size_t{12}, std::size_t{60}}) {
            QVERIFY(characters(shorten_kernel_name(whole, room)) <= room);
            QVERIFY(characters(shorten_kernel_name(whole, room, other)) <= room);
        }
        QVERIFY(shorten_kernel_name(whole, whole.size()).size() <= whole.size());
        QVERIFY(kernel_base_name(whole).size() <= whole.size());
        QVERIFY(spelling_of(whole).whole.function.empty());
    }
    void the_deepest_arguments_that_leave_room_are_left_out() {
        std::string nested = "k";
        std::string closing;
        for (int depth = 0; depth < 3000; ++depth) {
            nested += "<a";
            closing += '>';
        }
        QCOMPARE(shorten_kernel_name(nested + closing, 30), std::string("k<a<a<a<a<a<a<a<a<…>>>>>>>>>"));
    }
    void broken_brackets_do_no_harm() {
        for (const std::string_view name : {"", "(", ")", "<", ">", "::", "f(", "f)", "f<<<<", "a>::b>",
                                            "operator", "operator<", "[({<", "…"})
            for (std::size_t room = 0; room < 6; ++room)
                QVERIFY(characters(shorten_kernel_name(name, room)) <= room);
    }
};

}  // namespace tst_kernel_name

ROOFWALK_TEST(tst_kernel_name, TestKernelName, NoApplication)
#include "tst_kernel_name.moc"
