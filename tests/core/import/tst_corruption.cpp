// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/base/text.h"
#include "core/import/ncu/ncu_container.h"
#include "core/import/open_profile.h"
#include "core/report/report_table.h"
#include "core/roofline/analysis.h"
#include "tests/core/import/zstd_pack.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_corruption {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

using Random = std::mt19937_64;

constexpr std::uint64_t seed = 20;
constexpr std::size_t usual_cases = 400;
constexpr std::size_t cases_of_a_row = 100;
constexpr const char* first_variable = "ROOFWALK_CORRUPTIONS_FROM";
constexpr long most_memory = 1L << 20U;  // [KiB]

struct Input {
    std::string name;
    std::string bytes;
    bool binary = false;
    std::vector<std::pair<std::size_t, std::size_t>> structure;  ///< ranges outside of what is skipped
};

std::string content(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Notes block headers and results: most of a report is code.
void find_structure(Input& input) {
    const std::string_view report = input.bytes;
    if (!ncu::starts_report(report)) return;
    const auto container = ncu::scan_container(report);
    if (!container) return;
    std::size_t end = 0;
    for (const ncu::Block& block : container->blocks) {
        if (end < block.payload_offset) input.structure.emplace_back(end, block.payload_offset);
        end = block.payload_offset + block.payload.size();
        ncu::EntryCursor entries(block);
        while (const auto entry = entries.next()) {
            const auto from = static_cast<std::size_t>(entry->data() - report.data());
            input.structure.emplace_back(from, from + entry->size());
        }
    }
}

bool is_cut_between_blocks(std::string_view bytes, std::string_view report) {
    if (bytes.size() >= report.size() || !report.starts_with(bytes)) return false;
    const auto container = ncu::scan_container(bytes);
    return container && !container->damage;
}

std::vector<Input> inputs() {
    std::vector<Input> list;
    const auto add = [&](std::string name, std::string bytes, bool binary) {
        if (bytes.empty()) return;
        list.push_back({std::move(name), std::move(bytes), binary, {}});
        find_structure(list.back());
    };
    const auto add_folder = [&](const std::filesystem::path& folder, std::string_view suffix) {
        std::error_code none;
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder, none))
            if (entry.path().string().ends_with(suffix)) files.push_back(entry.path());
        std::ranges::sort(files);
        for (const auto& file : files)
            add(file.filename().string(), content(file), false);
    };
    add("full report", write_report(full_report_fixture()), true);
    add("small report", write_report(small_report_fixture()), true);
    add("old report", write_report(old_report_fixture()), true);
    add("packed report", pack_zstd(write_report(full_report_fixture())), true);
    add_folder(data_folder() / "csv", ".csv");
    add_folder(data_folder() / "json", ".json");
    add_folder(data_folder() / "e2e", ".json");
    add_folder(data_folder() / ".." / ".." / "resources" / "samples", ".json");
    add_folder(samples_folder(), "-raw.csv");
    for (const auto& report : sample_reports())
        add(report.filename().string(), content(report), true);
    return list;
}

std::size_t below(Random& random, std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::size_t>(random() % bound);
}

/// Half of all places lie where a reader looks.
std::size_t place(const Input& input, const std::string& bytes, Random& random) {
    if (!input.structure.empty() && random() % 2 == 0) {
        const auto& [from, to] = input.structure[below(random, input.structure.size())];
        constexpr std::size_t front = 65536;
        return std::min(from + below(random, std::min(to - from, front)), bytes.size() - 1);
    }
    return below(random, bytes.size());
}

/// A part of the file that a program wrote as one: a line, else so many bytes.
std::pair<std::size_t, std::size_t> group(const Input& input, const std::string& bytes, Random& random) {
    const std::size_t at = place(input, bytes, random);
    if (!input.binary) {
        const std::size_t before = at == 0 ? std::string::npos : bytes.rfind('\n', at - 1);
        const std::size_t from = before == std::string::npos ? 0 : before + 1;
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1);
        return {from, end + 1 - std::min(from, end)};
    }
    return {at, std::min(1 + below(random, 256), bytes.size() - at)};
}

using Damage = void (*)(const Input&, const std::vector<Input>&, std::string&, Random&);

void flip_one(const Input& input, const std::vector<Input>&, std::string& bytes, Random& random) {
    char& byte = bytes[place(input, bytes, random)];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << random() % 8));
}

void flip_many(const Input& input, const std::vector<Input>& all, std::string& bytes, Random& random) {
    for (std::size_t left = 1 + below(random, 16); left > 0; --left)
        flip_one(input, all, bytes, random);
}

/// Bytes from elsewhere, of this file or another, over others.
void splice(const Input& input, const std::vector<Input>& all, std::string& bytes, Random& random) {
    const std::string& source = random() % 2 == 0 ? input.bytes : all[below(random, all.size())].bytes;
    const std::size_t from = below(random, source.size());
    const std::size_t at = place(input, bytes, random);
    const std::size_t size = std::min({1 + below(random, 512), source.size() - from, bytes.size() - at});
    bytes.replace(at, size, source, from, size);
}

