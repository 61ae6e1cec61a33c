// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/operations/measured_type.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_registry.h"
#include "core/operations/pytorch/pytorch_call.h"
#include "core/operations/pytorch/pytorch_executions.h"
#include "core/operations/rule_pattern.h"

namespace roofwalk {

namespace {

/// Bindings that could not be used, each cause told once however many names it meets.
class BindingProblems {
  public:
    /// `cause` is what failed: "Rule 2", "Kernel \"f\" is bound by hand". `error` is why, for `example`.
    void add(const std::string& cause, const Error& error, std::string_view example);
    void add(Error problem);

    [[nodiscard]] std::vector<Error> take();

  private:
    static constexpr std::size_t most_problems = 100;

    std::vector<Error> problems_;
    std::unordered_map<std::string, std::size_t> place_of_cause_;
    std::vector<std::uint32_t> further_;  ///< by problem: how many more like it
    std::size_t dropped_ = 0;
};

void BindingProblems::add(const std::string& cause, const Error& error, std::string_view example) {
    if (const auto known = place_of_cause_.find(cause); known != place_of_cause_.end()) {
        ++further_[known->second];
        return;
    }
    if (problems_.size() == most_problems) {
        ++dropped_;
        return;
    }
    place_of_cause_.emplace(cause, problems_.size());
    std::string where = shortened_word(example);
    if (!error.where.empty() && error.where != where) where += (where.empty() ? "" : ", ") + error.where;
    add({error.code, cause + ": " + error.what, std::move(where), error.hint});
}

void BindingProblems::add(Error problem) {
    if (problems_.size() == most_problems) {
        ++dropped_;
        return;
    }
    problems_.push_back(std::move(problem));
    further_.push_back(0);
}

std::vector<Error> BindingProblems::take() {
    for (std::size_t i = 0; i < problems_.size(); ++i)
        if (further_[i] > 0)
            problems_[i].where += fmt::format("{}and {} more like it", problems_[i].where.empty() ? "" : ", ",
                                              format_count(further_[i]));
    if (dropped_ > 0)
        problems_.push_back({ErrorCode::bad_argument,
                             fmt::format("{} further bindings could not be used",
                                         format_count(static_cast<double>(dropped_))),
                             "", ""});
    return std::move(problems_);
}

/// Every different operation of a profile, modelled once however many launches carry it out.
class OperationTable {
  public:
    /// More different operations than this are not kept: a file of a million of them would fill the memory.
    static constexpr std::size_t most_operations = 100'000;

    /// The place of the operation, from 1, or why there is none.
    [[nodiscard]] Result<std::uint32_t> place_of(std::string_view text, BindingSource source,
                                                 std::string_view why, std::string_view assumed = {});

    [[nodiscard]] std::vector<std::shared_ptr<const BoundOperation>> take() { return std::move(operations_); }
    [[nodiscard]] const BoundOperation& at(std::uint32_t place) const { return *operations_[place - 1]; }

  private:
    [[nodiscard]] Result<std::shared_ptr<const OperationModel>> model_of(const std::string& text);

    std::vector<std::shared_ptr<const BoundOperation>> operations_;
    std::unordered_map<std::string, std::uint32_t> places_;
    std::unordered_map<std::string, std::shared_ptr<const OperationModel>> models_;
};

Result<std::shared_ptr<const OperationModel>> OperationTable::model_of(const std::string& text) {
    if (const auto known = models_.find(text); known != models_.end()) return known->second;
    auto model = model_operation(text);
    if (!model) return tl::unexpected(std::move(model.error()));
    return models_.emplace(text, std::make_shared<const OperationModel>(*std::move(model))).first->second;
}

Result<std::uint32_t> OperationTable::place_of(std::string_view text, BindingSource source,
                                               std::string_view why, std::string_view assumed) {
    std::string key = fmt::format("{}\n{}\n{}\n{}", id_of(source), why, assumed, text);
    if (const auto known = places_.find(key); known != places_.end()) return known->second;
    if (operations_.size() == most_operations)
        return unexpected(ErrorCode::bad_argument,
                          fmt::format("There are more than {} different operations", most_operations), "",
                          "Launches with further ones are not bound.");
    auto model = model_of(std::string(text));
    if (!model) return tl::unexpected(std::move(model.error()));
    operations_.push_back(std::make_shared<const BoundOperation>(BoundOperation{
        *std::move(model), std::string(text), source, std::string(why), std::string(assumed)}));
    const auto place = static_cast<std::uint32_t>(operations_.size());
    places_.emplace(std::move(key), place);
    return place;
}

constexpr std::size_t launches_between_reports = 4096;
constexpr std::uint32_t unbound = 0;
constexpr std::string_view nvtx_prefix = "nvtx:";

/// "gemm[m=8,n=8,k=8]": a range that is meant as an operation. Ranges that only share the name of one, as
/// "softmax", are common and mean nothing.
bool is_operation_range(std::string_view range) {
    const std::size_t bracket = range.find('[');
    return bracket != std::string_view::npos && range.ends_with(']') &&
           find_operation(range.substr(0, bracket)) != nullptr;
}

/// What a person typed for kernels, modelled.
class UserBindings {
  public:
    void add(const UserBinding& binding, std::uint32_t place) {
        if (binding.launch)
            of_launch_[{binding.kernel, *binding.launch}] = place;
        else
            of_kernel_[binding.kernel] = place;
    }

