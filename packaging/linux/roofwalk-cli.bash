# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completion of roofwalk-cli for bash.

_roofwalk_cli() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=""
  local view="--group --clock --operations --view --levels --filter --output --help"
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then verb=${COMP_WORDS[1]}; fi

  local choices=""
  case $before in
    --group) choices="kernel launch nvtx" ;;
    --clock) choices="measured boost" ;;
    --operations) choices="floating integer all" ;;
    --view) choices="nsight nersc" ;;
    --levels) choices="hbm l2 l1 smem hbm,l2 hbm,l2,smem hbm,l2,l1" ;;
    --theme) choices="print light dark" ;;
    --format) [[ $verb == convert ]] && choices="json jsonl" || choices="table json csv markdown" ;;
    --size | --select | --gaps | --labels | --title | --filter | --fail-below) return ;;
  esac
  if [[ -n $choices ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    return
  fi

  if [[ -z $verb ]]; then
    choices="report chart convert check --help --version"
  elif [[ $word == -* ]]; then
    case $verb in
      report) choices="$view --format --fail-below" ;;
      chart) choices="$view --theme --size --select --gaps --labels --practical --title" ;;
      convert) choices="--output --format --help" ;;
      check) choices="--help" ;;
    esac
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}

complete -F _roofwalk_cli roofwalk-cli
