// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/pytorch/pytorch_executions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/operations/pytorch/pytorch_call.h"
#include "core/operations/pytorch/pytorch_operation.h"

namespace roofwalk {

namespace {

constexpr std::size_t launches_between_reports = 4096;

/// A range around a launch that says what it does.
struct Candidate {
    std::uint32_t call = 0;  ///< of PytorchCalls
    std::uint32_t operation = 0;
    bool whole = false;
    bool sealed = false;     ///< what it calls says nothing of it
    bool known = false;      ///< whole, and nothing of it is assumed
    bool innermost = false;  ///< of the ranges around the launch, whose call Launch::range_call tells
    std::string name = {};   ///< of the operator
};

/// A call of an operator, which may be around several launches.
struct Call {
    bool numbered = false;
    bool bound_otherwise = false;
    std::uint32_t launches = 0;
    std::optional<std::size_t> execution = {};  ///< the one that goes on
    /// Of a call without a number: the kernels of this execution, with the ranges around each.
    std::set<std::pair<KernelIndex, NvtxIndex>> kernels = {};
    std::uint32_t range_call = 0;  ///< of the launch before
};

/// What the ranges around a launch say.
struct Ranges {
    std::vector<Candidate> candidates = {};  ///< outermost first
    bool converts = false;  ///< for autocast: no part of the operator around it, which goes on after it
};

/// The sizes of first outputs by the call that made them, as calls that take them in tell.
class Outputs {
  public:
    explicit Outputs(const Profile& profile) {
        for (const NvtxStack& stack : profile.nvtx_stacks)
            for (const std::string& range : stack)
                if (range.find("input_op_ids") != std::string::npos) add(range);
    }
    [[nodiscard]] const PytorchCall::Sizes* of(std::uint64_t id) const {
        const auto known = sizes_.find(id);
        return known == sizes_.end() || known->second.empty() ? nullptr : &known->second;
    }

  private:
    /// Calls of several processes may share a number: what differs is not known.
    void add(const std::string& range) {
        const auto op = read_pytorch_call(range);
        for (std::size_t i = 0; op && i < std::min(op->made_by.size(), op->sizes.size()); ++i) {
            if (op->made_by[i] == 0 || op->sizes[i].empty()) continue;
            const auto [known, fresh] = sizes_.try_emplace(op->made_by[i], op->sizes[i]);
            if (!fresh && known->second != op->sizes[i]) known->second.clear();
        }
    }

    std::unordered_map<std::uint64_t, PytorchCall::Sizes> sizes_;
};

class Reader {
  public:
    Reader(const Profile& profile, std::span<const std::uint32_t> bound)
        : profile_(profile), bound_(bound), outputs_(profile) {}

    PytorchExecutions run(const Progress& progress) {
        const std::size_t count = profile_.launches.size();
        for (std::size_t i = 0; i < count; ++i) {
            const bool otherwise = bound_[i] != 0;
            for (const Candidate& candidate : ranges_of(profile_.launches[i]).candidates) {
                Call& call = calls_[call_of(candidate, profile_.launches[i])];
                ++call.launches;
                call.bound_otherwise |= otherwise;
            }
            if (i % launches_between_reports == 0 && progress.cancelled()) return {};
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Launch& launch = profile_.launches[i];
            const auto call = bound_[i] == 0 ? add(static_cast<LaunchIndex>(i)) : std::nullopt;
            if (!ranges_of(launch).converts) last_[{launch.source, launch.process, launch.stream}] = call;
            if (i % launches_between_reports == 0 && progress.cancelled()) return {};
        }
        return std::move(result_);
    }

  private:
    using RangeKey = std::tuple<SourceIndex, std::uint32_t, NvtxIndex, TextId>;

    const Ranges& ranges_of(const Launch& launch) {
        const auto [known, fresh] = by_key_.try_emplace(
            RangeKey{launch.source, launch.process, launch.nvtx, launch.algorithm}, Ranges());
        if (fresh) known->second = read_stack(launch);
        return known->second;
    }

