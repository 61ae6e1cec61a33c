// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>

#include "core/advice/guide.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/import/open_profile.h"
#include "core/model/kernel_name.h"
#include "core/report/advice_report.h"
#include "core/report/kernel_page.h"
#include "core/report/selection_page.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"

namespace tst_spoken_sentences {

using namespace roofwalk;

namespace {

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
const QRegularExpression after_colon_too("(?<=[.!?:])[\")*]*\\s+");

/// The sentences of a text that are too long; a kernel's name in it is one word.
QStringList long_sentences(const std::string& text, const std::string& name,
                           const QRegularExpression& end = after_colon_too) {
    QString whole = QString::fromStdString(text);
    for (const std::size_t room : {name.size(), std::size_t{80}, std::size_t{64}, std::size_t{32}})
        if (!name.empty()) whole.replace(QString::fromStdString(shorten_kernel_name(name, room)), "name");
    QStringList found;
    for (const QString& sentence : whole.split(end))
        if (count_words(sentence.toStdString()) > most_words) found.append(sentence);
    return found;
}

/// What is read at one glance: no colon makes it two sentences.
bool is_headline(const TextBlock& block) {
    return block.kind == BlockKind::title ||
           (block.kind == BlockKind::question && block.label.starts_with("What "));
}

QStringList long_sentences(const TextPage& page, const std::string& name) {
    QStringList found;
    for (const TextBlock& block : page.blocks)
        if (is_headline(block))
            found += long_sentences(block.text, name, after_stop);
        else if (is_sentence(block) && (block.kind != BlockKind::item || block.label.empty()))
            found += long_sentences(block.text, name);
    return found;
}

/// Sentences of more than a few words that stand on a page twice, and the recoverable time where two of them
/// tell it.
QStringList told_twice(const TextPage& page, const KernelPoint& point) {
    static const QRegularExpression end("(?<=[.!?])\\s+");
    constexpr std::size_t few_words = 5;
    const auto time = recoverable_time(point);
    const QString told = time && *time > Seconds() ? QString::fromStdString(format(*time)) : QString();
    QStringList seen;
    QStringList twice;
    QStringList of_time;
    for (const TextBlock& block : page.blocks)
        if (is_sentence(block))
            for (const QString& sentence : QString::fromStdString(block.text).split(end)) {
                if (seen.contains(sentence) && count_words(sentence.toStdString()) > few_words)
                    twice.append(sentence);
                seen.append(sentence);
                if (!told.isEmpty() && sentence.contains(told)) of_time.append(sentence);
            }
    return of_time.size() > 1 ? twice + of_time : twice;
}

QStringList faults_of(Profile profile) {
    for (Warning& warning : profile.warnings)
        warning.file = warning.message.where = "";  // paths and names
    const Analysis analysis = analyse(profile, {});
    QStringList found = long_sentences(session_page(profile, analysis), {});
    found += long_sentences(whole_session_sentence(analysis), {});
    found += long_sentences(session_line(analysis), {}, after_stop);
    if (session_line(analysis).size() > longest_line) found.append(session_line(analysis).c_str());
    for (const AdvisedKernel& kernel : advise_ranked(profile, analysis, {}, 0).kernels) {
        const KernelPoint& point = analysis.points[kernel.point];
        const TextPage page = kernel_page(profile, analysis, kernel.point);
        found += long_sentences(page, point.name);
        found += told_twice(page, point);
        found += long_sentences(verdict_sentences(point).text(), point.name, after_stop);
        found += long_sentences(recoverable_words(point, analysis.total_time), point.name, after_stop);
        if (kernel.advice.position)
            found += long_sentences(kernel_guide(kernel.advice, point, analysis.options).symptom, point.name);
    }
    found.removeDuplicates();
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
};

}  // namespace tst_spoken_sentences

ROOFWALK_TEST(tst_spoken_sentences, TestSpokenSentences, NoApplication)
#include "tst_spoken_sentences.moc"
