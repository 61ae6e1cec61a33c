// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/open_profile.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <set>

#include "core/import/compressed_file.h"
#include "tests/core/import/zstd_pack.h"
#include "tests/support/folder_tests.h"
#include "tests/support/ncu_fixtures.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_open_profile {

using namespace roofwalk;
using namespace roofwalk::test;
namespace fs = std::filesystem;

namespace {

const std::string json = R"({"device":"H100 SXM","kernels":[{"name":"saxpy","flops":2e8,"bytes":1.2e9,)"
                         R"("duration_ns":1600000}]})";
const std::string csv =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream",)"
    R"("Section Name","Metric Name","Metric Unit","Metric Value")"
    "\n"
    R"("0","77","app","127.0.0.1","saxpy","2025-Nov-21 09:00:00","1","7","Command line profiler metrics",)"
    R"("gpu__time_duration.sum","nsecond","1,600")"
    "\n";

Result<Profile> read(const std::string& content) {
    return read_profile(std::as_bytes(std::span(content)), "test");
}

std::string pack_gzip(const std::string& text) {
    z_stream stream{};
    constexpr int gzip_of_largest_window = 15 + 16;
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_of_largest_window, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

ErrorCode error_of(const Result<Profile>& profile) {
    return profile.error().code;
}

}  // namespace

class TestOpenProfile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    fs::path path(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }
    fs::path write(const char* name, const std::string& content) const {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }

