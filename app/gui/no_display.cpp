// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/no_display.h"

#include <QByteArray>
#include <QString>
#include <QtGlobal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr int exit_no_display = 4;

struct Said {
    QtMsgType type = QtDebugMsg;
    QByteArray category;
    QString words;
};

QtMessageHandler handler_before = nullptr;
std::vector<Said> said;  // by Qt, before the fatal message

/// "DISPLAY is :7, WAYLAND_DISPLAY is not set"
QByteArray displays() {
    QByteArray words;
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        const QByteArray value = qgetenv(name);
        words += (words.isEmpty() ? "" : ", ") + QByteArray(name) +
                 (value.isEmpty() ? QByteArray(" is not set") : " is " + value);
    }
    return words;
}

void tell(QtMsgType type, const QMessageLogContext& context, const QString& words) {
    if (type != QtFatalMsg) {
        said.push_back({type, context.category, words});
        return;
    }
    // The fatal message lists plugins; what was said first is the reason.
    const QByteArray reason = (said.empty() ? words : said.front().words).toLocal8Bit();
    const std::string what = printable(QByteArray(reason.trimmed() + " (" + displays() + ")").toStdString());
    std::fprintf(
        stderr,
        "roofwalk: The window cannot be shown: %s.\n"
        "Without a display, roofwalk-cli chart FILE -o chart.svg draws the same chart, and "
        "roofwalk-cli report FILE lists its numbers.\n"
        "Over SSH, ssh -X shows it on the machine that you sit at. With QT_QPA_PLATFORM=offscreen it runs and is not "
        "shown.\n",
        what.c_str());
    std::_Exit(exit_no_display);
}

}  // namespace

NoDisplayNote::NoDisplayNote() {
    handler_before = qInstallMessageHandler(tell);
}

NoDisplayNote::~NoDisplayNote() {
    qInstallMessageHandler(handler_before);
    for (const Said& each : said)
        handler_before(each.type, QMessageLogContext(nullptr, 0, nullptr, each.category.constData()),
                       each.words);
    said.clear();
}

}  // namespace roofwalk
