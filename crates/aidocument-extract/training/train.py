#!/usr/bin/env python3
"""Trains the content model on the rows that `rows` wrote, or cross-validates it. See README.md.

    train.py ROWS --check           F1 on pages of sites that were not trained on, five folds
    train.py ROWS --model FILE      trains on everything and writes model.bin
"""
import argparse
import collections
import json
import re
import struct
import urllib.parse

import lightgbm
import numpy as np

WORD = re.compile(r"\w+")
FOLDS = 5
TREES = 160
# The walk in model.rs takes six steps: max_depth must not be larger.
SETTINGS = dict(objective="cross_entropy", num_leaves=24, max_depth=6, learning_rate=0.1, min_data_in_leaf=40,
                extra_trees=True, feature_fraction=0.3, bagging_fraction=0.7, bagging_freq=1, lambda_l2=10,
                max_bin=63, feature_pre_filter=False, seed=1, num_threads=2, verbose=-1)


def words(text):
    return WORD.findall((text or "").lower().replace("\u00ad", ""))


def labels_of(blocks, truth):
    """How much of each block the labelled text holds: its share of four-word runs; of short ones, all or nothing."""
    truth_words = words(truth)
    runs = set(zip(*(truth_words[k:] for k in range(4))))
    full = " " + " ".join(truth_words) + " "
    lines = {" ".join(words(line)) for line in (truth or "").split("\n")}
    labels = []
    for index, block in enumerate(blocks):
        if len(block) >= 4:
            own = list(zip(*(block[k:] for k in range(4))))
            labels.append(sum(run in runs for run in own) / len(own))
            continue
        text = " ".join(block)
        found = bool(block) and text in lines
        if block and not found:
            before = blocks[index - 1][-2:] if index else []
            after = blocks[index + 1][:2] if index + 1 < len(blocks) else []
            found = any(near and f" {' '.join(joined)} " in full
                        for near, joined in ((before, before + block), (after, block + after)))
        labels.append(float(found))
    # A text that the page repeats counts as often as the labelled text has it, where its neighbours count too.
    same = collections.defaultdict(list)
    for index, block in enumerate(blocks):
        if labels[index] > 0.5:
            same[" ".join(block)].append(index)
    for text, places in same.items():
        allowed = max(1, len(re.findall(f"(?= {re.escape(text)} )", full)))
        places.sort(key=lambda at: -sum(labels[max(0, at - 4):at + 5]))
        for at in places[allowed:]:
            labels[at] = 0.0
    return labels


class Data:
    def __init__(self, folder):
        self.pages = [json.loads(line) for line in open(f"{folder}/blocks.jsonl", encoding="utf-8")]
        self.blocks = [[words(text) for text in page["texts"]] for page in self.pages]
        width = max(page["width"] for page in self.pages)
        self.rows = np.fromfile(f"{folder}/rows.bin", dtype="<f4").reshape(-1, width)
        sizes = np.array([len(blocks) for blocks in self.blocks])
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.page = np.repeat(np.arange(len(self.pages)), sizes)
        self.labels = np.concatenate(
            [labels_of(blocks, page["truth"]) for blocks, page in zip(self.blocks, self.pages)])
        self.lengths = np.array([len(block) for blocks in self.blocks for block in blocks], dtype=float)
        # Pages count alike, and long ones with little content do not drown it.
        total = np.bincount(self.page, weights=self.lengths, minlength=len(self.pages))
        content = np.array([len((page["truth"] or "").split()) for page in self.pages])
        share = self.lengths / np.maximum(1, np.minimum(total, 3 * content + 50))[self.page]
        short = np.minimum(self.lengths, 10) / 10 / np.maximum(1, sizes)[self.page]
        weights = 0.8 * share + 0.2 * short
        self.weights = weights / weights.mean()

    def train(self, chosen):
        options = dict(max_bin=63, feature_pre_filter=False)
        data = lightgbm.Dataset(self.rows[chosen], self.labels[chosen], weight=self.weights[chosen], params=options)
        return lightgbm.train(SETTINGS, data, TREES)

    def folds(self):
        """A fold for each page; pages of one site are in one fold, kinds of pages are spread evenly."""
        def site(page):
            host = urllib.parse.urlsplit(page.get("url") or page["id"]).netloc or page["id"]
            return ".".join(host.split(".")[-2:])
        random = np.random.RandomState(0)
        fold, of_site = np.full(len(self.pages), -1), {}
        kinds = sorted({page.get("type") or "news" for page in self.pages})
        for kind in kinds:
            members = [n for n, page in enumerate(self.pages) if (page.get("type") or "news") == kind]
            random.shuffle(members)
            counts = np.zeros(FOLDS)
            for n in members:
                fold[n] = of_site.setdefault(site(self.pages[n]), int(np.argmin(counts)))
                counts[fold[n]] += 1
        return fold

    def keep(self, n, chances):
        """The blocks that make the expected F1 the largest, as content/mod.rs chooses them."""
        lengths = self.lengths[self.starts[n]:self.starts[n + 1]]
        order = np.argsort(-chances, kind="stable")
        hits = np.cumsum((lengths * chances)[order])
        f1 = hits / (np.cumsum(lengths[order]) + (lengths * chances).sum() + 1e-9)
        return chances >= chances[order][np.argmax(f1)]

    def f1(self, n, kept):
        found = collections.Counter(word for block, keep in zip(self.blocks[n], kept) if keep for word in block)
        truth = collections.Counter(words(self.pages[n]["truth"]))
        both = sum((found & truth).values())
        return 2 * both / (sum(found.values()) + sum(truth.values())) if both else 0.0

    def check(self):
        fold, chances = self.folds(), np.zeros(len(self.labels))
        for number in range(FOLDS):
            left_out = fold[self.page] == number
            chances[left_out] = self.train(~left_out).predict(self.rows[left_out])
        scores = collections.defaultdict(list)
        for n, page in enumerate(self.pages):
            own = chances[self.starts[n]:self.starts[n + 1]]
            score = self.f1(n, self.keep(n, own)) if len(own) else 0.0
            scores[page.get("type") or "news"].append(score)
        for kind, values in sorted(scores.items()):
            print(f"{kind:14} word F1 {np.mean(values):.4f}  ({len(values)} pages)")


def write_model(model, path):
    """The layout that content/model.rs describes."""
    out = b""
    for tree in model.dump_model()["tree_info"]:
        nodes, leaves = [], []

        def walk(node):
            if "leaf_value" in node:
                leaves.append(node["leaf_value"])
                return 256 - len(leaves)
            place = len(nodes)
            nodes.append(None)
            low, high = walk(node["left_child"]), walk(node["right_child"])
            nodes[place] = struct.pack("<BBBBf", node["split_feature"], low, high, 0, node["threshold"])
            return place

        walk(tree["tree_structure"])
        if nodes:
            out += bytes([len(nodes)]) + b"".join(nodes) + b"".join(struct.pack("<f", leaf) for leaf in leaves)
    with open(path, "wb") as file:
        file.write(out)
    print(f"{path}: {len(out)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--model")
    arguments = parser.parse_args()
    data = Data(arguments.rows)
    print(f"{len(data.pages)} pages, {len(data.labels)} blocks, {data.rows.shape[1]} features")
    if arguments.check:
        data.check()
    if arguments.model:
        write_model(data.train(np.ones(len(data.labels), bool)), arguments.model)


if __name__ == "__main__":
    main()
