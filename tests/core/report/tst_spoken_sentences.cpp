// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <array>

#include "core/advice/guide.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/compare/comparison.h"
#include "core/import/open_profile.h"
#include "core/model/kernel_name.h"
#include "core/report/advice_report.h"
#include "core/report/kernel_page.h"
#include "core/report/selection_page.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/move_words.h"
#include "core/scenario/scenario_report.h"
#include "tests/core/scenario/preset_move.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"

namespace tst_spoken_sentences {

using namespace roofwalk;

namespace {

constexpr std::size_t most_with_presets = 3;
constexpr std::size_t longest_line = 170;  // [bytes]: what the foot of a window of 1280 pixels holds

bool is_sentence(const TextBlock& block) {
    switch (block.kind) {
        case BlockKind::facts:
        case BlockKind::command:
        case BlockKind::action:
        case BlockKind::input:
        case BlockKind::figure:  // lists
        case BlockKind::minor_item:
        case BlockKind::source:
            return false;
        default:
            return true;
    }
}

const QRegularExpression after_stop("(?<=[.!?])[\")*]*\\s+");

/// The sentences of a text that are too long; a kernel's name in it is one word.
QStringList long_sentences(const std::string& text, const std::string& name) {
    static const QRegularExpression arguments("<[^<>]*>");  // of templates
    QString whole = QString::fromStdString(text);
    for (const std::size_t room : {name.size(), std::size_t{80}, std::size_t{64}, std::size_t{32}})
        if (!name.empty()) whole.replace(QString::fromStdString(shorten_kernel_name(name, room)), "name");
    whole.remove(arguments);
    QStringList found;
    for (const QString& sentence : whole.split(after_stop))
        if (count_words(sentence.toStdString()) > most_words) found.append(sentence);
    return found;
}

QStringList long_sentences(const TextPage& page, const std::string& name) {
    QStringList found;
    for (const TextBlock& block : page.blocks)
        if (is_sentence(block) && (block.kind != BlockKind::item || block.label.empty()))
            found += long_sentences(block.text, name);
    return found;
}

/// Sentences of more than a few words and figures that stand on a page twice, and the recoverable time where
/// two of them tell it.
QStringList told_twice(const TextPage& page, const KernelPoint& point) {
    constexpr std::size_t few_words = 5;
    const auto time = recoverable_time(point);
    const QString told = time && *time > Seconds() ? QString::fromStdString(format(*time)) : QString();
    QStringList seen;
    QStringList twice;
    QStringList of_time;
    for (const TextBlock& block : page.blocks)
        if (is_sentence(block))
            for (const QString& sentence : QString::fromStdString(block.text).split(after_stop)) {
                if (seen.contains(sentence) && count_words(sentence.toStdString()) > few_words)
                    twice.append(sentence);
                seen.append(sentence);
                if (!told.isEmpty() && sentence.contains(told)) of_time.append(sentence);
            }
        else if (const QString figure = QString::fromStdString(block.text) + '.';
                 block.kind == BlockKind::figure && seen.contains(figure, Qt::CaseInsensitive))
            twice.append(figure);
    return of_time.size() > 1 ? twice + of_time : twice;
}

/// What the presets promise of a kernel, and what becomes of it.
QStringList faults_of_presets(const Profile& profile, const Analysis& analysis, std::uint32_t point) {
    const std::string& name = analysis.points[point].name;
    QStringList found;
    for (const Preset& preset : presets()) {
        auto move = test::preset_move(preset, preset_subject(profile, analysis, point));
        if (!move) {
            found += long_sentences(move.error().what, name) + long_sentences(move.error().hint, name);
            continue;
        }
        const Scenario scenario{.name = "Walk", .moves = {*std::move(move)}, .unknown_members = {}};
        const ScenarioEffect effect = effect_of(scenario, profile, analysis);
        found += long_sentences(scenario.moves.front().assumption, name);
        found += long_sentences(scenario_sentence(scenario, effect), name);
        for (const ScenarioRow& row : scenario_rows(scenario, effect))
            found += long_sentences(state_of(row), name) + long_sentences(move_limit_words(row), name);
        found += long_sentences(kernel_page(profile, analysis, point, {.scenario = &effect}), name);
    }
    return found;
}

QStringList faults_of(Profile profile) {
    for (Warning& warning : profile.warnings)
        warning.file = warning.message.where = "";  // paths and names
    const Analysis analysis = analyse(profile, {});
    QStringList found = long_sentences(session_page(profile, analysis), {});
    found += long_sentences(whole_session_sentence(analysis), {});
    found += long_sentences(session_line(analysis), {});
    if (session_line(analysis).size() > longest_line) found.append(session_line(analysis).c_str());
    for (const AdvisedKernel& kernel : advise_ranked(profile, analysis, {}, 0).kernels) {
        const KernelPoint& point = analysis.points[kernel.point];
        const TextPage page = kernel_page(profile, analysis, kernel.point);
        found += long_sentences(page, point.name);
        found += told_twice(page, point);
        found += long_sentences(verdict_sentences(point).text(), point.name);
        found += long_sentences(recoverable_words(point, analysis.total_time), point.name);
        if (kernel.advice.position)
            found += long_sentences(kernel_guide(kernel.advice, point, analysis.options).symptom, point.name);
    }
    for (const AdvisedKernel& kernel : advise_ranked(profile, analysis, {}, most_with_presets).kernels)
        found += faults_of_presets(profile, analysis, kernel.point);
    found.removeDuplicates();
    return found;
}

/// What became of the kernels from one report to the next.
QStringList faults_between(const Profile& before, const Profile& after) {
    const Analysis old = analyse(before, {});
    const Analysis now = analyse(after, {});
    const Comparison comparison =
        compare_runs(std::array{AnalysedProfile{&before, &old}, AnalysedProfile{&after, &now}});
    QStringList found = long_sentences(comparison_sentence(comparison), {});
    for (const KernelPath& path : comparison.paths)
        for (const std::string& note :
             change_notes(comparison.first_run_of(path), comparison.last_run_of(path), path.whole))
            found += long_sentences(note, {});
    for (std::uint32_t point = 0; point < now.points.size(); ++point)
        found += long_sentences(kernel_page(after, now, point, {.comparison = &comparison, .older = {"old"}}),
                                now.points[point].name);
    return found;
}

}  // namespace

class TestSpokenSentences : public QObject {
    Q_OBJECT

  private slots:
    void what_is_said_of_a_report_is_short_and_said_once_data() {
        QTest::addColumn<QString>("path");
        std::vector<std::filesystem::path> paths = test::sample_reports();
        for (const auto& shipped : test::shipped_samples())
            paths.push_back(shipped);
        for (const auto& path : paths)
            QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
    }
    void what_is_said_of_a_report_is_short_and_said_once() {
        QFETCH(QString, path);
        const auto profile = open_profile(path.toStdString());
        if (!profile) QSKIP("no profile, as the test of the samples knows");
        const QStringList found = faults_of(*profile);
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }
    void what_is_said_of_two_reports_is_short() {
        std::vector<Profile> profiles;
        for (const auto& path : test::shipped_samples())
            if (auto profile = open_profile(path.string())) profiles.push_back(*std::move(profile));
        QVERIFY(profiles.size() > 1);
        QStringList found;
        for (const Profile& profile : profiles)
            found += faults_between(profiles.front(), profile);
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }
};

}  // namespace tst_spoken_sentences

ROOFWALK_TEST(tst_spoken_sentences, TestSpokenSentences, NoApplication)
#include "tst_spoken_sentences.moc"
