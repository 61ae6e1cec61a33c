// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>
#include <functional>

#include "core/advice/questions.h"
#include "core/import/open_profile.h"
#include "core/report/advice_report.h"
#include "core/report/report_table.h"
#include "core/roofline/missing.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/presets.h"
#include "core/scenario/promise.h"
#include "core/scenario/scenario_report.h"
#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_one_story {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

const Boundary* level_that_binds(const KernelPoint& point) {
    return point.binding ? std::get_if<Boundary>(&*point.binding) : nullptr;
}

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// What the rules of classes compare with: that of the roof, whatever unit is nearer to its limit.
std::optional<double> share_of_rules(const KernelPoint& point) {
    return has_roof(point) ? std::optional(point.gap->efficiency()) : share_of_limit(point);
}

/// The class and what it says of the ceiling that binds.
std::string class_fault(const KernelPoint& point) {
    const KernelClass kernel_class = point.verdict.kernel_class;
    const bool memory = limiting_level(point).has_value();
    const VerdictThresholds limits;
    if (kernel_class == KernelClass::compute_bound && memory) return "compute-bound under a memory roof";
    if (kernel_class == KernelClass::memory_bound && !memory) return "memory-bound under a pipe";
    if (const auto& busy = point.verdict.busy;
        busy && limit_label(point) != label_of(busy->unit, point.memory))
        return "bound by another unit than is busy";
    const std::optional<double> known = share_of_rules(point);
    if (!known) return {};
    const double share = *known;
    if ((kernel_class == KernelClass::near_roof) !=
            (share >= limits.near_roof && share <= limits.above_roof) &&
        kernel_class != KernelClass::no_flop && kernel_class != KernelClass::no_traffic)
        return "near the roof, and not";
    if ((kernel_class == KernelClass::latency_bound || kernel_class == KernelClass::low_use ||
         point.verdict.busy) &&
        share >= limits.latency)
        return "low use of a ceiling that is used";
    const bool integer_tensor = std::ranges::any_of(point.pipes, [](const PipeLoad& load) {
        return is_tensor(load.pipe) && counts_integers(load.pipe) && load.work.value() > 0;
    });
    if (is_without_work(point) && integer_tensor && !holds(class_text(point), "integer tensor work"))
        return "no work beside integer tensor work";
    return {};
}

std::string side_fault(const KernelPoint& point, const Answer& side) {
    if (!point.verdict.side || !point.binding) return {};
    const Boundary* level = level_that_binds(point);
    if (level && point.verdict.side == Side::compute) return "right of the ridge, bound by memory";
    if (!level && point.verdict.side == Side::memory) return "left of the ridge, bound by a pipe";
    if (level && !side.figures.empty() &&
        !holds(side.answer, "at " + std::string(label_of(level_of(*level), point.memory)) + "."))
        return "the ridge of another level than the one that binds: " + side.answer;
    return {};
}

std::string position_fault(const KernelPoint& point, const std::optional<RoofPosition>& position) {
    if (!position) return {};
    const bool memory = limiting_level(point).has_value();
    const bool near = *share_of_rules(point) >= VerdictThresholds{}.near_roof;
    const bool at = *position == RoofPosition::at_memory_roof || *position == RoofPosition::at_compute_roof;
    const bool of_memory =
        *position == RoofPosition::at_memory_roof || *position == RoofPosition::below_memory_roof;
    if (at != near) return "at the roof, and not";
    if (*position != RoofPosition::below_both && of_memory != memory) return "under another roof than binds";
    if (!holds(place_words(*position, point), limit_label(point))) return "names another roof";
    return {};
}

