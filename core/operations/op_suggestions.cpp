// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_suggestions.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/text.h"
#include "core/model/launch.h"
#include "core/operations/data_type.h"
#include "core/operations/gemm.h"
#include "core/operations/measured_type.h"
#include "core/operations/op_registry.h"
#include "core/operations/rule_pattern.h"

namespace roofwalk {

namespace {

struct Tile {
    double m = 0;
    double n = 0;
};

constexpr int least_tile = 16;

double threads_of_block(const Launch& launch) {
    return static_cast<double>(launch.block.x) * launch.block.y * launch.block.z;
}

/// Largest first. The side of a square tile, where two numbers are as large and no third is, which may be the
/// step along K: with powers of two any of them would agree with the work.
std::optional<double> square_side(const std::vector<int>& numbers) {
    const bool is_square = numbers.size() >= 2 && numbers[0] == numbers[1];
    if (!is_square || (numbers.size() > 2 && numbers[2] == numbers[1])) return std::nullopt;
    return numbers[0];
}

/// Whether two more numbers are the part of a tile that each thread has, and none may be another side.
bool tells_part_of_thread(const std::vector<int>& numbers, double threads) {
    for (std::size_t i = 2; i < numbers.size() && numbers[2] < least_tile; ++i)
        for (std::size_t k = i + 1; k < numbers.size(); ++k)
            if (numbers[i] * numbers[k] * threads == static_cast<double>(numbers[0]) * numbers[1])
                return true;
    return false;
}

/// A square tile of the first template arguments, where who writes a kernel by hand names it: "gemm<(int)128,
/// (int)8, (int)128, (int)8, (int)8>". Which of two sides goes along M nobody says. One number may be the
/// threads; a side that is as many counts where another number is too, or the tile of a thread proves it.
std::optional<Tile> tile_of_arguments(const std::string& kernel, double threads) {
    static const re2::RE2 first_arguments(R"(^[^<(]*<([^<>]*)>)");
    static const re2::RE2 whole_number(R"((?:^|[^\w])(\d{1,4})[uUlL]*\s*(?:,|$))");
    std::string arguments;
    if (!re2::RE2::PartialMatch(kernel, first_arguments, &arguments)) return std::nullopt;
    std::vector<int> numbers;
    int number = 0;
    for (re2::StringPiece rest(arguments); re2::RE2::FindAndConsume(&rest, whole_number, &number);)
        numbers.push_back(number);
    std::ranges::sort(numbers, std::ranges::greater());
    const bool as_threads = !numbers.empty() && numbers[0] == threads;
    if (as_threads && !tells_part_of_thread(numbers, threads)) numbers.erase(numbers.begin());
    const auto side = square_side(numbers);
    if (!side || (as_threads && *side != threads)) return std::nullopt;
    return Tile{*side, *side};
}

/// Whether it is named as a product of matrices.
bool is_product(const std::string& kernel) {
    static const re2::RE2 product("(?i)gemm|mat_?mul|matrix_?mul|tiling");
    return kernel.size() <= RulePattern::longest_subject && re2::RE2::PartialMatch(kernel, product);
}

double threads_of(const Launch& launch) {
    return threads_of_block(launch) * static_cast<double>(launch.grid.x) * launch.grid.y * launch.grid.z;
}

/// "ampere_sgemm_128x64_nn", "..._tilesize128x128x32_...", "cutlass::gemm::GemmShape<128, 128, 32>".
std::optional<Tile> tile_in(const std::string& kernel, const Launch& launch) {
    static const re2::RE2 in_name(R"((?:tilesize|_)(\d{2,3})x(\d{2,3}))");
    static const re2::RE2 in_template(R"(GemmShape<(\d{2,3}), ?(\d{2,3})\b)");
    if (!is_product(kernel)) return std::nullopt;
    Tile tile;
    if (!re2::RE2::PartialMatch(kernel, in_template, &tile.m, &tile.n) &&
        !re2::RE2::PartialMatch(kernel, in_name, &tile.m, &tile.n))
        tile = tile_of_arguments(kernel, threads_of_block(launch)).value_or(Tile{});
    if (tile.m < least_tile || tile.n < least_tile) return std::nullopt;
    return tile;
}

/// The pipe with most of the work, when it is exact: counted, or written by who knows it. Integers are the
/// addresses of a kernel that has other work.
const WorkSample* main_work(const Launch& launch) {
    const auto weight = [](const WorkSample& work) {
        return std::pair(work.work.value() > 0 && work.pipe.kind != PipeKind::int32, work.work);
    };
    const auto most = std::ranges::max_element(launch.work, {}, weight);
    if (most == launch.work.end() || most->work.value() <= 0 || most->origin == Origin::estimated)
        return nullptr;
    return launch.uncounted.any() || most->pipe.sparse ? nullptr : &*most;
}

/// "1.10 TFLOP", "1.10 TFLOP (modelled)"
std::string work_words(const WorkSample& work) {
    const std::string amount = format(work.work, counts_integers(work.pipe) ? "OP" : "FLOP");
    return work.origin == Origin::measured ? amount : fmt::format("{} ({})", amount, id_of(work.origin));
}

/// The type whose matrix products run on a pipe.
std::optional<DataType> type_of(Pipe pipe) {
    if (pipe.kind == PipeKind::tensor_fp64) return DataType::fp64;
    for (const DataType type : all_data_types)
        if (matrix_pipe(type) == pipe) return type;
    return std::nullopt;
}

/// Outside tensor cores scaling by alpha and beta is counted too, one to four FLOP for each element of C: as
/// many as up to two more products.
constexpr std::array epilogues{0.0, 0.5, 1.0, 1.5, 2.0};
constexpr double depth_step = 8;

/// K, where the work is 2MNK for a K that is a whole number of steps.
std::optional<double> gemm_depth(double work, double elements, bool tensor) {
    const double k = work / (2 * elements);
    for (const double epilogue : epilogues) {
        if (tensor && epilogue > 0) break;
        const double whole = k - epilogue;
        if (whole >= depth_step && std::abs(std::remainder(whole, depth_step)) < 1e-9 * whole)
            return std::round(whole);
    }
    return std::nullopt;
}

std::string gemm_text(double m, double n, double k, DataType type, Pipe pipe) {
    return fmt::format("gemm m={:.0f} n={:.0f} k={:.0f} dtype={}{}", m, n, k, name_of(type),
                       matrix_pipe(type) == pipe ? "" : " pipe=" + id_of(pipe));
}

/// Blocks along z are batches or parts of K: which, only a name says; parts along x or y none does.
bool is_one_product(const std::string& kernel, const Launch& launch) {
    static const re2::RE2 splits_k("[sS]plit_?[kK](?:[^a-z]|$)");
    return re2::RE2::PartialMatch(kernel, splits_k) == (launch.grid.z > 1);
}

/// Whether fewer bytes crossed a boundary than cross it at least.
bool moved_fewer(const Launch& launch, Boundary boundary, Bytes least) {
    const TrafficSample* moved = launch.find(boundary);
    return moved && moved->total < least;
}

std::optional<OperationEvidence> gemm_evidence(const std::string& kernel, const Launch& launch) {
    const WorkSample* main = main_work(launch);
    const auto tile = main ? tile_in(kernel, launch) : std::nullopt;
    const auto type = tile ? type_of(main->pipe) : std::nullopt;
    if (!type || launch.grid.x == 0 || launch.grid.y == 0 || launch.grid.z == 0 ||
        !is_one_product(kernel, launch))
        return std::nullopt;
    const double m = tile->m * launch.grid.x;
    const double n = tile->n * launch.grid.y;
    const auto k = gemm_depth(main->work.value(), m * n, is_tensor(main->pipe));
    if (!k) return std::nullopt;
    const GemmShape gemm{.m = m, .n = n, .k = *k, .a = *type, .b = *type, .c = *type};
    // The SMs ask for every operand at least once.
    if (moved_fewer(launch, Boundary::l2_sm_sectors, gemm_bytes(gemm))) return std::nullopt;
    return OperationEvidence{
        gemm_text(m, n, *k, *type, main->pipe),
        fmt::format(
            "{} is 2MNK with tiles of {:.0f} x {:.0f} on a grid of {} x {}{}. m and n are whole tiles: "
            "the true ones may be smaller",
            work_words(*main), tile->m, tile->n, launch.grid.x, launch.grid.y,
            launch.grid.z > 1 ? fmt::format(", K in {} parts", launch.grid.z) : "")};
}

/// One element for each thread, the last block partly filled, two FLOP for each element.
std::optional<OperationEvidence> stream_evidence(const std::string& kernel, const Launch& launch) {
    static const re2::RE2 names("(?i)(axpy|triad)");
    const WorkSample* main = main_work(launch);
    if (!main || (main->pipe.kind != PipeKind::fp32 && main->pipe.kind != PipeKind::fp64))
        return std::nullopt;
    std::string name;
    if (kernel.size() > RulePattern::longest_subject || !re2::RE2::PartialMatch(kernel, names, &name))
        return std::nullopt;
    const double threads = threads_of(launch);
    const double elements = main->work.value() / 2;
    if (elements > threads || elements <= threads - threads_of_block(launch) ||
        elements != std::floor(elements))
        return std::nullopt;
    return OperationEvidence{
        fmt::format("{} n={:.0f} dtype={}", lower_case(name), elements,
                    main->pipe.kind == PipeKind::fp64 ? "fp64" : "fp32"),
        fmt::format("{} is two for each of {} elements, which fill the grid of {} threads", work_words(*main),
                    format_count(elements), format_count(threads))};
}

using PointedTypes = std::set<std::optional<DataType>>;

/// What the pointers among the parameters of a kernel lead to; absent what is no type of an operation.
PointedTypes pointed_types(const std::string& kernel) {
    static const re2::RE2 pointer(R"(\b_*(?:nv_)?([a-zA-Z]\w*)(?: const)? ?\*)");
    PointedTypes types;
    std::string element;
    for (re2::StringPiece rest(kernel); re2::RE2::FindAndConsume(&rest, pointer, &element);)
        if (element != "void") types.insert(data_type_from_name(element));
    return types;
}

/// Whether the least bytes of an operation crossed L2 and, but for what L2 may keep, memory, where these were
/// counted, and are worth a word.
bool may_have_moved(const Launch& launch, Bytes least, Bytes kept = {}) {
    constexpr double rounding = 0.995;  // of a figure that was printed with three digits
    constexpr Bytes worth(4096);
    return least >= worth && !moved_fewer(launch, Boundary::l2_sm_sectors, least * rounding) &&
           !moved_fewer(launch, Boundary::hbm_dram_rw, (least - kept) * rounding);
}

/// A product whose work is that of a square one. Of tiles on a known grid gemm_evidence() tells.
std::optional<OperationEvidence> square_gemm(const std::string& kernel, const Launch& launch) {
    static const re2::RE2 other_shape("(?i)gemv|batch|group|conv|attention|attn|flash|fmha|mha");
    const WorkSample* main = main_work(launch);
    const auto type =
        main && (is_tensor(main->pipe) || is_product(kernel)) ? type_of(main->pipe) : std::nullopt;
    if (!type || kernel.size() > RulePattern::longest_subject ||
        re2::RE2::PartialMatch(kernel, other_shape) || !is_one_product(kernel, launch) ||
        (launch.grid.x > 0 && tile_in(kernel, launch)))
        return std::nullopt;
    const DataType stored = *type == DataType::tf32 ? DataType::fp32 : *type;
    const PointedTypes pointed = pointed_types(kernel);
    const bool widened = stored != DataType::fp32 && pointed == PointedTypes{stored, DataType::fp32};
    if (!pointed.empty() && !widened && pointed != PointedTypes{stored}) return std::nullopt;
    const double n = depth_step * std::floor(std::cbrt(main->work.value() / 2) / depth_step + 0.5);
    const DataType c = widened ? DataType::fp32 : *type;
    if (n < depth_step || gemm_depth(main->work.value(), n * n, is_tensor(main->pipe)) != n ||
        !may_have_moved(launch, gemm_bytes({.m = n, .n = n, .k = n, .a = *type, .b = *type, .c = c})))
        return std::nullopt;
    return OperationEvidence{
        gemm_text(n, n, n, *type, main->pipe) + (widened ? " c=fp32" : ""),
        fmt::format("its matrices are square, for {} is 2MNK with {:.0f} of each", work_words(*main), n)};
}

/// What the SMs ask of L2, each byte once; tiles of a product ask for the same bytes. What was written last
/// may still be in L2 when the launch ends.
std::optional<OperationEvidence> bytes_asked_once(const Profile& profile, const std::string& kernel,
                                                  const Launch& launch) {
    const TrafficSample* asked = launch.find(Boundary::l2_sm_sectors);
    const WorkSample* main = main_work(launch);
    if (!asked || !asked->write || !launch.find(Boundary::hbm_dram_rw) ||
        !may_have_moved(launch, asked->total,
                        std::min(*asked->write, profile.device_of(launch).l2_size.value_or(Bytes()))) ||
        launch.work.empty() || launch.uncounted.any() || is_product(kernel) ||
        (main && is_tensor(main->pipe)))
        return std::nullopt;
    const bool floating = main && !counts_integers(main->pipe);
    const Bytes read = asked->total - *asked->write;
    if (!floating && read.value() <= 0) return std::nullopt;
    return OperationEvidence{
        fmt::format("custom flops={} read={:.0f} write={:.0f}{}", counted_work(launch).value(), read.value(),
                    asked->write->value(), floating ? " pipe=" + id_of(main->pipe) : ""),
        fmt::format("none of the {} that the SMs ask of L2 is asked for twice", format(asked->total))};
}

constexpr std::size_t suggestions_between_reports = 4096;

using EvidenceOf = std::optional<OperationEvidence>(const Profile&, const Launch&);

/// For one kernel, or for all where its name is empty.
std::vector<Suggestion> suggestions_for(const Profile& profile, const LaunchOperations& operations,
                                        EvidenceOf evidence_for, std::string_view only,
                                        const Progress& progress) {
    std::vector<Suggestion> suggestions;
    std::map<std::pair<std::string_view, std::string>, std::size_t> place;
    std::unordered_map<std::string_view, std::uint32_t> launches_of;
    const std::size_t count = profile.launches.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i % suggestions_between_reports == 0) {
            if (progress.cancelled()) break;
            progress.at(static_cast<double>(i) / static_cast<double>(count));
        }
        const Launch& launch = profile.launches[i];
        const std::string& kernel = profile.kernel_of(launch).name;
        if (!only.empty() && kernel != only) continue;
        const std::uint32_t number = launches_of[kernel]++;
        if (operations.of(static_cast<LaunchIndex>(i))) continue;
        auto evidence = evidence_for(profile, launch);
        if (!evidence) continue;
        const auto [known, fresh] = place.try_emplace({kernel, evidence->operation}, suggestions.size());
        if (fresh)
            suggestions.push_back(
                {kernel, {}, 0, std::move(evidence->operation), std::move(evidence->why), false});
        suggestions[known->second].launches.push_back(number);
    }
    for (Suggestion& suggestion : suggestions) {
        suggestion.count = static_cast<std::uint32_t>(suggestion.launches.size());
        if (suggestion.count == launches_of[suggestion.kernel]) suggestion.launches.clear();
    }
    return suggestions;
}

}  // namespace

