// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace roofwalk {

class DeviceChoice;
class Document;
class PointTable;
class TableModel;
class TextLabel;

/// The kernels under the roofs of another GPU, which a person chooses: a sentence and a table. A row and the
/// kernel selected in the document follow each other.
class ProjectionPanel : public QWidget {
    Q_OBJECT

  public:
    explicit ProjectionPanel(Document& document, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

  signals:
    /// A person wants to name a file that describes the GPU.
    void device_file_requested();

  private:
    void show_device();
    void show_roofs();

    Document& document_;
    TableModel* model_;
    DeviceChoice* devices_;
    TextLabel* sentence_;
    PointTable* table_;
};

}  // namespace roofwalk
