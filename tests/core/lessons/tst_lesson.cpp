// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson.h"

#include <fmt/format.h>

#include <QTest>
#include <cmath>
#include <functional>

#include "core/base/text.h"
#include "core/workspace/load_files.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_lesson {

using namespace roofwalk;

namespace {

constexpr double h100_flop_rate = 989e12;
constexpr double h100_byte_rate = 3350e9;

std::vector<Lesson> bundled() {
    auto lessons = read_lessons(test::data_folder() / ".." / ".." / "resources" / "lessons");
    if (!lessons) qFatal("%s", to_line(lessons.error()).c_str());
    return *std::move(lessons);
}

/// A lesson with its session open.
struct OpenLesson {
    explicit OpenLesson(std::size_t number) : lesson(bundled()[number]) {
        LoadRequest request;
        request.session = SessionRequest{lesson.session};
        const LoadResult loaded = load_files(request, {});
        if (!loaded.session || !loaded.failures.empty()) qFatal("%s", lesson.session.c_str());
        inputs = {loaded.merged, loaded.baselines, loaded.session->spec, {}};
        result = *make_result(inputs);
        selected = focus_of(inputs.spec.view, result.measured()).selected;
    }
    [[nodiscard]] std::uint32_t number_of(std::string_view kernel) const {
        const auto point = std::ranges::find(result.analysis->points, kernel, &KernelPoint::name);
        return static_cast<std::uint32_t>(point - result.analysis->points.begin());
    }
    [[nodiscard]] const KernelPoint& point(std::string_view kernel) const {
        return result.analysis->points.at(number_of(kernel));
    }
    [[nodiscard]] double intensity(std::string_view kernel) const {
        return point(kernel).at(MemoryLevel::hbm)->intensity->value();
    }
    [[nodiscard]] std::optional<ReportCell> figure() const { return figure_of(lesson, result, selected); }
    [[nodiscard]] bool answered(std::optional<std::size_t> choice = {}) const {
        return answers(lesson, figure(), choice);
    }
    /// Makes a move, and finds whether that answers.
    [[nodiscard]] bool answered_by(double bytes, MoveTime rule = MoveTime::keep_efficiency) {
        Move move;
        move.kernel.name = lesson.kernel;
        move.time_rule = rule;
        move.bytes[MemoryLevel::hbm] = bytes;
        WorkspaceInputs moved = inputs;
        moved.spec.scenario.moves = {move};
        result = *make_result(moved, result);
        return answered();
    }
    /// What the page of the answered lesson says.
    [[nodiscard]] std::string explanation() const {
        LessonProgress progress{.lesson = 0, .choice = {}, .begun_at = {}, .answered = {0}};
        return to_text(lessons_page({lesson}, progress, &result, {}), 0);
    }
    [[nodiscard]] bool says(std::initializer_list<std::string> figures) const {
        const std::string text = QString::fromStdString(explanation()).simplified().toStdString();
        const bool whole = text.find('{') == std::string::npos;
        const bool all = std::ranges::all_of(
            figures, [&](const std::string& figure) { return text.find(figure) != std::string::npos; });
        if (!whole || !all) qWarning("%s", text.c_str());
        return whole && all;
    }

    Lesson lesson;
    WorkspaceInputs inputs;
    WorkspaceResult result;
    std::optional<std::uint32_t> selected;
};

bool near(double value, double expected, double tolerance = 1e-3) {
    if (std::abs(value / expected - 1) <= tolerance) return true;
    qWarning("%g instead of %g", value, expected);
    return false;
}

ErrorCode code_of(const std::string& text) {
    const auto lesson = read_lesson(text, "a.lesson.json");
    return lesson ? ErrorCode::cancelled : lesson.error().code;
}

/// A lesson with one member in the place of another.
std::string document(const std::string& from = {}, const std::string& to = {}) {
    std::string text = R"({"format": "roofwalk-lesson", "version": 1, "title": "a", "session": "a.roofwalk",
        "question": "b", "task": "c", "kernel": "k", "figure": "time", "is": 1, "tolerance": 0.1,
        "explanation": ["d"]})";
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    return text;
}

}  // namespace

