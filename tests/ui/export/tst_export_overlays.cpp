// SPDX-License-Identifier: GPL-3.0-or-later
// Both gaps, a scenario and a comparison in what the window writes.
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QPushButton>

#include "tests/support/folder_tests.h"
#include "tests/ui/export/pdf_content.h"
#include "tests/ui/file_content.h"
#include "tests/ui/shown_window.h"
#include "ui/export/export_dialog.h"

namespace tst_export_overlays {

using namespace roofwalk;
using test::content;
using test::ShownWindow;

namespace {

constexpr const char* kernel = "stream_add(float const*, float*)";

QString write_run(const QTemporaryDir& folder, const QString& name, double bytes, int duration_ns) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write(QStringLiteral(R"({"device": "A100 SXM4 80GB", "kernels": [{"name": "%1", "flops": 4e8,
                                  "bytes": %2, "duration_ns": %3}]})")
                   .arg(kernel)
                   .arg(bytes)
                   .arg(duration_ns)
                   .toUtf8());
    return file.fileName();
}

/// A window with a kernel that is compared with a slower one, bound to an operation, moved and selected.
struct WithOverlays : ShownWindow {
    WithOverlays() {
        settings.set_export_size("900x600");
        ready = open({write_run(folder, "new.json", 4.8e9, 3'000'000)});
        chooser.to_open = {write_run(folder, "old.json", 9.6e9, 9'000'000)};
        action("compare_with").trigger();
        ready = ready && QTest::qWaitFor([this] { return document().result().comparison != nullptr; });
        Bindings bindings;
        bindings.rules.push_back({"stream", "custom flops=4e8 read=1e9 write=6e8"});
        test::set_bindings(document(), bindings);
        Scenario scenario;
        scenario.name = "Fewer bytes";
        Move& move = scenario.moves.emplace_back();
        move.kernel.name = kernel;
        move.bytes[MemoryLevel::hbm] = 0.5;
        test::set_scenario(document(), scenario);
        ready = settle() && ready;
        document().select(0);
        ready = settle() && ready;
    }
    /// Goes through the dialog as a person would.
    [[nodiscard]] QString exported(ExportFormat format) {
        const QString path = folder.filePath("out." + suffix_of(format));
        chooser.to_save = path;
        action("export").trigger();
        auto* dialog = window.findChild<ExportDialog*>();
        auto* formats = dialog->findChild<QComboBox*>("export_format");
        formats->setCurrentIndex(formats->findData(static_cast<int>(format)));
        QTest::mouseClick(dialog->findChild<QPushButton*>("export_accept"), Qt::LeftButton);
        return QTest::qWaitFor([&] { return QFile::exists(path); }) ? path : QString();
    }

    bool ready = false;
};

/// Words of both gaps, of the comparison and of the scenario.
const QStringList& wanted() {
    static const QStringList words{"below HBM",
                                   "left of its algorithm; both gaps: ",
                                   "custom (rule)",
                                   "3.00x faster",
                                   "arrows from old.json",
                                   "Fewer bytes"};
    return words;
}

}  // namespace

class TestExportOverlays : public QObject {
    Q_OBJECT

  private slots:
    void an_svg_holds_gaps_comparison_and_scenario() {
        WithOverlays s;
        QVERIFY(s.ready);
        const QByteArray svg = content(s.exported(ExportFormat::svg));
        for (const QString& word : wanted())
            QVERIFY2(svg.contains(word.toUtf8()), qPrintable(word));
    }

    void a_pdf_holds_the_same_as_text() {
        WithOverlays s;
        QVERIFY(s.ready);
        const test::PdfContent pdf = test::read_pdf(content(s.exported(ExportFormat::pdf)));
        const QString texts = pdf.texts.join(' ');
        for (const QString& word : wanted())
            QVERIFY2(texts.contains(word), qPrintable(word + " in " + texts));
    }

    void a_png_shows_them() {
        WithOverlays s;
        QVERIFY(s.ready);
        const QImage with(s.exported(ExportFormat::png));
        QFile::remove(s.folder.filePath("out.png"));
        s.action("stop_comparing").trigger();
        test::set_scenario(s.document(), {});
        s.document().select(std::nullopt);
        QVERIFY(s.settle());
        const QImage without(s.exported(ExportFormat::png));
        QCOMPARE(with.size(), without.size());
        int other = 0;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y)) ++other;
        QVERIFY2(other > 2000, qPrintable(QString::number(other)));
    }
};

}  // namespace tst_export_overlays

ROOFWALK_TEST(tst_export_overlays, TestExportOverlays, QApplication)
#include "tst_export_overlays.moc"
