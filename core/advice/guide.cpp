// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/guide.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "core/advice/faster_pipe.h"
#include "core/advice/level_words.h"
#include "core/advice/rule.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/roofline/missing.h"
#include "core/roofline/ncu_command.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

/// A way out, and the rule that finds the cause which it is against; without one nothing rules it out.
struct Remedy {
    std::string_view rule;
    std::string_view words;
    std::string_view also = {};  ///< another rule whose cause it removes
};

/// Something to do, in one sentence: all of `lead` without remedies.
struct Step {
    std::string_view lead;
    std::span<const Remedy> remedies = {};
    std::string_view close = ".";
    bool only_indicated = false;  ///< nothing to do while the numbers indicate none of its causes
    StepKeeps keeps = StepKeeps::nothing;
};
constexpr StepKeeps same_work = StepKeeps::bytes_and_work;
constexpr StepKeeps same_instructions = StepKeeps::instructions_too;

constexpr Remedy rows_of_a_batch[]{{"small_batch", "let more inputs share one reading of the weights"}};
constexpr Remedy more_work[]{
    {"less_than_one_wave", "more blocks (a finer split, a larger batch) or kernels side by side"},
    {"short_launch", "longer launches (batching, fusion), a CUDA graph for what stays short"}};
constexpr Remedy transfers[]{{"uncoalesced_access", "coalesced accesses"},
                             {"local_memory", "no spills"},
                             {"narrow_loads", "wide accesses"}};
/// Width is what a kernel that only waits needs last.
constexpr std::span<const Remedy> wasted_transfers = std::span<const Remedy>(transfers).first(2);
constexpr Remedy contention[]{
    {"many_atomics", "fewer atomics on memory (reduce in the warp and the block first)"},
    {"waits_at_exit", "fewer stores under way at the end of a block"},
    {"load_queue_full", "arithmetic between the accesses"}};
constexpr Remedy while_it_waits[]{
    {"blocks_below_a_warp", "blocks of whole warps"},
    {"low_occupancy", "more warps on each SM"},
    {"short_blocks", "more work for each thread (a grid-stride loop)"},
    {"waits_for_memory", "loads that start earlier (unrolled, prefetched, or asynchronous copies in stages)"},
    {"dependency_chains", "more independent work in each thread"},
    {"waits_at_barriers", "fewer barriers"},
    {"narrow_loads", "wider loads"}};
/// Where wide accesses are spoken of already.
constexpr std::span<const Remedy> in_flight =
    std::span<const Remedy>(while_it_waits).first(std::size(while_it_waits) - 1);
constexpr Remedy less_traffic[]{
    {"more_bytes", "fuse what writes and reads an intermediate result, reuse more of what it fetches"},
    {"l2_misses", "reuse the data while L2 holds it"},
    {"wide_values", "store values in fewer bits"}};
constexpr Remedy less_of_hbm[]{{"", "fuse it with the kernels that write its input or read its output"},
                               {"more_bytes", "reuse more of what it fetches"},
                               {"wide_values", "store values in fewer bits"}};
constexpr Remedy less_of_l2[]{{"", "keep what is used again in shared memory or registers"},
                              {"repeated_loads", "let blocks share what they fetch"},
                              {"uncoalesced_access", "coalesce"}};
constexpr Remedy less_of_l1[]{{"", "keep more of what is used again in registers", "little_work_a_byte"},
                              {"uncoalesced_access", "coalesce"},
                              {"narrow_loads", "use wide accesses"},
                              {"bank_conflicts", "remove bank conflicts"}};
constexpr Remedy fewer_requests[]{{"blocks_below_a_warp", "blocks of whole warps"},
                                  {"uncoalesced_access", "coalesced accesses"},
                                  {"narrow_loads", "wide accesses"},
                                  {"bank_conflicts", "no bank conflicts"},
                                  {"local_memory", "no spills"},
                                  {"repeated_loads", "blocks that share what they fetch"},
                                  {"many_atomics", "fewer atomics"}};
constexpr Remedy less_of_a_slice[]{{"many_atomics", "fewer atomics (reduce in the warp and the block first)"},
                                   {"", "what all threads ask for spread over more addresses"}};
constexpr Remedy feed_tensor[]{{"tensor_pipe_idle", "more matrix instructions in flight"},
                               {"dependency_chains", "independent instructions in each warp"},
                               {"bank_conflicts", "no bank conflicts"},
                               {"divergence", "no divergence"},
                               {"low_occupancy", "more warps on each SM"}};
/// Where no matrix instructions are among the work.
constexpr std::span<const Remedy> feed_vector = std::span<const Remedy>(feed_tensor).subspan(1);
constexpr Remedy other_pipe[]{{"no_tensor_cores", "matrix products on tensor cores"}};
constexpr Remedy other_instructions[]{
    {"other_pipe_busy", "addresses, conversions and special functions out of the inner loop"}};
constexpr Remedy full_instructions[]{{"blocks_below_a_warp", "blocks of whole warps"},
                                     {"divergence", "no divergence"},
                                     {"bank_conflicts", "no bank conflicts"}};
constexpr Remedy warps_that_wait[]{{"low_occupancy", "more warps on each SM"},
                                   {"short_blocks", "more work for each thread"},
                                   {"tensor_pipe_idle", "more matrix instructions in flight"},
                                   {"dependency_chains", "more independent work in each thread"},
                                   {"waits_for_memory", "loads that start earlier"},
                                   {"shared_memory_waits", "operands in registers instead of shared memory"},
                                   {"waits_at_barriers", "fewer barriers"}};
