// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QImageReader>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>

#include "core/base/file_writer.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/file_content.h"
#include "tests/ui/shown_window.h"
#include "ui/export/export_dialog.h"
#include "ui/export/exporter.h"
#include "ui/widgets/qt_text.h"

namespace tst_exporter {

using namespace roofwalk;
using test::content;
using test::ShownWindow;

namespace {

/// Goes through the dialog as a person would.
void export_as(ShownWindow& s, ExportFormat format, const QString& path) {
    s.chooser.to_save = path;
    s.action("export").trigger();
    auto* dialog = s.window.findChild<ExportDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    auto* formats = dialog->findChild<QComboBox*>("export_format");
    formats->setCurrentIndex(formats->findData(static_cast<int>(format)));
    QTest::mouseClick(dialog->findChild<QPushButton*>("export_accept"), Qt::LeftButton);
    QTRY_VERIFY(s.window.findChild<ExportDialog*>() == nullptr);
}

}  // namespace

class TestExporter : public QObject {
    Q_OBJECT

  private slots:
    void every_format_is_written_and_is_what_it_says_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QByteArray>("inside");
        const auto row = [](ExportFormat format, const char* start, const char* inside) {
            QTest::newRow(qPrintable(suffix_of(format)))
                << static_cast<int>(format) << QByteArray(start) << QByteArray(inside);
        };
        row(ExportFormat::svg, "<", "sgemm_tiled&lt;128, 8&gt;");
        row(ExportFormat::png, "\x89PNG", "IHDR");
        row(ExportFormat::pdf, "%PDF", "%%EOF");
        row(ExportFormat::csv, "", "sgemm_tiled");
        row(ExportFormat::json, "{", "sgemm_tiled");
        row(ExportFormat::markdown, "|", "copy");
    }

    void every_format_is_written_and_is_what_it_says() {
        QFETCH(int, format);
        QFETCH(QByteArray, start);
        QFETCH(QByteArray, inside);
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QString path = s.folder.filePath("out." + suffix_of(static_cast<ExportFormat>(format)));
        export_as(s, static_cast<ExportFormat>(format), path);
        QTRY_VERIFY(QFile::exists(path));
        QVERIFY2(content(path).startsWith(start), content(path).left(80).constData());
        QVERIFY(content(path).contains(inside));
        QCOMPARE(s.settings.export_format(), suffix_of(static_cast<ExportFormat>(format)));
    }

