# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completion of roofwalk-cli for bash.

_roofwalk_cli() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=""
  local view="--group --clock --operations --view --levels --launch-floor --near-ridge --practical-factors --filter --join --bind --ceilings --output --help"
  local record="--output --kernel --except --nvtx --skip --count --every-launch --replay --timing --cupti --agent --force --help"
  local operations="gemm gemm_tiles gemv attention_prefill attention_decode layernorm rmsnorm softmax rope elementwise axpy copy triad reduction"
  operations+=" transpose conv2d conv3d stencil spmv fft custom"
  operations+=" attention_varlen latent_attention_decode attention_backward grouped_gemm fused_mlp"
  operations+=" gemm_backward batchnorm norm_backward embedding embedding_backward gather sampling scan sort histogram spmm nbody"
  operations+=" lattice_boltzmann syrk trsm cholesky lu"
  local thresholds="bytes_per_sector= l2_hit_rate= local_share= l2_reuse= wide_work= more_bytes= atomics= sectors_per_request= occupancy= stall_share= issue_active="
  thresholds+=" channel_imbalance= tensor_use= bank_conflicts= active_threads= pipe_busy= waves= shortest_time= l2_resident= mixed_work= predicated="
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then verb=${COMP_WORDS[1]}; fi

  local choices=""
  case $before in
    --group) choices="kernel launch nvtx operation" ;;
    --clock) choices="measured boost" ;;
    --operations) choices="floating integer all auto" ;;
    --view) choices="nsight nersc" ;;
    --phase) choices="decode prefill" ;;
    --weights | --kv | --activations) choices="fp32 bf16 fp16 fp8 fp4 int8 int4" ;;
    --levels) choices="hbm l2 l1 smem hbm,l2 hbm,l2,smem hbm,l2,l1" ;;
    --threshold) choices="$thresholds" ;;
    --theme) choices="print light dark" ;;
    --for) choices="column page slide" ;;
    --legend) choices="above inside beside off" ;;
    --caption) choices="on off" ;;
    --key) choices="numbers latex" ;;
    --format)
      case $verb in
        convert) choices="json jsonl" ;;
        model | ceilings) choices="table json" ;;
        atlas) choices="table json csv svg pdf png" ;;
        advise) choices="text json markdown" ;;
        *) choices="table json csv markdown" ;;
      esac
      ;;
    --size | --font-size | --dpi | --x-range | --y-range | --names | --select | --roofs-of | --other-roofs | --gaps | --labels | --title | --filter | --bind | --metrics | --top) return ;;
    --fail-below | --gate-share | --fail-slower | --noise | --arrows | --kernel | --name | --except | --nvtx | --skip | --count | --env) return ;;
    --colour-by) choices="class precision kernel report" ;;
    --preset)
      choices="coalesce tile fuse graph batch fp16 int8 fp8 int4 multicast swizzle overlap window tensor_fp16 tensor_tf32 tensor_fp64"
      choices+=" to_roof to_algorithm"
      ;;
    --model) choices="deepseek-v3 llama-2-7b llama-3-70b llama-3-8b mixtral-8x7b resnet-50 vit-base-16 $(compgen -f -X '!*.json' -- "$word")" ;;
    --scenario | --add-to | --ceilings | --device | --import | --program)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
  esac
  if [[ -n $choices ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    return
  fi

  if [[ -z $verb ]]; then
    choices="report advise chart compare convert model atlas scenario profile attach ceilings check --help --version"
  elif [[ $word == -* ]]; then
    case $verb in
      report) choices="$view --device --format --wide --fail-below --gate-share --suggest --scenario --metrics --instances" ;;
      advise) choices="$view --device --format --top --threshold --thresholds" ;;
      chart)
        choices="$view --device --theme --colour-by --for --size --font-size --dpi --legend --caption --x-range --y-range --names --key --select --roofs-of --other-roofs --gaps --labels --practical --no-practical --operation-ranges --no-theory --no-measured-roof --title --scenario --measured"
        choices+=" --baseline --arrows --noise"
        ;;
      compare) choices="$view --format --wide --noise --fail-slower --device --device-of" ;;
      convert) choices="--output --format --join --device --ceilings --help" ;;
      model) choices="--device --ceilings --launch-floor --list --output --format --help" ;;
      atlas)
        choices="--model --device --ceilings --launch-floor --batch --context --phase --weights --kv --activations --report --bind --format --output"
        choices+=" --theme --for --size --font-size --dpi --legend --caption --x-range --y-range --title --help"
        ;;
      scenario) choices="$view --device --preset --kernel --add-to --name --list" ;;
      profile) choices="$record --directory --env --until-input-ends --ncu --pytorch" ;;
      attach) choices="$record --list --inject --try-inject" ;;
      ceilings) choices="--device --list --import --program --output --format --help" ;;
      check) choices="--chip --cupti --help" ;;
    esac
  elif [[ $verb == model && $before != -o && $before != --output ]]; then
    choices=$operations
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}

complete -F _roofwalk_cli roofwalk-cli