/// Of what feeding the pipe leaves out.
constexpr std::span<const Remedy> waits_for_data = std::span<const Remedy>(warps_that_wait).subspan(4);
/// What removes each cause whose worth is known, in a few words: no step may leave them out.
constexpr Remedy of_known_worth[]{{"small_batch", "more inputs for one reading of the weights"},
                                  {"more_bytes", "larger tiles, or fusion with its neighbours"},
                                  {"uncoalesced_access", "coalesced accesses"},
                                  {"local_memory", "no spills"},
                                  {"repeated_loads", "blocks that share what they fetch"},
                                  {"little_work_a_byte", "larger tiles in registers"},
                                  {"wide_values", "values in fewer bits"},
                                  {"no_tensor_cores", "matrix products on tensor cores"},
                                  {"blocks_below_a_warp", "blocks of whole warps"},
                                  {"bank_conflicts", "no bank conflicts"},
                                  {"divergence", "no divergence"}};

constexpr Step batch{"Batch: ", rows_of_a_batch, ".", true};
constexpr Step fill_the_gpu{"Give the GPU more to do at a time: ", more_work, ".", true, same_instructions};
constexpr Step count_transfers{"Make every transfer count: ", transfers,
                               ". Then keep more of them in flight.", false, same_instructions};
constexpr Step keep_in_flight{"Keep more transfers in flight: ", in_flight, ".", false, same_instructions};
/// Far below every roof, of which a scenario says the same.
constexpr Step waste_no_transfer{"Make every transfer count: ", wasted_transfers,
                                 ". No roof promises what that gains. Then keep more of them in flight.",
                                 true};
constexpr Step put_in_flight{"Put more in flight: ", while_it_waits, ".", false, same_instructions};
constexpr Step move_less{"Move fewer bytes: ", less_traffic, ".", true};
constexpr Step move_less_unpromised{"Move fewer bytes: ", less_traffic, ". No roof promises what that gains.",
                                    true};
constexpr Step contend_less{"Reduce contention: ", contention, ".", true, same_instructions};
/// Beside fewer atomics.
constexpr Step queue_less{"Reduce contention: ", std::span<const Remedy>(contention).subspan(1), ".", true,
                          same_instructions};
constexpr Step use_other_pipe{"Do the work on the faster pipe: ", other_pipe, ".", true};
constexpr Step issue_less{"Take other work off the SM: ", other_instructions, ".", false, same_work};
constexpr Step fill_instructions{"Let each instruction do more: ", full_instructions, ".", true, same_work};
constexpr Step wait_less{"Let fewer warps wait: ", warps_that_wait, ".", true, same_instructions};
constexpr Step wait_less_for_data{"Let fewer warps wait: ", waits_for_data, ".", false, same_instructions};
constexpr std::string_view no_cause_left =
    "None of the causes that were measured holds: look at its instructions. The Source page of Nsight Compute "
    "tells which of them the warps wait for.";
constexpr std::string_view source_page =
    "Look at its instructions: the Source page of Nsight Compute tells which of them the warps wait for.";
constexpr std::string_view none_collected =
    "Which of these it is, the report cannot tell: their counters were not collected.";
constexpr std::string_view does_nothing =
    "Check its launch (the grid, a guard): none of its threads loads or stores anything in global memory. "
    "Bytes counted all the same are code, constants or data of kernels before it.";
constexpr std::string_view nearer_roof = "Then look at the roof that is nearer.";
constexpr std::string_view algorithm_is_next =
    "When the bytes are those the operation needs, another algorithm is next.";
constexpr std::string_view only_algorithm_is_next =
    "When the bytes are those the operation needs, another algorithm is next. More occupancy and faster "
    "arithmetic will not show.";
constexpr Step less_work{
    "Do less work: another algorithm, no repeated sub-expressions, no padding that is computed and thrown away."};
constexpr Step fewer_instructions{"Spend fewer instructions for each FLOP."};
constexpr Step issue_fewer{"Issue fewer instructions: unrolled loops, wider loads and stores."};
constexpr Step issue_fewer_of_fp16{
    "Issue fewer instructions: unrolled loops, wider loads and stores, two FP16 numbers in one instruction."};
constexpr Step keep_near{"Keep what is used again in registers or shared memory."};

/// What is known of the causes of a kernel.
class Findings {
  public:
    /// Of a kernel that comes from a model nobody looked at the counters.
    Findings(const KernelAdvice& advice, const KernelPoint& point)
        : advice_(advice), point_(point), looked_(!comes_from_model(point)) {}

    [[nodiscard]] const KernelPoint& point() const { return point_; }

    [[nodiscard]] bool indicated(std::string_view rule) const {
        return among(advice_.indicated, rule) || among(advice_.warnings, rule);
    }
    /// Whether it may be there all the same: a cause that was not measured. One of which nothing is said at
    /// all does not apply to the kernel.
    [[nodiscard]] bool may_be(std::string_view rule) const {
        if (among(advice_.not_measured, rule)) return true;
        return !looked_ && !among(advice_.ruled_out, rule);
    }

    [[nodiscard]] bool ruled_out(std::string_view rule) const { return among(advice_.ruled_out, rule); }
    [[nodiscard]] std::optional<AdviceMetric> busiest_of_sm() const { return advice_.busiest_of_sm; }
    [[nodiscard]] bool few_warps() const { return indicated("low_occupancy") || indicated("short_blocks"); }
    [[nodiscard]] bool enough_to_do() const {
        return advice_.fills_gpu && !few_warps() && !indicated("short_launch");
    }
    /// How many times as fast the kernel may get without its cause; 1 where that is not known.
    [[nodiscard]] double worth(std::string_view rule) const {
        if (!advice_.position) return 1;
        const auto found = std::ranges::find(advice_.indicated, rule, &Advice::id);
        return found == advice_.indicated.end() ? 1 : worth_of(*found, *advice_.position);
    }
    /// The same in words: " (up to 8.92x fewer bytes)".
    [[nodiscard]] std::string gain(double worth) const {
        if (worth <= 1) return {};
        const bool bytes = advice_.position == RoofPosition::at_memory_roof ||
                           advice_.position == RoofPosition::below_memory_roof;
        const bool approximate = std::ranges::any_of(advice_.indicated, [&](const Advice& advice) {
            return advice.worth && advice.worth->factor == worth && advice.worth->approximate;
        });
        return fmt::format(" (up to {}{})", marked_if(approximate, format_factor(worth)),
                           bytes ? " fewer bytes" : "");
    }
    /// Whether the rule is indicated, and says what removing its cause is worth.
    [[nodiscard]] bool has_worth(std::string_view rule) const {
        return std::ranges::any_of(advice_.indicated,
                                   [&](const Advice& advice) { return advice.id == rule && advice.worth; });
    }

