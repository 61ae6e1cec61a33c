// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

namespace roofwalk::test {

/// Runs the tests of one subject with the arguments of Qt Test; gives the exit status.
using SubjectTests = int (*)(int argc, char** argv);

/// Lists a subject in the program that holds the tests of its folder. Always true.
bool list_subject(const char* subject, SubjectTests run);

/// Stands where the tests of a subject need no QCoreApplication.
struct NoApplication {
    NoApplication(int&, char**) {}
};

template <class Tests, class Application>
int run_with(int argc, char** argv) {
    [[maybe_unused]] const Application application(argc, argv);
    Tests tests;
    return QTest::qExec(&tests, argc, argv);
}

}  // namespace roofwalk::test

/// The tests of a folder are one program, and those of a subject are run by its name:
/// `core_base_tests tst_text [arguments of Qt Test]`. Class is that of the file tst_text.cpp, in the
/// namespace tst_text: the files of a folder may be compiled as one. Application is QApplication,
/// QCoreApplication or NoApplication.
#define ROOFWALK_TEST(subject, Class, Application) \
    using roofwalk::test::NoApplication;           \
    static const bool subject##_is_listed =        \
        roofwalk::test::list_subject(#subject, roofwalk::test::run_with<subject::Class, Application>);

/// The same for a subject that does something before its tests begin: run(argc, argv) calls QTest::qExec
/// itself.
#define ROOFWALK_TEST_RUN_BY(subject, run) \
    static const bool subject##_is_listed = roofwalk::test::list_subject(#subject, subject::run);
