// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>

#include "core/import/json/json_reader.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_json_reader_faults {

using namespace roofwalk;

namespace {

std::string with_kernel(const std::string& kernel) {
    return R"({"device":"H100","kernels":[)" + kernel + "]}";
}

std::string with_header(const std::string& members) {
    return "{" + members + R"(,"kernels":[{"name":"a"}]})";
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

void add(const char* fault, const std::string& text, ErrorCode code, const char* where) {
    QTest::newRow(fault) << QByteArray::fromStdString(text) << code << QByteArray(where);
}

}  // namespace

class TestJsonReaderFaults : public QObject {
    Q_OBJECT

  private slots:
    void a_document_without_a_usable_kernel_is_an_error_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QByteArray>("where");
        using enum ErrorCode;
        add("nothing", "", truncated, "x.json, line 1");
        add("not JSON at all", "hello", bad_json, "x.json, line 1");
        add("an array outside", R"( [{"name":"a"}])", bad_schema, "x.json");
        add("an empty array", "[]", bad_schema, "x.json");
        add("an array that does not close", "[1, 2", bad_json, "x.json, line 1");
        add("the log of a program", "[INFO] started", bad_json, "x.json, line 1");
        add("another program's JSON", R"({"traceEvents": []})", unknown_format, "x.json");
        add("a header alone", R"({"format":"roofwalk-profile","version":1,"device":"H100"})", bad_schema,
            "x.json");
        add("no kernels", R"({"device":"H100","kernels":[]})", bad_schema, "x.json");
        add("kernels that are no list", R"({"device":"H100","kernels":{}})", bad_schema, "x.json, kernels");
        add("kernels twice", R"({"device":"H100","kernels":[],"kernels":[]})", bad_schema, "x.json, kernels");
        add("an unknown format", with_header(R"("format":"other","version":1)"), bad_schema,
            "x.json, format");
        add("a format without a version", with_header(R"("format":"roofwalk-profile")"), bad_schema,
            "x.json, version");
        add("a newer version", with_header(R"("format":"roofwalk-profile","version":2)"), unsupported_version,
            "x.json, version");
        add("no device", R"({"kernels":[{"name":"a"}]})", bad_schema, "x.json, kernels[0].device, line 1");
        add("an unknown device", R"({"devices":[{"id":"0"}],"kernels":[{"name":"a","device":"1"}]})",
            bad_schema, "x.json, kernels[0].device, line 1");
        add("devices with the same id", with_header(R"("devices":[{"id":"0"},{"id":"0"}])"), bad_schema,
            "x.json, devices[1].id");
        add("a header field twice", with_header(R"("device":"a","device":"b")"), bad_schema,
            "x.json, device");
        add("a broken compute capability", with_header(R"("devices":[{"compute_capability":"8"}])"),
            bad_schema, "x.json, devices[0].compute_capability");
        add("a ceiling without a rate",
            with_header(R"("devices":[{"ceilings":[{"kind":"compute","pipe":"fp32"}]}])"), bad_schema,
            "x.json, devices[0].ceilings[0]");
        add("a ceiling of zero",
            with_header(R"("devices":[{"ceilings":[{"kind":"compute","pipe":"fp32","rate":0}]}])"),
            bad_schema, "x.json, devices[0].ceilings[0].rate");
        add("a bandwidth ceiling of a pipe",
            with_header(R"("devices":[{"ceilings":[{"kind":"bandwidth","pipe":"fp32","rate":1}]}])"),
            bad_schema, "x.json, devices[0].ceilings[0]");
        add("no name", with_kernel(R"({"flops":1})"), bad_schema, "x.json, kernels[0].name, line 1");
        add("a name that is a number", with_kernel(R"({"name":1})"), bad_schema,
            "x.json, kernels[0].name, line 1");
        add("a kernel that is no object", with_kernel("7"), bad_schema, "x.json, kernels[0], line 1");
        add("negative bytes", with_kernel(R"({"name":"a","bytes":{"hbm":-1}})"), bad_schema,
            "x.json, kernels[0].bytes.hbm, line 1");
        add("negative FLOPs", with_kernel(R"({"name":"a","flops":-0.5})"), bad_schema,
            "x.json, kernels[0].flops, line 1");
        add("a text for a number", with_kernel(R"({"name":"a","flops":"2e8"})"), bad_schema,
            "x.json, kernels[0].flops, line 1");
        add("a number beyond all measure", with_kernel(R"({"name":"a","flops":1e31})"), bad_schema,
            "x.json, kernels[0].flops, line 1");
        add("a number no double can hold", with_kernel(R"({"name":"a","flops":1e999})"), bad_json,
            "x.json, kernels[0], line 1");
        add("NaN", with_kernel(R"({"name":"a","flops":NaN})"), bad_json, "x.json, kernels[0], line 1");
        add("Infinity", with_kernel(R"({"name":"a","metrics":{"m":-Infinity}})"), bad_json,
            "x.json, kernels[0], line 1");
        add("no time at all", with_kernel(R"({"name":"a","duration_ns":0})"), bad_schema,
            "x.json, kernels[0].duration_ns, line 1");
        add("an unknown pipe", with_kernel(R"({"name":"a","flops":{"fp23":1}})"), bad_schema,
            "x.json, kernels[0].flops.fp23, line 1");
        add("an unknown precision", with_kernel(R"({"name":"a","flops":1,"precision":"half"})"), bad_schema,
            "x.json, kernels[0].precision, line 1");
        add("a precision beside named pipes",
            with_kernel(R"({"name":"a","flops":{"fp32":1},"precision":"fp16"})"), bad_schema,
            "x.json, kernels[0].flops, line 1");
        add("an unknown boundary", with_kernel(R"({"name":"a","bytes":{"l3":1}})"), bad_schema,
            "x.json, kernels[0].bytes.l3, line 1");
        add("a boundary of another level",
            with_kernel(R"({"name":"a","bytes":{"hbm":{"boundary":"l2/all","total":1}}})"), bad_schema,
            "x.json, kernels[0].bytes.hbm.boundary, line 1");
        add("a boundary twice", with_kernel(R"({"name":"a","bytes":{"hbm":1,"hbm/dram-rw":1}})"), bad_schema,
            "x.json, kernels[0].bytes.hbm/dram-rw, line 1");
        add("a pipe twice", with_kernel(R"({"name":"a","flops":{"fp32":1,"fp32":2}})"), bad_schema,
            "x.json, kernels[0].flops.fp32, line 1");
        add("a metric twice", with_kernel(R"({"name":"a","metrics":{"m.sum":1,"m.sum":2}})"), bad_schema,
            "x.json, kernels[0].metrics[\"m.sum\"], line 1");
        add("a field twice", with_kernel(R"({"name":"a","name":"b"})"), bad_schema,
            "x.json, kernels[0].name, line 1");
        add("half of the traffic", with_kernel(R"({"name":"a","bytes":{"l2":{"read":1}}})"), bad_schema,
            "x.json, kernels[0].bytes.l2.total, line 1");
        add("a part of a formula",
            with_kernel(R"({"name":"a","bytes":{"hbm":{"read":1,"origin":"modelled"}}})"), bad_schema,
            "x.json, kernels[0].bytes.hbm.total, line 1");
        add("a part twice",
            with_kernel(R"({"name":"a","bytes":{"hbm":{"read":1}},"metrics":{"dram__bytes_read.sum":1}})"),
            bad_schema, "x.json, kernels[0].metrics[\"dram__bytes_read.sum\"], line 1");
        add("no traffic", with_kernel(R"({"name":"a","bytes":{"hbm":{}}})"), bad_schema,
            "x.json, kernels[0].bytes.hbm.total, line 1");
        add("a text that is not there",
            with_kernel(R"({"name":"a","flops":{"fp32":{"count":1,"source":0}}})"), bad_schema,
            "x.json, kernels[0].flops.fp32.source, line 1");
        add("an unknown origin", with_kernel(R"({"name":"a","flops":{"fp32":{"count":1,"origin":"guess"}}})"),
            bad_schema, "x.json, kernels[0].flops.fp32.origin, line 1");
        add("ceilings that are not there", with_kernel(R"({"name":"a","ceiling_set":0})"), bad_schema,
            "x.json, kernels[0].ceiling_set, line 1");
        add("a source that is not there", with_kernel(R"({"name":"a","source":1})"), bad_schema,
            "x.json, kernels[0].source, line 1");
        add("a grid of four sizes", with_kernel(R"({"name":"a","grid":[1,2,3,4]})"), bad_schema,
            "x.json, kernels[0].grid, line 1");
        add("a grid beyond 32 bits", with_kernel(R"({"name":"a","grid":[4294967296]})"), bad_schema,
            "x.json, kernels[0].grid[0], line 1");
        add("uncounted work of an unknown kind",
            with_kernel(R"({"name":"a","flops":1,"uncounted_work":["fp16","fp7"]})"), bad_schema,
            "x.json, kernels[0].uncounted_work[1], line 1");
        add("an algorithm that is a number", with_kernel(R"({"name":"a","algorithm":7})"), bad_schema,
            "x.json, kernels[0].algorithm, line 1");
        add("a parameter that is a list", with_kernel(R"({"name":"a","algorithm":{"op":"gemm","m":[1]}})"),
            bad_schema, "x.json, kernels[0].algorithm.m, line 1");
        add("a depth bomb in a kernel", with_kernel(R"({"name":"a","x":)" + nested(1000000) + "}"), bad_json,
            "x.json, kernels[0], line 1");
        add("a depth bomb in the header", with_header(R"("device":"H100","x":)" + nested(1000000)), bad_json,
            "x.json");
        add("a depth bomb that never ends", R"({"kernels":)" + std::string(1000000, '['), truncated,
            "x.json, line 1");
        add("brackets that do not fit", with_kernel(R"({"name":"a"])"), bad_json,
            "x.json, kernels[0], line 1");
    }

