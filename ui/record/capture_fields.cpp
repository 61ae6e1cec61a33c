// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/capture_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

/// Why Nsight Compute cannot record this; absent when it can.
std::optional<Error> why_no_ncu(const RecordingOffer& offer, RecordedPlace place) {
    const auto cannot = [](const QString& what, const QString& hint) {
        return Error{ErrorCode::not_profiled, what.toStdString(), {}, hint.toStdString()};
    };
    if (place == RecordedPlace::running_program)
        return cannot(CaptureFields::tr("Nsight Compute cannot record a program that runs already."),
                      CaptureFields::tr("Start it anew, or attach with Roofwalk's own agent."));
    if (place == RecordedPlace::program_elsewhere)
        return cannot(CaptureFields::tr("Nsight Compute writes its report on the other machine."),
                      CaptureFields::tr(
                          "Record with ncu there and open its report here, or choose Roofwalk's own agent."));
    return offer.no_ncu;
}

TextLabel* make_note(const char* name, QWidget* parent) {
    auto* note = empty_label(name, parent);
    note->setForegroundRole(QPalette::PlaceholderText);
    return note;
}

constexpr int most_launches = 1'000'000'000;

/// At the commas that stand in none of these brackets; absent where one of them is not closed. What \ escapes
/// is no bracket.
std::optional<std::vector<std::string>> separated(const QString& text, QStringView opening,
                                                  QStringView closing) {
    std::vector<std::string> patterns;
    const auto take = [&](const QString& pattern) {
        if (const QString word = pattern.trimmed(); !word.isEmpty()) patterns.push_back(word.toStdString());
    };
    qsizetype begin = 0;
    int depth = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar letter = text[at];
        if (letter == '\\') ++at;
        if (opening.contains(letter)) ++depth;
        if (closing.contains(letter)) depth = std::max(depth - 1, 0);
        if (depth > 0 || letter != ',') continue;
        take(text.sliced(begin, at - begin));
        begin = at + 1;
    }
    take(text.sliced(begin));
    return depth == 0 ? std::optional(std::move(patterns)) : std::nullopt;
}

/// The commas of "m{2,3}" and "f<float, 4>" are a pattern's own; in "operator<, gemm" the bracket is none.
std::vector<std::string> patterns_in(const QString& text) {
    if (auto patterns = separated(text, u"{<([", u"}>)]")) return *std::move(patterns);
    return separated(text, u"{", u"}").value_or(*separated(text, {}, {}));
}

QLineEdit* pattern_field(const char* name, const QString& spoken, const QString& placeholder,
                         QWidget* parent) {
    auto* field = new QLineEdit(parent);
    name_control(*field, name, spoken);
    field->setPlaceholderText(placeholder);
    return field;
}

QSpinBox* launch_box(const char* name, const QString& spoken, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    name_control(*box, name, spoken);
    box->setRange(0, most_launches);
    box->setGroupSeparatorShown(true);
    return box;
}

}  // namespace