    Ranges read_stack(const Launch& launch) {
        std::vector<Candidate> candidates;
        NvtxStack stack = launch.nvtx == NvtxIndex::none ? NvtxStack() : profile_.nvtx_of(launch);
        if (launch.algorithm != TextId::none) stack.emplace_back(profile_.texts.view(launch.algorithm));
        std::string path;
        const PytorchCall::Sizes* output = nullptr;
        bool converts = false;
        for (const std::string& text : stack) {
            path += text + '\n';
            auto op = read_pytorch_call(text);
            if (!op) continue;
            // Within an operator that is told whole, others may have inputs that are not what they seem.
            if (!candidates.empty() && candidates.back().sealed) break;
            // A conversion is no part of what autocast does it for; the call of the same operator within is.
            if (op->name == "to" || op->name == "_to_copy") {
                candidates.clear();
                converts = true;
                continue;
            }
            const bool lacks_types = converts && op->types.empty();  // of a conversion
            if (lacks_types && op->name != "copy") continue;
            std::erase_if(candidates, [&](const Candidate& outer) { return outer.name == op->name; });
            const PytorchCall::Sizes* own = op->id ? outputs_.of(*op->id) : nullptr;
            if (is_convolution(*op) && !output) output = own;
            if (const auto* const known = is_convolution(*op) ? output : own) op->output = *known;
            const auto operation = lacks_types ? conversion_of(*op) : operation_of(*op);
            // What it is made of would be another convolution.
            if (!operation && text.find("conv_transpose") != std::string::npos) return {};
            if (!operation) continue;
            const std::string call = fmt::format("{} {} {}", static_cast<std::uint32_t>(launch.source),
                                                 launch.process, op->id ? text : path);
            // Better the whole that is known than a part of it whose sizes leave something open.
            if (!candidates.empty() && candidates.back().known && !operation->assumed.empty()) continue;
            candidates.push_back({call_of(call, op->numbered), place_of(*op, *operation), operation->whole,
                                  operation->sealed, operation->whole && operation->assumed.empty(),
                                  !op->numbered && &text == &stack.back(), op->name});
        }
        return {std::move(candidates), converts};
    }

    std::uint32_t call_of(const std::string& text, bool numbered) {
        const auto [known, fresh] = call_places_.try_emplace(text, static_cast<std::uint32_t>(calls_.size()));
        if (fresh) calls_.push_back({.numbered = numbered});
        return known->second;
    }

    /// That of the candidate, unless the launch tells which of those that read alike.
    std::uint32_t call_of(const Candidate& candidate, const Launch& launch) {
        if (!candidate.innermost || launch.range_call == 0) return candidate.call;
        return call_of(fmt::format("{} of {}", launch.range_call, candidate.call), true);
    }

    std::uint32_t place_of(const PytorchCall& op, const PytorchOperation& operation) {
        std::string why = "PyTorch range " + op.text;
        std::string assumed = operation.assumed.empty() ? "" : "; " + operation.assumed + " is assumed";
        const auto [known, fresh] =
            operation_places_.try_emplace(fmt::format("{}\n{}{}", operation.text, why, assumed),
                                          static_cast<std::uint32_t>(result_.operations.size()));
        // What else is assumed changes bytes, and no counted work tells of it.
        const bool by_work = !operation.assumed.empty() && is_convolution(op);
        if (fresh)
            result_.operations.push_back({operation.text, std::move(why), std::move(assumed), by_work});
        return known->second;
    }