/// Only where numbers agree that chance would not make agree; a name alone is no evidence.
std::optional<OperationEvidence> evidence_of(const Profile& profile, const Launch& launch) {
    if (launch.failed) return std::nullopt;
    const std::string& kernel = profile.kernel_of(launch).name;
    if (auto gemm = gemm_evidence(kernel, launch)) return gemm;
    return stream_evidence(kernel, launch);
}

std::optional<OperationEvidence> assumption_for(const Profile& profile, const Launch& launch) {
    if (launch.failed || launch.kind != LaunchKind::kernel || evidence_of(profile, launch))
        return std::nullopt;
    const std::string& kernel = profile.kernel_of(launch).name;
    if (auto gemm = square_gemm(kernel, launch)) return gemm;
    return bytes_asked_once(profile, kernel, launch);
}

std::string named_operation(std::string_view kernel) {
    struct Named {
        re2::RE2 words;
        std::string_view operation;
    };
    static const std::array named{
        Named{re2::RE2("(?i)rms_?norm"), "rmsnorm"},
        Named{re2::RE2("(?i)layer_?norm"), "layernorm"},
        Named{re2::RE2("(?i)batch_?norm"), "batchnorm"},
        Named{re2::RE2("(?i)soft_?max"), "softmax"},
        Named{re2::RE2("(?i)(attention|attn|fmha).*(decod|paged|split_?kv)|flash_?decod|paged_attention"),
              "attention_decode"},
        Named{re2::RE2("(?i)attention|attn|fmha|flash_(fwd|fprop)|sdpa"), "attention_prefill"},
        Named{re2::RE2("(?i)gemv|mat_?vec"), "gemv"},
        Named{re2::RE2("(?i)spmv"), "spmv"},
        Named{re2::RE2("(?i)spmm"), "spmm"},
        Named{re2::RE2("(?i)implicit_?gemm|fprop"), "conv2d"},
        Named{re2::RE2("(?i)gemm|mat_?mul|matrix_?mul"), "gemm"},
        Named{re2::RE2("(?i)conv(olution)?_?3d"), "conv3d"},
        Named{re2::RE2("(?i)conv(olution|_?2d)"), "conv2d"},
        Named{re2::RE2("(?i)transpos"), "transpose"},
        Named{re2::RE2("(?i)(radix|merge|bitonic)_?sort"), "sort"},
        Named{re2::RE2("(?i)histogram"), "histogram"},
        Named{re2::RE2("(?i)prefix_?sum|cumsum|device_?scan"), "scan"},
        Named{
            re2::RE2(
                "(?i)(^|::|[ _](device|block|warp))_?reduce|devicereduce|reduction|reduce_?(kernel|sum|max|min)|dot_?prod"),
            "reduction"},
        Named{re2::RE2("(?i)axpy"), "axpy"},
        Named{re2::RE2("(?i)triad"), "triad"},
        Named{re2::RE2("(?i)embedding"), "embedding"},
        Named{re2::RE2("(?i)rotary"), "rope"},
        Named{re2::RE2("(?i)stencil|jacobi"), "stencil"},
        Named{re2::RE2("(?i)n_?body"), "nbody"},
        Named{re2::RE2("(?i)(silu|gelu|relu|swish)_|elementwise|vec(tor)?_?add"), "elementwise"},
    };
    // What has no operation here may have the name of one that has.
    static const re2::RE2 others("(?i)nccl|backward|bwd|[dw_]grad");
    std::string plain(kernel.substr(0, RulePattern::longest_subject));
    re2::RE2::GlobalReplace(&plain, "\\(anonymous namespace\\)::", "");
    if (re2::RE2::PartialMatch(plain, others)) return {};
    const auto find_in = [&](const std::string& subject) -> const OperationSpec* {
        for (const Named& each : named)
            if (re2::RE2::PartialMatch(subject, each.words)) return find_operation(each.operation);
        return nullptr;
    };
    const OperationSpec* spec = find_in(plain.substr(0, plain.find_first_of("<(")));
    if (!spec) spec = find_in(plain.substr(0, plain.find('(')));  // as in cutlass::Kernel2<...gemm...>
    if (!spec) return {};
    std::string text(spec->name);
    for (const ParameterSpec& parameter : spec->parameters)
        if (parameter.required()) text += fmt::format(" {}=", parameter.name);
    return text;
}

