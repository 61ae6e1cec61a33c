// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "core/base/mapped_file.h"
#include "tests/support/folder_tests.h"

namespace tst_mapped_file {

using namespace roofwalk;

namespace {

const std::string content = std::string(100000, 'a') + "end";

bool same(std::span<const std::byte> bytes, const std::string& text) {
    return std::ranges::equal(bytes, std::as_bytes(std::span(text)));
}

}  // namespace

class TestMappedFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::filesystem::path file_;

  private slots:
    void init() {
        file_ = std::filesystem::path(folder_.path().toStdString()) / "report";
        std::ofstream(file_, std::ios::binary | std::ios::trunc) << content;
    }
    void copied_or_mapped_the_bytes_are_the_same() {
        const auto copied = MappedFile::open(file_);
        const auto mapped = MappedFile::open(file_, 0);
        QVERIFY(copied && mapped);
        QVERIFY(same(copied->bytes(), content));
        QVERIFY(same(mapped->bytes(), content));
    }
    void a_file_cut_short_later_does_no_harm() {
        const auto file = MappedFile::open(file_);
        QVERIFY(file.has_value());
        std::filesystem::resize_file(file_, 0);
        QVERIFY(same(file->bytes(), content));
    }
    void the_limit_is_the_last_size_that_is_copied() {
        const auto copied = MappedFile::open(file_, content.size());
        const auto mapped = MappedFile::open(file_, content.size() - 1);
        QVERIFY(copied && mapped);
        std::fstream(file_, std::ios::binary | std::ios::in | std::ios::out) << 'b';
        QCOMPARE(copied->bytes().front(), std::byte{'a'});
        QCOMPARE(mapped->bytes().front(), std::byte{'b'});
    }
    void moving_hands_the_bytes_on() {
        for (const std::size_t limit : {MappedFile::copied_up_to, std::size_t{0}}) {
            auto first = MappedFile::open(file_, limit);
            auto second = MappedFile::open(file_, limit);
            QVERIFY(first && second);
            MappedFile moved(std::move(*first));
            QVERIFY(same(moved.bytes(), content));
            moved = std::move(*second);
            QVERIFY(same(moved.bytes(), content));
        }
    }
    void what_is_no_file_with_bytes_is_an_error() {
        std::filesystem::resize_file(file_, 0);
        QCOMPARE(MappedFile::open(file_).error().code, ErrorCode::file_empty);
        QCOMPARE(MappedFile::open(file_.parent_path()).error().code, ErrorCode::file_not_readable);
        QCOMPARE(MappedFile::open(file_ / "below").error().code, ErrorCode::file_not_found);
    }
};

}  // namespace tst_mapped_file

ROOFWALK_TEST(tst_mapped_file, TestMappedFile, QCoreApplication)
#include "tst_mapped_file.moc"