    /// Gives the call that the launch is a part of.
    std::optional<std::uint32_t> add(LaunchIndex index) {
        const Launch& launch = profile_.at(index);
        const std::vector<Candidate>& candidates = ranges_of(launch).candidates;
        // What is stored of a sparse matrix is not told by its sizes.
        const bool sparse = profile_.kernel_of(launch).name.find("cusparse::") != std::string::npos;
        if (candidates.empty() || sparse) return {};
        const auto together = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
            return candidate.whole && calls_[call_of(candidate, launch)].launches > 1;
        });
        const Candidate& chosen = together == candidates.end() ? candidates.back() : *together;
        const std::uint32_t place = call_of(chosen, launch);
        Call& call = calls_[place];
        if (call.bound_otherwise) return {};
        // A call without a number ends where its kernel comes again for the same part of it, or the stream
        // does something else.
        const bool goes_on = last_[{launch.source, launch.process, launch.stream}] == place;
        const std::pair part(launch.kernel, launch.nvtx);
        const bool known = !call.kernels.insert(part).second;
        const bool same_call = launch.range_call != 0 && launch.range_call == call.range_call;
        const bool again = !call.numbered && ((known && !same_call) || !goes_on);
        call.range_call = launch.range_call;
        if (!call.execution || again) {
            call.execution = result_.executions.size();
            call.kernels = {part};
            result_.executions.push_back({chosen.operation, {}});
        }
        result_.executions[*call.execution].launches.push_back(index);
        return place;
    }

    const Profile& profile_;
    std::span<const std::uint32_t> bound_;
    Outputs outputs_;
    std::map<RangeKey, Ranges> by_key_;
    std::vector<Call> calls_;
    /// Of the launch before, by source, process and stream.
    std::map<std::tuple<SourceIndex, std::uint32_t, std::uint32_t>, std::optional<std::uint32_t>> last_;
    std::unordered_map<std::string, std::uint32_t> call_places_;
    std::unordered_map<std::string, std::uint32_t> operation_places_;
    PytorchExecutions result_;
};

/// "triton_poi_fused_gelu_0" is what torch.compile made of a gelu; empty of any other.
std::string compiled_words(const PytorchCall& op) {
    constexpr std::string_view prefix = "triton_";
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds{
        {{"poi_", "element-wise"}, {"red_", "a reduction"}, {"per_", "a reduction"}, {"tem_", "a product"}}};
    if (!op.name.starts_with(prefix)) return {};
    std::string_view name = std::string_view(op.name).substr(prefix.size());
    const auto* const kind =
        std::ranges::find_if(kinds, [&](const auto& known) { return name.starts_with(known.first); });
    if (kind == kinds.end()) return {};
    name.remove_prefix(kind->first.size());
    constexpr std::string_view fused = "fused_";
    if (name.starts_with(fused)) name.remove_prefix(fused.size());
    if (const auto number = name.find_last_not_of("0123456789");
        number < name.size() - 1 && name[number] == '_')
        name = name.substr(0, number);
    return fmt::format(
        "torch.compile made this kernel: {}, \"{}\". PyTorch's traces hold the sizes of its arguments, not which "
        "of them it reads or writes, nor its work, so the operation is not known.",
        kind->second, name);
}

}  // namespace

std::string unsized_words(const Profile& profile, const Launch& launch) {
    if (launch.nvtx == NvtxIndex::none || profile.nvtx_of(launch).empty()) return {};
    const auto op = read_pytorch_call(profile.nvtx_of(launch).back());
    const bool of_lists = op && (op->name.starts_with("_foreach_") || op->name.starts_with("_fused_"));
    if (of_lists && !op->types.empty() && op->types.front() == "TensorList" && !op->sizes.empty() &&
        op->sizes.front().empty())
        return "PyTorch's traces leave out the sizes of a list of more than 30 tensors, so the operation is not "
               "known.";
    if (std::string compiled = op ? compiled_words(*op) : ""; !compiled.empty()) return compiled;
    if (!op) return {};
    if (op->name != "index" || op->sizes.size() < 2 || op->sizes.front().empty() ||
        std::any_of(op->sizes.begin() + 1, op->sizes.end(), [](const auto& list) { return !list.empty(); }))
        return unknown_words(*op);
    return "Of an index (x[i, j]) PyTorch's traces hold the sizes of x, not those of its indices, so the operation "
           "is not known. NVTX ranges hold both (profile --pytorch, or emit_nvtx with record_shapes=True). By "
           "hand it is gather n=ELEMENTS indices=1 for one index, embedding for whole rows.";
}

PytorchExecutions pytorch_executions(const Profile& profile, std::span<const std::uint32_t> bound,
                                     const Progress& progress) {
    return Reader(profile, bound).run(progress);
}

}  // namespace roofwalk
