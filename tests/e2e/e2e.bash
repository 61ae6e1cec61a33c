# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by the tests of roofwalk-cli. $1 is the program under test, $2 the writer of report fixtures. Every check
# that fails is printed; finish() ends the test. ROOFWALK_UPDATE_GOLDEN=1 writes golden files instead of comparing.
set -euo pipefail
export LC_ALL=C.UTF-8

cli=$1
if ! "$cli" --version >/dev/null; then
  echo "FAILED: $cli does not start" >&2
  exit 1
fi
# shellcheck disable=SC2034  # read by the tests
fixture=${2:-}
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034  # read by the tests
root=$(cd -- "$here/../.." && pwd)
export LSAN_OPTIONS=suppressions=$here/leaks.supp:print_suppressions=0
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failed=0

fail() {
  echo "FAILED: $*" >&2
  failed=1
}

# run EXPECTED_EXIT ARGUMENTS...: runs roofwalk-cli; what it said is in $work/out and $work/err.
run() {
  local expected=$1 status=0
  shift
  "$cli" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  if ((status != expected)); then
    fail "roofwalk-cli $* ended with $status, expected $expected; stderr: $(head -c 500 "$work/err")"
  fi
}

out_has() { grep -qF -- "$1" "$work/out" || fail "stdout lacks '$1': $(head -c 300 "$work/out")"; }
err_has() { grep -qF -- "$1" "$work/err" || fail "stderr lacks '$1': $(head -c 500 "$work/err")"; }
out_is_empty() { [[ ! -s $work/out ]] || fail "stdout is not empty: $(head -c 300 "$work/out")"; }
err_is_empty() { [[ ! -s $work/err ]] || fail "stderr is not empty: $(head -c 500 "$work/err")"; }

# with TOOL COMMAND...: runs the check when the tool is here.
with() {
  local tool=$1
  shift
  if command -v "$tool" >/dev/null; then "$@" || fail "$*"; fi
}

json_is_valid() { with python3 python3 -m json.tool "$1" "$work/json"; }

# matches_golden FILE: stdout of the last run is that file.
matches_golden() {
  if [[ -n ${ROOFWALK_UPDATE_GOLDEN:-} ]]; then
    mkdir -p "$(dirname -- "$1")"
    cp "$work/out" "$1"
  fi
  diff -u "$1" "$work/out" >"$work/diff" || fail "not as $(basename -- "$1"): $(head -n 12 "$work/diff")"
}

# without_sources FILE: a CSV without the names of reports, which are those of its files.
without_sources() { sed -E '2,$s/,([^,"]*\.(json|jsonl|csv|ncu-repz?|nsight-cuprof-report)|standard input),/,,/' "$1"; }

# same_numbers A B: the CSV files agree to ten significant digits, whatever their reports are called.
same_numbers() {
  # shellcheck disable=SC2016  # awk reads it
  local rounded='{ for (i = 1; i <= NF; ++i) if ($i ~ /^[0-9.]+(e-?[0-9]+)?$/) $i = sprintf("%.10g", $i); print }'
  without_sources "$1" | awk -F, -v OFS=, "$rounded" >"$work/left"
  without_sources "$2" | awk -F, -v OFS=, "$rounded" >"$work/right"
  diff "$work/left" "$work/right" >"$work/diff" || fail "$(basename -- "$1") and $(basename -- "$2"): $(head -n 4 "$work/diff")"
}

# Characters that steer a terminal, for names of strangers.
# shellcheck disable=SC2034  # read by the tests
raw=$'\x1b[2J\x07\r\x08\x7f\xc2\x9b31m\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\xa8\x01'
# As bytes of UTF-8: C0 but for line ends, DEL, C1, U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
steers='[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]'

# is_clean WHAT: nothing that the last run printed steers a terminal. The lines of CSV end with CR LF.
is_clean() {
  for stream in out err; do
    if sed 's/\r$//' "$work/$stream" | LC_ALL=C grep -aqP "$steers"; then
      fail "$1: $stream steers the terminal: $(sed 's/\r$//' "$work/$stream" | LC_ALL=C grep -aP "$steers" | head -c 300 | cat -v)"
    fi
  done
}

finish() {
  exit "$failed"
}
