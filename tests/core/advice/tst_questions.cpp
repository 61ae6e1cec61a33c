// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <limits>

#include "core/advice/questions.h"
#include "core/base/text.h"
#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_questions {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::array<Answer, 3> answers_of(const Launch& launch) {
    return reading_questions(point_of(profile_of(round_machine(), {launch})), {});
}

/// A matrix times a vector, 33.6 MFLOP and 33.6 MB, that moves more or fewer bytes or works more.
Answer third_answer(double hbm_bytes, double flop,
                    std::string_view operation = "gemv m=4096 n=4096 dtype=fp16") {
    Profile profile = profile_of(round_machine(), {second_of(flop, hbm_bytes, hbm_bytes)});
    profile.launches[0].algorithm = profile.texts.intern(operation);
    return reading_questions(analysed(profile).points.at(0), {})[2];
}

/// Of its name; no number where the answer has none.
double figure(const Answer& answer, std::string_view id) {
    const auto found = std::ranges::find(answer.figures, id, &AnswerFigure::id);
    return found == answer.figures.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

}  // namespace

class TestQuestions : public QObject {
    Q_OBJECT

  private slots:
    void the_three_questions_are_asked() {
        const auto answers = answers_of(at_memory_roof());
        QCOMPARE(answers[0].id, std::string_view("side"));
        QCOMPARE(answers[1].id, std::string_view("below_roof"));
        QCOMPARE(answers[2].id, std::string_view("left_of_algorithm"));
        QVERIFY(std::ranges::none_of(
            answers, [](const Answer& answer) { return answer.question.empty() || answer.answer.empty(); }));
    }
    void launches_on_both_sides_of_the_ridge_are_told_apart() {
        const Launch left = second_of(1e12, 0.9e12, 0.9e12);
        const Launch right = second_of(8e12, 1e10, 1e10);
        const auto told = [](std::initializer_list<Launch> launches) {
            return reading_questions(analysed(profile_of(round_machine(), launches)).points.at(0), {})[0]
                .answer;
        };
        QVERIFY2(told({left, right, right, right}).find("25.0 % of its time is left of it and 75.0 %") !=
                     std::string::npos,
                 told({left, right, right, right}).c_str());
        QVERIFY(told({left, left}).find("%") == std::string::npos);
    }
    void a_distance_has_its_decades_S3_05() {
        const Answer below = answers_of(second_of(1e11, 0.1e12, 0.1e12))[1];
        const std::string factor = format_factor(figure(below, "vertical_gap"));
        QVERIFY2(below.answer.find(factor + " (1.00 decades)") != std::string::npos, below.answer.c_str());
    }
    void what_binds_beside_hbm_is_not_told_to_bind_in_its_place() {
        const double flop = 2.0 * 4096 * 4096 * 4096;
        const auto told = [&](double intensity) {
            return third_answer(flop / intensity, flop, "gemm m=4096 n=4096 k=4096 dtype=fp32").answer;
        };
        const std::string left = told(9.95);  // of a ridge of 10: HBM binds
        QVERIFY2(left.find("FP32 binds next") != std::string::npos, left.c_str());
        QVERIFY(left.find("DRAM is not what binds") == std::string::npos);
        const std::string right = told(10.5);
        QVERIFY2(right.find("DRAM is not what binds") != std::string::npos, right.c_str());
    }
    void each_side_of_the_ridge_is_told() {
        struct Case {
            double flop;
            double bytes;
            double intensity;
            std::string_view first_word;
        };
        for (const Case& told : {Case{1e11, 0.5e12, 0.2, "Left"}, Case{8e12, 0.4e12, 20, "Right"},
                                 Case{4e12, 0.5e12, 8, "Left"}, Case{5e12, 0.5e12, 10, "At"}}) {
            const Answer side = answers_of(second_of(told.flop, told.bytes, told.bytes))[0];
            QCOMPARE(figure(side, "intensity"), told.intensity);
            QCOMPARE(figure(side, "ridge"), 10.0);
            QVERIFY2(side.answer.starts_with(told.first_word), side.answer.c_str());
        }
    }
    // A product of INT8 whose epilogue scales in FP32.
    void flop_of_an_epilogue_do_not_tell_the_side() {
        Profile profile = profile_of(round_machine(), {second_of(1e9, 0.5e12, 0.5e12)});
        profile.devices[0].ceilings.compute.push_back(compute_ceiling({PipeKind::tensor_int8}, 1e15));
        profile.launches[0].work.push_back({.pipe = {PipeKind::tensor_int8}, .work = Flops(1e12)});
        const Answer side = reading_questions(point_of(profile), {})[0];
        QVERIFY(side.figures.empty());
        QVERIFY(side.answer.find("FLOP/byte") == std::string::npos);
        QVERIFY(side.answer.find("left of the ridge, since DRAM binds") != std::string::npos);
    }
    void near_a_unit_is_not_near_the_roof() {
        Profile profile = profile_of(round_machine(), {second_of(1e11, 0.5e12, 0.5e12)});
        add_metrics(profile, 0, {{metric_of(HardwareUnit::l2), 90}});
        const std::string below = reading_questions(point_of(profile), {})[1].answer;
        QVERIFY2(below.starts_with("Yes, but near another limit, 1.11x "), below.c_str());
        QVERIFY2(below.ends_with("It reaches 50.0 % of its DRAM roof."), below.c_str());
    }
    void what_is_reached_of_the_roof_is_told_with_its_factor() {
        for (const double share : {0.5, 0.8, 0.9, 0.998, 1.2}) {
            const Answer below = answers_of(second_of(1e11, share * 1e12, 1e12))[1];
            QCOMPARE(below.figures.size(), std::size_t{2});
            QCOMPARE(figure(below, "vertical_gap"), 1 / share);
            QCOMPARE(figure(below, "efficiency"), share);
            QCOMPARE(below.answer.starts_with("No"), share > 0.995);
            QCOMPARE(below.answer.starts_with("Yes"), share < 0.8);
        }
    }
    void the_operation_tells_how_far_left_the_kernel_is() {
        const double least = 2 * (4096.0 * 4096 + 2 * 4096);
        const double work = 2 * 4096.0 * 4096;
        const Answer twice = third_answer(2 * least, work);
        QCOMPARE(figure(twice, "horizontal_gap"), 2.0);
        QCOMPARE(figure(twice, "useful"), 2.0);
        QVERIFY(twice.answer.find(", yes") != std::string::npos);
        for (const double gap : {0.5, 1.0, 1.05}) {
            const Answer answer = third_answer(gap * least, work);
            QCOMPARE(figure(answer, "horizontal_gap"), gap);
            QVERIFY(answer.answer.find(", yes") == std::string::npos);
            QCOMPARE(answer.answer.find(", no") != std::string::npos, gap <= 1);
        }
        const Answer more_work = third_answer(2 * least, 2 * work);
        QCOMPARE(figure(more_work, "byte_gap"), 2.0);
        QVERIFY2(more_work.answer.size() > twice.answer.size(), more_work.answer.c_str());
    }
    void what_is_not_known_has_no_figure() {
        const auto unmeasured = answers_of(launch(1, {}, {{hbm, 1e11}}));
        QVERIFY(unmeasured[0].figures.empty());
        QCOMPARE(unmeasured[1].figures.size(), std::size_t{1});
        QCOMPARE(figure(unmeasured[1], "share_of_limit"), 0.1);
        const auto nothing = answers_of(launch(1, {}, {}));
        QVERIFY(nothing[0].figures.empty() && nothing[1].figures.empty());
        for (const Answer* unknown : {&unmeasured[0], &nothing[0], &nothing[1], &unmeasured[2]})
            QVERIFY2(unknown->answer.starts_with("Not known"), unknown->answer.c_str());
        Launch incomplete = at_memory_roof();
        incomplete.uncounted.fp16 = true;
        const Answer side = answers_of(incomplete)[0];  // as the summary of the session counts it
        QVERIFY(side.figures.empty() && side.answer.starts_with("Left"));
        QVERIFY(side.answer.find("DRAM") != std::string::npos);
        QVERIFY(side.answer.find("90.0 %") == std::string::npos);  // the sentence above says it
        QVERIFY(answers_of(second_of(0, 1e11, 1e11))[0].answer.starts_with("Left"));
        QVERIFY(answers_of(launch(1, {{fp32, 0}}, {{hbm, 0}}))[0].answer.starts_with("Not known"));
        QVERIFY(answers_of(launch(1, {{fp32, 1e12}}, {{hbm, 0}}))[0].answer.starts_with("Right"));
    }
};

}  // namespace tst_questions

ROOFWALK_TEST(tst_questions, TestQuestions, NoApplication)
#include "tst_questions.moc"