/// One to ten bytes that a length may be made of.
void change_length(const Input& input, const std::vector<Input>&, std::string& bytes, Random& random) {
    const std::size_t at = place(input, bytes, random);
    const std::size_t size = std::min<std::size_t>(1 + below(random, 10), bytes.size() - at);
    const std::uint64_t kind = random() % 3;
    for (std::size_t i = 0; i < size; ++i)
        bytes[at + i] = static_cast<char>(kind == 0 ? 0xFF : kind == 1 ? 0 : random() % 256);
}

void drop_group(const Input& input, const std::vector<Input>&, std::string& bytes, Random& random) {
    const auto [from, size] = group(input, bytes, random);
    bytes.erase(from, size);
}

void double_group(const Input& input, const std::vector<Input>&, std::string& bytes, Random& random) {
    const auto [from, size] = group(input, bytes, random);
    bytes.insert(from, bytes.substr(from, size));
}

/// A field of a message or of text twice in a row.
void double_field(const Input& input, const std::vector<Input>&, std::string& bytes, Random& random) {
    const std::size_t at = place(input, bytes, random);
    const std::size_t end = input.binary ? at + 2 + below(random, 18) : bytes.find_first_of(",\n", at);
    bytes.insert(at, bytes.substr(at, std::min(end, bytes.size()) - at + 1));
}

void cut(const Input& input, const std::vector<Input>&, std::string& bytes, Random& random) {
    bytes.resize(1 + place(input, bytes, random));
}

struct NamedDamage {
    const char* name;
    Damage apply;
};

constexpr NamedDamage damages[]{{"flip", flip_one},
                                {"flips", flip_many},
                                {"splice", splice},
                                {"length", change_length},
                                {"group gone", drop_group},
                                {"group twice", double_group},
                                {"field twice", double_field},
                                {"cut", cut}};

struct Outcome {
    std::optional<Profile> profile;  ///< absent: refused, exit 3
    double most_of_roof = 0;
    std::string report;
    std::set<std::string> warnings;
};

/// What `roofwalk-cli report` does with a file.
Outcome report_of(const std::string& bytes) {
    Outcome outcome;
    auto profile = read_profile(std::as_bytes(std::span(bytes)), "file");
    if (!profile) return outcome;
    AnalysisOptions options;
    options.group_by = GroupBy::launch;
    const Analysis analysis = analyse(*profile, options);
    for (const KernelPoint& point : analysis.points)
        if (point.gap) outcome.most_of_roof = std::max(outcome.most_of_roof, point.gap->efficiency());
    outcome.report = to_report_json(*profile, analysis);
    (void)to_text(report_table(*profile, analysis), TextColumns::every);
    for (const Warning& warning : profile->warnings)
        outcome.warnings.insert(to_line(warning.message));
    outcome.profile = std::move(*profile);
    return outcome;
}

/// What stands in a profile that reading must not let through; empty where nothing does.
std::string impossible(const Outcome& outcome, bool warned) {
    const Profile& profile = *outcome.profile;
    constexpr double year = 366 * 86400.0;
    const auto is_text = [&](const std::string& name) {
        return clean_utf8(name) == name && (warned || name.find("\xEF\xBF\xBD") == std::string::npos);
    };
    for (const Kernel& kernel : profile.kernels)
        if (!is_text(kernel.name) || !is_text(kernel.function_name)) return "a name that is no text";
    for (const Launch& launch : profile.launches) {
        if (launch.duration && !(launch.duration->value() > 0 && launch.duration->value() <= year))
            return "a time that cannot be";
        for (const WorkSample& sample : launch.work)
            if (!(sample.work.value() >= 0 && std::isfinite(sample.work.value())))
                return "work that cannot be";
        for (const TrafficSample& sample : launch.traffic)
            if (!(sample.total.value() >= 0 && std::isfinite(sample.total.value())))
                return "bytes that cannot be";
    }
    if (outcome.most_of_roof > 1.0001e4) return "a rate that cannot be";
    return {};
}

QJsonObject figures(const std::string& report) {
    QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(report)).object();
    json.remove("warnings");
    return json;
}

/// Whether some figure is in one of two reports and not in the other.
bool shapes_differ(const QJsonValue& a, const QJsonValue& b) {
    if (a.isObject() && b.isObject()) {
        const QJsonObject members = a.toObject();
        if (members.keys() != b.toObject().keys()) return true;
        return std::ranges::any_of(members.keys(),
                                   [&](const QString& key) { return shapes_differ(a[key], b[key]); });
    }
    if (a.isArray() && b.isArray())
        return !std::ranges::equal(
            a.toArray(), b.toArray(),
            [](const QJsonValue& one, const QJsonValue& other) { return !shapes_differ(one, other); });
    return a.isNull() != b.isNull();
}

