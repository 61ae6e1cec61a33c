// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/report/report_table.h"
#include "ui/export/export_bytes.h"
#include "ui/workspace/job.h"

class QWidget;

namespace roofwalk {

class Document;
class FileChooser;
class RooflineChart;
class Settings;

/// Numbers that can be written in several formats; made when the format is known.
struct Numbers {
    std::function<ReportTable()> table;
    std::function<std::string()> json;
};

/// Writes numbers as CSV, Markdown or JSON, as the end of the file's name asks for; not over a file that the
/// document shows.
[[nodiscard]] Result<void> write_numbers(const Document& document, const QString& path,
                                         const Numbers& numbers);

/// Takes the chart and its numbers out of the program: into files, through a dialog, or to the clipboard.
class Exporter : public QObject {
    Q_OBJECT

  public:
    Exporter(Document& document, const RooflineChart& chart, Settings& settings, FileChooser& chooser,
             QObject* parent);

    /// Shows the export dialog for what the document shows; exports when the person agrees.
    void ask_and_export(QWidget* window);
    /// The same for anything else, under a title and into a file of a name.
    void ask_and_export(const ExportSource& source, const QString& title, const QString& name,
                        QWidget* window);
    /// Writes what the document shows now; one file after the other, in the order of the calls.
    void export_to(const QString& path, const ExportRequest& request);
    /// Numbers as CSV, Markdown or JSON, by the name of the file that is asked for.
    void ask_and_export_comparison(QWidget* window);
    /// What the moves gain.
    void ask_and_export_scenario(QWidget* window);

    /// The chart in the colours and the size of the window, with the part of the axes that is seen.
    void copy_picture();
    void copy_svg();
    void copy_text(const QString& text);

  signals:
    void exported(const QString& path);
    void failed(const roofwalk::Error& error);

  private:
    struct Order {
        QString path;
        ExportRequest request;
        ExportSource source;
    };

    void order(Order order);
    void write_next();
    [[nodiscard]] ExportSource source() const;
    [[nodiscard]] PageSpec page_on_screen() const;
    [[nodiscard]] QString document_name() const;
    /// The first that can be written to: of the first report, the last one used, a person's own; else none.
    [[nodiscard]] QString folder() const;
    [[nodiscard]] QString suggested_path(const QString& name) const;
    void ask_and_write(QWidget* window, const QString& ending, const QString& filter, const Numbers& numbers);

    Document& document_;
    const RooflineChart& chart_;
    Settings& settings_;
    FileChooser& chooser_;
    std::deque<Order> orders_;
    Job job_;
};

}  // namespace roofwalk
