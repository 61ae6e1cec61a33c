// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with ceilings that are measured on a GPU: it finds those that are kept, and asks for
// files.
#include <QDir>
#include <QFileInfo>

#include "core/devices/uuid_for_file.h"
#include "ui/panels/ceiling_panel.h"
#include "ui/panels/measurer.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

void MainWindow::connect_measure(CeilingPanel& ceilings) {
    const QString files = tr("Measured ceilings (*.json)");
    connect(measurer_, &Measurer::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::warning, error); });
    connect(&ceilings, &CeilingPanel::measured_import_requested, this, [this, files] {
        const QString path = chooser_.file_to_open(this, settings_.last_folder(), files);
        if (!path.isEmpty()) measurer_->import_from(path);
    });
    connect(&ceilings, &CeilingPanel::measured_export_requested, this,
            [this, files](const std::shared_ptr<const MeasuredCeilings>& measured) {
                const QString name =
                    to_qt(uuid_for_file(measured->device.device.uuid)) + QStringLiteral(".ceilings.json");
                const QString path =
                    chooser_.file_to_save(this, QDir(settings_.last_folder()).filePath(name), files);
                if (path.isEmpty()) return;
                settings_.set_last_folder(QFileInfo(path).absolutePath());
                measurer_->export_to(path, *measured);
            });
    measurer_->read_kept();
}

}  // namespace roofwalk