/// Advice that would not shorten what takes the time.
std::string advice_fault(const KernelPoint& point, const KernelAdvice& advice) {
    const Boundary* level = level_that_binds(point);
    const bool hbm_binds = limiting_level(point) == MemoryLevel::hbm;
    const auto indicated = [&](std::string_view id) {
        return std::ranges::find(advice.indicated, id, &Advice::id) != advice.indicated.end();
    };
    // What they gain is not known of every kernel that waits.
    const bool waits = point.verdict.kernel_class == KernelClass::latency_bound ||
                       point.verdict.kernel_class == KernelClass::low_use;
    if (indicated("more_bytes") && !hbm_binds && point.target->useful.value_or(waits ? 2 : 1) < 1.01)
        return "fewer bytes of memory under another roof";
    const Pipe* pipe = point.binding ? std::get_if<Pipe>(&*point.binding) : nullptr;
    if (advice.position == RoofPosition::at_compute_roof && pipe && is_tensor(*pipe) &&
        holds(guide_without_counters(*advice.position, point).primary, "tensor cores"))
        return "tensor cores for a kernel that is at their roof";
    for (const Advice& warning : advice.warnings)
        if (warning.id == "l2_resident" && holds(warning.text, "L2 roof is the one to read") &&
            !(level && level_of(*level) == MemoryLevel::l2))
            return "another roof binds than the one to read";
    return {};
}

/// What a person is told to do, by the rule that finds the cause which it is against.
struct RemedyWords {
    std::string_view rule;
    const char* pattern;
};
constexpr RemedyWords remedy_words[]{
    {"uncoalesced_access", "\\bcoalesce"},
    {"narrow_loads", "wide accesses|wider loads|wider accesses"},
    {"local_memory", "no spills"},
    {"bank_conflicts", "(no|remove) bank conflicts"},
    {"divergence", "no divergence"},
    {"waits_at_barriers", "fewer barriers"},
    {"low_occupancy", "more warps"},
    {"dependency_chains", "more independent work|independent instructions"},
    {"many_atomics", "fewer atomics"},
    {"wide_values", "fewer bits"},
    {"tensor_pipe_idle", "more matrix instructions"},
    {"other_pipe_busy", "busy pipe|out of the inner loop|pipes that do no FLOP"},
    {"no_tensor_cores", "on tensor cores"}};

/// A remedy against a cause that the same text rules out.
std::string remedy_fault(const KernelPoint& point, const KernelAdvice& advice) {
    const auto is_ruled_out = [&](std::string_view id) {
        return std::ranges::find(advice.ruled_out, id, &Advice::id) != advice.ruled_out.end();
    };
    const auto fault_in = [&](const std::string& text, std::string_view own) {
        for (const auto& [rule, pattern] : remedy_words)
            if (rule != own && is_ruled_out(rule) &&
                QRegularExpression(pattern).match(QString::fromStdString(text)).hasMatch())
                return std::string(rule) + " is ruled out, and yet: " + text;
        return std::string();
    };
    if (advice.position) {
        const KernelGuide guide = kernel_guide(advice, point, {});
        for (const std::string_view rule : guide.remedies)
            if (is_ruled_out(rule)) return std::string(rule) + " is ruled out, and its remedy named";
        for (const std::string& text : {guide.primary, guide.secondary, guide.meaning})
            if (std::string fault = fault_in(text, {}); !fault.empty()) return fault;
    }
    for (const Advice& indicated : advice.indicated)
        if (std::string fault = fault_in(indicated.text, indicated.id); !fault.empty()) return fault;
    return {};
}

/// What is indicated comes first, and nothing whose worth is known is left out; counters that contradict each
/// other are worth nothing.
std::string priority_fault(const KernelPoint& point, const KernelAdvice& advice) {
    if (!advice.position || advice.indicated.empty()) return {};
    if (point.contradicted)
        return kernel_guide(advice, point, {}).remedies.empty() ? "" : "a step rests on them";
    const KernelGuide guide = kernel_guide(advice, point, {});
    const auto named = [&](std::string_view rule) {
        return std::ranges::find(guide.remedies, rule) != guide.remedies.end();
    };
    for (const Advice& indicated : advice.indicated)
        if (indicated.worth && !named(indicated.id))
            return std::string(indicated.id) + " is worth something and named nowhere: " + guide.primary +
                   " " + guide.secondary;
    // At a memory roof fewer bytes of other levels gain nothing.
    const auto gains = [&](const Advice& rule) {
        return rule.list != AdviceList::traffic || rule.worth ||
               *advice.position != RoofPosition::at_memory_roof;
    };
    if (std::ranges::any_of(advice.indicated, gains) &&
        std::ranges::none_of(advice.indicated, [&](const Advice& rule) { return named(rule.id); }))
        return "nothing that is indicated is to be done: " + guide.primary + " " + guide.secondary;
    return {};
}