    void a_png_has_the_size_that_was_asked_for_and_is_no_blank_page() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QString path = s.folder.filePath("out.png");
        s.settings.set_export_size("9x6in");
        export_as(s, ExportFormat::png, path);
        QTRY_VERIFY(QFile::exists(path));
        const QImage image(path);
        QCOMPARE(image.size(), QSize(2700, 1800));
        QCOMPARE(std::lround(image.width() / (image.dotsPerMeterX() * 0.0254) * 96), 864);
        QCOMPARE(image.dotsPerMeterY(), image.dotsPerMeterX());
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3)
                colours.insert(image.pixel(x, y));
        QVERIFY(colours.size() > 20);
    }

    void a_name_without_a_suffix_gets_one() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        export_as(s, ExportFormat::csv, s.folder.filePath("numbers"));
        QTRY_VERIFY(QFile::exists(s.folder.filePath("numbers.csv")));
    }

    void a_file_that_cannot_be_written_is_told_in_the_message_bar() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        export_as(s, ExportFormat::svg, s.folder.filePath("absent/out.svg"));
        QTRY_COMPARE(s.messages().count(), std::size_t{1});
        QVERIFY(!QFile::exists(s.folder.filePath("absent/out.svg")));
        const Result<void> written = write_file(to_path(s.folder.filePath("absent/out.svg")), "<svg/>");
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::write_failed);
    }

    void what_is_open_is_not_exported_over() {
        ShownWindow s;
        const QString report = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(s.open({report}));
        const QString session = s.folder.filePath("a.roofwalk");
        s.chooser.to_save = session;
        s.action("save_as").trigger();
        QTRY_VERIFY(QFile::exists(session));
        const QByteArray before = test::content(report) + test::content(session);
        QVERIFY(QFile::link(report, s.folder.filePath("other.svg")));
        Exporter exporter(s.document(), s.chart(), s.settings, s.chooser, nullptr);
        QSignalSpy exported(&exporter, &Exporter::exported);
        QSignalSpy failed(&exporter, &Exporter::failed);
        for (const QString& path : {report, session, s.folder.filePath("other.svg")})
            exporter.export_to(path, {});
        QCOMPARE(failed.count(), 3);
        for (const QList<QVariant>& told : failed)
            QCOMPARE(told.first().value<Error>().code, ErrorCode::bad_argument);
        const Numbers numbers{[] { return ReportTable{}; }, [] { return std::string("{}\n"); }};
        QVERIFY(!write_numbers(s.document(), report, numbers));
        s.chooser.to_save = report;
        s.action("save_scenario").trigger();
        exporter.export_to(s.folder.filePath("b.svg"), {});
        QTRY_COMPARE(exported.count(), 1);
        QCOMPARE(test::content(report) + test::content(session), before);
    }

    void exports_that_follow_at_once_are_all_written_and_told() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        Exporter exporter(s.document(), s.chart(), s.settings, s.chooser, nullptr);
        QSignalSpy exported(&exporter, &Exporter::exported);
        QSignalSpy failed(&exporter, &Exporter::failed);
        ExportRequest huge;
        huge.format = ExportFormat::png;
        huge.size = "6000x6000";
        huge.dots_per_inch = 4 * page_pixels_per_inch;
        exporter.export_to(s.folder.filePath("huge.png"), huge);
        exporter.export_to(s.folder.filePath("absent/a.svg"), {});
        exporter.export_to(s.folder.filePath("a.svg"), {});
        exporter.export_to(s.folder.filePath("b.svg"), {});
        QTRY_COMPARE(exported.count(), 2);
        QCOMPARE(failed.count(), 2);
        QCOMPARE(failed.first().first().value<Error>().code, ErrorCode::too_large);
        QVERIFY(failed.first().first().value<Error>().what.find("limit of 1 GB") != std::string::npos);
        QVERIFY(QFile::exists(s.folder.filePath("a.svg")) && QFile::exists(s.folder.filePath("b.svg")));
    }

    void the_dialog_has_the_sizes_of_the_command() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("export").trigger();
        auto* dialog = s.window.findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        auto* uses = dialog->findChild<QComboBox*>("export_for");
        QCOMPARE(uses->currentIndex(), 0);
        for (std::size_t i = 0; i < figure_uses.size(); ++i) {
            uses->setCurrentIndex(static_cast<int>(i));
            const PageSpec page = dialog->request().page();
            QCOMPARE(page.width, figure_uses[i].page.width);
            QCOMPARE(page.height, figure_uses[i].page.height);
            QCOMPARE(page.letters, figure_uses[i].page.letters);
            QCOMPARE(page.grows, figure_uses[i].page.grows);
            const Scene drawn = *dialog->source().chart(dialog->request()).scene;
            const double inches = lay_out_page(drawn, page).page.size().height / page_pixels_per_inch;
            QTRY_VERIFY(std::abs(dialog->findChild<QDoubleSpinBox*>("export_height")->value() - inches) <
                        0.006);
        }
        uses->setCurrentIndex(uses->count() - 1);
        auto* unit = dialog->findChild<QComboBox*>("export_unit");
        unit->setCurrentText("mm");
        dialog->findChild<QDoubleSpinBox*>("export_width")->setValue(89);
        dialog->findChild<QDoubleSpinBox*>("export_height")->setValue(70);
        const PageSpec asked = *page_of_size("89x70mm");
        for (const double points : {0.0, 7.0}) {
            auto* letters = dialog->findChild<QDoubleSpinBox*>("export_letters");
            letters->setValue(points);
            const PageSpec page = dialog->request().page();
            QCOMPARE(page.width, asked.width);
            QCOMPARE(page.height, asked.height);
            QCOMPARE(page.letters, points > 0 ? points * page_pixels_per_point : asked.letters);
            QCOMPARE(page.least_letters.has_value(), points == 0);
        }
        QCOMPARE(dialog->request().pixel_ratio() * page_pixels_per_inch, 300.0);
        unit->setCurrentText("px");
        dialog->findChild<QDoubleSpinBox*>("export_letters")->setValue(0);
        QCOMPARE(dialog->request().size, QString("336x265px"));  // the same page
        QVERIFY(!dialog->request().page().letters && !dialog->request().page().grows);
        QCOMPARE(dialog->request().pixel_ratio(), 1.0);
    }

    void the_dialog_begins_with_the_letters_and_pixels_that_are_handed_in() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const ExportSource source = export_source(s.document().result(), s.document().scene_options());
        for (const double dots : {300.0, 220.0}) {
            ExportRequest request;
            request.letters = 8.5;
            request.dots_per_inch = dots;
            const ExportDialog dialog(source, request);
            QCOMPARE(dialog.request().letters, request.letters);
            QCOMPARE(dialog.request().dots_per_inch, request.dots_per_inch);
        }
        const ExportDialog by_size(source, {});
        QVERIFY(!by_size.request().letters && !by_size.request().dots_per_inch);
    }

    void a_figure_goes_into_the_folder_of_the_report_at_once_and_over_no_other() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QTemporaryDir elsewhere;
        s.settings.set_last_folder(elsewhere.path());
        for (const char* name : {"a.svg", "a-2.svg"}) {
            s.action("export").trigger();
            auto* dialog = s.window.findChild<ExportDialog*>();
            QCOMPARE(dialog->findChild<QLabel*>("export_goes_to")->accessibleName(),
                     "Export writes " + s.folder.filePath(name));
            dialog->findChild<QPushButton*>("export_here")->click();
            QTRY_VERIFY(QFile::exists(s.folder.filePath(name)));
            QTRY_VERIFY(s.window.findChild<ExportDialog*>() == nullptr);
        }
        QVERIFY(QDir(elsewhere.path()).isEmpty());
    }

    void beside_a_report_where_nothing_can_be_written_a_writable_folder_is_offered() {
        ShownWindow s;
        QFile report(test::write_three_kernels(s.folder, "a.json"));
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(s.open({QString("/proc/self/fd/%1").arg(report.handle())}));
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", s.folder.path().toUtf8());
        s.action("export").trigger();
        qputenv("HOME", home);
        const QString goes_to =
            s.window.findChild<ExportDialog*>()->findChild<QLabel*>("export_goes_to")->accessibleName();
        QVERIFY2(goes_to.startsWith("Export writes " + s.folder.path()), qPrintable(goes_to));
    }

    void choices_are_kept_until_a_file_is_chosen() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("export").trigger();
        auto* dialog = s.window.findChild<ExportDialog*>();
        dialog->findChild<QDoubleSpinBox*>("export_letters")->setValue(8.5);
        dialog->findChild<QPushButton*>("export_accept")->click();
        QVERIFY(dialog->isVisible());
        s.chooser.to_save = s.folder.filePath("out.svg");
        dialog->findChild<QPushButton*>("export_accept")->click();
        QVERIFY(!dialog->isVisible());
        QCOMPARE(dialog->request().letters, 8.5);
    }

    void numbers_leave_out_what_the_filter_hides_unless_asked() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.document().set_filter("sgemm");
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        for (const ExportFormat format :
             {ExportFormat::svg, ExportFormat::csv, ExportFormat::json, ExportFormat::markdown}) {
            const ExportSource source = export_source(s.document().result(), s.document().scene_options());
            ExportRequest request;
            request.format = format;
            const Result<QByteArray> some = export_bytes(source, request);
            request.only_matching = false;
            const Result<QByteArray> all = export_bytes(source, request);
            QVERIFY(some && all);
            const QByteArray name = format == ExportFormat::markdown ? R"(stream\_add)" : "stream_add";
            QVERIFY(some->contains("sgemm") && !some->contains(name));
            QVERIFY(all->contains("sgemm") && all->contains(name));
            const ShownColumns shown = shown_columns(source.table(request), TextColumns::any_width);
            if (format == ExportFormat::markdown)
                QCOMPARE(all->left(all->indexOf('\n')).count(" |"), static_cast<int>(shown.columns.size()));
        }
    }

    void the_chart_of_thousands_of_kernels_is_shaded_in_every_format() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 6000)}));
        const ExportSource source = export_source(s.document().result(), s.document().scene_options());
        ExportRequest request;
        request.format = ExportFormat::svg;
        const Result<QByteArray> svg = export_bytes(source, request);
        QVERIFY(svg);
        QVERIFY2(svg->size() <= 2'000'000, qPrintable(QString::number(svg->size())));
        QVERIFY(svg->contains("id=\"shading\"") && svg->contains("5,500 of 6,000 dots"));
        QCOMPARE(svg->count("id=\"k"), 500);
        request.format = ExportFormat::pdf;
        const Result<QByteArray> pdf = export_bytes(source, request);
        QVERIFY(pdf && pdf->size() <= 2'000'000);
    }

    void a_zoomed_chart_is_exported_and_copied_as_it_is_seen() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto outside = [](const QByteArray& svg) { return svg.contains("outside the axes"); };
        const auto choice = [&] {
            s.action("export").trigger();
            return s.window.findChild<ExportDialog*>()->findChild<QCheckBox*>("export_only_seen");
        };
        QVERIFY(choice()->isHidden());
        s.window.findChild<ExportDialog*>()->reject();
        QTRY_VERIFY(s.window.findChild<ExportDialog*>() == nullptr);
        QVERIFY(!s.chart().part_seen());
        s.chart().zoom(8);
        QCheckBox* only_seen = choice();
        QVERIFY(!only_seen->isHidden() && only_seen->isChecked());
        auto* dialog = s.window.findChild<ExportDialog*>();
        QCOMPARE(dialog->request().page().x, std::optional(s.chart().x_range()));
        QCOMPARE(dialog->request().page().y, std::optional(s.chart().y_range()));
        ExportRequest part = dialog->request();
        part.format = ExportFormat::svg;
        QVERIFY(outside(*export_bytes(dialog->source(), part)));
        only_seen->click();
        QVERIFY(!dialog->request().page().x && !dialog->request().page().y);
        s.action("copy_svg").trigger();
        QVERIFY(outside(QGuiApplication::clipboard()->mimeData()->data("image/svg+xml")));
    }

    void the_chart_is_copied_as_picture_and_as_svg() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("copy_picture").trigger();
        QVERIFY(!QGuiApplication::clipboard()->image().isNull());
        s.action("copy_svg").trigger();
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->data("image/svg+xml").contains("<svg"));
        QVERIFY(data->text().contains("</svg>"));
    }
};

}  // namespace tst_exporter

ROOFWALK_TEST(tst_exporter, TestExporter, QApplication)
#include "tst_exporter.moc"