class TestLesson : public QObject {
    Q_OBJECT

  private slots:
    void a_document_that_cannot_be_used_is_refused() {
        QCOMPARE(code_of(document()), ErrorCode::cancelled);
        QCOMPARE(code_of("{"), ErrorCode::bad_json);
        QCOMPARE(code_of("{}"), ErrorCode::bad_schema);
        QCOMPARE(code_of(document("\"version\": 1", "\"version\": 2")), ErrorCode::unsupported_version);
        QCOMPARE(code_of(document("roofwalk-lesson", "roofwalk-session")), ErrorCode::bad_schema);
        QCOMPARE(code_of(document("a.roofwalk", "../a.roofwalk")), ErrorCode::bad_schema);
        QCOMPARE(code_of(document("\"time\"", "\"tine\"")), ErrorCode::bad_schema);
        QCOMPARE(code_of(document("0.1", "0")), ErrorCode::bad_schema);
        QCOMPARE(code_of(document("\"d\"", "")), ErrorCode::bad_schema);
        QCOMPARE(code_of(document(R"("is": 1, )")), ErrorCode::bad_schema);
        QCOMPARE(code_of(document(R"("is": 1)", R"("is": 1, "choices": [{"text": "x", "is": 1}])")),
                 ErrorCode::bad_schema);
        const auto none = read_lessons(test::data_folder());
        QVERIFY(!none && none.error().code == ErrorCode::file_not_found);
    }

    void every_lesson_opens_unanswered_and_says_that_it_is_modelled() {
        QCOMPARE(bundled().size(), std::size_t{8});
        for (std::size_t i = 0; i < bundled().size(); ++i) {
            const OpenLesson open(i);
            QVERIFY(open.selected && !open.answered());
            QVERIFY(open.result.inputs.profile->warnings.empty());
            for (const Launch& launch : open.result.inputs.profile->launches) {
                QCOMPARE(launch.work.front().origin, Origin::modelled);
                QCOMPARE(launch.traffic.front().origin, Origin::modelled);
            }
            QVERIFY(open.says({}));
        }
    }

    void stream_is_answered_by_the_v100() {
        OpenLesson open(0);
        // 2 FLOP for 24 bytes, and what STREAM reports over the datasheet.
        for (const auto& [kernel, share] :
             {std::pair("triad_v100", 820.0 / 900), std::pair("triad_a100", 1800.0 / 2039),
              std::pair("triad_h100", 2900.0 / 3350)}) {
            QVERIFY(near(open.intensity(kernel), 1.0 / 12));
            QVERIFY(near(open.point(kernel).gap->efficiency(), share));
            open.selected = open.number_of(kernel);
            QCOMPARE(open.answered(), std::string(kernel) == "triad_v100");
        }
        const double practical = PracticalFactors{}.bandwidth;
        QVERIFY(open.says({fmt::format("{:.0f} %", practical * 100)}));
        for (const char* kernel : {"triad_v100", "triad_a100"})  // which the text says to lie above it
            QVERIFY(open.point(kernel).gap->efficiency() > practical);
        QVERIFY(open.point("triad_h100").gap->efficiency() < practical);
        QVERIFY(open.says({"91.1 %", "88.3 %", "86.6 %", "0.0833 FLOP/byte"}));
    }