  private slots:
    void a_report_is_known_by_its_bytes_under_any_name() {
        const std::string report = write_report(small_report_fixture());
        for (const char* name : {"a.ncu-rep", "b.nsight-cuprof-report", "c.txt", "d"}) {
            const auto profile = open_profile(write(name, report));
            QVERIFY(profile.has_value());
            QCOMPARE(profile->launches.size(), std::size_t{2});
            QCOMPARE(profile->sources[0].path, path(name).string());
        }
    }
    void a_compressed_report_is_read_alike() {
        const std::string report = write_report(full_report_fixture());
        const auto plain = read(report);
        const auto packed =
            open_profile(write("e.ncu-repz", zstd_skippable_frame("x") + pack_zstd_stream(report)));
        QVERIFY(plain.has_value() && packed.has_value());
        QCOMPARE(packed->launches.size(), plain->launches.size());
        QCOMPARE(packed->sources[0].format, plain->sources[0].format);
        QVERIFY(!packed->sources[0].partial);
        for (std::size_t i = 0; i < plain->launches.size(); ++i)
            QVERIFY(packed->launches[i].duration == plain->launches[i].duration);
    }
    void a_compressed_report_that_ends_early_keeps_its_kernels() {
        // Two frames, so that the first comes out whole whatever the compressor does with its blocks.
        const std::string report = write_report(full_report_fixture());
        const std::string first = pack_zstd(report.substr(0, report.size() / 2));
        const auto profile = read(first + pack_zstd(report.substr(report.size() / 2)).substr(0, 20));
        QVERIFY(profile.has_value());
        QVERIFY(!profile->launches.empty() && profile->launches.size() < 8);
        QVERIFY(profile->sources[0].partial);
        QVERIFY(profile->warnings.back().message.what.find("compressed") != std::string::npos);
    }
    void a_compressed_report_keeps_the_kernels_unpacked_before_a_stop() {
        const std::string report = write_report(full_report_fixture());
        const std::size_t half = report.size() / 2;
        std::stop_source stop;
        const Progress progress{[&](double share) {
                                    if (share > 0) stop.request_stop();
                                },
                                stop.get_token()};
        // The request comes between the two frames.
        const std::string packed = pack_zstd(report.substr(0, half)) + pack_zstd(report.substr(half));
        const auto profile = read_profile(std::as_bytes(std::span(packed)), "test", progress);
        QVERIFY(profile.has_value());
        QVERIFY(!profile->launches.empty() && profile->launches.size() < 8);
        QVERIFY(profile->sources[0].partial);
        QCOMPARE(profile->warnings.back().message.code, ErrorCode::cancelled);
        const auto nothing = read_profile(std::as_bytes(std::span(packed)), "test", progress);
        QVERIFY(error_of(nothing) == ErrorCode::cancelled);
    }
    void alike_launches_shrink_far_and_are_read_whole() {
        constexpr std::size_t launches = 200;
        const std::string report = write_report(repeated_fixture(full_report_fixture().kernels[1], launches));
        const std::string packed = pack_zstd(report);
        const auto profile = read(packed);
        QVERIFY(profile.has_value());
        QCOMPARE(profile->launches.size(), launches);
        QVERIFY(!profile->sources[0].partial);
        // What is allowed beside the ratio would not carry a report of a thousand times the size.
        const std::size_t by_ratio = unpacked_limit(packed.size()) - unpacked_limit(0);
        QVERIFY(report.size() > 64 * packed.size() && report.size() <= by_ratio);
    }
    void compressed_json_is_read_too() { QVERIFY(read(pack_zstd(json)).has_value()); }
    void compressed_twice_is_not_unpacked_twice() {
        QVERIFY(error_of(read(pack_zstd(pack_zstd(json)))) == ErrorCode::unknown_format);
    }
    void gzip_is_unpacked_member_by_member() {
        const std::string report = write_report(full_report_fixture());
        const std::size_t half = report.size() / 2;
        const auto plain = read(report);
        const auto packed = read(pack_gzip(report.substr(0, half)) + pack_gzip(report.substr(half)));
        QVERIFY(plain.has_value() && packed.has_value());
        QCOMPARE(packed->launches.size(), plain->launches.size());
        QVERIFY(!packed->sources[0].partial);
        // What stands behind the last member is no data.
        QVERIFY(!read(pack_gzip(json) + "more")->sources[0].partial);
    }
    void damaged_gzip_keeps_what_came_out() {
        const std::string report = write_report(full_report_fixture());
        const std::string first = pack_gzip(report.substr(0, report.size() / 2));
        const std::string second = pack_gzip(report.substr(report.size() / 2));
        const auto cut = read(first + second.substr(0, 20));
        QVERIFY(cut.has_value());
        QVERIFY(!cut->launches.empty() && cut->launches.size() < 8 && cut->sources[0].partial);
        QVERIFY(cut->warnings.back().message.code == ErrorCode::truncated);
        std::string damaged = second;
        damaged[damaged.size() - 6] ^= 1;  // of its checksum
        const auto wrong = read(first + damaged);
        QVERIFY(wrong.has_value() && wrong->sources[0].partial);
        QVERIFY(wrong->warnings.back().message.code == ErrorCode::corrupt);
        QVERIFY(error_of(read(first.substr(0, 19))) == ErrorCode::truncated);
        // All of a small file came out before its checksum.
        std::string small = pack_gzip(report);
        small[small.size() - 6] ^= 1;
        const auto whole = read(small);
        QVERIFY(whole.has_value() && whole->sources[0].partial);
        QCOMPARE(whole->launches.size(), read(report)->launches.size());
    }
    void a_gzip_bomb_is_refused() {
        QVERIFY(error_of(read(pack_gzip(std::string(std::size_t{96} << 20U, '{')))) == ErrorCode::too_large);
    }
    void a_bomb_is_refused() {
        QVERIFY(error_of(read(pack_zstd(std::string(std::size_t{96} << 20U, ' ')))) == ErrorCode::too_large);
    }

