// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/source_names.h"

#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_partial_words {

using namespace roofwalk;

namespace {

Profile read_of(const std::vector<std::pair<std::string, bool>>& files) {
    Profile profile;
    for (const auto& [path, partial] : files) {
        SourceInfo source;
        source.path = path;
        source.format = SourceFormat::roofwalk_json;
        source.partial = partial;
        profile.sources.push_back(source);
    }
    return profile;
}

}  // namespace

class TestPartialWords : public QObject {
    Q_OBJECT

  private slots:
    void whole_files_need_no_words() {
        QCOMPARE(partial_words(read_of({{"a.json", false}})), std::string());
        QCOMPARE(partial_sentence(read_of({})), std::string());
    }
    void a_damaged_file_is_named_without_its_folder() {
        const Profile profile = read_of({{"/home/me/cut.ncu-rep", true}, {"whole.json", false}});
        QCOMPARE(partial_words(profile), std::string("cut.ncu-rep is incomplete"));
        QCOMPARE(partial_sentence(profile), std::string("cut.ncu-rep is incomplete; kernels "
                                                        "and their time may be missing."));
    }
    void a_file_of_which_nothing_was_read_is_not_called_incomplete() {
        Profile profile = read_of({{"cut.json", true}, {"gone.json", true}});
        profile.sources.back().format = SourceFormat::none;
        QCOMPARE(partial_words(profile), std::string("cut.json is incomplete, gone.json could not be read"));
        profile.sources.erase(profile.sources.begin());
        QCOMPARE(partial_sentence(profile),
                 std::string("gone.json could not be read; kernels and their time may be missing."));
    }
    void many_damaged_files_are_counted() {
        QCOMPARE(partial_words(read_of({{"a", true}, {"b", true}})), std::string("a and b are incomplete"));
        QCOMPARE(partial_words(read_of({{"a", true}, {"b", true}, {"c", true}, {"d", true}})),
                 std::string("a, b, c and 1 further file are incomplete"));
        QCOMPARE(partial_words(read_of({{"a", true}, {"b", true}, {"c", true}, {"d", true}, {"e", true}})),
                 std::string("a, b, c and 2 further files are incomplete"));
    }
};

}  // namespace tst_partial_words

ROOFWALK_TEST(tst_partial_words, TestPartialWords, NoApplication)
#include "tst_partial_words.moc"
