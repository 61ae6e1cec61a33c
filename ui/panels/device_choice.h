// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <optional>

#include "core/model/device.h"

namespace roofwalk {

/// Which GPU: none, one of the built-in table, or one that a file describes. A name, or a part of it, may be
/// typed.
class DeviceChoice : public QComboBox {
    Q_OBJECT

  public:
    /// `none` stands for no GPU.
    DeviceChoice(const QString& none, QWidget* parent);

    /// Shows `device` as chosen; null: none. Of the built-in table those of a compute capability are listed,
    /// or all where it is not told or none has it.
    void show_device(const Device* device, std::optional<ComputeCapability> capability = std::nullopt);
    /// Whether a compute capability leaves some of the built-in table out.
    [[nodiscard]] bool narrowed() const { return narrowed_; }

  signals:
    void chosen(const roofwalk::Device* device);
    /// A person wants to name a file that describes it.
    void file_requested();

  private:
    void choose(int row);
    void show_row();

    QString none_;
    int shown_ = 0;
    bool narrowed_ = false;
};

}  // namespace roofwalk
