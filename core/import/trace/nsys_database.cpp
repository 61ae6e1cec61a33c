// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/trace/trace_readers.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/import/trace/thread_ranges.h"

namespace roofwalk {

namespace {

struct CloseDatabase {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct EndStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

int only_reading(void*, int action, const char*, const char*, const char*, const char*) {
    return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

int is_cancelled(void* progress) {
    return static_cast<const Progress*>(progress)->cancelled() ? 1 : 0;
}

/// A database in memory, from which tables are read and nothing else is run.
class Database {
  public:
    Database(std::string_view bytes, const Progress& progress) : size_(bytes.size()) {
        sqlite3* opened = nullptr;
        failed_ = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr) !=
                  SQLITE_OK;
        handle_.reset(opened);
        if (failed_) return;
        for (const int off : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
            sqlite3_db_config(opened, off, 0, nullptr);
        sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        constexpr std::array<std::pair<int, int>, 5> limits{{{SQLITE_LIMIT_LENGTH, 4 << 20},
                                                             {SQLITE_LIMIT_COLUMN, 500},
                                                             {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                                             {SQLITE_LIMIT_VDBE_OP, 25'000},
                                                             {SQLITE_LIMIT_ATTACHED, 0}}};
        for (const auto& limit : limits)
            sqlite3_limit(opened, limit.first, limit.second);
        constexpr int steps_between = 100'000;
        // SQLite does not write what it reads only.
        sqlite3_progress_handler(opened, steps_between, is_cancelled,
                                 const_cast<Progress*>(&progress));  // NOLINT
        const auto size = static_cast<sqlite3_int64>(bytes.size());
        auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));  // NOLINT
        failed_ =
            sqlite3_deserialize(opened, "main", data, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK;
        sqlite3_set_authorizer(opened, only_reading, nullptr);
    }

    [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// What went wrong first; empty where nothing did.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    void fail(std::string what) {
        if (fault_.empty()) fault_ = std::move(what);
    }
    void fail_as_sqlite_says() { fail(sqlite3_errmsg(handle_.get())); }

    /// Whether its first page tells what is in it.
    [[nodiscard]] bool can_be_read() {
        if (failed_ || !prepare("SELECT 1 FROM sqlite_schema")) fail_as_sqlite_says();
        return fault_.empty();
    }
    [[nodiscard]] std::unique_ptr<sqlite3_stmt, EndStatement> prepare(const std::string& sql) const {
        sqlite3_stmt* statement = nullptr;
        sqlite3_prepare_v2(handle_.get(), sql.c_str(), -1, &statement, nullptr);
        return std::unique_ptr<sqlite3_stmt, EndStatement>(statement);
    }
    /// Whether there is a table whose name begins so; a virtual one has no page.
    [[nodiscard]] bool has(std::string_view name, bool whole = true) const {
        const auto statement =
            prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0");
        while (statement && sqlite3_step(statement.get()) == SQLITE_ROW) {
            const auto* text =
                reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0));  // NOLINT
            const std::string_view known = text == nullptr ? "" : text;
            if (whole ? known == name : known.starts_with(name)) return true;
        }
        return false;
    }
    /// Takes note of texts that came out; false where they are more than its bytes can hold.
    [[nodiscard]] bool may_hold(std::size_t bytes) {
        texts_ += bytes;
        return texts_ <= 4 * size_;
    }

  private:
    std::unique_ptr<sqlite3, CloseDatabase> handle_;
    std::size_t size_;
    std::size_t texts_ = 0;
    bool failed_ = false;
    std::string fault_;
};

/// The rows of a table, which need not be there.
class Rows {
  public:
    Rows(Database& database, const std::string& table) : database_(database) {
        if (!database.fault().empty() || !database.has(table)) return;
        statement_ = database.prepare("SELECT * FROM " + table);
        if (!statement_) database.fail_as_sqlite_says();
        for (int i = 0; i < sqlite3_column_count(statement_.get()); ++i)  // 0 of none

            columns_.emplace(sqlite3_column_name(statement_.get(), i), i);
    }

