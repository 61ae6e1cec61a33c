// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/capability_check.h"

#include <QTest>
#include <algorithm>
#include <array>

#include "profiler/wire/cupti_folders.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_nvidia_software {

using namespace roofwalk;
using roofwalk::test::MadeRoot;
namespace fs = std::filesystem;

namespace {

std::string first(const std::vector<fs::path>& libraries) {
    return libraries.empty() ? "" : libraries.front().string();
}

fs::path write_cupti(const MadeRoot& root, const std::string& folder) {
    root.write(folder + "/libnvperf_host.so", "");
    return root.write(folder + "/libcupti.so.13", "");
}

/// In an environment that names nothing but a toolkit, where one is given.
std::vector<fs::path> cupti_below(const MadeRoot& root, const std::string& toolkit = {}) {
    constexpr std::array variables{"PATH", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"};
    std::vector<QByteArray> before;
    for (const char* const variable : variables) {
        before.push_back(qgetenv(variable));
        qunsetenv(variable);
    }
    if (!toolkit.empty()) qputenv("CUDA_HOME", (root.path() / toolkit).c_str());
    std::vector<fs::path> found = find_cupti_here({}, root.path());
    for (std::size_t i = 0; i < variables.size(); ++i)
        before[i].isEmpty() ? qunsetenv(variables[i]) : qputenv(variables[i], before[i]);
    return found;
}

}  // namespace

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
        QVERIFY(cupti_below(root).empty());
        root.write("usr/local/cuda-13.0/lib64/libnvperf_host.so", "");
        QCOMPARE(first(cupti_below(root)),
                 (root.path() / "usr/local/cuda-13.0/lib64/libcupti.so.13").string());
    }

    void a_named_toolkit_goes_before_the_installed_ones() {
        const MadeRoot root;
        for (const std::string folder : {"usr/local/cuda-13.0/lib64/", "home/cuda/extras/CUPTI/lib64/"})
            for (const std::string library : {"libcupti.so.13", "libnvperf_host.so"})
                root.write(folder + library, "");
        QCOMPARE(first(cupti_below(root, "home/cuda")),
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
        QCOMPARE(first(cupti_below(root)), library.string());
    }

    void each_library_is_found_once_by_whatever_way() {
        const MadeRoot root;
        const fs::path library = write_cupti(root, "usr/local/cuda-13.0/lib64");
        const fs::path other = write_cupti(root, "usr/local/cuda-13.1/lib64");
        fs::create_directory_symlink(root.path() / "usr/local/cuda-13.1", root.path() / "usr/local/cuda");
        const auto found = cupti_below(root, "usr/local/cuda-13.0");
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0], library);
        QVERIFY(fs::equivalent(found[1], other));
    }

    void that_of_cuda_12_is_found_behind_that_of_13() {
        const MadeRoot root;
        const fs::path newer = write_cupti(root, "toolkit/lib64");
        const fs::path older = root.write("toolkit/lib64/libcupti.so.12", "");
        const auto found = cupti_below(root, "toolkit");
        QVERIFY((found == std::vector{newer, older}));
    }

    void the_packages_of_the_python_that_runs_go_first_data() {
        QTest::addColumn<QByteArray>("packages");
        for (const char* packages : {"lib/python3.11/site-packages/nvidia/cu13/lib",
                                     "lib/python3.11/site-packages/nvidia/cuda_cupti/lib",
                                     "lib64/python3.11/site-packages/nvidia/cu13/lib",
                                     "local/lib/python3.11/dist-packages/nvidia/cu13/lib",
                                     "lib/python3/dist-packages/nvidia/cu13/lib"})
            QTest::addRow("%s", packages) << QByteArray(packages);
    }
    void the_packages_of_the_python_that_runs_go_first() {
        QFETCH(const QByteArray, packages);
        const MadeRoot root;
        const fs::path real = root.write_program("real/python3.11");
        fs::create_directories(root.path() / "env/bin");
        fs::create_symlink(real, root.path() / "env/bin/python3");
        write_cupti(root, "env/lib/python3.9/site-packages/nvidia/cu13/lib");
        const fs::path library = write_cupti(root, "env/" + packages.toStdString());
        const fs::path toolkit = write_cupti(root, "toolkit/lib64");
        qputenv("CUDA_HOME", (root.path() / "toolkit").c_str());
        const auto found = find_cupti_here(root.path() / "env/bin/python3");
        const auto without = find_cupti_here();
        qunsetenv("CUDA_HOME");
        QVERIFY(found.size() >= 2);
        QCOMPARE(found[0], library);
        QCOMPARE(found[1], toolkit);
        QCOMPARE(first(without), toolkit.string());
    }

    void of_several_pythons_the_newest_goes_first() {
        const MadeRoot root;
        for (const std::string version : {"python3", "python3.9", "python3.12", "python3.10"})
            write_cupti(root, "lib/" + version + "/site-packages/nvidia/cu13/lib");
        std::string order;
        for (const fs::path folder : wire::cupti_folders_of_python(root.path().string()))
            if (fs::exists(folder))
                order += fs::relative(folder, root.path() / "lib").begin()->string() + " ";
        QCOMPARE(order, std::string("python3.12 python3.10 python3.9 python3 "));
    }

    void an_active_environment_is_searched() {
        for (const char* const variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
            const MadeRoot root;
            const fs::path library =
                write_cupti(root, *variable == 'V' ? "lib/python3.12/site-packages/nvidia/cu13/lib" : "lib");
            const QByteArray before = qgetenv(variable);
            const QByteArray path = qgetenv("PATH");
            root.write_program("bin/python3");
            qputenv("PATH", (root.path() / "bin").c_str());
            qputenv(variable, root.path().c_str());
            const auto found = find_cupti_here();
            qputenv(variable, before);
            qputenv("PATH", path);
            QVERIFY2(std::ranges::count(found, library) == 1, variable);
        }
    }

    void a_python_is_told_by_its_name() {
        for (const char* name :
             {"python", "/usr/bin/python3", "python3.11", "python3.13t", "python3-dbg", "pypy", "pypy3.10"})
            QVERIFY2(is_python(name), name);
        for (const char* name : {"python_bench", "python3-config", "pythonic", "pypy-c-run", "bench", ""})
            QVERIFY2(!is_python(name), name);
    }

    void the_python_of_a_program_is_itself_or_that_of_its_first_line() {
        const MadeRoot root;
        const fs::path python = root.write_program("bin/python3");
        const std::string path = python.parent_path().string();
        QCOMPARE(python_of(python, ""), python);
        QCOMPARE(python_of(root.write("torchrun", "#!" + python.string() + "\nimport sys\n"), ""), python);
        QCOMPARE(python_of(root.write("accelerate", "#!/usr/bin/env python3\n"), path), python);
        QVERIFY(python_of(root.write("accelerate2", "#!/usr/bin/env python3\n"), "").empty());
        QVERIFY(python_of(root.write_program("script"), path).empty());
        QVERIFY(python_of(root.write("app",
                                     "\x7f"
                                     "ELF python"),
                          path)
                    .empty());
        QVERIFY(python_of(root.path() / "none", path).empty());
    }

    void the_python_of_a_process_is_that_of_its_environment() {
        using namespace std::string_literals;
        const MadeRoot root;
        const fs::path python = root.write_program("env/bin/python3");
        const fs::path real = root.write_program("usr/bin/python3.11");
        const fs::path home = root.path() / "env";
        root.write("proc/7/status", "Name:\tpython3\nUid:\t1\t1\t1\t1\n");
        root.write("proc/7/environ", "A=1\0PATH=/none:"s + (home / "bin").string() + "\0B=2\0"s);
        fs::create_symlink(real, root.path() / "proc/7/exe");
        fs::create_symlink(home, root.path() / "proc/7/cwd");
        const auto python_started_as = [&](const std::string& word) {
            root.write("proc/7/cmdline", word + "\0train.py\0"s);
            return python_of_process(7, root.path());
        };
        QCOMPARE(python_started_as("python3"), python);
        QCOMPARE(python_started_as("bin/python3"), python);
        QCOMPARE(python_started_as(python.string()), python);
        QCOMPARE(python_started_as("elsewhere/python3"), real);
        QCOMPARE(python_started_as("ray::worker"), real);
        root.write_program("env/bin/trainer");
        QVERIFY(python_started_as("trainer").empty());
        QVERIFY(python_of_process(8, root.path()).empty());
        fs::create_directories(root.path() / "proc/self/ns");
        fs::create_directories(root.path() / "proc/7/ns");
        fs::create_symlink("mnt:[1]", root.path() / "proc/self/ns/mnt");
        fs::create_symlink("mnt:[2]", root.path() / "proc/7/ns/mnt");
        QVERIFY(python_started_as("python3").empty());
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
