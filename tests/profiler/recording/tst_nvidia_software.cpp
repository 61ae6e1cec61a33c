// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/capability_check.h"

#include <QTest>

#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_nvidia_software {

using namespace roofwalk;
using roofwalk::test::MadeRoot;
namespace fs = std::filesystem;

class TestNvidiaSoftware : public QObject {
    Q_OBJECT

  private slots:
    void the_path_is_searched_first() {
        const MadeRoot root;
        root.write_program("opt/nvidia/nsight-compute/2025.1.0/ncu");
        const fs::path mine = root.write_program("home/bin/ncu");
        const std::string path = (root.path() / "none").string() + "::" + mine.parent_path().string();
        QCOMPARE(find_nsight_compute(path, root.path()).value_or("").string(), mine.string());
    }

    void the_newest_installation_wins() {
        const MadeRoot root;
        root.write_program("opt/nvidia/nsight-compute/2024.3.2/ncu");
        const fs::path newest = root.write_program("opt/nvidia/nsight-compute/2025.1.0/ncu");
        QCOMPARE(find_nsight_compute("", root.path()).value_or("").string(), newest.string());
    }

    void a_toolkit_brings_it_too() {
        const MadeRoot root;
        root.write_program("usr/local/cuda-9.2/bin/ncu");
        const fs::path newest = root.write_program("usr/local/cuda-13.0/bin/ncu");
        QCOMPARE(find_nsight_compute("", root.path()).value_or("").string(), newest.string());
    }

    void a_file_that_cannot_run_is_no_program() {
        const MadeRoot root;
        const fs::path file = root.write("bin/ncu", "text");
        QVERIFY(!find_nsight_compute(file.parent_path().string(), root.path()));
    }

    void cupti_is_where_its_planner_is() {
        const MadeRoot root;
        root.write("usr/local/cuda-13.9/lib64/libcupti.so.13", "");
        root.write("usr/local/cuda-13.0/lib64/libcupti.so.13", "");
        QVERIFY(!find_cupti({}, root.path()));
        root.write("usr/local/cuda-13.0/lib64/libnvperf_host.so", "");
        QCOMPARE(find_cupti({}, root.path()).value_or("").string(),
                 (root.path() / "usr/local/cuda-13.0/lib64/libcupti.so.13").string());
    }

    void a_named_toolkit_goes_before_the_installed_ones() {
        const MadeRoot root;
        for (const std::string folder : {"usr/local/cuda-13.0/lib64/", "home/cuda/extras/CUPTI/lib64/"})
            for (const std::string library : {"libcupti.so.13", "libnvperf_host.so"})
                root.write(folder + library, "");
        QCOMPARE(find_cupti({(root.path() / "home/cuda").string()}, root.path()).value_or("").string(),
                 (root.path() / "home/cuda/extras/CUPTI/lib64/libcupti.so.13").string());
    }

    void every_folder_that_the_agent_looks_into_is_looked_into_data() {
        QTest::addColumn<QByteArray>("folder");
        for (const char* folder :
             {"usr/local/cuda/extras/CUPTI/lib64", "usr/local/cuda-13.1/lib64", "usr/local/cuda/lib",
              "opt/cuda/lib64", "usr/local/cuda/targets/x86_64-linux/lib",
              "usr/local/cuda/targets/sbsa-linux/lib", "usr/lib/x86_64-linux-gnu",
              "usr/lib/aarch64-linux-gnu", "usr/lib64"})
            QTest::addRow("%s", folder) << QByteArray(folder);
    }
    void every_folder_that_the_agent_looks_into_is_looked_into() {
        QFETCH(const QByteArray, folder);
        const MadeRoot root;
        const fs::path library = root.write(folder.toStdString() + "/libcupti.so.13", "");
        root.write(folder.toStdString() + "/libnvperf_host.so", "");
        QCOMPARE(find_cupti({}, root.path()).value_or("").string(), library.string());
    }

    void a_folder_relative_to_this_one_is_not_searched() {
        const MadeRoot root;
        root.write_program("ncu");
        const fs::path before = fs::current_path();
        fs::current_path(root.path());
        const auto found = find_nsight_compute(".", root.path() / "none");
        fs::current_path(before);
        QVERIFY(!found);
    }
};

}  // namespace tst_nvidia_software

ROOFWALK_TEST(tst_nvidia_software, TestNvidiaSoftware, NoApplication)
#include "tst_nvidia_software.moc"
