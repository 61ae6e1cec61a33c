// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/advice/questions.h"
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

}  // namespace

class TestQuestions : public QObject {
    Q_OBJECT

  private slots:
    void the_three_questions_are_asked() {
        const auto answers = answers_of(at_memory_roof());
        QCOMPARE(std::string(answers[0].question), std::string("Left or right of the ridge?"));
        QCOMPARE(std::string(answers[1].question), std::string("Below the roof?"));
        QCOMPARE(std::string(answers[2].question), std::string("Far left of the algorithm?"));
    }
    void each_side_of_the_ridge_is_told() {
        const auto side = [](double flop, double bytes) {
            return answers_of(second_of(flop, bytes, bytes))[0].answer;
        };
        QCOMPARE(side(1e11, 0.5e12),
                 std::string(
                     "Left, by a factor of 50.0: 0.200 FLOP/byte against a ridge of 10.0 FLOP/byte at HBM."));
        QCOMPARE(side(8e12, 0.4e12),
                 std::string(
                     "Right, by a factor of 2.00: 20.0 FLOP/byte against a ridge of 10.0 FLOP/byte at HBM."));
        QCOMPARE(side(4e12, 0.5e12).substr(0, 38), std::string("Left, by a factor of 1.25, near the ri"));
        QVERIFY(side(5e12, 0.5e12).starts_with("At the ridge: 10.0 FLOP/byte"));
    }
    // A product of INT8 whose epilogue scales in FP32.
    void flop_of_an_epilogue_do_not_tell_the_side() {
        Profile profile = profile_of(round_machine(), {second_of(1e9, 0.5e12, 0.5e12)});
        profile.devices[0].ceilings.compute.push_back(compute_ceiling({PipeKind::tensor_int8}, 1e15));
        profile.launches[0].work.push_back({.pipe = {PipeKind::tensor_int8}, .work = Flops(1e12)});
        const Answer side = reading_questions(point_of(profile), {})[0];
        QVERIFY(side.figures.empty());
        QVERIFY(side.answer.find("FLOP/byte") == std::string::npos);
        QVERIFY(side.answer.find("left of the ridge, since HBM binds") != std::string::npos);
    }
    void the_figures_stand_beside_the_words() {
        const auto answers = answers_of(second_of(1e11, 0.5e12, 1e12));
        QCOMPARE(answers[0].figures.at(0).value, 0.2);
        QCOMPARE(answers[0].figures.at(1).value, 10.0);
        QCOMPARE(answers[1].figures.at(0).value, 2.0);
        QCOMPARE(answers[1].figures.at(1).value, 0.5);
        QCOMPARE(answers[1].answer, std::string("Yes, by 2.00x: 50.0 % of the HBM roof is reached."));
    }
    void near_and_above_the_roof_are_told() {
        QCOMPARE(answers_of(at_memory_roof())[1].answer,
                 std::string("Near it, 1.11x below: 90.0 % of the HBM roof is reached."));
        QCOMPARE(answers_of(second_of(1e11, 0.8e12, 1e12))[1].answer,
                 std::string("Near it, 1.25x below: 80.0 % of the HBM roof is reached."));
        QCOMPARE(answers_of(second_of(1e11, 0.998e12, 1e12))[1].answer,
                 std::string("No, on it: 99.8 % of the HBM roof is reached."));
        QVERIFY(answers_of(second_of(1e11, 1.2e12, 1e12))[1].answer.starts_with("No, above it: 120.0 %"));
    }
    void the_operation_tells_how_far_left_the_kernel_is() {
        const double least = 2 * (4096.0 * 4096 + 2 * 4096);
        const double work = 2 * 4096.0 * 4096;
        const Answer twice = third_answer(2 * least, work);
        QCOMPARE(twice.answer,
                 std::string("Yes: it moves 2.00x more HBM bytes than a GEMV of this shape needs. "
                             "Closing the gap is worth up to 2.00x."));
        QCOMPARE(twice.figures.at(0).value, 2.0);
        QCOMPARE(third_answer(least, work).answer,
                 std::string("No: it moves the HBM bytes that a GEMV of this shape needs."));
        QVERIFY(third_answer(1.05 * least, work).answer.starts_with("Slightly: it moves"));
        QVERIFY(
            third_answer(0.5 * least, work).answer.starts_with("No, right of it: it moves fewer HBM bytes"));
        QCOMPARE(
            third_answer(2 * least, 2 * work).answer,
            std::string("Yes: it moves 2.00x more HBM bytes than a GEMV of this shape needs. It did 2.00x "
                        "the work of the model. Closing the gap is worth up to 2.00x."));
    }
    void what_is_not_known_is_said() {
        const auto unmeasured = answers_of(launch(1, {}, {{hbm, 1e11}}));
        QVERIFY(unmeasured[0].answer.starts_with("Not known (work not counted)"));
        QVERIFY(unmeasured[1].answer.starts_with("Yes, by 10.0x"));
        QVERIFY(unmeasured[0].figures.empty());
        QCOMPARE(unmeasured[1].figures.size(), std::size_t{1});
        QCOMPARE(unmeasured[1].figures[0].value, 0.1);
        const auto nothing = answers_of(launch(1, {}, {}));
        QVERIFY(nothing[1].answer.starts_with("Not known (not measured: work"));
        QVERIFY(nothing[0].figures.empty() && nothing[1].figures.empty());
        Launch incomplete = at_memory_roof();
        incomplete.uncounted.fp16 = true;
        const std::string side = answers_of(incomplete)[0].answer;  // as the summary of the session counts it
        QVERIFY2(side.starts_with("Left: HBM is nearest to its limit (HBM at 90.0 %"), side.c_str());
        QVERIFY2(side.ends_with("(FP16 instructions not counted)."), side.c_str());
        QVERIFY(answers_of(second_of(0, 1e11, 1e11))[0].answer.starts_with("Left of every ridge"));
        QCOMPARE(answers_of(launch(1, {{fp32, 0}}, {{hbm, 0}}))[0].answer,
                 std::string("Not known: it does no FLOP, and no bytes were counted."));
        QVERIFY(
            answers_of(launch(1, {{fp32, 1e12}}, {{hbm, 0}}))[0].answer.starts_with("Right of every ridge"));
        QVERIFY(answers_of(at_memory_roof())[2].answer.starts_with("Not known: no operation is bound"));
    }
};

}  // namespace tst_questions

ROOFWALK_TEST(tst_questions, TestQuestions, NoApplication)
#include "tst_questions.moc"
