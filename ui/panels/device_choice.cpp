// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/device_choice.h"

#include <QCompleter>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

#include "core/devices/known_devices.h"
#include "core/devices/match_device.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

DeviceChoice::DeviceChoice(const QString& none, QWidget* parent) : QComboBox(parent), none_(none) {
    // Typed into, since single keys switch the chart elsewhere.
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    connect(this, &QComboBox::activated, this, &DeviceChoice::choose);
    connect(lineEdit(), &QLineEdit::returnPressed, this, [this] {
        const MeantDevices meant = devices_meant(currentText().toStdString());
        if (meant.one_model) emit chosen(meant.devices.front());
    });
    connect(lineEdit(), &QLineEdit::editingFinished, this, &DeviceChoice::show_row);
}

void DeviceChoice::show_device(const Device* device, std::optional<ComputeCapability> capability) {
    const QSignalBlocker quiet(this);
    const auto fits = [&](const Device& known) { return known.compute_capability == capability; };
    narrowed_ = capability && std::ranges::any_of(known_devices(), fits);
    clear();
    addItem(none_);
    for (const Device& known : known_devices())
        if (!narrowed_ || fits(known)) addItem(to_qt(known.name));
    if (device && findText(to_qt(device->name)) < 0) addItem(to_qt(device->name));
    addItem(tr("One that a file describes…"));
    shown_ = device ? findText(to_qt(device->name)) : 0;
    show_row();
}

void DeviceChoice::show_row() {
    setCurrentIndex(shown_);
    setEditText(currentText());  // instead of what was typed and names no GPU
}

void DeviceChoice::choose(int row) {
    const std::string name = itemText(row).toStdString();
    const bool none = row == 0;
    const bool file = row == count() - 1;
    show_row();  // until it is known, or a file is read
    if (file) return emit file_requested();
    if (const Device* device = none ? nullptr : find_known_device(name); none || device) emit chosen(device);
}

}  // namespace roofwalk
