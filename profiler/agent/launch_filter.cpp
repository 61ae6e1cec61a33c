// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/launch_filter.h"

#include <dlfcn.h>

#include <algorithm>

#include "profiler/wire/demangled.h"

namespace roofwalk::agent {

namespace {

/// `name` up to the bracket that opens its arguments, those of templates left out.
std::string up_to_arguments(std::string_view name) {
    std::string base;
    int depth = 0;
    for (const char letter : name) {
        if (letter == '<' || letter == '[' || letter == '{') ++depth;
        if (depth == 0) {
            if (letter == '(' && !base.empty()) break;
            const bool starts_anew = letter == ' ' || letter == ':' || letter == '*' || letter == '&';
            if (starts_anew)
                base.clear();
            else
                base += letter;
        }
        if (letter == '>' || letter == ']' || letter == '}') --depth;
    }
    return base;
}

/// The C library's own: a program may have others of these names, those of PCRE for one, whose flags differ.
struct PosixRegex {
    decltype(&regcomp) compile = nullptr;
    decltype(&regexec) execute = nullptr;
    decltype(&regfree) release = nullptr;

    /// Null where it lacks one of them.
    [[nodiscard]] static const PosixRegex* of_libc() {
        static const PosixRegex functions = [] {
            void* const library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
            const auto find = [&](const char* name) { return library ? dlsym(library, name) : nullptr; };
            return PosixRegex{reinterpret_cast<decltype(&regcomp)>(find("regcomp")),
                              reinterpret_cast<decltype(&regexec)>(find("regexec")),
                              reinterpret_cast<decltype(&regfree)>(find("regfree"))};
        }();
        return functions.compile && functions.execute && functions.release ? &functions : nullptr;
    }
};

}  // namespace

NamePatterns::NamePatterns(const wire::TextList& expressions) {
    const PosixRegex* const regex = PosixRegex::of_libc();
    for (const std::string_view expression : expressions) {
        auto pattern = std::make_unique<regex_t>();
        if (regex != nullptr &&
            regex->compile(pattern.get(), std::string(expression).c_str(), REG_EXTENDED | REG_NOSUB) == 0)
            patterns_.emplace_back(pattern.release(), [regex](regex_t* compiled) {
                regex->release(compiled);
                delete compiled;
            });
        else
            patterns_.push_back(nullptr);
    }
}

bool NamePatterns::find_in(const std::string& text) const {
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
        return pattern != nullptr &&
               PosixRegex::of_libc()->execute(pattern.get(), text.c_str(), 0, nullptr, 0) == 0;
    });
}

bool NamePatterns::find_in_kernel(std::string_view mangled) const {
    const std::string demangled = wire::demangled(mangled);
    return find_in(demangled) || find_in(base_name(demangled));
}

std::string base_name(std::string_view demangled) {
    std::string_view rest = demangled;
    constexpr std::string_view anonymous = "(anonymous namespace)::";
    if (const auto at = rest.rfind(anonymous); at != std::string_view::npos && rest.find('(') == at)
        rest.remove_prefix(at + anonymous.size());
    const std::string base = up_to_arguments(rest);
    return base.empty() ? std::string(demangled) : base;
}

CompiledLaunchFilter::CompiledLaunchFilter(const wire::Orders& orders)
    : kernels_(orders.kernels),
      except_(orders.except),
      ranges_(orders.nvtx_ranges),
      skip_(orders.skip),
      left_(orders.count) {}

const CompiledLaunchFilter::Verdict& CompiledLaunchFilter::verdict_on(std::string_view mangled) {
    const auto found = known_.find(mangled);
    if (found != known_.end()) return found->second;
    const bool left_alone = except_.find_in_kernel(mangled);
    const bool wanted = !left_alone && (kernels_.empty() || kernels_.find_in_kernel(mangled));
    return known_.emplace(mangled, Verdict{wanted, left_alone}).first->second;
}

bool CompiledLaunchFilter::wants(std::string_view mangled) {
    return verdict_on(mangled).wanted;
}

bool CompiledLaunchFilter::leaves_alone(std::string_view mangled) {
    return verdict_on(mangled).left_alone;
}

bool CompiledLaunchFilter::counts_inside(const std::string& range) const {
    return ranges_.find_in(range);
}

bool CompiledLaunchFilter::take() {
    if (skip_ > 0) {
        --skip_;
        return false;
    }
    if (!left_) return true;
    if (*left_ == 0) return false;
    --*left_;
    return true;
}

}  // namespace roofwalk::agent
