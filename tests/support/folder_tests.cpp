// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"

#include <cstdio>
#include <map>
#include <string>

namespace {

std::map<std::string, roofwalk::test::SubjectTests, std::less<>>& subjects() {
    static std::map<std::string, roofwalk::test::SubjectTests, std::less<>> all;
    return all;
}

}  // namespace

bool roofwalk::test::list_subject(const char* subject, SubjectTests run) {
    return subjects().emplace(subject, run).second;
}

int main(int argc, char** argv) {
    const auto found = argc > 1 ? subjects().find(argv[1]) : subjects().end();
    if (found == subjects().end()) {
        for (const auto& [subject, run] : subjects())
            std::puts(subject.c_str());
        return 2;
    }
    // As QTEST_MAIN does: what is drawn does not depend on the screen.
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    argv[1] = argv[0];
    return found->second(argc - 1, argv + 1);
}