    [[nodiscard]] std::uint32_t find(const std::string& kernel, std::uint32_t launch) const {
        if (!of_launch_.empty())
            if (const auto one = of_launch_.find({kernel, launch}); one != of_launch_.end())
                return one->second;
        const auto all = of_kernel_.find(kernel);
        return all == of_kernel_.end() ? unbound : all->second;
    }

    [[nodiscard]] bool empty() const { return of_launch_.empty() && of_kernel_.empty(); }

  private:
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> of_launch_;
    std::unordered_map<std::string, std::uint32_t> of_kernel_;
};

struct CompiledRule {
    RulePattern pattern;
    RuleSubject subject;
    std::size_t index;  ///< in Bindings::rules
    std::string why;
};

/// Two numbers that launches share, as a key.
template <class A, class B>
std::uint64_t key_of(A a, B b) {
    return std::uint64_t{static_cast<std::uint32_t>(a)} << 32U | static_cast<std::uint32_t>(b);
}

class Binder {
  public:
    Binder(const Profile& profile, const Bindings& bindings) : profile_(profile) {
        for (const UserBinding& binding : bindings.user)
            add_user(binding);
        for (std::size_t i = 0; i < bindings.rules.size(); ++i)
            add_rule(bindings.rules[i], i);
        result_.bound_by_rule.resize(bindings.rules.size());
    }

    LaunchOperations run(const Progress& progress) {
        const std::size_t count = profile_.launches.size();
        result_.of_launch.resize(count, unbound);
        for (std::size_t i = 0; i < count; ++i) {
            if (i % launches_between_reports == 0) {
                if (progress.cancelled()) break;
                progress.at(static_cast<double>(i) / static_cast<double>(count));
            }
            const auto launch = static_cast<LaunchIndex>(i);
            result_.of_launch[i] = typed(place_of(profile_.launches[i]), std::span(&launch, 1));
        }
        tell_shared_ranges();
        add_pytorch(progress);
        result_.operations = table_.take();
        keep_only_used();
        result_.problems = problems_.take();
        if (result_.operations.empty()) result_.of_launch.clear();
        progress.at(1);
        return std::move(result_);
    }

  private:
    struct RuleMatch {
        std::uint32_t place = unbound;
        std::size_t rule = 0;
    };

    void add_user(const UserBinding& binding) {
        const auto place = table_.place_of(
            binding.operation, binding.suggested ? BindingSource::suggestion : BindingSource::user,
            binding.suggested ? "suggestion, accepted by hand" : "bound by hand",
            binding.assumption.empty() ? "" : "; it is assumed that " + binding.assumption);
        if (place)
            (binding.suggested ? accepted_ : typed_).add(binding, *place);
        else
            problems_.add("What is bound by hand to " + quoted_word(binding.kernel), place.error(),
                          binding.operation);
    }

    void add_rule(const BindingRule& rule, std::size_t index) {
        auto pattern = RulePattern::compile(rule);
        if (pattern)
            rules_.push_back({*std::move(pattern), rule.subject, index,
                              fmt::format("rule {}: {}", index + 1, rule.pattern)});
        else
            problems_.add(fmt::format("Rule {}", index + 1), pattern.error(), rule.operation);
    }