    void the_batch_that_reaches_the_ridge_is_328() {
        OpenLesson open(1);
        const double k = 4096;
        const double n = 11008;
        for (const double m : {1, 32, 256, 296, 328, 512}) {
            const std::string kernel = fmt::format("gemm_m{}", m);
            const double intensity = m * k * n / (m * k + k * n + m * n);
            QVERIFY(near(open.intensity(kernel), intensity));
            const bool right = intensity > h100_flop_rate / h100_byte_rate;
            QCOMPARE(right, m >= 328);
            QCOMPARE(std::holds_alternative<Pipe>(*open.point(kernel).binding), right);
            open.selected = open.number_of(kernel);
            QCOMPARE(open.answered(), m == 328);
        }
        // The formula of the explanation.
        const double ridge = h100_flop_rate / h100_byte_rate;
        QCOMPARE(std::ceil(ridge * 2 * k * n / (2 * k * n - ridge * 2 * (k + n))), 328.0);
        QVERIFY(open.says(
            {"328", "269 FLOP/byte", "1.00 FLOP/byte", "31.7 FLOP/byte", "236 FLOP/byte", "296 FLOP/byte"}));
    }

    void fused_attention_is_33_times_to_the_right() {
        OpenLesson open(2);
        const double tokens = 4096;
        const double work = 4 * tokens * tokens * 128;
        const double needed = 2 * 4 * tokens * 128;
        const double moved = needed + 2 * 4 * tokens * tokens;
        QVERIFY(near(open.intensity("attention_unfused"), work / moved));
        const AlgorithmicTarget& target = *open.point("attention_unfused").target;
        QVERIFY(near(target.intensity->value(), 2048));
        QVERIFY(near(*target.gap, moved / needed));
        QVERIFY(near(*target.useful, 100 / (work / moved)));
        QVERIFY(!open.answered_by(0.5));
        QVERIFY(open.answered_by(needed / moved));
        QVERIFY(open.lesson.question.find("128 in FP16") != std::string::npos);
        // 8.59 GFLOP at three quarters of 100 TFLOP/s.
        QVERIFY(
            open.says({"62.1 FLOP/byte", "2048 FLOP/byte", "33.0x", "1.61x", "185 µs", "115 µs", "1.33x"}));
    }

    void weights_of_four_bits_stand_at_almost_4() {
        OpenLesson open(3);
        const double k = 4096;
        const double n = 22016;
        QVERIFY(near(open.intensity("gemv_fp16"), k * n / (k * n + k + n)));
        QVERIFY(
            near(open.point("gemv_fp16").target->intensity->value(), 2 * k * n / (k * n / 2 + 2 * (k + n))));
        QVERIFY(near(*open.lesson.answer, 2 * k * n / (k * n / 2 + 2 * (k + n)), 1e-4));
        QVERIFY(!open.answered_by(0.5));
        QVERIFY(open.answered_by(0.25));
        QVERIFY(open.says({"1.00 FLOP/byte", "61.9 µs", "15.5 µs", "87.0 %"}));
    }

    void a_tile_of_16_gives_4_flop_a_byte() {
        OpenLesson open(4);
        const double n = 4096;
        QVERIFY(near(open.intensity("gemm_naive"), 2 * n / (8 * n + 4)));
        QVERIFY(near(open.point("gemm_naive").target->intensity->value(), n / 6));
        QVERIFY(near(*open.lesson.answer, 2.0 * 16 * 16 * 16 / (2 * 16 * 16 * 4), 1e-9));
        QVERIFY(!open.answered_by(1.0 / 32));
        QVERIFY(open.answered_by(1.0 / 16));
        QVERIFY(open.says({"0.250 FLOP/byte", "683 FLOP/byte", "75.0 %"}));
        // The ridge of the machine, and the tile that reaches it.
        const CeilingSet& ceilings = open.result.analysis->ceilings;
        QVERIFY(near(
            (ceilings.find(Pipe{PipeKind::fp32})->rate / ceilings.find(Boundary::hbm_dram_rw)->rate).value(),
            100.0 / 4));
    }

    void the_traffic_of_an_addition_is_three_tensors_S4_08() {
        const OpenLesson open(5);
        QVERIFY(!open.answered(0) && !open.answered(1) && open.answered(2));
        QCOMPARE(open.point("add_residual").at(MemoryLevel::hbm)->bytes.value(), 3 * 25e6 * 4);
        QVERIFY(near(*open.point("add_residual").target->byte_gap, 1));
        QVERIFY(open.says({"300 MB", "0.0833 FLOP/byte", "1.00x", "88.0 %"}));
    }

