"""PyTorch's side of `keiko bench train`: `torch_peer.py WORK BLOCKS CHANNELS ROWS THREADS SECONDS DEVICE`.

WORK is `train` (a training step in eager mode), `train-compiled` (the same through torch.compile) or `infer` (frozen
TorchScript, norms folded into convolutions). Everything is as fast as PyTorch does it: bf16 autocast over fp32
weights, channels-last, the fused AdamW, `_foreach` operations. The planes are ready-made bf16 tensors in channels-last
layout; nothing is read from NumPy or unpacked. Prints `ready`, then does its work for SECONDS on every line and prints
rows a second: of CPU time with one thread, by the clock with several and on a GPU (0 threads).
"""

import sys
import time

import torch
from torch import nn
from torch.nn import functional

work, (blocks, channels, rows, threads), seconds = sys.argv[1], map(int, sys.argv[2:6]), float(sys.argv[6])
device = torch.device(sys.argv[7])
PLANES, LABELS_A_SQUARE, VALUE_CHANNELS, VALUE_HIDDEN = 119, 27, 8, 64
torch.set_num_threads(max(threads, 1))
torch.manual_seed(1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        y = functional.relu(self.norm1(self.conv1(x)))
        return functional.relu(self.norm2(self.conv2(y)) + x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(Block() for _ in range(blocks)))
        self.policy = nn.Conv2d(channels, LABELS_A_SQUARE, 1, bias=False)
        self.policy_bias = nn.Parameter(torch.zeros(LABELS_A_SQUARE * 81))
        self.value_conv = nn.Conv2d(channels, VALUE_CHANNELS, 1, bias=False)
        self.value_norm = nn.BatchNorm2d(VALUE_CHANNELS)
        self.hidden = nn.Linear(VALUE_CHANNELS * 81, VALUE_HIDDEN)
        self.output = nn.Linear(VALUE_HIDDEN, 3)

    def forward(self, x):
        x = self.blocks(functional.relu(self.norm(self.conv(x))))
        value = functional.relu(self.value_norm(self.value_conv(x)))
        value = functional.relu(self.hidden(value.flatten(1)))
        return self.policy(x).flatten(1) + self.policy_bias, self.output(value)


def planes():
    ones = torch.rand(rows, PLANES, 9, 9) < 0.1
    return ones.to(device, torch.bfloat16).contiguous(memory_format=torch.channels_last)


def training(compiled):
    net = Net().to(device, memory_format=torch.channels_last).train()
    parameters = list(net.parameters())
    average = [parameter.detach().clone() for parameter in parameters]
    decayed = [parameter for parameter in parameters if parameter.dim() > 1]
    others = [parameter for parameter in parameters if parameter.dim() <= 1]
    groups = [{"params": decayed, "weight_decay": 1e-4}, {"params": others, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=2e-3, fused=True)
    legal = torch.rand(rows, LABELS_A_SQUARE * 81, device=device) < 0.03
    mask = torch.where(legal, 0.0, -1e9)
    policy = legal / legal.sum(1, keepdim=True)
    wdl = torch.tensor([0.0, 1.0, 0.0], device=device).expand(rows, 3).contiguous()
    batch = planes()

    def loss():
        with torch.autocast(device.type, torch.bfloat16):
            logits, value = net(batch)
        return functional.cross_entropy(logits.float() + mask, policy) + functional.cross_entropy(value.float(), wdl)

    loss = torch.compile(loss) if compiled else loss

    def step():
        optimiser.zero_grad(set_to_none=True)
        total = loss()
        total.backward()
        nn.utils.clip_grad_norm_(parameters, 10.0, foreach=True)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(average, parameters, 0.01)
        # As training does, to stop at a loss that is not finite.
        return total.item()

    return step


def inference():
    net = Net().eval()
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_var.uniform_(0.5, 1.5)
    net = net.to(device, torch.bfloat16, memory_format=torch.channels_last)
    batch = planes()
    with torch.no_grad():
        frozen = torch.jit.freeze(torch.jit.trace(net, batch))

    def step():
        with torch.no_grad():
            policy, value = frozen(batch)
        if device.type == "cuda":
            # Answers count when they are back.
            value.cpu()

    return step


step = inference() if work == "infer" else training(work == "train-compiled")
for _ in range(10):
    step()
print("ready", flush=True)
for _ in sys.stdin:
    start, used, steps = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - start < seconds:
        step()
        steps += 1
    spent = time.process_time() - used if threads == 1 else time.perf_counter() - start
    print(rows * steps / spent, flush=True)
