// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "core/chart/layout/page.h"
#include "core/chart/svg/svg_writer.h"
#include "core/import/open_profile.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "tests/ui/export/pdf_content.h"
#include "tests/ui/profile_files.h"
#include "ui/chart/chart_theme.h"
#include "ui/export/export_bytes.h"

namespace tst_export_bytes {

using namespace roofwalk;

namespace {

constexpr QSize page_size(900, 600);
constexpr PageSpec drawn_size{900, 600};

/// A profile with everything that follows from it.
struct Made {
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const Analysis> analysis;
    Scene scene;
};

Made made(bool ranges = false) {
    const QTemporaryDir folder;
    const QString path = test::write_three_kernels(folder, "a.json");
    auto profile = std::make_shared<const Profile>(*open_profile(to_path(path)));
    auto analysis = std::make_shared<const Analysis>(analyse(*profile, {}));
    SceneOptions options;
    options.gaps = 2;
    options.operation_ranges = ranges;
    Scene scene = build_scene(*profile, *analysis, options);
    return {std::move(profile), std::move(analysis), std::move(scene)};
}

/// The chart as a PDF of `size`; with a filter only of the kernels whose names hold it.
QByteArray pdf_of(const Made& chart, QSize size, const std::string& filter = {}) {
    ExportRequest request;
    request.format = ExportFormat::pdf;
    request.size = QStringLiteral("%1x%2").arg(size.width()).arg(size.height());
    request.theme = chart.scene.options.theme;
    std::vector<bool> matches;
    for (const KernelPoint& point : chart.analysis->points)
        matches.push_back(point.name.find(filter) != std::string::npos);
    WorkspaceResult result;
    result.inputs.profile = chart.profile;
    result.analysis = chart.analysis;
    result.what_if = make_what_if({}, *chart.profile, *chart.analysis);
    result.matches = std::move(matches);
    const Result<QByteArray> pdf = export_bytes(export_source(result, chart.scene.options), request);
    return pdf ? *pdf : QByteArray();
}

/// The pixel that holds a place of the page.
QColor at(const QImage& image, PointF place, double scale = 1) {
    return image.pixelColor(static_cast<int>(place.x * scale), static_cast<int>(place.y * scale));
}

int distance(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

/// Mean over all pixels and channels, 0 to 255.
double mean_difference(const QImage& a, const QImage& b) {
    double sum = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            sum += distance(a.pixelColor(x, y), b.pixelColor(x, y));
    return sum / (3.0 * a.width() * a.height());
}

}  // namespace

class TestExportBytes : public QObject {
    Q_OBJECT