    void json_is_known_by_its_bracket() {
        for (const std::string& content : {json, " \r\n\t" + json, "\xEF\xBB\xBF" + json}) {
            const auto profile = read(content);
            QVERIFY(profile.has_value());
            QCOMPARE(profile->launches.size(), std::size_t{1});
        }
        QVERIFY(error_of(read("{]")) == ErrorCode::bad_json);
        QVERIFY(error_of(read("{\"kernels\": 5}")) == ErrorCode::bad_schema);
    }
    void the_csv_of_ncu_is_known_below_what_the_program_prints() {
        for (const std::string& content :
             {csv, "==PROF== Connected to process 77\n" + csv, "\xEF\xBB\xBF" + csv,
              "[Vector addition of 50000 elements]\n{done}\n" + csv}) {
            const auto profile = read(content);
            QVERIFY2(profile.has_value(), content.c_str());
            QCOMPARE(profile->launches.size(), std::size_t{1});
        }
        QVERIFY(error_of(read("==PROF== Disconnected from process 77\n")) == ErrorCode::bad_csv);
    }
    void marks_of_a_terminal_are_passed_over_in_packed_files_too() {
        const std::string text =
            "\x1b[32mdone\x1b[0m\n[1,0]<stdout>:==PROF== Connected to process 77\n" + csv;
        for (const std::string& file : {text, pack_gzip(text), pack_zstd(text)}) {
            const auto profile = read(file);
            QVERIFY(profile.has_value());
            QCOMPARE(profile->launches.size(), std::size_t{1});
            QCOMPARE(profile->launches.front().duration, read(csv)->launches.front().duration);
        }
    }
    void text_in_utf16_is_read_as_powershell_writes_it() {
        const QString name = QStringLiteral(u"\u00b5\u00e9\u20ac\u4e16\U0001F600");
        const QString text = QString::fromStdString(csv).replace("saxpy", name);
        for (const bool has_mark : {true, false})
            for (const bool big : {true, false}) {
                std::string bytes = !has_mark ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
                for (const QChar c : text)
                    for (const bool first : {true, false})
                        bytes += static_cast<char>(first == big ? c.row() : c.cell());
                for (const std::string& file : {bytes, pack_gzip(bytes), pack_zstd(bytes)}) {
                    const auto profile = read(file);
                    QVERIFY(profile.has_value());
                    QCOMPARE(profile->launches.size(), std::size_t{1});
                    QCOMPARE(profile->launches.front().duration, read(csv)->launches.front().duration);
                    QCOMPARE(QString::fromStdString(profile->kernels.front().name), name);
                }
            }
        QVERIFY(error_of(read(std::string("\xFF\xFE\"\0I\0", 6))) == ErrorCode::unknown_format);
    }
    void other_files_are_refused_with_a_list_of_what_is_read() {
        for (const std::string& content : {std::string("hello"),
                                           std::string("\x7F"
                                                       "ELF\2\1"),
                                           std::string(R"({"name":"package","version":"1.0"})"),
                                           std::string("{\"step\":1}\n{\"step\":2}\n"), std::string(" \n")}) {
            const auto profile = read(content);
            QVERIFY(error_of(profile) == ErrorCode::unknown_format);
            QVERIFY(profile.error().hint.find(".ncu-rep") != std::string::npos);
            QVERIFY(profile.error().hint.find("JSON") != std::string::npos);
            QVERIFY(profile.error().hint.find("--csv") != std::string::npos);
        }
    }