    void what_stands_in_place_of_kernels_is_said() {
        const auto list = read_json("[]", "x.json");
        QCOMPARE(list.error().what, std::string("This JSON is a list, and a Roofwalk profile is an object"));
        QVERIFY(list.error().hint.find(R"("kernels": [...])") != std::string::npos);
        const auto object = read_json(R"({"kernels":{}})", "x.json");
        QCOMPARE(object.error().what, std::string("The kernels of a profile are a list"));
        const auto session = read_json(R"({"format":"roofwalk-session","version":1})", "x.roofwalk");
        QVERIFY(session.error().hint.find("a session can name reports only") != std::string::npos);
    }
    void a_word_that_is_no_value_is_named() {
        const auto read = read_json(R"({"kernels":[{"name":"is: NaN, x","flops":-Infinity}]})", "x.json");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().what, std::string("'Infinity' is no JSON value"));
        QCOMPARE(read.error().hint,
                 std::string("Leave out what is not known; NaN and Infinity cannot be written "
                             "in JSON. No complete kernel stands before the damage."));
    }

    void a_document_without_a_usable_kernel_is_an_error() {
        QFETCH(QByteArray, text);
        QFETCH(ErrorCode, code);
        QFETCH(QByteArray, where);
        const auto profile = read_json(text.toStdString(), "x.json");
        QVERIFY(!profile);
        QCOMPARE(std::string(name_of(profile.error().code)), std::string(name_of(code)));
        QCOMPARE(profile.error().where, where.toStdString());
        QVERIFY(!profile.error().what.empty());
    }

    void hints_list_what_is_known() {
        const auto profile = read_json(with_kernel(R"({"name":"a","bytes":{"l3":1}})"), "x.json");
        QVERIFY(profile.error().hint.find("l2/sm-sectors") != std::string::npos);
    }

    void a_kernel_longer_than_the_bound_is_refused() {
        const std::string kernel = "{\"name\":\"" + std::string(std::size_t{65} << 20, 'a') + "\"}";
        const auto profile = read_json(with_kernel(kernel), "x.json");
        QVERIFY(!profile);
        QVERIFY(profile.error().code == ErrorCode::too_large);
    }
};

}  // namespace tst_json_reader_faults

ROOFWALK_TEST(tst_json_reader_faults, TestJsonReaderFaults, NoApplication)
#include "tst_json_reader_faults.moc"