    bool next() {
        constexpr std::size_t shortest_row = 8;
        if (!statement_ || !database_.fault().empty()) return false;
        const int result = sqlite3_step(statement_.get());
        if (result == SQLITE_ROW && ++count_ <= database_.size() / shortest_row) return true;
        if (result == SQLITE_ROW)
            database_.fail("A table has more rows than the file can hold");
        else if (result != SQLITE_DONE)
            database_.fail_as_sqlite_says();
        return false;
    }
    /// Of the row; absent where it is NULL, no number, or the table has no such column.
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view column) const {
        const auto found = columns_.find(column);
        if (found == columns_.end() || sqlite3_column_type(statement_.get(), found->second) != SQLITE_INTEGER)
            return {};
        return sqlite3_column_int64(statement_.get(), found->second);
    }
    [[nodiscard]] std::optional<std::int64_t> number_within(std::string_view column,
                                                            std::int64_t most) const {
        const auto value = number(column);
        return value && *value >= 0 && *value <= most ? value : std::nullopt;
    }
    [[nodiscard]] std::uint32_t count(std::string_view column) const {
        return static_cast<std::uint32_t>(number_within(column, 0xFFFFFFFF).value_or(0));
    }
    [[nodiscard]] std::string text(std::string_view column) const {
        const auto found = columns_.find(column);
        if (found == columns_.end() || sqlite3_column_type(statement_.get(), found->second) != SQLITE_TEXT)
            return {};
        const auto* start = reinterpret_cast<const char*>(  // NOLINT: as characters
            sqlite3_column_text(statement_.get(), found->second));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), found->second));
        if (start == nullptr) return {};
        if (!database_.may_hold(size)) {
            database_.fail("Its texts are longer than the file can hold");
            return {};
        }
        return clean_utf8({start, size});
    }

  private:
    Database& database_;
    std::unique_ptr<sqlite3_stmt, EndStatement> statement_;
    std::map<std::string, int, std::less<>> columns_;
    std::size_t count_ = 0;
};

constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max() / 2;  // [ns]

/// Nsight Systems numbers processes and threads of all machines in one: of a thread, its process.
constexpr std::int64_t process_of(std::int64_t thread) {
    constexpr int bits_of_thread = 24;
    return thread >> bits_of_thread;
}
constexpr std::uint32_t local_number(std::int64_t process_or_thread) {
    constexpr std::int64_t mask = 0xFFFFFF;
    return static_cast<std::uint32_t>(process_or_thread & mask);
}

class NsysReader {
  public:
    NsysReader(std::string_view bytes, const Progress& progress)
        : database_(bytes, progress), progress_(progress) {}