    std::uint32_t place_of(const Launch& launch) {
        const std::string& kernel = profile_.kernel_of(launch).name;
        const bool by_hand = !typed_.empty() || !accepted_.empty();
        const std::uint32_t number = by_hand ? launches_seen_[kernel]++ : 0;
        if (const std::uint32_t place = said_by_profile(launch)) return place;
        if (const std::uint32_t place = typed_.find(kernel, number)) return place;
        if (const RuleMatch match = said_by_rules(launch); match.place != unbound) {
            ++result_.bound_by_rule[match.rule];
            return match.place;
        }
        return accepted_.find(kernel, number);
    }

    /// A product whose type nobody gave has the type of the pipe that the launches ran on, else of a name of
    /// theirs.
    std::uint32_t typed(std::uint32_t place, std::span<const LaunchIndex> launches) {
        if (place == unbound) return place;
        const auto [type, by] = type_of(place, launches);
        if (by.empty()) return place;
        const auto [known, fresh] = by_type_.try_emplace({place, type, by}, place);
        if (fresh) {
            const BoundOperation open = table_.at(place);
            const std::string text = type ? with_type(open.text, *type) : open.text;
            const std::string why = type ? fmt::format("{}; {} {}", open.why, name_of(*type), by) : open.why;
            const std::string assumed =
                type ? open.assumed : fmt::format("{}; {} is assumed", open.assumed, by);
            known->second = table_.place_of(text, open.source, why, assumed).value_or(place);
        }
        return known->second;
    }

    /// And how it is known; without a type what is assumed of the given one; neither where nothing is to say.
    std::pair<std::optional<DataType>, std::string_view> type_of(std::uint32_t place,
                                                                 std::span<const LaunchIndex> launches) {
        constexpr std::string_view by_name = "by the name of its kernel";
        const BoundOperation& operation = table_.at(place);
        const bool product = multiplies_matrices(*operation.model);
        const auto first_of = [&](const auto& type_in) {
            std::optional<DataType> type;
            for (auto launch = launches.begin(); !type && launch != launches.end(); ++launch) {
                const Launch& one = profile_.at(*launch);
                const auto [known, fresh] = type_in_name_of_.try_emplace({product, one.kernel});
                if (fresh) known->second = type_in(profile_.kernel_of(one).name);
                type = known->second;
            }
            return type;
        };
        const auto named = product ? first_of(product_type_in_name) : std::nullopt;
        if (const auto type = type_by_pipe(*operation.model, longest_work(launches))) {
            // Complex products run on the pipe of their parts.
            if (named && complex_factor(*named) > 1) return {named, by_name};
            return {type, "by the pipe that it ran on"};
        }
        const bool of_pytorch = operation.source == BindingSource::pytorch;
        const bool open = !assumed_type(*operation.model).empty();
        if (open && of_pytorch && !product) {
            const auto type = first_of(type_in_name);
            const std::string& kernel = profile_.kernel_of(profile_.at(launches.front())).name;
            const bool by_size = kernel.find("OpaqueType<") != std::string::npos;
            return {type, !type ? "" : by_size ? "stands for elements of its size" : by_name};
        }
        const bool in_fp32 = of_pytorch && given_value(*operation.model, "dtype") == "fp32";
        if (!product || (!open && !in_fp32)) return {};
        if (open || named == DataType::tf32) return {named, named ? by_name : ""};
        if (named || counted_work(longest_work(launches)).value() > 0) return {};
        return {std::nullopt, "FP32 and not TF32"};
    }

    /// Drops the operations that every launch has in a typed form.
    void keep_only_used() {
        std::vector<std::uint32_t> places(result_.operations.size() + 1, unbound);
        std::vector<std::shared_ptr<const BoundOperation>> used;
        for (std::uint32_t& place : result_.of_launch) {
            if (place == unbound) continue;
            if (places[place] == unbound) {
                used.push_back(result_.operations[place - 1]);
                places[place] = static_cast<std::uint32_t>(used.size());
            }
            place = places[place];
        }
        result_.operations = std::move(used);
    }

    std::uint32_t said_by_profile(const Launch& launch) {
        if (launch.algorithm != TextId::none) {
            const auto [known, fresh] = by_algorithm_.try_emplace(launch.algorithm, unbound);
            if (fresh) known->second = of_algorithm(launch.algorithm);
            if (known->second != unbound) return known->second;
        }
        if (launch.nvtx == NvtxIndex::none) return unbound;
        const auto [known, fresh] = by_stack_.try_emplace(launch.nvtx, unbound);
        if (fresh) known->second = of_stack(profile_.nvtx_of(launch));
        if (known->second != unbound) kernels_in_range_[known->second].insert(launch.kernel);
        return known->second;
    }