/// Whoever only waits is below both roofs, wherever the ridge is.
std::string waiting_fault(const KernelPoint& point, const std::optional<RoofPosition>& position) {
    const KernelClass kernel_class = point.verdict.kernel_class;
    if (kernel_class == KernelClass::no_flop || kernel_class == KernelClass::no_traffic) {
        const auto unit = busiest(point.throughput);
        const bool busy = unit && unit->share >= VerdictThresholds{}.latency;
        const bool far = position && point.gap->efficiency() < VerdictThresholds{}.latency && !busy;
        return position && far != (*position == RoofPosition::below_both) ? "far from everything, and not"
                                                                          : "";
    }
    const bool waits = kernel_class == KernelClass::latency_bound || kernel_class == KernelClass::low_use;
    if (position && waits != (*position == RoofPosition::below_both)) return "waits, and has a roof to blame";
    return {};
}

std::string sentence_fault(const KernelPoint& point) {
    const std::string words = verdict_sentences(point).text();
    if (share_of_limit(point).value_or(0) > 0 && !holds(words, limit_label(point)))
        return "the roof that binds is not named: " + words;
    const bool frugal = moves_needed_bytes_only(point).value_or(false);
    if (holds(words, "Near the roof") && point.verdict.kernel_class != KernelClass::near_roof)
        return "not near the roof: " + words;
    if (holds(words, "; moves the ") && !frugal) return "needs fewer: " + words;
    if (point.verdict.kernel_class == KernelClass::near_roof && moves_needed_bytes_only(point) && !frugal &&
        !holds(words, fmt::format("as many {} bytes as", label_of(point.memory))) &&
        !holds(words, "left of its algorithm"))
        return "not about the traffic: " + words;
    const auto band = practical_band(point, {});
    if (band && *point.practical_efficiency > 1.001 && *band != PracticalBand::exceeded)
        return "beyond the practical roof without a word";
    if (band && point.contradicted) return "a band of counters that contradict each other";
    return {};
}

/// Whoever may be helped is told where to begin.
std::string first_fault(const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                        const KernelAdvice& advice) {
    const std::string first = first_step(profile, point, analysis, advice);
    if (point.verdict.kernel_class != KernelClass::above_roof && !point.target && first.empty())
        return "nothing to do first";
    if (!advice.position && !first.empty() &&
        worth_without_position(first, point, analysis.total_time).words.empty())
        return "nothing of its worth: " + first;
    return share_of_limit(point) || !holds(first, "roof") ? std::string()
                                                          : "a roof that is not known: " + first;
}

/// What is advised of bytes, and what a scenario says of fewer of them.
std::string promise_fault(const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                          const KernelAdvice& advice) {
    if (advice.position != RoofPosition::below_both) return {};
    const KernelGuide guide = kernel_guide(advice, point, analysis.options);
    if (!holds(guide.primary, "coalesced")) return {};
    const auto index = static_cast<std::uint32_t>(&point - analysis.points.data());
    const PresetSubject subject = preset_subject(profile, analysis, index);
    const auto move = preset_change(*find_preset("coalesce"), subject);
    if (!move) return {};
    const KernelState after = moved(subject.state, subject.model, *move);
    const auto reason =
        unpromised_reason(*move, subject.model, subject.state, after, analysis.options.thresholds);
    return holds(guide.primary, "No roof promises") == reason.has_value()
               ? ""
               : "promised by one: " + guide.primary;
}

