// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/devices/measured_json.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"
#include "tests/support/schema.h"

namespace tst_measured_json {

using namespace roofwalk;

namespace {

std::string file_with(const std::string& results) {
    return R"({"format":"roofwalk-ceilings","version":1,"benchmark_version":1,)"
           R"("device":{"name":"GPU","uuid":"GPU-1"},"results":[)" +
           results + "]}";
}

Error fault_of(const std::string& text) {
    const auto read = read_measured_ceilings(text, "kept.json");
    return read ? Error{ErrorCode::cancelled, "nothing is wrong", "", ""} : read.error();
}

}  // namespace

class TestMeasuredJson : public QObject {
    Q_OBJECT

  private slots:
    void what_is_written_reads_back_the_same() {
        MeasuredCeilings measured = hopper::measured();
        measured.rates.front().footprint = Bytes(3221225472);
        measured.device.set_clock = Hertz(1.2e9);
        measured.device.error_correction = true;
        measured.device.launch_floor = Seconds(1.3e-6);
        measured.rates.back().throttled = {"power limit"};
        measured.rates.push_back(measured.rates.back());
        measured.rates.back().id = "fma.bf16";
        measured.rates.back().target.reset();
        measured.sweep = {{Intensity(0.5), FlopRate(1.5e12), Hertz(1.9e9), 0.01}};
        measured.problems = {{ErrorCode::not_profiled, "The kernel cannot run", "wgmma.fp8", "Try again."}};
        const std::string text = measured_ceilings_json(measured);
        QCOMPARE(test::against_schema(text), std::string());
        const auto read = read_measured_ceilings(text, "kept.json");
        QVERIFY2(read.has_value(), read ? "" : to_line(read.error()).c_str());
        QVERIFY(*read == measured);
    }
    void files_without_the_newer_fields_read_and_say_nothing_of_them() {
        const auto read = read_measured_ceilings(file_with(""), "kept.json");
        QVERIFY(read.has_value());
        QVERIFY(!read->device.set_clock && !read->device.error_correction && !read->device.present_clock);
        CeilingBenchmarkRecord told = *read_ceiling_benchmark_record(
            R"({"record":"device","name":"GPU","uuid":"GPU-1","driver":"580","set_sm_clock_hz":1.2e9,"launch_floor_s":1.3e-6})");
        MeasuredCeilings measured = *read;
        add_record(told, measured);
        QCOMPARE(measured.device.set_clock, std::optional(Hertz(1.2e9)));
        QCOMPARE(ceilings_from(measured).launch_floor, std::optional(Seconds(1.3e-6)));
    }
    void bad_files_are_refused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("code");
        const auto add = [](const char* name, const std::string& text,
                            ErrorCode code = ErrorCode::bad_schema) {
            QTest::newRow(name) << QString::fromStdString(text) << static_cast<int>(code);
        };
        add("empty", "", ErrorCode::bad_json);
        add("cut", R"({"format":"roofwalk-ceilings","version":1,)", ErrorCode::bad_json);
        add("a profile", R"({"format":"roofwalk-profile","version":1})");
        add("an array", "[]");
        add("of a later version", R"({"format":"roofwalk-ceilings","version":2})",
            ErrorCode::unsupported_version);
        add("without a device", R"({"format":"roofwalk-ceilings","version":1,"results":[]})");
        add("a device without UUID", R"({"format":"roofwalk-ceilings","version":1,"device":{"name":"GPU"}})");
        add("without rate", file_with(R"({"id":"hbm.read","target":"hbm/dram-rw"})"));
        add("two rates", file_with(R"({"id":"x","rate_byte_per_s":1,"rate_flop_per_s":1})"));
        add("zero rate", file_with(R"({"id":"x","rate_byte_per_s":0})"));
        add("negative rate", file_with(R"({"id":"x","rate_flop_per_s":-1})"));
        add("endless rate", file_with(R"({"id":"x","rate_flop_per_s":1e300})"));
        add("bytes of a pipe", file_with(R"({"id":"x","target":"fp32","rate_byte_per_s":1})"));
        add("FLOP of integers", file_with(R"({"id":"x","target":"tensor.int8","rate_flop_per_s":1})"));
        add("unknown pipe", file_with(R"({"id":"x","target":"fp99","rate_flop_per_s":1})"));
        add("no name", file_with(R"({"target":"fp32","rate_flop_per_s":1})"));
        add("twice", file_with(R"({"id":"x","id":"y","rate_flop_per_s":1})"));
    }
    void bad_files_are_refused() {
        QFETCH(QString, text);
        QFETCH(int, code);
        const Error error = fault_of(text.toStdString());
        QCOMPARE(static_cast<int>(error.code), code);
        QVERIFY(error.where.starts_with("kept.json"));
        QVERIFY(!error.what.empty());
    }
    void records_come_together_as_ceilings() {
        MeasuredCeilings measured;
        for (
            const char* line :
            {R"({"record":"ceilings","version":1,"benchmark_version":3})",
             R"({"record":"device","index":0,"uuid":"GPU-1","name":"GPU","bus_id":"0:1","compute_capability":"9.0","mig":false})",
             R"({"record":"progress","done":0,"of":2,"id":"hbm.read"})",
             R"({"record":"result","id":"hbm.read","target":"hbm/dram-rw","mix":"read","rate_byte_per_s":3e12,"throttled":[]})",
             R"({"record":"sweep","intensity_flop_per_byte":0.5,"rate_flop_per_s":1e12,"throttled":[]})",
             R"({"record":"something new","number":1})",
             R"({"record":"problem","code":"cuda","what":"The kernel cannot run","id":"wgmma.fp8"})",
             R"({"record":"end","complete":true})"}) {
            const auto record = read_ceiling_benchmark_record(line);
            QVERIFY2(record.has_value(), line);
            add_record(*record, measured);
        }
        QCOMPARE(measured.benchmark_version, 3U);
        QCOMPARE(measured.device.device.uuid, std::string("GPU-1"));
        QCOMPARE(measured.rates.size(), std::size_t(1));
        QCOMPARE(measured.sweep.size(), std::size_t(1));
        QCOMPARE(measured.problems.front().where, std::string("wgmma.fp8"));
        QCOMPARE(measured.problems.front().code, ErrorCode::not_profiled);
        QVERIFY(measured.complete);
    }
    void a_line_that_is_no_record_is_told() {
        QCOMPARE(read_ceiling_benchmark_record("Segmentation fault").error().code, ErrorCode::bad_json);
        QCOMPARE(read_ceiling_benchmark_record(R"({"id":"hbm.read"})").error().code, ErrorCode::bad_schema);
        QCOMPARE(read_ceiling_benchmark_record(R"({"record":"result","id":"x"})").error().code,
                 ErrorCode::bad_schema);
        QCOMPARE(read_ceiling_benchmark_record("[1]").error().code, ErrorCode::bad_schema);
    }
};

}  // namespace tst_measured_json

ROOFWALK_TEST(tst_measured_json, TestMeasuredJson, NoApplication)
#include "tst_measured_json.moc"