    void what_people_try_is_named_with_a_way_to_what_is_read_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("hint");
        QTest::newRow("nsys") << "run.nsys-rep"
                              << "bytes"
                              << "nsys export";
        QTest::newRow("nsys of 2020") << "run.qdrep"
                                      << "bytes"
                                      << "nsys export";
        QTest::newRow("Git LFS") << "run.ncu-rep"
                                 << "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
                                 << "git lfs pull";
        QTest::newRow("rocprof") << "results.csv"
                                 << "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\"\n"
                                 << "CSV table";
        QTest::newRow("rocprofv3") << "x_kernel_trace.csv"
                                   << "\"Kind\",\"Agent_Id\",\"Dispatch_Id\",\"Kernel_Name\"\n"
                                   << "CSV table";
        QTest::newRow("rocprof-compute") << "pmc_perf.csv"
                                         << "Dispatch_ID,GPU_ID,Kernel_Name,SQ_WAVES\n"
                                         << "CSV table";
        QTest::newRow("statistics of rocprof") << "results.stats.csv"
                                               << "\"Name\",\"Calls\",\"TotalDurationNs\"\n"
                                               << "CSV table";
        QTest::newRow("rocprofv3 as JSON") << "results.json"
                                           << "{\"rocprofiler-sdk-tool\":[{}]}"
                                           << "CSV table";
        QTest::newRow("rocprof as a trace")
            << "results.json"
            << "{ \"traceEvents\":[{}\n,{\"args\":{\"name\":\"CPU HIP API\"},\"ph\":\"M\",\"pid\":2,\"name\":"
               "\"process_name\"}\n,{\"args\":{\"name\":\"GPU0\"},\"ph\":\"M\",\"pid\":6,\"name\":\"process_name\"}\n,"
               "{\"ph\":\"X\",\"name\":\"k\",\"pid\":6,\"tid\":0,\"ts\":\"1\",\"dur\":\"2\"}]}"
            << "CSV table";
        QTest::newRow("Advisor as CSV")
            << "survey.csv"
            << "sep=,\n\n\"Intel(R) Advisor Command Line Tool\nCopyright (C) 2009-2023 Intel "
               "Corporation\"\n\n\"ID\",\"Function Call Sites and Loops\",\"Total Time\"\n"
            << "CSV table";
        QTest::newRow("Perfetto") << "results.pftrace"
                                  << "bytes"
                                  << "CSV table";
        QTest::newRow("Advisor") << "e000.advixeexp"
                                 << "<xml/>"
                                 << "CSV table";
        QTest::newRow("engine") << "net.engine"
                                << "bytes"
                                << "trtexec";
        QTest::newRow("layers")
            << "layers.json"
            << "[\n  { \"count\" : 10 }\n, { \"name\" : \"conv\", \"averageMs\" : 0.1 }\n]"
            << "trtexec";
        QTest::newRow("likwid") << "out.txt"
                                << "------\nCPU name:\tIntel\nCPU type:\tIntel Skylake\n------\n"
                                << "CSV table";
        QTest::newRow("likwid as CSV") << "out.csv"
                                       << "said before\nSTRUCT,Info,3,,\nCPU name:,Intel,,\n"
                                       << "CSV table";
        QTest::newRow("likwid as JSON") << "out.json"
                                        << R"({"Info":{"CPU name":"Intel"},"Group 1":{"Raw":{}}})"
                                        << "CSV table";
        QTest::newRow("layers without times")
            << "layers.json"
            << "{\"Layers\": [{\"Name\":\"conv1\",\"LayerType\":\"CaskConvolution\"}],\"Bindings\":[\"x\"]}"
            << "trtexec";
        QTest::newRow("times of trtexec") << "times.json"
                                          << "[\n  { \"startEnqMs\" : 1.0, \"endEnqMs\" : 1.2 }\n]"
                                          << "trtexec";
        QTest::newRow("rocprof without calls of HIP")
            << "results.json"
            << "{ \"traceEvents\":[{}\n,{\"args\":{\"name\":\"0 GPU0\"},\"ph\":\"M\",\"pid\":6,\"name\":"
               "\"process_name\"}\n,{\"ts\":\"1\",\"dur\":\"2\",\"ph\":\"X\",\"pid\":\"6\",\"name\":\"k\",\"args\":{"
               "\"BeginNs\":\"1\",\"EndNs\":\"3\"}}]}"
            << "CSV table";
        QTest::newRow("Advisor as HTML") << "roofline.html"
                                         << "<!DOCTYPE html>\n<html><head><title>Intel Advisor</title>"
                                         << "CSV table";
        QTest::newRow("HTML") << "page.html"
                              << "<html><body></body></html>"
                              << "made from";
        for (const char* text :
             {"==12== NVPROF is profiling process 12, command: ./a\n==12== Profiling result:\n",
              "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,us,,us,us,us,\n",
              "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\"\nus,us,,\n",
              "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\"\n",
              "            Type  Time(%)      Time  Name\n GPU activities:   99.5%  12.3ms  copy\n"})
            QTest::addRow("nvprof: %.12s", text) << "nvprof.csv" << text << "ncu";
        QTest::newRow("calls of nsys stats")
            << "calls.csv"
            << "Time (%),Total Time (ns),Num Calls,Avg (ns),Name\n100,5,1,5,k\n"
            << "nsys export";
        QTest::newRow("GPU trace of nsys stats as text")
            << "trace.txt"
            << " Start (ns)  Duration (ns)  CorrId  GrdX  GrdY  Name\n ----------  -------------\n"
            << "nsys export";
        QTest::newRow("executions of nsys stats") << "kernels.csv"
                                                  << "PID,TID,KAvg (ns),API Name,Kernel Name\n1,1,5,l,k\n"
                                                  << "nsys export";
        QTest::newRow("nsys stats as text") << "log.txt"
                                            << " ** MPI Event Summary (mpi_event_sum):\n\n"
                                               " Time (%)  Total Time (ns)  Instances  Source  Name\n"
                                            << "nsys export";
        QTest::newRow("key_averages of PyTorch") << "log.txt"
                                                 << "-------  ----------\n   Name  Self CPU %\n"
                                                 << "export_chrome_trace";
        for (const char* text : {"name;time_us;flops\nk;10,5;2e9\n", "name\ttime_us\tflops\nk\t10\t2e9\n",
                                 "\"ID\";\"Process ID\";\"Kernel Name\"\n"})
            QTest::addRow("separators: %.6s", text) << "table.csv" << text << "commas";
        QTest::newRow("Proton packed") << "run.hatchet_msgpack"
                                       << "bytes"
                                       << "\"hatchet\"";
        QTest::newRow("XLA as a trace")
            << "perfetto_trace.json"
            << "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\"traceEvents\":[{\"args\":{\"name\":"
               "\"/device:GPU:0\"},\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1}]}"
            << "ncu or nsys";
        QTest::newRow("xplane") << "host.xplane.pb"
                                << "bytes"
                                << "ncu";
    }
    void what_people_try_is_named_with_a_way_to_what_is_read() {
        QFETCH(QString, name);
        QFETCH(QString, content);
        QFETCH(QString, hint);
        const auto profile = open_profile(write(name.toUtf8().constData(), content.toStdString()));
        QVERIFY(error_of(profile) == ErrorCode::unknown_format);
        QVERIFY2(profile.error().hint.find(hint.toStdString()) != std::string::npos,
                 profile.error().hint.c_str());
    }
    void what_people_try_may_be_packed() {
        const auto profile = open_profile(write("host.xplane.pb.gz", pack_gzip("bytes")));
        QVERIFY(error_of(profile) == ErrorCode::unknown_format);
        QVERIFY(profile.error().hint.find("ncu") != std::string::npos);
    }
    void a_project_may_be_a_folder() {
        const QString folder = folder_.filePath("x.advixeproj");
        QVERIFY(QDir().mkpath(folder));
        for (const char* end : {"", "/"}) {
            const auto profile = open_profile(folder.toStdString() + end);
            QVERIFY(error_of(profile) == ErrorCode::unknown_format);
            QVERIFY(profile.error().hint.find("CSV table") != std::string::npos);
        }
    }
    void a_suffix_of_those_does_not_hide_what_can_be_read() {
        QVERIFY(open_profile(write("net.engine", json)).has_value());
    }
    void a_kernel_named_like_a_tool_does_not_hide_its_table() {
        QVERIFY(open_profile(
            write("table.csv", "name,time_us,flops,bytes\n\"Intel(R) Advisor demo\",1,2e8,1e9\n")));
    }

    void a_document_is_no_report_and_not_packed() {
        const auto refusal = [&](const std::string& content) {
            const auto file =
                as_document(MappedFile::open(write("document.json", content)), "document.json", "h");
            return file ? ErrorCode::cancelled : file.error().code;
        };
        const std::string gpu = R"({"bandwidth": 9e11, "peak": 4e13})";
        QVERIFY(refusal(gpu) == ErrorCode::cancelled);
        QVERIFY(refusal("\xEF\xBB\xBF" + gpu) == ErrorCode::cancelled);
        QVERIFY(refusal(pack_gzip(gpu)) == ErrorCode::unknown_format);
        QVERIFY(refusal(pack_zstd(gpu)) == ErrorCode::unknown_format);
        QVERIFY(refusal(write_report(full_report_fixture())) == ErrorCode::unknown_format);
        QVERIFY(refusal(pack_gzip(write_report(full_report_fixture()))) == ErrorCode::unknown_format);
        QVERIFY(refusal(std::string("\xFF\xFE{\0}\0", 6)) == ErrorCode::unknown_format);
        const auto none = as_document(MappedFile::open(path("nowhere.json")), "nowhere.json", "h");
        QVERIFY(!none && none.error().code == ErrorCode::file_not_found);
    }

    void a_missing_file_is_named() {
        const auto profile = open_profile(path("nowhere.ncu-rep"));
        QVERIFY(error_of(profile) == ErrorCode::file_not_found);
        QCOMPARE(profile.error().where, path("nowhere.ncu-rep").string());
        QVERIFY(!profile.error().hint.empty());
    }
    void an_empty_file_is_named() {
        QVERIFY(error_of(open_profile(write("empty", ""))) == ErrorCode::file_empty);
        QVERIFY(error_of(read("")) == ErrorCode::file_empty);
    }
    void a_folder_is_no_profile() {
        const auto profile = open_profile(folder_.path().toStdString());
        QVERIFY(error_of(profile) == ErrorCode::file_not_readable);
        QVERIFY(profile.error().what.find("folder") != std::string::npos);
    }
    void a_pipe_without_a_writer_is_refused_at_once() {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        QVERIFY(error_of(open_profile(path("pipe"))) == ErrorCode::file_not_readable);
    }
    void a_link_to_itself_cannot_be_read() {
        fs::create_symlink(path("loop"), path("loop"));
        QVERIFY(error_of(open_profile(path("loop"))) == ErrorCode::file_not_readable);
    }
    void a_file_without_permission_cannot_be_read() {
        if (::geteuid() == 0) QSKIP("the superuser may read every file");
        const fs::path file = write("secret", json);
        fs::permissions(file, fs::perms::none);
        QVERIFY(error_of(open_profile(file)) == ErrorCode::file_not_readable);
    }

    void progress_grows_to_the_end() {
        const std::string packed = pack_zstd(write_report(full_report_fixture()));
        double last = 0;
        bool grows = true;
        const Progress progress{[&](double share) {
                                    grows = grows && share >= last;
                                    last = share;
                                },
                                {}};
        QVERIFY(read_profile(std::as_bytes(std::span(packed)), "test", progress).has_value());
        QVERIFY(grows);
        QVERIFY(last > 0.9 && last <= 1);
    }

    /// Suffixes that other programs' files have too say nothing: those are opened by hand.
    void desktops_know_the_suffixes_that_are_of_a_format_alone() {
        QFile file(QString::fromStdString(
            (data_folder().parent_path().parent_path() / "packaging/linux/org.roofwalk.Roofwalk.mime.xml")
                .string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString types = QString::fromUtf8(file.readAll());
        const std::set<std::string_view> common{".csv",   ".txt",     ".log",   ".json",
                                                ".jsonl", ".json.gz", ".sqlite"};
        std::set<std::string> own{".roofwalk"};
        for (const FileFormat& format : file_formats())
            for (const std::string_view suffix : format.suffixes)
                if (!common.contains(suffix)) own.emplace(suffix);
        std::set<std::string> known;
        QRegularExpressionMatchIterator glob =
            QRegularExpression("<glob pattern=\"\\*([^\"]+)\"").globalMatch(types);
        while (glob.hasNext()) {
            const std::string suffix = glob.next().captured(1).toStdString();
            const bool narrows = std::ranges::any_of(
                common, [&](std::string_view end) { return std::string_view(suffix).ends_with(end); });
            if (!narrows) known.insert(suffix);
        }
        QVERIFY(known == own);
    }
};

}  // namespace tst_open_profile

ROOFWALK_TEST(tst_open_profile, TestOpenProfile, NoApplication)
#include "tst_open_profile.moc"
