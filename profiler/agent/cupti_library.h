// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace roofwalk::agent {

/// A call of CUPTI that did not work.
struct CuptiFailure {
    enum class At {
        use,
        start,      ///< there are no callbacks
        helper,     ///< the program has loaded that of another CUPTI
        no_helper,  ///< it does not stand beside CUPTI, which would take that of another
        too_old,    ///< this CUPTI has no such function
    };

    int code = 0;      ///< CUptiResult
    std::string call;  ///< name of the function, or the helper
    At at = At::use;
};

/// CUPTI in this process. Loaded when it is wanted, and never unloaded.
class CuptiLibrary {
  public:
    /// One that the program has loaded already; else, where it has loaded no other, the file named, which may
    /// be empty; else one that the environment, the loader or the usual folders of CUDA have and that works
    /// with a driver of this CUDA version, which is 0 where it is not known.
    [[nodiscard]] static std::optional<CuptiLibrary> load(const std::string& file, int driver_cuda);

    /// The file of one that the program has loaded and that goes by another name than those of the releases
    /// that can be used; else empty.
    [[nodiscard]] static std::string other_in_process();

    /// A function as the pointer that it initialises; null where this release of CUPTI has none.
    struct Symbol {
        void* address = nullptr;

        template <class Function>
        operator Function*() const {
            return reinterpret_cast<Function*>(address);
        }
    };
    [[nodiscard]] Symbol find(const char* name) const;

    /// CUPTI_API_VERSION of it, as 130001; absent when it does not tell.
    [[nodiscard]] std::optional<std::uint32_t> version() const;

    /// Loads the library beside it that counts, or says why it may not be counted with.
    [[nodiscard]] std::optional<CuptiFailure> load_helper() const;

  private:
    explicit CuptiLibrary(void* handle) : handle_(handle) {}

    void* handle_ = nullptr;
};

/// Whether the counters may be free later.
[[nodiscard]] bool is_held_by_others(const CuptiFailure& failure);

/// Whether the device gives no counters to this program, now and later: not one launch of it.
[[nodiscard]] bool is_refusal(const CuptiFailure& failure);

/// What a failure means for the person who wanted a profile: one sentence. `others_count`: other devices
/// are counted, so that kernels of this one cannot be timed.
[[nodiscard]] std::string sentence_for(const CuptiFailure& failure, bool others_count = false);

}  // namespace roofwalk::agent