    /// "Achieved occupancy: 34.1 % (threshold 50.0 %).": of the first two of the causes that have one.
    [[nodiscard]] std::string numbers_of(std::span<const std::string_view> rules) const {
        std::vector<std::string> sentences;
        for (const std::string_view rule : rules)
            for (const auto* list : {&advice_.indicated, &advice_.warnings}) {
                const auto found = std::ranges::find(*list, rule, &Advice::id);
                if (found == list->end() || sentences.size() == 2) continue;
                const auto fires = std::ranges::find(found->evidence, true, &AdviceEvidence::fires);
                if (fires != found->evidence.end()) sentences.push_back(capitalised(to_text(*fires)) + ".");
            }
        return fmt::format("{}", fmt::join(sentences, " "));
    }

  private:
    static bool among(const std::vector<Advice>& list, std::string_view rule) {
        return std::ranges::find(list, rule, &Advice::id) != list.end();
    }

    const KernelAdvice& advice_;
    const KernelPoint& point_;
    bool looked_;
};

/// Ways out, as one sentence or, of many, as several.
std::string listed(std::string_view lead, const std::vector<std::string>& ways) {
    std::string text = fmt::format("{}{}", lead, fmt::join(ways, ", "));
    return count_words(text) <= most_words
               ? text
               : short_sentences(fmt::format("{}{}", lead, fmt::join(ways, "; "))).text();
}

/// A step in words.
struct Sentence {
    std::string text;
    std::vector<std::string_view> rules = {};
    bool indicated = false;                 ///< a cause of it is
    double worth = 1;                       ///< of the cause that stands first
    std::optional<StepEffect> effect = {};  ///< with the most that a cause is worth; absent without remedies
    bool open = false;                      ///< its causes may all be there: none was measured
};

/// The remedies of causes that are indicated, else of all that may be there, without those `named` before;
/// nothing where none is left.
std::optional<Sentence> said(const Step& step, const Findings& findings,
                             std::span<const std::string_view> named = {}) {
    if (step.remedies.empty()) return Sentence{.text = std::string(step.lead)};
    std::vector<Remedy> chosen;
    std::ranges::copy_if(step.remedies, std::back_inserter(chosen),
                         [&](const Remedy& remedy) { return findings.indicated(remedy.rule); });
    const bool found = !chosen.empty();
    const bool indicated = found || std::ranges::any_of(step.remedies, [&](const Remedy& remedy) {
                               return findings.indicated(remedy.also);
                           });
    if (!indicated && step.only_indicated) return std::nullopt;
    const bool again = std::erase_if(chosen, [&](const Remedy& remedy) {
                           return std::ranges::find(named, remedy.rule) != named.end();
                       }) > 0;
    if (again && chosen.empty()) return std::nullopt;
    std::ranges::copy_if(step.remedies, std::back_inserter(chosen), [&](const Remedy& remedy) {
        return remedy.rule.empty() || (!found && findings.may_be(remedy.rule));
    });
    if (chosen.empty()) return std::nullopt;
    const auto worth = [&](const Remedy& remedy) {
        return std::max(findings.worth(remedy.rule), findings.worth(remedy.also));
    };
    sort_by_worth(chosen, worth);
    Sentence sentence{std::string(step.lead), {}, indicated, worth(chosen.front()), StepEffect{}};
    StepEffect& effect = *sentence.effect;
    std::vector<std::string> ways;
    for (const Remedy& remedy : chosen) {
        ways.push_back(std::string(remedy.words) + findings.gain(worth(remedy)));
        effect.worth = std::max(effect.worth, worth(remedy));
        if (!remedy.rule.empty()) sentence.rules.push_back(remedy.rule);
        if (findings.indicated(remedy.also)) sentence.rules.push_back(remedy.also);
    }
    sentence.text = listed(step.lead, ways) + std::string(step.close);
    sentence.open = !indicated && std::ranges::find(chosen, "", &Remedy::rule) == chosen.end();
    effect.changes_launches = std::ranges::find(sentence.rules, "short_launch") != sentence.rules.end();
    if (!effect.changes_launches) effect.keeps = step.keeps;
    return sentence;
}

/// Whether what there is to do comes in the order of the steps, or first where its cause is indicated.
enum class StepOrder : std::uint8_t { as_given, indicated_first };

/// Figures closer to each other would read the same.
constexpr double more = 1.05;