    /// Of what nobody else binds.
    void add_pytorch(const Progress& progress) {
        const PytorchExecutions found = pytorch_executions(profile_, result_.of_launch, progress);
        for (const PytorchExecution& execution : found.executions) {
            const auto& [text, why, assumed, if_work_agrees] = found.operations[execution.operation];
            const auto open = table_.place_of(text, BindingSource::pytorch, why, assumed);
            if (!open) continue;  // of no elements, or more than can be counted: nothing to hold a kernel to
            if (if_work_agrees && !did_as_much(*open, execution.launches)) continue;
            const std::uint32_t place = typed(masked(*open, execution.launches), execution.launches);
            if (execution.launches.size() > 1)
                result_.launches_of_execution.push_back(
                    static_cast<std::uint32_t>(execution.launches.size()));
            for (const LaunchIndex launch : execution.launches) {
                result_.of_launch[static_cast<std::size_t>(launch)] = place;
                if (execution.launches.size() == 1) continue;
                result_.execution_of.resize(profile_.launches.size());
                result_.execution_of[static_cast<std::size_t>(launch)] =
                    static_cast<std::uint32_t>(result_.launches_of_execution.size());
            }
        }
    }

    /// The launch that counted most work, whose pipe tells the type of all of them.
    const Launch& longest_work(std::span<const LaunchIndex> launches) const {
        return profile_.at(*std::ranges::max_element(
            launches, {}, [&](LaunchIndex launch) { return counted_work(profile_.at(launch)); }));
    }

    /// Absent where not all of it was counted.
    std::optional<Flops> counted(const std::vector<LaunchIndex>& launches) const {
        Flops done;
        for (const LaunchIndex launch : launches) {
            const Launch& one = profile_.at(launch);
            if (one.uncounted.any()) return std::nullopt;
            done += counted_work(one);
        }
        return done.value() > 0 ? std::optional(done) : std::nullopt;
    }

    bool did_as_much(std::uint32_t place, const std::vector<LaunchIndex>& launches) const {
        constexpr double nearly = 0.1;
        const double whole = table_.at(place).model->total_work().value();
        const auto done = counted(launches);
        return done && std::abs(done->value() - whole) <= nearly * whole;
    }

    /// Attention that did less work than all of its products has a causal mask: nothing else leaves work out.
    std::uint32_t masked(std::uint32_t place, const std::vector<LaunchIndex>& launches) {
        constexpr double clearly_less = 0.9;
        const BoundOperation whole = table_.at(place);
        if (whole.model->operation != "attention_prefill" && whole.model->operation != "attention_backward")
            return place;
        if (!given_value(*whole.model, "causal").empty()) return place;
        const auto done = counted(launches);
        if (done && *done >= whole.model->total_work() * clearly_less) return place;
        const auto masked =
            done ? table_.place_of(whole.text + " causal=yes", whole.source,
                                   whole.why + "; causal by the work that was counted", whole.assumed)
                 : table_.place_of(whole.text, whole.source, whole.why,
                                   whole.assumed + "; causal=no is assumed");
        return masked.value_or(place);
    }

    std::uint32_t of_algorithm(TextId id) {
        const std::string_view text = profile_.texts.view(id);
        if (read_pytorch_call(text)) return unbound;
        const auto place = table_.place_of(text, BindingSource::profile, "algorithm field of the profile");
        if (place) return *place;
        problems_.add("An operation that the profile states cannot be used", place.error(), text);
        return unbound;
    }

    std::uint32_t of_stack(const NvtxStack& stack) {
        for (auto range = stack.rbegin(); range != stack.rend(); ++range) {
            if (!is_operation_range(*range)) continue;
            const auto place = table_.place_of(*range, BindingSource::profile, "NVTX range " + *range);
            if (place) return *place;
            problems_.add("An NVTX range cannot be used as an operation", place.error(), *range);
        }
        return unbound;
    }

    RuleMatch said_by_rules(const Launch& launch) {
        if (rules_.empty()) return {};
        const auto [known, fresh] = by_name_.try_emplace(key_of(launch.kernel, launch.nvtx), RuleMatch{});
        if (fresh) known->second = first_rule_for(launch);
        return known->second;
    }

