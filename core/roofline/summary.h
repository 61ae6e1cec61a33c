// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/sentences.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// How many kernels and how much time fall into one class, as class_label() tells it.
struct ClassShare {
    std::string label;
    KernelClass kernel_class = KernelClass::not_measured;
    std::uint32_t kernels = 0;
    std::uint32_t without_time = 0;  ///< of these; they have no share of the time
    double share_of_kernels = 0;     ///< of the kernels that are left after a filter
    double share_of_time = 0;        ///< of the whole run, with a filter too
};

[[nodiscard]] std::string_view label_of(const ClassShare& share);

/// Classes that occur, by share of time, largest first. Of the points that `matches` has, all where it is
/// empty.
[[nodiscard]] std::vector<ClassShare> class_shares(const Analysis& analysis,
                                                   const std::vector<bool>& matches = {});

/// What can be recovered: recoverable_time(), and at most: where fewer bytes or fewer launches are known to
/// save more, that. One figure unless the two would read differently.
struct Gain {
    Seconds same;  ///< with the same bytes, work, instructions and launches
    Seconds most;

    [[nodiscard]] bool is_range() const;
    Gain& operator+=(const Gain& other) {
        same += other.same;
        most += other.most;
        return *this;
    }
};
/// Absent where recoverable_time() is. Everything that tells of a kernel's recoverable time tells this.
[[nodiscard]] std::optional<Gain> gain_of(const KernelPoint& point);
/// "216 µs", "0.073–13.2 ms".
[[nodiscard]] std::string gain_words(const Gain& gain);

/// What of a session is of one report.
struct ReportShare {
    std::string source;  ///< name_of_report() of its points
    std::uint32_t points = 0;
    std::uint64_t launches = 0;
    std::optional<Seconds> time;      ///< absent where no point has one
    double share_of_time = 0;         ///< of the whole session
    std::optional<Gain> recoverable;  ///< of the points where it is known
    bool doubted = false;             ///< the time of one of them
    bool approximate = false;         ///< what can be recovered of one
};

/// In the order of their first points; one of one report.
[[nodiscard]] std::vector<ReportShare> report_shares(const Analysis& analysis);
/// "run-1.jsonl: 3 kernels, 1.20 ms, 45 % of the time; at most 0.3 ms can be recovered".
[[nodiscard]] std::string report_sentence(const ReportShare& report, GroupBy rows);

/// name_of_report(), where there is little room: ReportName::brief.
[[nodiscard]] std::string_view short_name_of_report(const KernelPoint& point);
/// ", run-1.jsonl": which report a kernel is of, shortened, behind its name; empty where there is one report
/// only.
[[nodiscard]] std::string in_report(const Analysis& analysis, const KernelPoint& point);

/// "1 kernel", "1,200 launches".
[[nodiscard]] std::string rows_counted(std::size_t count, GroupBy group_by);
/// "the kernel" of one, "all 3 launches", "1 of 3 NVTX ranges".
[[nodiscard]] std::string rows_among(std::size_t count, std::size_t all, GroupBy group_by);

/// Indices of the points in the order in which they are worth a look: those first that can gain most, by
/// Gain::most, then those of which it is not known, longest first; those without a time last.
[[nodiscard]] std::vector<std::uint32_t> ranked_points(const Analysis& analysis);
/// Some of them, in this order.
[[nodiscard]] std::vector<std::uint32_t> ranked(const Analysis& analysis, std::vector<std::uint32_t> points);

/// "29.4 %", of all time: "~" where one of the times is in doubt; "99.97 %" of what is not all of it.
[[nodiscard]] std::string share_of_time(const Analysis& analysis, double share);

/// How much of the time is spent by launches of a side: Verdict::side of each, whatever is near its roof.
struct SideShare {
    std::optional<Side> side;   ///< absent: not known
    std::uint32_t kernels = 0;  ///< that are of it as a whole
    std::uint32_t without_time = 0;
    double share_of_time = 0;  ///< of the whole run, with a filter too
};
/// Sides that occur, by share of time, largest first; where it is not known last.
[[nodiscard]] std::vector<SideShare> side_shares(const Analysis& analysis,
                                                 const std::vector<bool>& matches = {});
/// "memory side", "compute side", "at the ridge", "side not known".
[[nodiscard]] std::string_view label_of(const SideShare& share);

/// Whether it is told what the second figures of ranges are with, or stands beside.
enum class RangeWords : std::uint8_t { told, beside };

/// What the program could gain, and where most of it lies: "At most 27.0 µs (6.42 %) can be recovered with
/// the same bytes, work, instructions and launches. Most of it: 23.2 µs in daxpy_kernel, 3.80 µs in
/// init_data_kernel."; as ranges where fewer bytes or launches save more, and what their second figures are
/// with. Of at most three kernels; of how many it is not known; what bound operations make of it; of the
/// whole session also, where launches leave no more, how long one takes at least. Empty where it is known of
/// none.
[[nodiscard]] Sentences recoverable_sentences(const Analysis& analysis, const std::vector<bool>& matches = {},
                                              RangeWords ranges = RangeWords::told);

/// "12 kernels, 34.1 ms"; "1 of 2 kernels, 1.60 ms of 162 ms" where points were left out.
[[nodiscard]] std::string session_size(const Analysis& analysis, const std::vector<bool>& matches = {});
/// One sentence for the whole session, with the share of time and of kernels of each class, and the share of
/// time of each side: "12 kernels, 34.1 ms: 71 % of the time and 25 % of the kernels memory-bound, 29 % and
/// 75 % latency-bound; 100 % of the time on the memory side."; where points
/// were left out, "1 of 2 kernels, 1.60 ms of 162 ms: 0.99 % of the whole time memory-bound". A class that is
/// not known is told from a time that is not: "12.0 % and 33.3 % not classified; 1 kernel without a time";
/// where only ceilings are missing, "100.0 % of the time under no known roof". In brief the sides stand in
/// place of the classes, where they are known.
[[nodiscard]] std::string session_sentence(const Analysis& analysis, const std::vector<bool>& matches = {},
                                           bool brief = false);

/// Of roofs at the boost clock: "kernels ran from 585 MHz on, not at 1.59 GHz"; empty at the measured clock,
/// and where the kernels ran as fast or nobody knows how fast.
[[nodiscard]] std::string clock_gap_words(const Profile& profile, const Analysis& analysis);
/// The same as a sentence, with how much of a gap at most that is, what can be recovered under roofs at the
/// clock that kernels ran at, and how many are of another class there; empty where no gap is much smaller
/// there. Analyses them once more.
[[nodiscard]] std::string clock_sentences(const Profile& profile, const Analysis& analysis);

/// Both, what can be recovered first, and idle_sentence() last.
[[nodiscard]] std::string whole_session_sentence(const Analysis& analysis,
                                                 const std::vector<bool>& matches = {},
                                                 RangeWords ranges = RangeWords::told);
/// The same in a line beside one of its kernels: "With the same bytes at most 27.0 µs can be recovered in
/// all. 12 kernels, 34.1 ms: 71 % of the time on the memory side, 29 % on the compute side."; of one kernel
/// not what can be recovered, for its details say that.
[[nodiscard]] std::string session_line(const Analysis& analysis, const std::vector<bool>& matches = {});

}  // namespace roofwalk