/// "At most 1.20 ms, 34.0 % of the time of all kernels, until SM binds. How much of that is not known.": what
/// is at stake where nothing tells how much of it a step saves. Empty where that is not known either.
StepSaving stake_of(const StepEffect& step, const KernelPoint& point, Seconds program) {
    const auto limit = tightest_limit(point);
    if (!point.recoverable || !limit || program.value() <= 0) return {};
    const Recoverable& all = *point.recoverable;
    const KernelClass kernel_class = point.verdict.kernel_class;
    const bool by_launches = step.changes_launches;
    if (!by_launches && !point.verdict.busy &&
        (kernel_class == KernelClass::latency_bound || kernel_class == KernelClass::low_use))
        return {};  // what it waits for is its room
    const auto next = by_launches ? limit : limit_after(*limit, point);
    constexpr double telling = 0.05;  // else it is all of its time, which says nothing, or its room
    if (!next || (!by_launches && !all.once_relieved)) return {};
    if (!by_launches && next->share < telling)
        return {point.verdict.busy
                    ? fmt::format("Without the limit of {} that of {} is next, at {}{}: no counter "
                                  "tells how much the step saves.",
                                  label_of(*limit, point.memory), label_of(*next, point.memory),
                                  is_approximate(point, next->of) ? "~" : "", format_percent(next->share))
                    : ""};
    const Seconds saved =
        by_launches ? saved_by_fewer_launches(point).value_or(*point.known_time() * (1 - next->share))
                    : *all.once_relieved;
    if (saved <= (by_launches ? Seconds() : all.time * (1 + telling))) return {};
    const std::string_view mark =
        has_approximate_recovery(point) || is_approximate(point, next->of) ? "~" : "";
    const std::string figures = fmt::format("At most {}{}, {}{} of the time of all kernels", mark,
                                            format(saved), mark, format_percent(saved / program));
    if (by_launches)
        return {fmt::format("{}, {}.", figures,
                            point.launches == 1 ? "as part of a longer launch" : "in fewer, longer launches"),
                saved, true};
    const std::string until =
        all.next ? fmt::format(", until {} binds{}", label_of(NearestLimit{*all.next}, point.memory),
                               all.others_next ? " in most launches" : "")
                 : "";
    return {fmt::format("{}{}. How much of that is not known.", figures, until), saved, true};
}

StepSaving saving_beyond_limit(const StepEffect& step, const KernelPoint& point, Seconds program) {
    Seconds saved = step.worth > 1 ? time_above(point, *point.known_time(), 1 / step.worth) : Seconds();
    constexpr double rounding = 1.001;
    auto fewer = saved_by_fewer_bytes(point);
    // One that saves bytes where it moves what its operation needs, or more than that, changes what that is.
    const double surplus = point.target ? point.target->byte_gap.value_or(1) : 1;
    if (saved.value() > 0 &&
        (!fewer || fewer->time <= point.recoverable->time * more || step.worth > surplus * rounding))
        fewer = room_for_fewer_bytes(point);
    const bool capped = fewer && (saved.value() <= 0 || fewer->time < saved * more);
    if (capped) saved = saved.value() > 0 && fewer->held_by ? std::min(saved, fewer->time) : fewer->time;
    if (saved.value() <= 0)
        return capped && fewer->held_by
                   ? StepSaving{fmt::format("That saves nothing; {}.", held_words(point, *fewer)), saved}
                   : stake_of(step, point, program);
    const std::string further = capped ? held_words(point, *fewer) : "";
    const std::string_view mark = has_approximate_recovery(point) ? "~" : "";
    return {short_sentences(fmt::format("{} up to {}{}, {}{} of the time of all kernels{}.",
                                        step.worth > 1 && (!capped || fewer->held_by)
                                            ? "That saves"
                                            : "Fewer " + bytes_in_the_way(point, *fewer) + " save",
                                        mark, format(saved), mark, format_percent(saved / program),
                                        further.empty() ? "" : "; " + further))
                .text(),
            saved};
}

/// Whether all that can be recovered is what it may save.
bool reaches_the_limit(const StepEffect& step, const KernelPoint& point) {
    const auto limit = tightest_limit(point);
    const bool of_sm = limit && limit->of == LimitTarget(HardwareUnit::sm);
    return step.keeps == same_instructions || (step.keeps == same_work && !of_sm);
}

/// saving_of() where it is known that the step saves as much.
std::optional<Seconds> saved_by(const StepEffect& step, const KernelPoint& point) {
    if (!point.known_time()) return std::nullopt;
    const StepSaving saving = saving_of(step, point, *point.known_time());
    return saving.at_stake ? std::nullopt : saving.time;
}

/// Of what the numbers indicate that which is known to save most comes first.
void put_largest_first(std::vector<Sentence>& sentences, const KernelPoint& point) {
    const auto saves = [&](const Sentence& sentence) {
        return saved_by(sentence.effect.value_or(StepEffect()), point);
    };
    const auto least = sentences.empty() ? std::nullopt : saves(sentences.front());
    if (!least) return;
    auto largest = sentences.begin();
    for (auto other = largest + 1; other != sentences.end(); ++other)
        if (other->indicated && saves(*other) > saves(*largest)) largest = other;
    if (*saves(*largest) > *least * more) std::rotate(sentences.begin(), largest, largest + 1);
}

/// The first two of the steps that have something to say.
void take_steps(std::span<const Step> steps, StepOrder order, const Findings& findings, KernelGuide& guide) {
    std::vector<Sentence> sentences;
    for (const Step& step : steps) {
        const bool after = order == StepOrder::as_given && !sentences.empty();
        const std::span<const std::string_view> named =
            after ? std::span<const std::string_view>(sentences.back().rules)
                  : std::span<const std::string_view>();
        if (auto sentence = said(step, findings, named)) sentences.push_back(std::move(*sentence));
    }
    if (order == StepOrder::indicated_first) {
        std::stable_partition(sentences.begin(), sentences.end(),
                              [](const Sentence& sentence) { return sentence.indicated; });
        sort_by_worth(sentences, [](const Sentence& sentence) { return sentence.worth; });
    }
    put_largest_first(sentences, findings.point());
    const auto take = [&](std::size_t place, std::string& text) {
        if (place >= sentences.size()) return;
        text = sentences[place].text;
        guide.remedies.insert(guide.remedies.end(), sentences[place].rules.begin(),
                              sentences[place].rules.end());
    };
    take(0, guide.primary);
    take(1, guide.secondary);
    if (sentences.empty()) return;
    guide.first = sentences.front().effect.value_or(StepEffect());
    guide.numbers =
        sentences.front().open ? std::string(none_collected) : findings.numbers_of(sentences.front().rules);
    if (sentences.size() > 1) guide.then = sentences[1].effect;
}

