// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/pipe.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_pipe {

using namespace roofwalk;

class TestPipe : public QObject {
    Q_OBJECT

  private slots:
    void ids_go_both_ways() {
        for (const PipeKind kind : all_pipe_kinds)
            for (const bool sparse : {false, true}) {
                const Pipe pipe{kind, sparse};
                QCOMPARE(pipe_from_id(id_of(pipe)).value(), pipe);
                QVERIFY(!label_of(pipe).empty());
            }
        QCOMPARE(id_of(Pipe{PipeKind::tensor_int8, true}), std::string("tensor.int8.sparse"));
        QCOMPARE(label_of(Pipe{PipeKind::tensor_int8, true}), std::string("INT8 Tensor sparse"));
        QVERIFY(!pipe_from_id("fp128"));
        QVERIFY(!pipe_from_id(""));
    }
    void integers_and_tensors_are_recognised() {
        QVERIFY(counts_integers({PipeKind::int32, false}));
        QVERIFY(counts_integers({PipeKind::tensor_int4, true}));
        QVERIFY(!counts_integers({PipeKind::tensor_fp8, false}));
        QVERIFY(!counts_integers({PipeKind::tensor_any, false}));
        QVERIFY(is_tensor({PipeKind::tensor_fp64, false}));
        QVERIFY(is_tensor({PipeKind::tensor_any, false}));
        QVERIFY(!is_tensor({PipeKind::fp16, false}));
        QVERIFY(!is_tensor({PipeKind::int32, false}));
    }
};

}  // namespace tst_pipe

ROOFWALK_TEST(tst_pipe, TestPipe, NoApplication)
#include "tst_pipe.moc"
