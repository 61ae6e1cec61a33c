# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by the tests of roofwalk-cli. The program under test is $1. Every check that fails is printed; finish()
# ends the test.
set -euo pipefail
export LC_ALL=C.UTF-8

cli=$1
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034  # read by the tests
root=$(cd -- "$here/../.." && pwd)
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

finish() {
  exit "$failed"
}
