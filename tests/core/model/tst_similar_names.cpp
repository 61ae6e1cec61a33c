// SPDX-License-Identifier: GPL-3.0-or-later

#include <QTest>

#include "core/model/kernel_name.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_similar_names {

using namespace roofwalk;

namespace {

const std::string gemm =
    "void cutlass::Kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::half_t, cutlass::Shape<";

std::string instance(const std::string& end) {
    return gemm + end + ">>>(T1::Params)";
}

}  // namespace

class TestSimilarNames : public QObject {
    Q_OBJECT

  private slots:
    void the_name_with_the_longest_common_start_is_similar() {
        const SimilarNames names({"add", "copy<int, 4>", "copy<float, 4>", "copy<float, 8>"});
        QCOMPARE(names.to("copy<float, 4>"), std::string_view("copy<float, 8>"));
        QCOMPARE(names.to("copy<int, 4>"), std::string_view("copy<float, 8>"));
        QCOMPARE(names.to("add"), std::string_view());
        QCOMPARE(names.to("unknown"), std::string_view());
    }
    void instances_that_would_read_the_same_show_where_they_differ() {
        const std::string a = instance("128, 128, 32");
        const std::string b = instance("128, 256, 32");
        const SimilarNames names({a, b, b});
        QCOMPARE(shorten_kernel_name(a, 32), shorten_kernel_name(b, 32));
        QCOMPARE(names.shortened(a, 32), std::string("Kernel<GemmUniversal<…128, 32>>>"));
        QCOMPARE(names.shortened(b, 32), std::string("Kernel<GemmUniversal<…256, 32>>>"));
    }
    void what_fits_or_differs_already_stays() {
        const SimilarNames names({"void tile<(int)64>(int*)", "void tile<(int)128>(int*)"});
        QCOMPARE(names.shortened("void tile<(int)64>(int*)", 32), std::string("tile<64>"));
        QCOMPARE(names.shortened("searchTree", 6), shorten_kernel_name("searchTree", 6));
    }
    void a_difference_with_much_behind_it_leaves_room_for_the_start() {
        const std::string tail = ", cutlass::layout::RowMajor, cutlass::arch::OpMultiplyAdd, 8, 8, false";
        const std::string a = instance("64" + tail);
        const std::string b = instance("32" + tail);
        const std::string shown = SimilarNames({a, b}).shortened(a, 32);
        QVERIFY2(shown.starts_with("Kernel<Gem") && shown.find("…64, ") != std::string::npos, shown.c_str());
    }
    void an_early_difference_is_seen_without_a_repetition() {
        const std::string a = "void mm<Tile<128, 256, 64>, float16_t, RowMajor>(float*)";
        const std::string b = "void mm<Tile<64, 256, 64>, float16_t, RowMajor>(float*)";
        const SimilarNames names({a, b});
        for (std::size_t room = 14; room < a.size(); ++room) {
            const std::string shown = names.shortened(a, room);
            QVERIFY2(shown != names.shortened(b, room), shown.c_str());
            QVERIFY2(shown.find("128") == shown.rfind("128"), shown.c_str());
        }
    }
    void the_part_that_differs_takes_no_more_room_than_it_needs() {
        const std::string tail = ">, cutlass::layout::RowMajor, cutlass::arch::OpMultiplyAdd>>>(T1::Params)";
        const std::string a = gemm + "7" + tail;
        const std::string b = gemm + "8" + tail;
        const SimilarNames names({a, b});
        for (std::size_t room = 24; room < 60; ++room) {
            const std::string shown = names.shortened(a, room);
            QVERIFY2(shown != names.shortened(b, room), shown.c_str());
            QVERIFY2(shown.starts_with("Kernel<Gemm"), shown.c_str());
        }
    }
    /// What is read of a name is limited, and a form is made once: without either of both this takes minutes.
    void hundreds_of_very_long_names_are_shortened_again_and_again() {
        std::vector<std::string> names;
        for (int i = 0; i < 300; ++i) {
            std::string& name = names.emplace_back("void ns::run" + std::to_string(i));
            while (name.size() < 50'000)
                name += "<ns::Part<(int)" + std::to_string(i) + ">, std::vector<float>>::with";
            name += "(float*)";
        }
        const SimilarNames similar({names.begin(), names.end()});
        std::size_t chars = 0;
        for (int again = 0; again < 100; ++again)
            for (const std::string& name : names)
                chars += similar.shortened(name, 40).size();
        QVERIFY(chars > 0);
        QVERIFY(similar.shortened(names[7], 40).find("Part<7>") != std::string::npos);
        QCOMPARE(shorten_kernel_name(names[7], names[7].size()).size(),
                 shorten_kernel_name(names[7], 60'000).size());
    }
    void no_room_is_ever_exceeded() {
        const std::string a = instance("64, größer, 8");
        const std::string b = instance("64, größte, 8");
        const SimilarNames names({a, b});
        for (std::size_t room = 0; room < 120; ++room)
            QVERIFY(QString::fromStdString(names.shortened(a, room)).size() <= static_cast<qsizetype>(room));
    }
};

}  // namespace tst_similar_names

ROOFWALK_TEST(tst_similar_names, TestSimilarNames, NoApplication)
#include "tst_similar_names.moc"