/// What moves fewer bytes across a level.
Step fewer_bytes_at(MemoryLevel level) {
    if (is_in_sm(level)) return {"Ask less of L1 and shared memory: ", less_of_l1};
    if (level == MemoryLevel::l2) return {"Ask less of L2: ", less_of_l2};
    return {"Move fewer bytes: ", less_of_hbm};
}

/// That nothing else shows is not said of a kernel with few warps or blocks.
Step another_algorithm(const Findings& findings) {
    const bool sparse = findings.few_warps() || findings.indicated("less_than_one_wave");
    return {sparse ? algorithm_is_next : only_algorithm_is_next};
}

/// What takes load off a unit that bytes from memory do not fill.
Step relief_of(HardwareUnit unit) {
    if (unit == HardwareUnit::dram) return fewer_bytes_at(MemoryLevel::hbm);
    if (unit == HardwareUnit::l2_slice) return {"Relieve that slice: ", less_of_a_slice};
    return unit == HardwareUnit::sm ? fewer_instructions : Step{"Make fewer requests: ", fewer_requests};
}

Step feed_the_pipe(const KernelPoint& point) {
    const Pipe* pipe = point.binding ? std::get_if<Pipe>(&*point.binding) : nullptr;
    const bool tensor = pipe && is_tensor(*pipe);
    return {"Keep the pipe busy: ", tensor ? std::span<const Remedy>(feed_tensor) : feed_vector, ".", false,
            same_instructions};
}

/// "L2 reaches 70.0 % of its ceiling, the kernel 79.5 % of the practical roof (little room)": the figures and
/// the scale of the tables. The practical roof is named where it is not of what stands before it. `of_roof`:
/// not of a unit that is nearer to its limit.
std::string reached(const KernelPoint& point, const AnalysisOptions& options, bool of_roof = false) {
    const std::string limit = of_roof ? label_of(*point.binding, point.memory) : limit_label(point);
    std::string text = fmt::format("{} reaches {}{} of its {}", limit, of_roof ? "" : bound_words(point),
                                   of_roof ? marked_gap(point, format_percent(point.gap->efficiency()))
                                           : marked_share(point, format_percent(*share_of_limit(point))),
                                   of_roof || is_judged_by_roof(point) ? "ceiling" : "limit");
    const auto band = practical_band(point, options.practical_limits);
    if (!band) return text;
    const auto roof = practical_roof(point, options.practical);
    const bool is_of_it =
        !roof || ((of_roof || is_judged_by_roof(point)) && point.binding && roof->target == *point.binding);
    return text + fmt::format(", the kernel {} of the practical roof{} ({})",
                              marked_gap(point, format_percent(*point.practical_efficiency)),
                              is_of_it ? "" : " of " + label_of(roof->target, point.memory), label_of(*band));
}

/// Near what good kernels reach there is little to gain from how the bytes are asked for.
bool is_near_practical_roof(const KernelPoint& point, const PracticalLimits& limits) {
    const auto band = practical_band(point, limits);
    return band && *band != PracticalBand::some_room && *band != PracticalBand::much_room;
}

std::string low_use_words(const KernelPoint& point) {
    const std::string_view what = point.verdict.kernel_class == KernelClass::low_use
                                      ? "Nothing of memory and pipes that was judged is used much"
                                      : "Neither the memory nor the pipes are used much";
    return fmt::format("{}{}; ", what,
                       point.verdict.near_ridge ? ", and the ridge is near: no roof stands out" : "");
}

/// Why it is said to be of the memory or of the pipes.
std::string_view longest_words(bool memory, const KernelPoint& point) {
    if (!point.gap)
        return memory ? "Of what is known, memory is nearest to its limit; "
                      : "Of what is known, the SM is nearest to its limit; ";
    return memory ? "Moving the bytes is the longest of the bounds; "
                  : "Arithmetic is the longest of the bounds; ";
}

std::string symptom_of(RoofPosition position, const KernelPoint& point, const AnalysisOptions& options) {
    std::string figures = reached(point, options);
    switch (position) {
        case RoofPosition::at_memory_roof:
            return figures + "; the compute pipes wait for data.";
        case RoofPosition::below_memory_roof:
            return fmt::format("{}{}.", longest_words(true, point), figures);
        case RoofPosition::at_compute_roof:
            return figures + "; memory has time to spare.";
        case RoofPosition::below_compute_roof:
            return fmt::format("{}{}. The SM may be busy issuing other instructions all the same.",
                               longest_words(false, point), figures);
        case RoofPosition::below_both:
            return low_use_words(point) + figures + ".";
    }
    return figures;
}

/// Whether it is busy with the bytes of the level that binds: fewer of them relieve it.
bool serves_what_binds(HardwareUnit unit, const KernelPoint& point) {
    const auto level = limiting_level(point);
    return level && unit == (is_in_sm(*level)            ? HardwareUnit::l1tex
                             : *level == MemoryLevel::l2 ? HardwareUnit::l2
                                                         : HardwareUnit::dram);
}

