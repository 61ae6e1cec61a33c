// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/json_decoder.h"
#include "core/model/profile_builder.h"
#include "core/model/profile_codec.h"

namespace roofwalk {

/// Makes a profile of its header and its kernels, one after the other. Where something returns false, the
/// decoder has the fault.
class JsonProfileReader {
  public:
    /// The outer object without its kernels: sources, warnings, devices and texts of the profile.
    bool read_header(std::string_view text);
    /// Adds one launch; after a fault the launches are as they were. A number that its field cannot have is
    /// no fault: it is left out, for that launch counts as not measured, and makes the profile a part.
    bool read_kernel(std::string_view text);
    /// A kernel, or a later line of a recording: "more" adds devices, texts and warnings to the header and
    /// has the counts so far, "end" is the last.
    bool read_line(std::string_view text);

    /// The full form says what it is; the short form need not.
    [[nodiscard]] bool has_format() const { return has_format_; }
    /// Written while the program ran: later lines may add to the header.
    [[nodiscard]] bool is_recording() const { return is_recording_; }
    [[nodiscard]] bool ended() const { return end_.has_value(); }
    /// The last that the lines of a recording gave.
    [[nodiscard]] const std::optional<RecordingCounts>& counts() const { return counts_; }
    /// What to say of a recording with no more lines that does not end in order: whatever wrote it was
    /// killed, or says why launches may be missing.
    [[nodiscard]] std::optional<Error> cut() const;

    /// Gives launches that were not measured the figures of the launches they name, with a warning; in
    /// `profile`, which is ours or a copy of it.
    void resolve_like(Profile& profile) const;

    [[nodiscard]] JsonDecoder& decoder() { return decoder_; }
    [[nodiscard]] Profile& profile() { return builder_.profile(); }
    [[nodiscard]] const Profile& profile() const { return builder_.profile(); }

  private:
    struct HeaderDraft;
    struct MoreDraft;
    struct Draft;

    static bool check_format(const JsonValue& root, const HeaderDraft& draft);
    bool take_devices(const JsonValue& root, HeaderDraft& draft);
    /// Of a recording, `more` lines may describe a device again, when it is better known.
    bool add_devices(const JsonValue& root, HeaderDraft& draft, bool more);
    void add_texts(const HeaderDraft& draft);

    bool read_kernel(const JsonValue& root);
    /// A plain number is work on the pipe `precision`.
    bool read_work(const JsonValue& value, std::optional<Pipe> precision, std::vector<WorkSample>& target);
    bool read_work_sample(const JsonValue& value, WorkSample& target);
    /// A plain number is HBM traffic. A boundary one of whose numbers cannot be is left out.
    bool read_traffic(const JsonValue& value, Launch& launch);
    /// Of HBM reads or writes alone, the least of its bytes, go to `parts`.
    bool read_traffic_sample(const JsonValue& value, std::string_view key, std::vector<TrafficSample>& target,
                             std::vector<MetricSample>& parts, Boundary& boundary);
    bool read_metrics(const JsonValue& value, std::vector<MetricSample>& target);
    /// Reads and writes of DRAM that both stand among the metrics are the bytes of HBM.
    void join_dram_parts(Launch& launch);
    bool read_derivation(const JsonValue& value, std::string_view key,
                         const std::optional<JsonElement>& source, TextId& target);
    bool resolve_device(const JsonValue& root, const Draft& draft, DeviceIndex& target);
    bool resolve_ceilings(const JsonValue& root, const Draft& draft, Launch& launch);
    bool resolve_nvtx(const JsonValue& root, const Draft& draft, NvtxIndex& target);
    void keep(const Draft& draft, Launch launch);

    JsonDecoder decoder_;
    ProfileBuilder builder_;
    bool has_format_ = false;
    bool is_recording_ = false;
    std::optional<JsonRecordingEnd> end_;
    std::optional<RecordingCounts> counts_;

    // What kernels refer to.
    Origin origin_ = Origin::measured;  ///< of samples that do not say; modelled in the short form
    std::unordered_map<std::string, DeviceIndex> device_ids_;
    bool devices_by_name_ = false;  ///< short form: a kernel may name any device
    std::vector<TextId> texts_;
    std::vector<std::shared_ptr<const CeilingSet>> ceiling_sets_;

    std::shared_ptr<const CeilingSet> last_ceilings_;  ///< neighbours mostly share theirs

    /// A launch of a recording: its process, and its number there.
    using LaunchKey = std::pair<std::uint32_t, std::int64_t>;
    std::map<LaunchKey, LaunchIndex> numbered_;
    std::map<LaunchIndex, LaunchKey> alike_;  ///< launches that were not measured, and what they are like
};

}  // namespace roofwalk