    Result<Profile> read() {
        if (!database_.can_be_read()) return finish();
        read_strings();
        progress_.at(0.2);
        read_ranges();
        read_calls("CUPTI_ACTIVITY_KIND_RUNTIME");
        read_calls("CUPTI_ACTIVITY_KIND_DRIVER");
        calls_.settle(ranges_);
        progress_.at(0.6);
        read_devices();
        read_kernels();
        for (Rows rows(database_, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"); rows.next();)
            ++whole_graphs_;
        progress_.at(1);
        return finish();
    }

  private:
    /// Numbers of calls are of their process.
    using CallKey = std::pair<std::int64_t, std::int64_t>;

    void read_strings() {
        for (Rows rows(database_, "StringIds"); rows.next();)
            if (const auto id = rows.number("id")) strings_.try_emplace(*id, rows.text("value"));
    }

    [[nodiscard]] std::string string(std::optional<std::int64_t> id) const {
        const auto found = id ? strings_.find(*id) : strings_.end();
        return found == strings_.end() ? std::string() : found->second;
    }

    void read_ranges() {
        constexpr std::int64_t push_and_pop = 59;
        for (Rows rows(database_, "NVTX_EVENTS"); rows.next();) {
            const auto start = rows.number_within("start", latest);
            const auto thread = rows.number("globalTid");
            if (!start || !thread || rows.number("eventType").value_or(push_and_pop) != push_and_pop)
                continue;
            std::string text = rows.text("text");
            if (text.empty()) text = string(rows.number("textId"));
            // One that was open at the end has none.
            const std::int64_t end = rows.number_within("end", latest).value_or(latest);
            if (end >= *start && !text.empty())
                ranges_.add(static_cast<std::uint64_t>(*thread), *start, end, text);
        }
        ranges_.settle();
    }

    void read_calls(const std::string& table) {
        if (ranges_.size() == 0) return;
        for (Rows rows(database_, table); rows.next();) {
            const auto start = rows.number_within("start", latest);
            const auto thread = rows.number("globalTid");
            const auto correlation = rows.number("correlationId");
            if (start && thread && correlation)
                calls_.add({process_of(*thread), *correlation}, static_cast<std::uint64_t>(*thread), *start);
        }
    }

    void read_devices() {
        for (Rows rows(database_, "TARGET_INFO_GPU"); rows.next();)
            if (const auto id = rows.number("id")) gpus_.try_emplace(*id, device_of(rows));
        for (Rows rows(database_, "TARGET_INFO_CUDA_DEVICE"); rows.next();) {
            const auto gpu = rows.number("gpuId");
            const auto device = rows.number("cudaId");
            if (gpu && device) gpu_of_device_.try_emplace({rows.number("pid").value_or(0), *device}, *gpu);
        }
    }

    static Device device_of(const Rows& gpu) {
        constexpr std::int64_t most = 100'000;
        Device device;
        device.name = gpu.text("name");
        device.vendor = vendor_in_name(device.name);
        device.chip = gpu.text("chipName");
        if (std::string uuid = gpu.text("uuid"); uuid.starts_with("GPU-")) device.uuid = std::move(uuid);
        const auto major = gpu.number_within("computeMajor", most);
        const auto minor = gpu.number_within("computeMinor", most);
        if (major && minor && *major > 0)
            device.compute_capability = ComputeCapability{static_cast<int>(*major), static_cast<int>(*minor)};
        if (const auto sms = gpu.number_within("smCount", most); sms && *sms > 0)
            device.sm_count = static_cast<int>(*sms);
        if (const auto size = gpu.number_within("l2CacheSize", latest); size && *size > 0)
            device.l2_size = Bytes(static_cast<double>(*size));
        if (const auto size = gpu.number_within("totalMemory", latest); size && *size > 0)
            device.memory_size = Bytes(static_cast<double>(*size));
        // The table knows what the data sheet says; of what it does not know, as of laptops, this is all
        // there is.
        if (find_known_device(device.name, &device) != nullptr) return device;
        if (const auto clock = gpu.number_within("clockRate", latest); clock && *clock > 0)
            device.boost_clock = Hertz(static_cast<double>(*clock));
        if (const auto rate = gpu.number_within("memoryBandwidth", latest); rate && *rate > 0)
            device.ceilings.bandwidth.push_back({Boundary::hbm_dram_rw,
                                                 ByteRate(static_cast<double>(*rate)),
                                                 {.source = CeilingSource::attributes,
                                                  .basis = ClockBasis::boost,
                                                  .clock = {},
                                                  .detail = "memoryBandwidth of TARGET_INFO_GPU"}});
        return device;
    }

    void read_kernels() {
        for (Rows rows(database_, "CUPTI_ACTIVITY_KIND_KERNEL"); rows.next();) {
            const std::string name = string(rows.number("demangledName"));
            const std::string function = string(rows.number("shortName"));
            if (name.empty() && function.empty()) continue;
            Launch launch;
            launch.kernel = builder_.kernel({name, function}, [&] {
                return Kernel{name.empty() ? function : name, function, string(rows.number("mangledName"))};
            });
            const auto process = rows.number("globalPid");
            if (process) launch.process = local_number(process_of(*process));
            launch.device = device_index(launch.process, rows.number("deviceId").value_or(0));
            launch.grid = {rows.count("gridX"), rows.count("gridY"), rows.count("gridZ")};
            launch.block = {rows.count("blockX"), rows.count("blockY"), rows.count("blockZ")};
            launch.context = rows.count("contextId");
            launch.stream = rows.count("streamId");
            const auto start = rows.number_within("start", latest);
            const auto end = rows.number_within("end", latest);
            if (start) launch.start = Seconds(static_cast<double>(*start) / 1e9);
            if (start && end && *end < *start) ++ends_before_start_;
            if (start && end && *end > *start)
                launch.duration = Seconds(static_cast<double>(*end - *start) / 1e9);
            if (const auto correlation = rows.number("correlationId"); correlation && process)
                join(launch, {process_of(*process), *correlation});
            builder_.profile().launches.push_back(std::move(launch));
        }
    }

    void join(Launch& launch, const CallKey& key) {
        const auto* const call = calls_.find(key);
        if (call == nullptr) return;
        if (!call->one_range) {
            not_unique_.push_back(static_cast<LaunchIndex>(builder_.profile().launches.size()));
            return;
        }
        launch.thread = local_number(static_cast<std::int64_t>(call->thread));
        if (const auto range = ranges_.around(call->thread, call->start)) {
            launch.nvtx = ranges_.stack(*range, builder_);
            launch.range_call = static_cast<std::uint32_t>(*range + 1);
        }
    }

    /// The same number is another GPU in a process that sees not all.
    DeviceIndex device_index(std::uint32_t process, std::int64_t number) {
        const auto seen = gpu_of_device_.find({process, number});
        const auto gpu = gpus_.find(seen == gpu_of_device_.end() ? number : seen->second);
        const std::string id =
            gpu == gpus_.end() ? fmt::format("device {}", number) : std::to_string(gpu->first);
        return builder_.device({id}, [&] { return gpu == gpus_.end() ? Device{} : gpu->second; });
    }

    Error no_kernels() {
        if (database_.has("rocpd_", false))
            return {ErrorCode::unknown_format, "This is a database of AMD's rocprofv3, which is not read", "",
                    "Make a table of its kernels as CSV: name,time,flops,bytes; see the help on files."};
        constexpr std::string_view hint =
            "Record with nsys profile --trace=cuda,nvtx and export with nsys export --type=sqlite.";
        if (database_.has("StringTable"))
            return {ErrorCode::unknown_format, "This is a database of nvprof, which is not read", "",
                    std::string(hint)};
        if (database_.has("CUPTI_ACTIVITY_KIND_KERNEL") && !database_.has("StringIds"))
            return {ErrorCode::bad_schema,
                    "This export holds kernels and not their names, the table StringIds", "",
                    "Export all tables: nsys export --type=sqlite, without --tables."};
        return {ErrorCode::bad_schema, "This SQLite database holds no kernels that Nsight Systems exported",
                "", std::string(hint)};
    }

    Result<Profile> finish() {
        std::optional<Error> damage;
        if (progress_.cancelled())
            damage = Error{ErrorCode::cancelled, "Reading was cancelled", "", ""};
        else if (!database_.fault().empty())
            damage =
                Error{ErrorCode::corrupt,
                      fmt::format("The database cannot be read whole: {}", clean_utf8(database_.fault())), "",
                      "Export it again with nsys export --type=sqlite."};
        Profile profile = builder_.take();
        if (profile.launches.empty()) return tl::unexpected(damage ? *std::move(damage) : no_kernels());
        SourceInfo source;
        source.format = SourceFormat::nsys_database;
        source.partial = damage.has_value();
        source.range_results = whole_graphs_;
        profile.sources.push_back(std::move(source));
        tell_missing_ranges(profile);
        if (whole_graphs_ > 0)
            profile.warnings.push_back(
                {{ErrorCode::not_profiled,
                  fmt::format(
                      "{} launches of CUDA graphs were traced as a whole: the kernels in them are not "
                      "in the file",
                      format_count(whole_graphs_)),
                  "", "Record with nsys profile --cuda-graph-trace=node."},
                 {}});
        if (ends_before_start_ > 0)
            profile.warnings.push_back(
                {{ErrorCode::bad_schema, fmt::format("{} kernels end before they start", ends_before_start_),
                  "", "Their times count as not measured."},
                 {}});
        if (damage) profile.warnings.push_back({*std::move(damage), {}});
        return profile;
    }

    void tell_missing_ranges(Profile& profile) {
        if (!not_unique_.empty())
            profile.warnings.push_back(
                {{ErrorCode::not_understood,
                  fmt::format(
                      "Calls in several ranges have the correlationId of {}: which launched it is not known",
                      not_unique_.size() == 1 ? "a kernel" : fmt::format("{} kernels", not_unique_.size())),
                  "", ""},
                 std::move(not_unique_)});
    }

    Database database_;
    const Progress& progress_;
    ProfileBuilder builder_;
    ThreadRanges ranges_;
    std::unordered_map<std::int64_t, std::string> strings_;
    LaunchCalls<CallKey> calls_;
    std::vector<LaunchIndex> not_unique_;
    std::uint32_t whole_graphs_ = 0;
    std::size_t ends_before_start_ = 0;
    std::map<std::int64_t, Device> gpus_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpu_of_device_;  // by process and number
};

}  // namespace

bool starts_sqlite(std::string_view text) {
    return text.starts_with(std::string_view("SQLite format 3\0", 16));
}

Result<Profile> read_nsys_database(std::string_view text, const std::string& name, const Progress& progress) {
    return of_file(NsysReader(text, progress).read(), name);
}

}  // namespace roofwalk