std::size_t number(const char* variable, std::size_t usual) {
    bool given = false;
    const auto value = qEnvironmentVariable(variable).toULongLong(&given);
    return given ? value : usual;
}

}  // namespace

/// Every sample and fixture, damaged in every way that disks, networks and people damage files, and read as
/// `roofwalk-cli report` does. ROOFWALK_CORRUPTIONS sets how many, ROOFWALK_CORRUPTIONS_FROM the number of
/// the first; then each is named, so that one that crashes is.
///
/// A difference without a warning is let pass where only a checksum could show it, and that is decided so:
/// the damaged file reads as a whole one that somebody could have written. Every name is text, no figure,
/// time or rate is beyond what can be, and a report has as many kernels as before. What differs then are
/// figures or words that became others ("value"), or metrics that are missing because their name, number or
/// field became another ("absent"). Text formats have no counts to hold rows against: a line of CSV or an
/// element of JSON that is gone or doubled leaves a file as good as before ("rows").
class TestCorruption : public QObject {
    Q_OBJECT

    /// What came of one; "false ..." is what must not be.
    static std::string judge(const Outcome& whole, const Outcome& damaged, bool counts_kernels) {
        if (!damaged.profile) return "refused";
        const bool warned = !std::ranges::includes(whole.warnings, damaged.warnings);
        if (std::string fault = impossible(damaged, warned); !fault.empty()) return "false: " + fault;
        if (warned) return "warned";
        if (damaged.report == whole.report) return "same";
        const QJsonObject now = figures(damaged.report);
        const QJsonObject before = figures(whole.report);
        if (now == before) return "same";
        if (damaged.profile->launches.size() != whole.profile->launches.size())
            return counts_kernels ? "false: kernels came or went, and nothing is said" : "rows";
        return shapes_differ(now, before) ? "absent" : "value";
    }

    std::vector<Input> inputs_ = inputs();
    std::vector<std::optional<Outcome>> whole_ = std::vector<std::optional<Outcome>>(inputs_.size());
    std::map<std::string, std::size_t> counts_;
    long memory_ = 0;  // [KiB]

    /// Damages and reads one file; what it is, and what came of it.
    std::pair<std::string, std::string> run_case(std::size_t number) {
        Random random(seed * 1'000'003 + number);
        const std::size_t which = number % inputs_.size();
        const Input& input = inputs_[which];
        const NamedDamage& damage = damages[(number / inputs_.size() + which) % std::size(damages)];
        if (!whole_[which]) whole_[which] = report_of(input.bytes);
        std::string bytes = input.bytes;
        damage.apply(input, inputs_, bytes, random);
        std::string what = "case " + std::to_string(number) + ", " + damage.name + ", " + input.name;
        if (qEnvironmentVariableIsSet(first_variable)) qInfo("%s", what.c_str());
        return {std::move(what), judge(*whole_[which], report_of(bytes),
                                       input.binary && !is_cut_between_blocks(bytes, input.bytes))};
    }

  public:
    /// Qt ends a test function after five minutes, which the long run takes under sanitizers.
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "36000000"); }

  private slots:
    void nothing_false_comes_of_a_damaged_file_without_a_word_data() {
        QTest::addColumn<std::size_t>("from");
        QTest::addColumn<std::size_t>("to");
        const std::size_t first = number(first_variable, 0);
        const std::size_t last = first + number("ROOFWALK_CORRUPTIONS", usual_cases);
        for (std::size_t from = first; from < last; from += cases_of_a_row)
            QTest::addRow("%zu", from) << from << std::min(from + cases_of_a_row, last);
    }
    void nothing_false_comes_of_a_damaged_file_without_a_word() {
        QFETCH(std::size_t, from);
        QFETCH(std::size_t, to);
        for (std::size_t i = from; i < to; ++i) {
            const auto [what, came] = run_case(i);
            if (qEnvironmentVariableIsSet(first_variable)) qInfo("  %s", came.c_str());
            QVERIFY2(!came.starts_with("false"), (what + ": " + came).c_str());
            rusage usage{};
            getrusage(RUSAGE_SELF, &usage);
            memory_ = usage.ru_maxrss;
            QVERIFY2(memory_ <= most_memory, what.c_str());
            ++counts_[came];
        }
    }
    void cleanupTestCase() {
        std::size_t cases = 0;
        for (const auto& [came, count] : counts_) {
            cases += count;
            qInfo("%s: %zu", came.c_str(), count);
        }
        qInfo("%zu damaged files of %zu inputs, at most %ld MiB", cases, inputs_.size(), memory_ / 1024);
        QVERIFY(counts_["refused"] + counts_["warned"] > cases / 10);
    }
};

}  // namespace tst_corruption

ROOFWALK_TEST(tst_corruption, TestCorruption, NoApplication)
#include "tst_corruption.moc"