/// What stands beside the first step is of that step: what is gained with the same bytes, work or
/// instructions is no worth of fewer of them.
std::string worth_fault(const Analysis& analysis, const KernelPoint& point, const KernelAdvice& advice) {
    if (!advice.position) return {};
    const KernelGuide guide = kernel_guide(advice, point, analysis.options);
    const std::string worth = first_step_worth(guide, point, analysis.total_time).words;
    if (worth.empty()) return "nothing of its worth: " + guide.primary;
    if (point.launches == 1 && holds(worth, "fewer, longer launches"))
        return "fewer launches than one: " + worth;
    static const QRegularExpression less(
        "^(Batch|Move fewer bytes|Ask less|Make fewer requests|Relieve that slice|Do less work|Do the work|Spend "
        "fewer|When the bytes are)|longer launches");
    const QString first = QString::fromStdString(guide.primary);
    if (less.match(first).hasMatch() && holds(worth, "with the same"))
        return "worth something else: " + guide.primary + " " + worth;
    const auto fewer = saved_by_fewer_bytes(point);
    if (fewer && holds(worth, "known, fewer ") && !holds(worth, format(fewer->time)))
        return "fewer bytes save another time in the session: " + worth;
    static const QRegularExpression promise("\\(up to ([0-9.]+)x");
    const auto promised = promise.match(first);
    if (!promised.hasMatch() || !holds(worth, "saves up to")) return {};
    const double most = 1 - 1 / (promised.captured(1).toDouble() + 0.01);
    static const QRegularExpression share(", ~?([0-9.]+) % of the time of all kernels");
    const double told = share.match(QString::fromStdString(worth)).captured(1).toDouble() / 100;
    return told > most * 1.01 ? "worth more than it says: " + guide.primary + " " + worth : "";
}

/// What fewer bytes are said to save at most is what a scenario without these bytes saves: at HBM of all
/// levels, else of the one that binds, unless an operation tells what all can fall to.
std::string room_fault(const Analysis& analysis, const KernelPoint& point) {
    const auto room = room_for_fewer_bytes(point);
    if (!room || bound_with_operation(point)) return {};
    const MemoryLevel level = level_of(*level_that_binds(point));
    Move move;
    for (const MemoryLevel which : all_levels)
        if (level == MemoryLevel::hbm || which == level || (is_in_sm(level) && is_in_sm(which)))
            move.bytes[which] = least_factor;
    if (level == MemoryLevel::hbm) move.needs.bytes = least_factor;
    const KernelModel model = kernel_model(point, analysis.options);
    const KernelState after = moved(model.measured, model, move);
    const auto reason = unpromised_reason(move, model, model.measured, after, analysis.options.thresholds);
    const CountedTime measured = counted_time(model.measured.time);
    const Seconds saved =
        saved_time(measured, counted_after_move(measured, move, model, model.measured, after, reason));
    constexpr double commands = 0.05;  // of DRAM beside its bytes
    return std::abs((saved - room->time) / *point.known_time()) > commands * room->time / *point.known_time()
               ? fmt::format("fewer bytes save {}, and a scenario {}", format(room->time), format(saved))
               : std::string();
}

std::string shown_fault(const Analysis& analysis, const KernelPoint& point, const ReportTable& table) {
    const Boundary* level = level_that_binds(point);
    if (!level) return {};
    const std::string column = std::string(id_of(level_of(*level))) + "_bytes";
    if (!analysis.options.levels[level_of(*level)]) return "binds and is not shown";
    const auto found = std::ranges::find(table.columns, column, &ReportColumn::id);
    return found == table.columns.end() || found->place == ColumnPlace::files_only ? "no column " + column
                                                                                   : std::string();
}

/// The first contradiction in what is said of the kernels of a profile; empty without any.
std::string contradiction(const Profile& profile, const AnalysisOptions& options) {
    const Analysis analysis = analyse(profile, options);
    const ReportTable table = report_table(profile, analysis);
    for (const KernelPoint& point : analysis.points) {
        const KernelAdvice advice = advise(profile, analysis, point, {});
        const auto answers = reading_questions(point, analysis.options);
        const bool warned = std::ranges::find(advice.warnings, "contradicting_counters", &Advice::id) !=
                            advice.warnings.end();
        for (const std::string& fault :
             {class_fault(point), side_fault(point, answers[0]), position_fault(point, advice.position),
              waiting_fault(point, advice.position), advice_fault(point, advice), remedy_fault(point, advice),
              priority_fault(point, advice), first_fault(profile, analysis, point, advice),
              promise_fault(profile, analysis, point, advice), worth_fault(analysis, point, advice),
              room_fault(analysis, point), sentence_fault(point), shown_fault(analysis, point, table),
              std::string(warned == point.contradicted ? "" : "contradicted without a warning")})
            if (!fault.empty()) return point.name.substr(0, 60) + " (" + class_text(point) + "): " + fault;
    }
    return {};
}

}  // namespace

