// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/operations/data_type.h"
#include "tests/support/folder_tests.h"

namespace tst_data_type {

using namespace roofwalk;

class TestDataType : public QObject {
    Q_OBJECT

  private slots:
    void every_name_reads_back() {
        QCOMPARE(all_data_types.size(), 19u);
        for (const DataType type : all_data_types)
            QVERIFY(data_type_from_name(name_of(type)) == type);
    }
    void names_of_programs_are_known() {
        QVERIFY(data_type_from_name("half") == DataType::fp16);
        QVERIFY(data_type_from_name("float") == DataType::fp32);
        QVERIFY(data_type_from_name("e4m3") == DataType::fp8);
        QVERIFY(!data_type_from_name("fp12"));
        QVERIFY(!data_type_from_name(""));
    }
    void elements_may_be_less_than_a_byte() {
        QCOMPARE(bytes_of(DataType::int4), 0.5);
        QCOMPARE(bytes_of(DataType::fp6), 0.75);
        QCOMPARE(bytes_of(DataType::tf32), 4.0);
        QCOMPARE(packed_bytes(9, DataType::int4), 5.0);
        QCOMPARE(packed_bytes(9, DataType::int1), 2.0);
    }
    void every_type_has_a_pipe() {
        QVERIFY(matrix_pipe(DataType::bf16) == Pipe{PipeKind::tensor_bf16});
        QVERIFY(matrix_pipe(DataType::fp32) == Pipe{PipeKind::fp32});
        QVERIFY(vector_pipe(DataType::fp16) == Pipe{PipeKind::fp32});
        QVERIFY(vector_pipe(DataType::fp64) == Pipe{PipeKind::fp64});
        QVERIFY(vector_pipe(DataType::int8) == Pipe{PipeKind::int32});
    }
    void a_product_is_computed_in_the_wider_type() {
        QVERIFY(product_type(DataType::fp16, DataType::int4) == DataType::fp16);
        QVERIFY(product_type(DataType::int4, DataType::int8) == DataType::int8);
        QVERIFY(product_type(DataType::fp8, DataType::bf16) == DataType::bf16);
        QVERIFY(product_type(DataType::int8, DataType::fp8) == DataType::fp8);
    }
};

}  // namespace tst_data_type

ROOFWALK_TEST(tst_data_type, TestDataType, NoApplication)
#include "tst_data_type.moc"