/// Near a memory roof, with a unit so busy that fewer bytes alone gain little.
void relieve_first(KernelGuide& guide, const KernelPoint& point, const BusyUnit& busy,
                   const Findings& findings) {
    guide.meaning = fmt::format(
        "The kernel comes near what memory can do, and {} is {} busy by the profiler's own measure. Fewer bytes "
        "alone gain little before it is relieved.",
        label_of(busy.unit, point.memory), marked(point, busy.unit, format_percent(busy.share)));
    take_steps(
        std::array{relief_of(busy.unit), fewer_bytes_at(*limiting_level(point)), another_algorithm(findings)},
        StepOrder::as_given, findings, guide);
}

/// What fewer bytes at the level that binds can gain, before something else takes the time.
std::optional<NextBound> gain_below_the_gap(const KernelPoint& point) {
    auto next = next_bound(point);
    return next && next->times_shorter < point.gap->factor ? next : std::nullopt;
}

void ask_for_fewer_bytes(RoofPosition position, KernelGuide& guide, const KernelPoint& point,
                         const Findings& findings) {
    const Step fewer = fewer_bytes_at(*limiting_level(point));
    if (position == RoofPosition::at_memory_roof) {
        take_steps(std::array{batch, fewer, another_algorithm(findings)}, StepOrder::as_given, findings,
                   guide);
        return;
    }
    if (const auto next = gain_below_the_gap(point)) {
        guide.meaning = fmt::format(
            "It comes near what kernels reach in practice. Fewer bytes at {} gain {} at most, then "
            "{} binds. Reaching the roof gains up to {}.",
            label_of(*point.binding, point.memory),
            marked_if(is_inexact(point, *limiting_level(point)), format_factor(next->times_shorter)),
            next->name, marked_gap(point, format_factor(point.gap->factor)));
        const Step ask = said(count_transfers, findings) ? count_transfers : keep_in_flight;
        take_steps(std::array{ask, fewer, another_algorithm(findings)}, StepOrder::as_given, findings, guide);
        return;
    }
    guide.meaning = fmt::format(
        "Near what kernels reach in practice, fewer bytes at {} are worth more than more of them in flight.",
        label_of(*point.binding, point.memory));
    take_steps(std::array{batch, fewer, count_transfers, another_algorithm(findings)}, StepOrder::as_given,
               findings, guide);
}

void ask_for_a_faster_pipe(KernelGuide& guide, const KernelPoint& point, const Findings& findings) {
    const std::string faster = faster_than_binding(point);
    const std::string other = "Do the work in a faster way, where the numbers allow it: " + faster + ".";
    const Step on_faster{other};
    constexpr Step none{"No faster pipe of this GPU is known for such work."};
    const bool known = !faster.empty();
    take_steps(std::array{known ? on_faster : less_work, known ? less_work : none}, StepOrder::as_given,
               findings, guide);
    if (known && findings.indicated("no_tensor_cores")) guide.remedies.emplace_back("no_tensor_cores");
}

/// What keeps an SM busy that does little of the FLOP it could: said no further than it is known.
std::string work_of_busy_sm(const Findings& findings) {
    if (const auto part = findings.busiest_of_sm()) {
        return fmt::format(
            "What it is busy with most: its {}{}", spec_of(*part).label,
            part == AdviceMetric::issue_slots
                ? ". It starts instructions most of the time, and none of its pipes is as busy."
                : ".");
    }
    if (findings.indicated("other_pipe_busy"))
        return "One of its pipes that do no FLOP is nearly full: it is named below.";
    if (findings.ruled_out("other_pipe_busy"))
        return "Its pipes ALU, XU and LSU are not what is full: it is issuing instructions, or works on those "
               "that do little.";
    return "The SM issues instructions most of the time, or one of its pipes that do no FLOP is full.";
}

void tell_of_busy_unit(KernelGuide& guide, const KernelPoint& point, const BusyUnit& busy,
                       const AnalysisOptions& options, const Findings& findings) {
    const std::string share = marked(point, busy.unit, format_percent(busy.share));
    const std::string unit(label_of(busy.unit, point.memory));
    guide.symptom =
        point.gap
            ? fmt::format(
                  "{}, but the profiler finds {} {} busy. It is busy with more than the bytes and FLOP counted "
                  "here.",
                  reached(point, options, true), unit, share)
            : fmt::format("The profiler finds {} {} busy.", unit, share);
    if (busy.unit == HardwareUnit::sm) {
        guide.meaning = work_of_busy_sm(findings);
        if (findings.busiest_of_sm() == AdviceMetric::issue_slots) {
            const bool fp16 = std::ranges::any_of(point.pipes, [](const PipeLoad& load) {
                return load.pipe.kind == PipeKind::fp16 && load.work.value() > 0;
            });
            take_steps(std::array{fill_instructions, use_other_pipe, fp16 ? issue_fewer_of_fp16 : issue_fewer,
                                  issue_less, wait_less, fill_the_gpu},
                       StepOrder::as_given, findings, guide);
            return;
        }
        take_steps(std::array{fill_instructions, use_other_pipe, issue_less, wait_less, fill_the_gpu,
                              fewer_instructions, Step{source_page}},
                   StepOrder::indicated_first, findings, guide);
        return;
    }
    guide.meaning =
        point.gap ? "Caches or memory serve requests most of the time: many requests, each of few bytes."
                  : "Caches or memory serve requests most of the time.";
    if (const auto& all = point.throughput[HardwareUnit::l2]; all && busy.unit == HardwareUnit::l2_slice)
        guide.meaning = fmt::format(
            "The busiest L2 slice works at {} of its peak, all of them at {}. Many requests go to few addresses, "
            "which lie in one slice.",
            share, marked(point, HardwareUnit::l2, format_percent(*all)));
    take_steps(std::array{relief_of(busy.unit), move_less, queue_less, keep_near}, StepOrder::indicated_first,
               findings, guide);
}