std::string rule_text_for(const std::string& kernel, const std::string& operation) {
    std::string pattern = re2::RE2::QuoteMeta(kernel);
    for (std::size_t at = pattern.find("\\="); at != std::string::npos; at = pattern.find("\\=", at))
        pattern.replace(at, 2, "\\x3d");
    return "^" + pattern + "$=" + operation;
}

std::vector<Suggestion> suggest_operations(const Profile& profile, const LaunchOperations& operations,
                                           const Progress& progress) {
    return suggestions_for(profile, operations, evidence_of, {}, progress);
}

std::vector<Suggestion> assume_operations(const Profile& profile, const LaunchOperations& operations,
                                          std::string_view kernel) {
    std::vector<Suggestion> assumed = suggestions_for(profile, operations, assumption_for, kernel, {});
    std::erase_if(assumed, [](const Suggestion& suggestion) { return !suggestion.launches.empty(); });
    for (Suggestion& suggestion : assumed)
        suggestion.assumed = true;
    return assumed;
}

std::vector<Suggestion> suggest_for_kernel(const Profile& profile, const LaunchOperations& operations,
                                           std::string_view kernel) {
    return suggestions_for(profile, operations, evidence_of, kernel, {});
}

std::vector<UserBinding> bindings_of(const Suggestion& suggestion) {
    if (suggestion.assumed)
        return {{suggestion.kernel, std::nullopt, suggestion.operation, false, suggestion.why}};
    if (suggestion.launches.empty()) return {{suggestion.kernel, std::nullopt, suggestion.operation, true}};
    std::vector<UserBinding> bindings;
    for (const std::uint32_t launch : suggestion.launches)
        bindings.push_back({suggestion.kernel, launch, suggestion.operation, true});
    return bindings;
}

}  // namespace roofwalk