CaptureFields::CaptureFields(QWidget* parent)
    : QGroupBox(tr("What is measured"), parent),
      agent_(new QRadioButton(tr("&Live, with Roofwalk's own agent"), this)),
      counters_(new QCheckBox(tr("&Count bytes and FLOP, not time alone"), this)),
      counters_note_(make_note("record_counters_note", this)),
      every_launch_(new QCheckBox(tr("Measure &every launch, instead of some of each kernel"), this)),
      replay_(new QComboBox(this)),
      replay_row_(new QWidget(this)),
      ncu_(new QRadioButton(tr("With &Nsight Compute (ncu), into its own report"), this)),
      ncu_note_(make_note("record_ncu_note", this)) {
    agent_->setObjectName("record_with_agent");
    agent_->setChecked(true);
    ncu_->setObjectName("record_with_ncu");
    counters_->setObjectName("record_counters");
    counters_->setChecked(true);
    every_launch_->setObjectName("record_every_launch");
    auto* of_agent = new QVBoxLayout;
    // As far in as the words of the button above them.
    const int indent = style()->pixelMetric(QStyle::PM_ExclusiveIndicatorWidth) +
                       style()->pixelMetric(QStyle::PM_RadioButtonLabelSpacing);
    of_agent->setContentsMargins(indent, 0, 0, 0);
    of_agent->addWidget(counters_);
    of_agent->addWidget(counters_note_);
    of_agent->addWidget(every_launch_);
    name_control(*replay_, "record_replay",
                 tr("Replay launches, so that bytes and FLOP are those of one launch"));
    replay_->addItems(
        {tr("no launch"), tr("the first of a kernel, in little memory"), tr("each that is measured")});
    replay_->setCurrentIndex(static_cast<int>(ReplayPolicy::once));
    replay_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* replay_label = new PlainLabel(tr("Repla&y, for bytes and FLOP of one launch"), this, replay_);
    auto* replay_row = new QHBoxLayout(replay_row_);
    replay_row->setContentsMargins(0, 0, 0, 0);
    replay_row->addWidget(replay_label);
    replay_row->addWidget(replay_, 1);
    of_agent->addWidget(replay_row_);
    auto* of_ncu = new QVBoxLayout;
    of_ncu->setContentsMargins(indent, 0, 0, 0);
    of_ncu->addWidget(ncu_note_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(agent_);
    column->addLayout(of_agent);
    column->addWidget(ncu_);
    column->addLayout(of_ncu);
    connect(ncu_, &QRadioButton::toggled, this, &CaptureFields::changed);
    connect(counters_, &QCheckBox::toggled, this, &CaptureFields::changed);
    connect(every_launch_, &QCheckBox::toggled, this, &CaptureFields::changed);
    connect(replay_, &QComboBox::currentIndexChanged, this, &CaptureFields::changed);
}

void CaptureFields::follow(const std::optional<RecordingOffer>& offer, RecordedPlace place) {
    const bool elsewhere = place == RecordedPlace::program_elsewhere;
    no_agent_ = offer && !elsewhere ? offer->obstacle : std::nullopt;
    no_ncu_ = offer ? why_no_ncu(*offer, place) : std::nullopt;
    countable_ = offer && !no_agent_ && (elsewhere || !offer->no_counters);
    counters_->setEnabled(countable_ && !with_ncu());
    every_launch_->setEnabled(countable_ && !with_ncu() && counters_->isChecked());
    replay_row_->setEnabled(every_launch_->isEnabled());
    ncu_->setEnabled(offer && !no_ncu_);
    if (!offer)
        counters_note_->show_text(tr("Looking at this machine…"));
    else if (!countable_)
        counters_note_->show_text(to_qt(to_line(
            offer->no_counters ? *offer->no_counters : Error{no_agent_->code, no_agent_->what, {}, {}})));
    else
        counters_note_->show_text(counters() && !with_ncu() ? cost(*offer, place) : QString());
    if (no_ncu_)
        ncu_note_->show_text(to_qt(to_line(*no_ncu_)));
    else
        ncu_note_->show_text(
            offer && with_ncu()
                ? tr("FLOP and the bytes of DRAM, L2 and shared memory, for chips and programs that the "
                     "agent does not serve, and to compare. Nothing is sampled, caches and clocks are "
                     "as the program has them. %1 The chart opens when the program has ended.")
                      .arg(to_qt(offer->cost_of_ncu))
                : QString());
}

QString CaptureFields::cost(const RecordingOffer& offer, RecordedPlace place) const {
    if (place == RecordedPlace::program_elsewhere) return to_qt(offer.cost_elsewhere);
    const RecordingCost& cost = offer.cost[replay()];
    return to_qt(every_launch_->isChecked() ? cost.every : cost.sampled);
}

bool CaptureFields::with_ncu() const {
    return ncu_->isChecked();
}

const std::optional<Error>& CaptureFields::obstacle() const {
    return with_ncu() ? no_ncu_ : no_agent_;
}

bool CaptureFields::counters() const {
    return with_ncu() || (countable_ && counters_->isChecked());
}

bool CaptureFields::every_launch() const {
    return !with_ncu() && counters() && every_launch_->isChecked();
}

ReplayPolicy CaptureFields::replay() const {
    return static_cast<ReplayPolicy>(replay_->currentIndex());
}

FilterFields::FilterFields(QWidget* parent)
    : QWidget(parent),
      kernels_(pattern_field("record_kernels", tr("Only kernels named like"),
                             tr("all; regular expressions, a comma between several"), this)),
      except_(pattern_field("record_except", tr("But not kernels named like"), tr("none"), this)),
      ranges_(pattern_field("record_ranges", tr("Only inside of NVTX ranges"), tr("everywhere"), this)),
      skip_(launch_box("record_skip", tr("Launches left out first"), this)),
      count_(launch_box("record_count", tr("Launches recorded then"), this)) {
    except_->setText(to_qt(LaunchFilter().except).join(QStringLiteral(", ")));
    count_->setSpecialValueText(tr("all"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Only &kernels"), kernels_);
    form->addRow(tr("But &not"), except_);
    form->addRow(tr("Only in NVTX &ranges"), ranges_);
    auto* counts = new QHBoxLayout;
    counts->addWidget(skip_);
    counts->addWidget(new PlainLabel(tr("then record"), this));
    counts->addWidget(count_);
    counts->addStretch(1);
    auto* label = new PlainLabel(tr("&Skip launches"), this, skip_);
    form->addRow(label, counts);
}

LaunchFilter FilterFields::filter() const {
    LaunchFilter filter;
    filter.kernels = patterns_in(kernels_->text());
    filter.except = patterns_in(except_->text());
    filter.nvtx_ranges = patterns_in(ranges_->text());
    filter.skip = static_cast<std::uint64_t>(skip_->value());
    if (count_->value() > 0) filter.count = static_cast<std::uint64_t>(count_->value());
    return filter;
}

}  // namespace roofwalk