/// Below a roof fewer bytes are told where a cause of them is indicated.
Step fewer_bytes_below(const KernelPoint& point) {
    const MemoryLevel level = *limiting_level(point);
    if (level == MemoryLevel::hbm) return move_less;
    Step step = fewer_bytes_at(level);
    step.only_indicated = true;
    return step;
}

/// Below a roof: what the numbers indicate comes first.
void find_the_cause(RoofPosition position, KernelGuide& guide, const KernelPoint& point,
                    const Findings& findings) {
    std::vector<Step> steps;
    const bool memory = limiting_level(point).has_value();
    const bool both = position == RoofPosition::below_both;
    if (both && findings.enough_to_do()) guide.meaning = "The kernel waits; its grid fills the GPU.";
    if (both || *share_of_limit(point) < VerdictThresholds{}.latency) steps.push_back(fill_the_gpu);
    if (memory) steps.push_back(batch);
    const bool bytes_outweigh = both && bytes_outweigh_waiting(point);
    if (bytes_outweigh) steps.push_back(move_less_unpromised);
    const bool near_ridge = both && point.verdict.near_ridge;
    if (near_ridge || memory) {
        // Fewer bytes promise nothing to a kernel that waits: what it waits for goes before them.
        const bool wider = near_ridge || (both && !findings.indicated("many_atomics"));
        const Step flight = wider ? put_in_flight : keep_in_flight;
        if (both) steps.insert(steps.end(), {flight, contend_less, fill_instructions});
        steps.push_back(both ? waste_no_transfer : count_transfers);
        if (!bytes_outweigh) steps.push_back(both ? move_less_unpromised : fewer_bytes_below(point));
        if (!both) steps.insert(steps.end(), {contend_less, flight});
    } else {
        steps.insert(steps.end(), {use_other_pipe, feed_the_pipe(point), issue_less, wait_less_for_data});
    }
    take_steps(steps, StepOrder::indicated_first, findings, guide);
    if (guide.secondary.empty()) guide.secondary = guide.primary.empty() ? nearer_roof : source_page;
    if (guide.primary.empty()) guide.primary = no_cause_left;
}

/// What is indicated with a worth, and stands in neither step.
void add_what_is_left(const Findings& findings, KernelGuide& guide) {
    std::vector<std::string> left;
    StepEffect effect;
    for (const auto& [rule, words, also] : of_known_worth) {
        if (!findings.has_worth(rule) || std::ranges::find(guide.remedies, rule) != guide.remedies.end())
            continue;
        left.push_back(std::string(words) + findings.gain(findings.worth(rule)));
        guide.remedies.push_back(rule);
        effect.worth = std::max(effect.worth, findings.worth(rule));
    }
    if (left.empty()) return;
    const auto saved = effect.worth > 1 ? saved_by(effect, findings.point()) : std::optional<Seconds>();
    const auto by_first = saved_by(guide.first, findings.point());
    if (saved && !guide.first.changes_launches && (!by_first || *saved > *by_first * more)) {
        guide.secondary = std::exchange(guide.primary, listed("What saves most: ", left) + ".");
        guide.then = std::exchange(guide.first, effect);
        guide.numbers = findings.numbers_of(std::span(guide.remedies).last(left.size()));
        return;
    }
    if (saved && (!guide.then || saved > saved_by(*guide.then, findings.point()))) guide.then = effect;
    guide.secondary += (guide.secondary.empty() ? "" : " ") + listed("Also: ", left) + ".";
}

/// SMs without a block leave a part of the GPU idle, whatever else binds.
void add_empty_sms(const Findings& findings, KernelGuide& guide) {
    constexpr std::string_view rule = "less_than_one_wave";
    if (!findings.indicated(rule) || std::ranges::find(guide.remedies, rule) != guide.remedies.end()) return;
    guide.primary +=
        fmt::format("{}Fill the GPU too: {}.", guide.primary.empty() ? "" : " ", more_work[0].words);
    guide.remedies.push_back(rule);
}

/// "Fewer bytes across L2 alone would save more, up to 348 ms, but no counter shows which.": why they are not
/// what comes first; nothing where they would not.
void add_larger_by_bytes(StepWorth& worth, const StepSaving& saving, const KernelPoint& point,
                         Seconds program) {
    const auto fewer = saved_by_fewer_bytes(point);
    if (!fewer || !saving.time || saving.at_stake || fewer->time <= *saving.time * more ||
        program.value() <= 0)
        return;
    worth.words += fmt::format("{}Fewer {} would save more, up to {}, but no counter shows which.",
                               worth.words.empty() ? "" : " ", bytes_in_the_way(point, *fewer),
                               marked_if(has_approximate_recovery(point), format(fewer->time)));
    worth.most = fewer->time;
}

constexpr std::string_view not_before = "Not known before that.";

/// Which data are missing of what a step saves that changes launches, bytes, requests or work.
std::string why_worth_unknown(const StepEffect& step, const KernelPoint& point) {
    if (step.changes_launches)
        return "Not known: no counter tells what the same work takes in fewer launches.";
    const auto limit = tightest_limit(point);
    const HardwareUnit* unit = limit ? std::get_if<HardwareUnit>(&limit->of) : nullptr;
    if (!unit && !point.target && limiting_level(point) == MemoryLevel::hbm)
        return "Not known: the bytes that its operation needs are missing.";
    const std::string_view what = !unit && !limiting_level(point) ? "operations a faster pipe can do"
                                  : !unit                         ? "bytes can be spared"
                                  : is_of_memory(*limit)          ? "requests can be spared"
                                                                  : "instructions can be spared";
    return fmt::format("Not known: no counter tells how many of its {}.", what);
}

}  // namespace

