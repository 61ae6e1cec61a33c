// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/atlas/atlas_chart.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QPushButton;
class QSpinBox;

namespace roofwalk {

class AtlasPageView;
class DeviceChoice;
class Document;
class Exporter;
class FileChooser;
class RooflineChart;
class TextLabel;

/// The atlas of a model: its operations under the roofs of one GPU or two, and what a step of it takes, for
/// the batch, context and types that a person chooses. Needs no report.
class AtlasDialog : public QDialog {
    Q_OBJECT

  public:
    /// Begins with the device of the document where the built-in table has it, else with a usual one.
    /// `chooser`, which looks into `folder` first, `exporter` and `document` outlive it.
    AtlasDialog(FileChooser& chooser, QString folder, Exporter& exporter, const Document& document,
                QWidget* parent = nullptr);
    ~AtlasDialog() override;

  protected:
    void changeEvent(QEvent* event) override;

  private:
    static constexpr std::size_t most_devices = 2;

    void add_model(QBoxLayout& row);
    void add_fields(QBoxLayout& row);
    void add_pages(QBoxLayout& column);
    void add_device(QBoxLayout& row, std::size_t place);
    [[nodiscard]] QSpinBox* add_count(QBoxLayout& row, const QString& name, const char* object, int most);
    [[nodiscard]] QComboBox* add_words(QBoxLayout& row, const QString& name, const char* object);
    [[nodiscard]] QComboBox* add_type(QBoxLayout& row, const QString& name, const char* object);
    void choose_model(int row);
    void take_model(const Result<ModelDocument>& model, const std::string& name);
    void choose_device_file(std::size_t place);
    void take_device(std::size_t place, const Device* device);
    [[nodiscard]] ModelRun run() const;
    [[nodiscard]] std::optional<MeasuredRun> measured_run() const;
    void name_gpu_of_report();
    void show_atlas();
    void show_pages(const Atlas& atlas, const AtlasProfile& made);
    void export_atlas();
    void show_error(const Error& error);

    FileChooser& chooser_;
    Exporter& exporter_;
    const Document& document_;
    QString folder_;
    ModelDocument model_;
    std::string model_name_;  ///< of the list, or the path of a file
    std::array<std::optional<Device>, most_devices> devices_;
    std::array<DeviceChoice*, most_devices> device_choices_{};
    QComboBox* models_;
    QSpinBox* batch_;
    QSpinBox* context_;
    QComboBox* phase_;
    QComboBox* weights_;
    QComboBox* kv_;
    QComboBox* activations_;
    std::shared_ptr<const Atlas> atlas_;  ///< that is shown; null instead of one
    QPushButton* export_;
    TextLabel* title_;
    RooflineChart* chart_;
    QCheckBox* measured_;                   ///< what is open is laid over it
    std::shared_ptr<const Profile> named_;  ///< what is open, with a GPU that it does not name
    std::shared_ptr<const Profile> named_from_;
    std::string named_as_;
    std::array<AtlasPageView*, most_devices + 1> pages_{};  ///< the last of what was measured
};

}  // namespace roofwalk