class TestOneStory : public QObject {
    Q_OBJECT

  private slots:
    void no_sample_tells_two_stories_of_a_kernel_data() {
        QTest::addColumn<QString>("path");
        if (sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const auto& path : sample_reports())
            QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
    }
    void no_sample_tells_two_stories_of_a_kernel() {
        QFETCH(QString, path);
        const auto profile = open_profile(path.toStdString());
        if (!profile) QSKIP("no profile, as the test of the samples knows");
        for (const GroupBy group : {GroupBy::kernel, GroupBy::launch})
            for (const OperationClass operations :
                 {OperationClass::floating, OperationClass::integer, OperationClass::all}) {
                AnalysisOptions options;
                options.group_by = group;
                options.operations = operations;
                QCOMPARE(contradiction(*profile, options), std::string());
            }
    }
    void nor_where_the_bytes_that_are_needed_are_known_data() {
        no_sample_tells_two_stories_of_a_kernel_data();
    }
    void nor_where_the_bytes_that_are_needed_are_known() {
        QFETCH(QString, path);
        const auto profile = open_profile(path.toStdString());
        if (!profile) QSKIP("no profile, as the test of the samples knows");
        for (const char* operation : {".=axpy n=16", ".=axpy n=1e9"}) {
            Bindings bindings;
            bindings.rules.push_back(read_binding_rule(operation).value());
            AnalysisOptions options;
            options.launch_operations =
                std::make_shared<const LaunchOperations>(bind_operations(*profile, bindings));
            QCOMPARE(contradiction(*profile, options), std::string());
        }
    }
    // The unit decides of the sentence and the class, the roof of what its ceiling says.
    void a_unit_nearer_to_its_limit_than_the_roof_has_figures_of_its_own() {
        const auto path = sample("2023.1.1_a10g_sgemm");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        const Profile profile = open_profile(path).value();
        const Analysis analysis = analyse(profile, {});
        struct Case {
            std::string_view kernel;
            double of_roof, of_unit;
            HardwareUnit unit;
            KernelClass is;
        };
        for (const auto& [kernel, of_roof, of_unit, unit, is] :
             {Case{"one_blocktiling", 0.551, 0.648, HardwareUnit::l1tex, KernelClass::memory_bound},
              Case{"warptiling", 0.360, 0.395, HardwareUnit::sm, KernelClass::latency_bound}}) {
            const auto found = std::ranges::find_if(
                analysis.points,
                [name = kernel](const KernelPoint& point) { return holds(point.name, name); });
            QVERIFY(found != analysis.points.end());
            QVERIFY(std::abs(found->gap->efficiency() - of_roof) < 0.0005);
            QVERIFY(std::abs(*share_of_limit(*found) - of_unit) < 0.0005);
            QCOMPARE(unit_beyond_roof(*found)->unit, unit);
            QCOMPARE(found->verdict.kernel_class, is);
        }
    }
    // 0.9 s of HBM, all of which its operation needs: a batch of inputs, or fewer bits, changes the
    // operation.
    void a_step_that_saves_bytes_is_worth_more_than_the_time_with_as_many() {
        Profile profile = profile_of(round_machine(), {at_memory_roof()});
        profile.launches[0].algorithm = profile.texts.intern("custom flops=1e11 read=8e11 write=1e11");
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis analysis = analyse(profile, options);
        const KernelPoint& point = analysis.points.at(0);
        QCOMPARE(saved_by_fewer_bytes(point)->time, *recoverable_time(point));
        KernelGuide guide;
        guide.first.worth = 2;
        const auto saved = [&] { return *saving_of(guide.first, point, analysis.total_time).time; };
        const auto told = [&] { return *first_step_worth(guide, point, analysis.total_time).most; };
        QCOMPARE(format(saved()), std::string("500 ms"));
        // What is left beside it is hardly more than that: told once.
        const Seconds room = room_for_fewer_bytes(point)->time;
        guide.first.worth = 1 / (1 - room.value() / 1.02);
        QCOMPARE(told(), saved());
    }
    void that_nothing_can_be_recovered_is_not_told_beside_what_a_step_saves() {
        const Analysis analysis =
            analyse(profile_of(round_machine(), {launch(1.5e-6, {{fp32, 1e4}}, {{hbm, 1e4}})}), {});
        const KernelPoint& point = analysis.points.at(0);
        QCOMPARE(recoverable_time(point), std::optional(Seconds()));  // it is the shortest launch
        KernelGuide guide;
        guide.first.changes_launches = true;
        const StepWorth worth = first_step_worth(guide, point, analysis.total_time);
        QVERIFY2(worth.words.ends_with("as part of a longer launch."), worth.words.c_str());
        QVERIFY2(worth.recoverable.empty(), worth.recoverable.c_str());
    }
    void a_worth_that_no_figure_tells_names_the_data_that_are_missing() {
        const Profile profile = profile_of(round_machine(), {at_memory_roof()});
        const Analysis analysis = analyse(profile, {});
        const KernelPoint& point = analysis.points.at(0);
        const KernelGuide guide = kernel_guide(advise(profile, analysis, point, {}), point, analysis.options);
        const StepWorth bytes = first_step_worth(guide, point, analysis.total_time);
        QCOMPARE(bytes.words, std::string("Not known: the bytes that its operation needs are missing."));
        QVERIFY2(bytes.recoverable.starts_with("To the DRAM roof"), bytes.recoverable.c_str());
    }
    // SM at 70 % in both, and next L2 at 50 % in the longer one, L1TEX at 45 % in the other.
    void what_is_at_stake_is_summed_by_launch_and_told_with_what_can_be_recovered() {
        Profile profile = profile_of(
            round_machine(),
            {launch(2, {{fp32, 2e11}}, {{hbm, 0.6e12}, {l2, 0.8e12}, {smem, 0}}), far_below_memory_roof()});
        for (const auto& [index, of_l2, of_l1tex] : {std::tuple(0U, 50, 10), std::tuple(1U, 10, 45)})
            add_metrics(profile, index,
                        {{metric_of(HardwareUnit::sm), 70},
                         {metric_of(HardwareUnit::l2), of_l2},
                         {metric_of(HardwareUnit::l1tex), of_l1tex}});
        const Analysis analysis = analyse(profile, {});
        const KernelPoint& point = analysis.points.at(0);
        QVERIFY(is_bound_by_unit(point.verdict));
        QVERIFY(std::abs(point.recoverable->time.value() - 0.9) < 1e-9);
        QVERIFY(std::abs(point.recoverable->once_relieved->value() - 1.55) < 1e-9);
        KernelGuide guide;
        const auto worth = [&] { return first_step_worth(guide, point, analysis.total_time); };
        QVERIFY2(holds(worth().words, "1.55 s") && holds(worth().words, "L2 binds in most"),
                 worth().words.c_str());
        QVERIFY2(worth().recoverable.starts_with("To "), worth().recoverable.c_str());
        guide.first.worth = 1.05;
        QVERIFY2(worth().recoverable.starts_with("To "), worth().recoverable.c_str());
        guide.first.keeps = StepKeeps::instructions_too;
        QVERIFY2(worth().recoverable.starts_with("To "), worth().recoverable.c_str());
        guide.first.worth = 1;
        QVERIFY(worth().words.starts_with("To ") && worth().recoverable.empty());
        AnalysisOptions by_launch;
        by_launch.group_by = GroupBy::launch;
        Seconds sum;
        for (const KernelPoint& one : analyse(profile, by_launch).points)
            sum += *one.recoverable->once_relieved;
        QCOMPARE(sum.value(), point.recoverable->once_relieved->value());
    }
    // L2 is at 80 %, which fewer bytes of HBM do not relieve, and narrower values do.
    void what_ends_the_bytes_an_operation_needs_is_named_with_its_own_figure() {
        Profile profile = profile_of(round_machine(), {at_memory_roof()});
        profile.launches[0].algorithm = profile.texts.intern("custom flops=1e11 read=4e11 write=5e10");
        add_metrics(profile, 0, {{metric_of(HardwareUnit::l2), 80}, {metric_of(HardwareUnit::sm), 20}});
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis analysis = analyse(profile, options);
        const KernelPoint& point = analysis.points.at(0);
        const auto saved = saved_by_fewer_bytes(point);
        QVERIFY(saved && std::abs(saved->time.value() - 0.2) < 1e-9);
        QVERIFY(saved->held_by && saved->held_by->unit == HardwareUnit::l2 && saved->one_level);
        QVERIFY(held_words(point, *saved).find("L2 too (80.0 %") != std::string::npos);
        KernelGuide guide;
        const auto worth = [&](double times) {
            guide.first.worth = times;
            return format(*saving_of(guide.first, point, analysis.total_time).time);
        };
        QCOMPARE(worth(2), std::string("200 ms"));
        QCOMPARE(worth(2.5), std::string("600 ms"));
    }
    // One slice is busy, and serves as many requests whatever bytes L2 moves.
    void fewer_bytes_save_nothing_where_the_busy_unit_serves_as_many() {
        const auto path = sample("2024.1.1_gtx1660s_dotproduct");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        const Profile profile = open_profile(path).value();
        const Analysis analysis = analyse(profile, {});
        const auto naive = std::ranges::find_if(analysis.points, [](const KernelPoint& point) {
            return point.name.starts_with("dot_prod_naive");
        });
        QVERIFY(naive->verdict.busy->unit == HardwareUnit::l2_slice && !saved_by_fewer_bytes(*naive));
        const KernelAdvice advice = advise(profile, analysis, *naive, {});
        QCOMPARE(advice.indicated.front().id, std::string_view("many_atomics"));
        const KernelGuide guide = kernel_guide(advice, *naive, analysis.options);
        const std::string worth = first_step_worth(guide, *naive, analysis.total_time).words;
        QVERIFY2(holds(worth, "no counter tells how much"), worth.c_str());
        Scenario scenario;
        const auto index = static_cast<std::uint32_t>(naive - analysis.points.begin());
        scenario.moves = {
            preset_change(*find_preset("tile"), preset_subject(profile, analysis, index), 4).value()};
        scenario.moves[0].kernel = key_of(profile, analysis, *naive);
        const ScenarioEffect effect = effect_of(scenario, profile, analysis);
        QCOMPARE(effect.after.time.value(), effect.before.time.value());
        const ReportTable table = scenario_table(scenario, analysis, effect);
        const auto bound = std::ranges::find(table.columns, "binding_ceiling", &ReportColumn::id);
        QCOMPARE(table.rows.at(1).at(static_cast<std::size_t>(bound - table.columns.begin())).text,
                 std::string("one L2 slice"));
    }
    // HBM to 84.3 % of 303 us, and L2, whose bytes were not counted, 79.0 % busy.
    void fewer_bits_relieve_an_l2_that_nobody_counted_and_tiles_do_not() {
        const auto path = sample("2025.1.0_gh200_triton_3kernels_sections");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        const Profile profile = open_profile(path).value();
        const Analysis analysis = analyse(profile, {});
        const auto found = std::ranges::find_if(
            analysis.points, [](const KernelPoint& point) { return point.name.starts_with("silu_kernel"); });
        const KernelPoint& silu = *found;
        const auto index = static_cast<std::uint32_t>(found - analysis.points.begin());
        Bindings bindings;
        const double bytes = silu.at(MemoryLevel::hbm)->bytes.value() / silu.launches;
        bindings.rules.push_back(read_binding_rule(fmt::format("^silu_kernel=custom flops={} read={} write=0",
                                                               silu.work->value() / silu.launches, bytes))
                                     .value());
        AnalysisOptions bound;
        bound.launch_operations =
            std::make_shared<const LaunchOperations>(bind_operations(profile, bindings));
        const Analysis needed = analyse(profile, bound);  // it moves what its operation needs
        const KernelAdvice advice = advise(profile, needed, needed.points[index], {});
        const std::string worth = first_step_worth(kernel_guide(advice, needed.points[index], bound),
                                                   needed.points[index], needed.total_time)
                                      .words;
        QVERIFY2(holds(worth, "saves up to 151 µs") && !holds(worth, "L2"), worth.c_str());
        Scenario scenario;
        for (const auto& [id, saved, limit, share, state] :
             {std::array{"fp16", "151 µs", "HBM", "84.3 %", "made"},
              std::array{"tile", "63.5 µs", "L2", "100.0 %", "L2 limit"}}) {
            const auto move = preset_change(*find_preset(id), preset_subject(profile, analysis, index), {});
            scenario.moves = {move.value()};
            scenario.moves[0].kernel = key_of(profile, analysis, silu);
            const ScenarioEffect effect = effect_of(scenario, profile, analysis);
            QCOMPARE(format(effect.before.time - effect.after.time), std::string(saved));
            const ReportTable table = scenario_table(scenario, analysis, effect);
            const auto told = [&](std::string_view column) {
                return table.rows.at(1)
                    .at(static_cast<std::size_t>(std::ranges::find(table.columns, column, &ReportColumn::id) -
                                                 table.columns.begin()))
                    .text;
            };
            QCOMPARE(told("binding_ceiling"), std::string(limit));
            QCOMPARE(told("share_of_limit"), std::string(share));
            QVERIFY(holds(told("state"), state));
        }
    }
    // Two launches of 1.82 us each: four inputs to a launch save 3/4 of what launches take, and no bytes.
    void a_batch_of_kernels_that_wait_saves_launches_alone() {
        for (const char* name : {"2024.2.1_rtx3070_image-filters", "2021.3.1_gtx1650", "2024.3.2_rtx4080s",
                                 "2021.2.2_a100_154kernels"}) {
            const auto path = sample(name);
            if (path.empty()) QSKIP("samples are not beside this checkout");
            const Profile profile = open_profile(path).value();
            const Analysis analysis = analyse(profile, {});
            int waiting = 0;
            for (std::uint32_t i = 0; i < analysis.points.size(); ++i) {
                const KernelPoint& point = analysis.points[i];
                if (point.verdict.kernel_class != KernelClass::latency_bound || !point.known_time()) continue;
                const PresetSubject subject = preset_subject(profile, analysis, i);
                const auto move = preset_change(*find_preset("batch"), subject, 4);
                if (!move) continue;
                ++waiting;
                const KernelState after = moved(subject.state, subject.model, *move);
                const auto reason = unpromised_reason(*move, subject.model, subject.state, after, {});
                QVERIFY2(reason && reason != UnpromisedReason::too_short, point.name.c_str());
                const CountedTime before = counted_time(subject.state.time);
                const Seconds saved = saved_time(
                    before, counted_after_move(before, *move, subject.model, subject.state, after, reason));
                const Seconds launches = subject.model.roofs.launch_floor * (3.0 / 4);
                QVERIFY2(std::abs(saved / launches - 1) < 1e-6 || saved < launches, point.name.c_str());
                if (saves_launches(subject.model, subject.state, after))
                    QVERIFY2(saved > launches * 0.5, point.name.c_str());
                else
                    QVERIFY2(saved == Seconds() && launches < *before.time * 1e-4, point.name.c_str());
            }
            QVERIFY2(waiting > 0, name);
        }
    }
    void kernels_with_the_counters_of_others_are_all_warned_of() {
        const auto path = sample("2023.2.0_rtx5000-turing_wmma_3kernels_full");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        const auto profile = open_profile(path.string());
        QVERIFY(profile);
        const Analysis analysis = analyse(*profile, {});
        QCOMPARE(analysis.points.size(), std::size_t{3});
        for (const KernelPoint& point : analysis.points) {
            QVERIFY(point.contradicted);
            QVERIFY(!practical_band(point, {}));
            QVERIFY(holds(verdict_sentences(point).text(), "contradict each other"));
            QVERIFY(point.verdict.kernel_class != KernelClass::above_roof);
        }
        const KernelPoint& mixed = analysis.points[2];
        QVERIFY(missing_quantities(*profile, mixed, analysis).empty());
        QVERIFY(!mixed.work && !mixed.at(MemoryLevel::smem) && !mixed.bandwidth_share(MemoryLevel::smem));
        QVERIFY(mixed.bandwidth_share(MemoryLevel::hbm) && mixed.placement == Placement::line);
    }
};

}  // namespace tst_one_story

ROOFWALK_TEST(tst_one_story, TestOneStory, NoApplication)
#include "tst_one_story.moc"
