# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by the tests of the house rules: which files are ours, and how a broken rule is reported.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
cd -- "$root"
rooms=(app core profiler ui resources tests packaging .ci)
broken=0

# complain WORDS...: a broken rule, in words.
complain() {
  echo "$*" >&2
  broken=1
}

# The C++ files under the folders given.
cpp_files() {
  find "$@" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.c' -o -name '*.cu' -o -name '*.cuh' \) | sort
}

# Every file of ours that is read as text by a tool: C++, CMake, shell.
source_files() {
  cpp_files "${rooms[@]}"
  find CMakeLists.txt "${rooms[@]}" -type f \( -name CMakeLists.txt -o -name '*.cmake' \) | sort
  shell_files
}

# Every text file of ours in a format that has comments; what tests compare and read is data.
commented_files() {
  find README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md CMakeLists.txt .clang-format .clang-tidy .gitignore "${rooms[@]}" -type f \
    ! -path 'tests/data/*' ! -path 'tests/golden/*' ! -path 'tests/fuzz/seeds/*' ! -name '*.json' ! -name '*.roofwalk' \
    -exec grep -Il '' {} + | sort
}

shell_files() {
  find "${rooms[@]}" -type f ! -path 'tests/data/*' -exec grep -IlE -m1 '^(#!.*\b(ba)?sh$|# shellcheck shell=)' {} + | sort
}

# forbid WHY PATTERN FILES...: no line of the files may match.
forbid() {
  local why=$1 pattern=$2
  shift 2
  if (($# == 0)); then return; fi
  if grep -nHE -e "$pattern" -- "$@"; then
    echo "^ $why" >&2
    broken=1
  fi
}

# Ends a test, and names the paragraph of the rule where it was broken.
finish() {
  local -A rule=([house_agent]=1 [house_includes]=1 [house_links]=1 [house_size]=2 [house_text]="4 and 8" [house_tests]=6 [house_files]="2 and 7" [house_headers]=2)
  if ((broken)); then echo "See CONTRIBUTING.md, Rules, ${rule[$(basename -- "$0")]:-first paragraph}." >&2; fi
  exit "$broken"
}