StepSaving saving_of(const StepEffect& step, const KernelPoint& point, Seconds program) {
    if (!point.known_time()) return {};
    if (reaches_the_limit(step, point) && step.worth <= 1)
        return {recoverable_words(point, program), recoverable_time(point)};
    return saving_beyond_limit(step, point, program);
}

StepWorth first_step_worth(const KernelGuide& guide, const KernelPoint& point, Seconds program) {
    if (guide.finds_out) return {std::string(not_before), recoverable_words(point, program)};
    const StepSaving saving = saving_of(guide.first, point, program);
    StepWorth worth{saving.words, {}, saving.time};
    add_larger_by_bytes(worth, saving, point, program);
    const auto room = recoverable_time(point);
    const bool alike = guide.first.changes_launches && saving.time && room && *saving.time <= *room * more;
    const bool is_all = (reaches_the_limit(guide.first, point) && guide.first.worth <= 1) ||
                        (!worth.words.empty() && (alike || room == Seconds()));
    if (!is_all) worth.recoverable = recoverable_words(point, program);
    if (worth.words.empty()) worth.words = why_worth_unknown(guide.first, point);
    return worth;
}

StepWorth worth_without_position(const std::string& first, const KernelPoint& point, Seconds program) {
    StepWorth worth{recoverable_words(point, program), {}};
    if (worth.words.empty() && !first.empty()) worth.words = not_before;
    return worth;
}

std::string practical_part_words(const KernelPoint& point, const AnalysisOptions& options) {
    const auto roof = practical_roof(point, options.practical);
    const bool of_roof = is_judged_by_roof(point) && point.recoverable && point.recoverable->limit && roof &&
                         !roof->measured && practical_band(point, options.practical_limits);
    if (!of_roof || point.recoverable->time <= Seconds()) return {};
    const Seconds part = std::min(point.recoverable->time,
                                  time_above(point, *point.known_time(), *point.practical_efficiency));
    const std::string assumed =
        fmt::format("the practical roof ({} of {}, assumed)", format_percent(roof->share),
                    label_of(roof->target, point.memory));
    if (part <= Seconds()) return fmt::format(" The kernel reaches {} already.", assumed);
    return fmt::format(" To {}: {}.", assumed, marked_if(has_approximate_recovery(point), format(part)));
}

std::string first_step(const Profile& profile, const KernelPoint& point, const Analysis& analysis,
                       const KernelAdvice& advice) {
    if (advice.position) return kernel_guide(advice, point, analysis.options).primary;
    if (has_warning(advice, "no_global_access")) return std::string(does_nothing);
    if (!point.verdict.launch_limits.empty())
        return "Look at its launches one by one: they are near different limits, and what helps one does nothing for another.";
    if (point.verdict.kernel_class == KernelClass::above_roof) return {};
    const bool timed = point.known_time() && point.known_time()->value() > 0;
    const bool counted = !point.modelled;
    std::vector<std::string> lacks;
    if (!timed) lacks.emplace_back("time");
    if (!has_known_bytes(point) || !counted) lacks.emplace_back("bytes");
    if (!point.work || !counted) lacks.emplace_back("FLOP");
    if (point.uncounted.any()) lacks.push_back(labels_of(point.uncounted) + " instructions");
    const bool can_bind = timed && !point.target;
    if (!lacks.empty() && lacks_ceilings(point))
        return fmt::format("Say which GPU it ran on, or type its ceilings. Not measured: {}.",
                           joined_with_and(lacks));
    if (!lacks.empty() && !collect_command(profile, &point, analysis).command.empty())
        return fmt::format(
            "Measure its {}.{}", joined_with_and(lacks),
            can_bind ? " Or name its operation: how far it is from what that needs is then known." : "");
    if (lacks.empty() && lacks_only_a_ceiling(point))
        return "Say which GPU it ran on, or type its ceilings: work, bytes and time are known.";
    if (can_bind) return "Name its operation: how far it is from what that needs is then known.";
    return {};
}

KernelGuide kernel_guide(const KernelAdvice& advice, const KernelPoint& point,
                         const AnalysisOptions& options) {
    const RoofPosition position = *advice.position;
    const Findings findings(advice, point);
    const PositionGuide& general = position_guide(position);
    KernelGuide guide;
    guide.title = general.title;
    guide.symptom = short_sentences(symptom_of(position, point, options)).text();
    guide.meaning = general.meaning;
    if (has_warning(advice, "several_kernels")) {
        guide.primary = "Profile its kernels one by one: the time is theirs and that between them.";
        guide.finds_out = true;
        return guide;
    }
    if (has_warning(advice, "no_global_access")) {
        guide.primary = does_nothing;
        guide.first.keeps = same_instructions;  // no more is known than what its launches leave
        return guide;
    }
    if (findings.indicated("contradicting_counters")) {
        guide.primary = "Profile it again: its counters contradict each other, and no step can rest on them.";
        guide.finds_out = true;
        return guide;
    }
    const bool near_memory =
        position == RoofPosition::at_memory_roof || (position == RoofPosition::below_memory_roof &&
                                                     is_near_practical_roof(point, options.practical_limits));
    auto full = near_memory ? saturated(point.throughput) : std::nullopt;
    if (full && serves_what_binds(full->unit, point)) full.reset();
    if (const auto busy = busy_unit(point, options.thresholds))
        tell_of_busy_unit(guide, point, *busy, options, findings);
    else if (full)
        relieve_first(guide, point, *full, findings);
    else if (near_memory)
        ask_for_fewer_bytes(position, guide, point, findings);
    else if (position == RoofPosition::at_compute_roof)
        ask_for_a_faster_pipe(guide, point, findings);
    else
        find_the_cause(position, guide, point, findings);
    add_what_is_left(findings, guide);
    add_empty_sms(findings, guide);
    return guide;
}

}  // namespace roofwalk