    RuleMatch first_rule_for(const Launch& launch) {
        const std::string& name = profile_.kernel_of(launch).name;
        const std::string shown =
            shorten_kernel_name(name, name.size());  // so that "gemm$" finds gemm(float*)
        const std::string path = nvtx_path(profile_.nvtx_of(launch));
        for (const CompiledRule& rule : rules_) {
            const std::string& subject = rule.subject == RuleSubject::kernel_name ? name : path;
            if (subject.size() > RulePattern::longest_subject) {
                tell_too_long(subject);
                continue;
            }
            auto operation = rule.pattern.operation_for(subject);
            if (!operation && rule.subject == RuleSubject::kernel_name)
                operation = rule.pattern.operation_for(shown);
            if (!operation) continue;
            const auto place = table_.place_of(*operation, BindingSource::rule, rule.why);
            if (place) return {*place, rule.index};
            problems_.add(fmt::format("Rule {}", rule.index + 1), place.error(), subject);
        }
        return {};
    }

    void tell_too_long(const std::string& subject) {
        problems_.add(fmt::format("No rule looks at what is longer than {} bytes",
                                  format_count(RulePattern::longest_subject)),
                      {ErrorCode::bad_argument, "a name is passed over", "",
                       "Bind the kernel by hand, by its whole name."},
                      subject);
    }

    /// A range around several kernels says what they do together, which no launch alone can be held to.
    void tell_shared_ranges() {
        for (const auto& [place, kernels] : kernels_in_range_)
            if (kernels.size() > 1)
                problems_.add(
                    {ErrorCode::bad_argument,
                     fmt::format("{} different kernels ran inside one NVTX range, and each is held to "
                                 "the whole operation",
                                 kernels.size()),
                     shortened_word(table_.at(place).text),
                     "Open the range around one kernel, or bind the kernels by hand."});
    }

    const Profile& profile_;
    OperationTable table_;
    BindingProblems problems_;
    UserBindings typed_;
    UserBindings accepted_;
    std::vector<CompiledRule> rules_;
    std::unordered_map<std::string_view, std::uint32_t> launches_seen_;
    std::unordered_map<TextId, std::uint32_t> by_algorithm_;
    std::unordered_map<NvtxIndex, std::uint32_t> by_stack_;
    std::unordered_map<std::uint64_t, RuleMatch> by_name_;
    std::map<std::tuple<std::uint32_t, std::optional<DataType>, std::string_view>, std::uint32_t> by_type_;
    /// Of a product or of something else: as a name is read once, and not for each of its launches.
    std::map<std::pair<bool, KernelIndex>, std::optional<DataType>> type_in_name_of_;
    std::map<std::uint32_t, std::set<KernelIndex>> kernels_in_range_;  ///< by place
    LaunchOperations result_;
};

}  // namespace

Result<BindingRule> read_binding_rule(std::string_view text) {
    const auto refused = [&](std::string what) {
        return unexpected(ErrorCode::bad_argument, std::move(what), shortened_word(text),
                          "Write PATTERN=OPERATION, as in 'gemm_(\\d+)x(\\d+)x(\\d+)=gemm m=$1 n=$2 "
                          "k=$3'.");
    };
    BindingRule rule;
    if (text.starts_with(nvtx_prefix)) {
        rule.subject = RuleSubject::nvtx_path;
        text.remove_prefix(nvtx_prefix.size());
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return refused("A rule has no = between pattern and operation");
    rule.pattern = text.substr(0, equals);
    rule.operation = text.substr(equals + 1);
    if (auto pattern = RulePattern::compile(rule); !pattern)
        return tl::unexpected(std::move(pattern.error()));
    return rule;
}

std::string to_text(const BindingRule& rule) {
    std::string text(rule.subject == RuleSubject::nvtx_path  ? nvtx_prefix
                     : rule.pattern.starts_with(nvtx_prefix) ? "(?:)"  // the pattern does not name a subject
                                                             : "");
    for (const char c : rule.pattern)
        text += c == '=' ? std::string(R"(\x3d)") : std::string(1, c);
    return text + "=" + rule.operation;
}

LaunchOperations bind_operations(const Profile& profile, const Bindings& bindings, const Progress& progress) {
    return Binder(profile, bindings).run(progress);
}

}  // namespace roofwalk