  private slots:
    void roofs_stand_in_the_picture_where_the_scene_has_them_data() {
        QTest::addColumn<int>("theme");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << static_cast<int>(Theme::light) << 1.0;
        QTest::newRow("dark, twice as dense") << static_cast<int>(Theme::dark) << 2.0;
        QTest::newRow("print") << static_cast<int>(Theme::print) << 1.0;
    }
    void roofs_stand_in_the_picture_where_the_scene_has_them() {
        QFETCH(int, theme);
        QFETCH(double, scale);
        Scene scene = test::empty_scene();
        scene.options.theme = static_cast<Theme>(theme);
        const Result<QImage> image = draw_chart(scene, drawn_size, scale);
        QVERIFY(image);
        QCOMPARE(image->size(), page_size * scale);
        const Palette& palette = palette_of(scene.options.theme);
        const Page page = plan_page(scene, {900, 600});
        const Layout layout = lay_out(scene, page.view);
        QVERIFY(!layout.roofs.empty());
        for (const PlacedLine& line : layout.roofs) {
            const PointF middle{(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2};
            // A thin line may share its pixel with the ground: half of its colour is enough.
            const int whole = distance(to_qt(palette.roof), to_qt(palette.plot));
            QVERIFY(distance(at(*image, middle, scale), to_qt(palette.plot)) > whole / 2);
            // Well below the roof is ground, grid or zone.
            const PointF below{middle.x + 9, middle.y + 9};
            QVERIFY(distance(at(*image, below, scale), to_qt(palette.roof)) > whole / 2);
        }
        QCOMPARE(at(*image, {2, 2}, scale), to_qt(palette.background));
    }

    void pixels_that_the_page_covers_in_part_are_of_its_ground_too() {
        const Scene scene = test::empty_scene();
        const Result<QImage> image = draw_chart(scene, drawn_size, 0.3339);
        QVERIFY(image);
        const QColor ground = to_qt(palette_of(scene.options.theme).background);
        for (int y = 0; y < image->height(); ++y)
            QCOMPARE(image->pixelColor(image->width() - 1, y), ground);
        for (int x = 0; x < image->width(); ++x)
            QCOMPARE(image->pixelColor(x, image->height() - 1), ground);
    }
    void dots_stand_in_the_picture_where_the_scene_has_them() {
        const Scene scene = test::small_scene();
        const Result<QImage> image = draw_chart(scene, drawn_size, 1);
        QVERIFY(image);
        const Page page = plan_page(scene, {900, 600});
        QVERIFY(!scene.dots.empty());
        const Dot& largest = scene.dots.back();
        const PointF place = dot_position(largest, page.view);
        const QColor colour = to_qt(scene.dot_colours[largest.colour]);
        const PointF inside{place.x + 2, place.y + 2};
        QVERIFY(distance(at(*image, inside), colour) < 160);
        QVERIFY(distance(at(*image, {place.x, place.y - 40}), colour) > 160);
    }

    void of_many_dots_the_picture_is_shaded_where_they_stand() {
        Scene scene = test::many_dots(20'000);
        scene.options.theme = Theme::print;
        const PagePlacement laid = lay_out_page(scene, {900, 600});
        QCOMPARE(laid.dots.shaded(), std::size_t{19'500});
        const Result<QImage> image = draw_chart(scene, drawn_size, 1);
        QVERIFY(image);
        const auto fullest = std::ranges::max_element(laid.density.counts) - laid.density.counts.begin();
        const RectF& plot = laid.page.view.plot;
        const double cell = laid.density.cell;
        const PointF place{plot.x + (static_cast<double>(fullest % laid.density.columns) + 0.5) * cell,
                           plot.y + (static_cast<double>(fullest / laid.density.columns) + 0.5) * cell};
        const QColor ground = to_qt(palette_of(Theme::print).plot);
        QVERIFY(distance(at(*image, place), ground) > 150);
        QVERIFY(laid.page.legend.front().row.shading);
        const PointF sample = laid.page.legend.front().at;
        QVERIFY(distance(at(*image, {sample.x + 9, sample.y - 4}), ground) > 300);
    }

    void the_picture_is_that_of_the_svg() {
        if (QStandardPaths::findExecutable("rsvg-convert").isEmpty()) QSKIP("rsvg-convert is not installed");
        const Made chart = made();
        QTemporaryDir folder;
        QFile svg(folder.filePath("chart.svg"));
        QVERIFY(svg.open(QIODevice::WriteOnly));
        svg.write(QByteArray::fromStdString(to_svg(chart.scene, *chart.analysis, {900, 600})));
        svg.close();
        QProcess::execute("rsvg-convert", {svg.fileName(), "-o", folder.filePath("chart.png")});
        const QImage other(folder.filePath("chart.png"));
        QCOMPARE(other.size(), page_size);
        const Result<QImage> image = draw_chart(chart.scene, drawn_size, 1);
        QVERIFY(image);
        const double difference = mean_difference(*image, other);
        QVERIFY2(difference < 2, qPrintable(QString::number(difference)));
        Scene without_roofs = chart.scene;
        without_roofs.roofs.clear();
        QVERIFY(mean_difference(*draw_chart(without_roofs, drawn_size, 1), *image) > 0.1);
    }

    void the_legend_stands_above_the_plot_and_never_in_it() {
        const Scene scene = test::empty_scene();
        const Page page = plan_page(scene, {900, 600});
        QCOMPARE(page.legend.size(), scene.legend.size());
        for (const PlacedLegendRow& row : page.legend)
            QVERIFY(row.at.y < page.view.plot.y);
        Scene bare = scene;
        bare.legend.clear();
        bare.roofs.clear();
        bare.ridges.clear();
        const Result<QImage> image = draw_chart(bare, drawn_size, 1);
        const Page plain = plan_page(bare, {900, 600});
        // On screen the legend is a plate in this corner: here is only the grid.
        const QRect corner = to_qt(plain.view.plot).adjusted(4, 4, -500, -400).toRect();
        for (int y = corner.top(); y < corner.bottom(); ++y)
            for (int x = corner.left(); x < corner.right(); ++x)
                QVERIFY(image->pixelColor(x, y).lightness() > 200);
    }

    void a_large_picture_is_a_small_one_scaled_up() {
        const Scene scene = test::small_scene();
        const Page small = plan_page(scene, {1200, 800});
        const Page large = plan_page(scene, {3600, 2400});
        QCOMPARE(large.scale, 3.0);
        QCOMPARE(large.view.plot.width, small.view.plot.width);
        const Result<QImage> image = draw_chart(scene, {3600, 2400}, 1);
        const PointF place = dot_position(scene.dots.back(), large.view);
        QVERIFY(distance(at(*image, {place.x + 2, place.y + 2}, 3),
                         to_qt(scene.dot_colours[scene.dots.back().colour])) < 160);
    }

    void a_pdf_has_one_page_of_the_size_asked_for() {
        const test::PdfContent content = test::read_pdf(pdf_of(made(), {800, 400}));
        QCOMPARE(content.pages, 1);
        // 72 points are 96 pixels.
        QVERIFY(std::abs(content.size.width() - 600) <= 1);
        QVERIFY(std::abs(content.size.height() - 300) <= 1);
    }

    void a_pdf_holds_every_word_of_the_chart_as_text() {
        const Made chart = made(true);
        const test::PdfContent content = test::read_pdf(pdf_of(chart, {900, 600}));
        QVERIFY(!content.fonts.isEmpty());
        for (const QString& font : content.fonts)
            QVERIFY2(font.startsWith("LiberationSans"), qPrintable(font));
        const Page page = plan_page(chart.scene, {900, 600});
        const Layout layout = lay_out(chart.scene, page.view);
        std::vector<PlacedText> words = page.tick_labels;
        words.insert(words.end(), {page.x_label, page.y_label});
        for (const PlacedLegendRow& row : page.legend)
            words.push_back({.text = row.row.text});
        for (const auto* part : {&layout.roof_labels, &layout.names, &layout.gap_labels, &layout.ridge_labels,
                                 &page.caption, &layout.operation_range_labels})
            words.insert(words.end(), part->begin(), part->end());
        for (const PlacedRail& rail : layout.rails)
            words.push_back(rail.label);
        QVERIFY(!layout.roof_labels.empty() && !layout.names.empty() && !layout.gap_labels.empty());
        for (const PlacedText& word : words)
            QVERIFY2(content.texts.contains(QString::fromStdString(word.text)),
                     qPrintable(QString::fromStdString(word.text) + " in " + content.texts.join(" | ")));
    }

    void typical_ranges_stand_in_the_picture_under_its_plot() {
        const Scene scene = made(true).scene;
        const PagePlacement laid = lay_out_page(scene, drawn_size);
        const Result<QImage> image = draw_chart(scene, drawn_size, 1);
        QVERIFY(laid.layout.operation_ranges.size() > 3);
        for (const PlacedLine& bar : laid.layout.operation_ranges) {
            QVERIFY(bar.from.y > laid.page.x_label.at.y);
            const PointF middle{(bar.from.x + bar.to.x) / 2, bar.from.y};
            QVERIFY(distance(at(*image, middle), to_qt(palette_of(scene.options.theme).background)) > 60);
        }
    }

    void a_pdf_is_drawn_in_lines_and_not_as_a_picture() {
        Made chart = made();
        const test::PdfContent whole = test::read_pdf(pdf_of(chart, {900, 600}));
        QCOMPARE(whole.pictures, 0);
        const Page page = plan_page(chart.scene, {900, 600});
        const auto lines = static_cast<int>(page.x_ticks.size() + page.y_ticks.size());
        QVERIFY2(whole.strokes >= 2 * lines, qPrintable(QString::number(whole.strokes)));
        QVERIFY2(whole.fills >= static_cast<int>(chart.scene.dots.size()),
                 qPrintable(QString::number(whole.fills)));
        const test::PdfContent fewer = test::read_pdf(pdf_of(chart, {900, 600}, "sgemm"));
        QVERIFY(fewer.fills < whole.fills);
        QVERIFY(!fewer.texts.join(' ').contains("stream_add") &&
                whole.texts.join(' ').contains("stream_add"));
    }

    void another_program_draws_the_pdf_as_the_picture() {
        if (QStandardPaths::findExecutable("gs").isEmpty()) QSKIP("gs (ghostscript) is not installed");
        const Made chart = made();
        const QTemporaryDir folder;
        QFile file(folder.filePath("chart.pdf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(pdf_of(chart, page_size));
        file.close();
        QCOMPARE(QProcess::execute("gs", {"-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=png16m", "-r96",
                                          "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4",
                                          "-sOutputFile=" + folder.filePath("chart.png"), file.fileName()}),
                 0);
        const QImage drawn(folder.filePath("chart.png"));
        QCOMPARE(drawn.size(), page_size);
        const double difference = mean_difference(*draw_chart(chart.scene, drawn_size, 1), drawn);
        QVERIFY2(difference < 3, qPrintable(QString::number(difference)));
    }
};

}  // namespace tst_export_bytes

ROOFWALK_TEST(tst_export_bytes, TestExportBytes, QApplication)
#include "tst_export_bytes.moc"
