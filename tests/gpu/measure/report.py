# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as Markdown."""

from verdicts import RIGHT, WRONG


def number(value):
    if value is None:
        return "not measured"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.4g}"


def per_cent(value):
    return "" if value is None else f"{100 * value:+.2f} %"


def table(names, rows):
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def figures_table(rows, expected):
    return table(["program", "kernel", "figure", expected, "Roofwalk", "difference", "verdict"],
                 [[row.program, f"`{row.kernel}`", row.figure, number(row.expected), number(row.measured),
                   per_cent(row.deviation()), row.verdict] for row in rows])


def summary(rows):
    wrong = [row for row in rows if row.verdict == WRONG]
    right = sum(row.verdict == RIGHT for row in rows)
    return f"{right} figures are right, {len(wrong)} are wrong, {len(rows) - right - len(wrong)} stand without a verdict."


def write(machine, known_rows, ncu_rows, times, losses, faults, notes, aim_rows=(), ceiling_rows=(), steps=()):
    """`machine`: pairs of words. `times`: program and seconds by tool. `losses`: mode, launches, recorded. `steps`:
    those that have been taken, in their order."""
    parts = ["# Roofwalk on a GPU", table(["", ""], machine)]
    if steps:
        parts += ["## Steps", table(["step", "s", "what came of it"],
                                    [[step.name, f"{step.seconds:.1f}", step.sentence] for step in steps])]
    if faults:
        parts += ["## What went wrong", "\n".join("- " + fault for fault in faults)]
    parts += ["## Known counts", summary(known_rows),
              "FLOP within 1 %, bytes within 2 % of what the program knows of itself.",
              figures_table(known_rows, "known")]
    parts += ["## Beside Nsight Compute", summary(ncu_rows) if ncu_rows else "Nsight Compute was not compared with."]
    if ncu_rows:
        parts += ["`ncu --cache-control none --clock-control none`, medians over the launches of a kernel. Times, "
                  "clocks and what caches decide stand without a verdict.", figures_table(ncu_rows, "ncu")]
    if aim_rows:
        parts += ["## Measured ceilings", summary(aim_rows),
                  "The best of at least 10 repetitions over what the hardware can do: HBM a second, the rest a cycle.",
                  figures_table(aim_rows, "aim")]
    if ceiling_rows:
        parts += ["## Measured ceilings beside Nsight Compute", summary(ceiling_rows),
                  "Bytes and operations as counted of one launch of the same kernel, over its time (HBM, within 5 %) or "
                  "over its cycles and the SMs (within 3 %).", figures_table(ceiling_rows, "ncu")]
    tools = list(dict.fromkeys(tool for _, seconds in times for tool in seconds))
    parts += ["## Wall time", "Seconds of the whole program, and how many times that of the program alone.",
              table(["program", *tools],
                    [[program, *(_time(seconds, tool) for tool in tools)] for program, seconds in times])]
    parts += ["## Lost when killed", "Launches that had ended before SIGKILL, and those that are in the recording.",
              table(["measured", "launches", "recorded", "lost"],
                    [[mode, launches, recorded, launches - recorded] for mode, launches, recorded in losses])]
    if notes:
        parts += ["## Notes", "\n".join("- " + note for note in notes)]
    return "\n\n".join(parts) + "\n"


def _time(seconds, tool):
    value = seconds.get(tool)
    if value is None:
        return ""
    alone = seconds.get("alone")
    return f"{value:.2f} s" + (f" ({value / alone:.1f}x)" if alone and tool != "alone" else "")
