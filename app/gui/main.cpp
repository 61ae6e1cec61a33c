// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QTimer>

#include "app/gui/bundled_samples.h"
#include "app/gui/command_line.h"
#include "app/gui/program_icon.h"
#include "app/logging.h"
#include "ui/file_chooser.h"
#include "ui/main_window.h"
#include "ui/settings.h"

int main(int argc, char** argv) {
    roofwalk::start_logging();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("roofwalk"));
    QApplication::setApplicationDisplayName(QStringLiteral("Roofwalk"));
    QApplication::setApplicationVersion(QStringLiteral(ROOFWALK_VERSION));
    QApplication::setOrganizationName(QStringLiteral("roofwalk"));
    // The name of the desktop file without its suffix; the icon of the theme has the same name.
    QGuiApplication::setDesktopFileName(QStringLiteral("org.roofwalk.Roofwalk"));
    QApplication::setWindowIcon(roofwalk::program_icon());
    const QStringList files = roofwalk::files_from_command_line(application);

    roofwalk::Settings settings;
    roofwalk::DesktopFileChooser chooser;
    roofwalk::MainWindow window(settings, chooser, roofwalk::bundled_samples(), QApplication::palette());
    window.show();
    // The first frame comes before the first file: a window that is there at once can show progress.
    QTimer::singleShot(0, &window, [&window, files] { window.open(files); });
    return QApplication::exec();
}
