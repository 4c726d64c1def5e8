"""Compares what the PyPI onnxruntime computes with a reference; see check-onnx.
usage: check-onnx.py MODEL.onnx REFERENCE.json FEATURES.jsonl
"""
import json
import sys

import numpy as np
import onnxruntime

LOGIT = 1e-4  # times max(1, |x|)
SHARE = 1e-4

model, reference, features = sys.argv[1:]
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
inputs = {i.name: i.shape for i in session.get_inputs()}
outputs = [o.name for o in session.get_outputs()]
cases = json.load(open(reference))
planes = inputs["input2"][1]
if "input3" not in inputs:
    golden = {row["sfen"]: row for row in map(json.loads, open(features))}
    missing = set(golden) - {case["sfen"] for case in cases}
    if missing:
        sys.exit(f"check-onnx: {reference} lacks {len(missing)} golden positions, such as {min(missing)}")
    for case in cases:
        row = golden.get(case["sfen"], {})
        for ours, theirs in [("input1_ones", "input1_ones"), ("input2_planes", f"input2_{planes}_planes")]:
            if row and sorted(case[ours]) != sorted(row[theirs]):
                sys.exit(f"check-onnx: {ours} of {case['sfen']} are not the golden planes")

board = np.zeros((len(cases), 62 * 81), np.float32)
whole = np.zeros((len(cases), planes, 81), np.float32)
for row, case in enumerate(cases):
    board[row, case["input1_ones"]] = 1
    whole[row, case["input2_planes"]] = 1
feeds = {"input1": board.reshape(-1, 62, 9, 9), "input2": whole.reshape(-1, planes, 9, 9)}
if "input3" in inputs:
    feeds["input3"] = np.array([case["input3"] for case in cases], np.float32)
found = dict(zip(outputs, session.run(outputs, feeds)))

checks = [("output_policy", "policy", LOGIT, True), ("output_value", "value", SHARE, False)]
if "output_wdl" in found:
    checks.append(("output_wdl", "wdl", SHARE, False))
figures = []
for name, key, most, relative in checks:
    wanted = np.array([case[key] for case in cases])
    got = found[name].reshape(len(cases), -1)
    wanted = wanted.reshape(len(cases), -1)
    if got.shape != wanted.shape:
        sys.exit(f"check-onnx: {name} has shape {got.shape}, expected {wanted.shape}")
    error = np.abs(got - wanted)
    if relative:
        error /= np.maximum(1, np.abs(wanted))
    if not error.max() <= most:
        at = np.unravel_index(np.argmax(np.nan_to_num(error, nan=np.inf)), error.shape)
        sys.exit(f"check-onnx: {name} of {cases[at[0]]['sfen']} is {got[at]}, expected {wanted[at]}")
    figures.append(f"{key} {error.max():.1e}")
print(f"{len(cases)} positions in one batch, largest differences: {', '.join(figures)} (allowed {LOGIT:.0e})")