    void the_gemv_walks_straight_up() {
        OpenLesson open(6);
        const double bytes = 2.0 * (4096 * 4096 + 2 * 4096);
        const auto& analyses = open.result.comparison->analyses;
        QCOMPARE(analyses.size(), std::size_t{3});
        const std::array rates{1.2e12, 2.9e12, 3.1e12};
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const KernelPoint& step = analyses[i]->points.front();
            QVERIFY(near(step.performance->value(), rates[i]));
            QVERIFY(near(step.gap->factor, 2.0 * 4096 * 4096 / rates[i] / (bytes / h100_byte_rate)));
        }
        const KernelPath* path = path_to(open.result.comparison->comparison, 0);
        QVERIFY(path && path->whole.verdict == ChangeVerdict::up);
        QVERIFY(open.answered_by(1, MoveTime::to_roof));
        QVERIFY(open.says({"2.79x", "1.15x", "1.08x", "28.0 µs", "11.6 µs", "10.8 µs", "33.6 MB"}));
    }

    void a_tile_of_a_stencil_pays_for_its_halo() {
        OpenLesson open(7);
        const double flop = 7 + 6;
        QVERIFY(near(open.intensity("stencil_naive"), flop / (8 * 4)));
        QVERIFY(near(open.point("stencil_naive").target->intensity->value(), flop / (2 * 4)));
        const auto tiled = [&](double b) { return flop / (4 * ((b * b * b + 6 * b * b) / (b * b * b) + 1)); };
        QVERIFY(near(*open.lesson.answer, tiled(8), 1e-4));
        QVERIFY(!open.answered_by(0.25));  // the algorithm, without a halo
        QVERIFY(open.answered_by(11.0 / 32));
        QVERIFY(open.says(
            {format_si(tiled(32), "FLOP/byte"), "1.63 FLOP/byte", "0.406 FLOP/byte", "7.16 ms", "2.46 ms"}));
    }

    void a_try_is_told_how_far_it_is() {
        OpenLesson open(1);
        open.selected = open.number_of("gemm_m296");
        LessonProgress progress{.lesson = 0, .choice = {}, .begun_at = {}, .answered = {}};
        const auto page = [&] {
            return to_text(lessons_page({open.lesson}, progress, &open.result, open.figure()), 0);
        };
        QVERIFY(page().find("269 FLOP/byte") == std::string::npos);
        progress.tried = true;
        // 269.3 of 295.5
        QVERIFY2(page().find("269 FLOP/byte, 1.10x too small") != std::string::npos, page().c_str());
        // Memory has the name that it has on the chart.
        open.inputs.memory_beside = MemoryName::dram;
        open.result = *make_result(open.inputs);
        QVERIFY2(page().find("AI DRAM is 269") != std::string::npos, page().c_str());
    }

    void a_wrong_choice_gets_the_hint_and_no_explanation() {
        const OpenLesson open(5);
        LessonProgress progress{.lesson = 5, .choice = 0, .begun_at = {}, .answered = {}};
        const std::string text = to_text(lessons_page(bundled(), progress, &open.result, open.figure()), 0);
        QVERIFY(text.find(open.lesson.hint) != std::string::npos);
        QVERIFY(text.find("300 MB") == std::string::npos);
        // Its session is not open: nothing can be chosen.
        const TextPage closed = lessons_page(bundled(), progress, nullptr, {});
        QVERIFY(std::ranges::none_of(
            closed.blocks, [](const TextBlock& block) { return block.label.starts_with("choice_"); }));
    }
};

}  // namespace tst_lesson

ROOFWALK_TEST(tst_lesson, TestLesson, NoApplication)
#include "tst_lesson.moc"
