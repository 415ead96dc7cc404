#!/usr/bin/env python3
"""Trains the content model, or cross-validates it. See README.md.

    train.py FOLDER CORPUS... [--also CORPUS] --check         F1 on pages of sites that were not trained on
    train.py FOLDER CORPUS... [--also CORPUS] --model FILE    trains on everything and writes model.bin

FOLDER takes the rows of features, --also names corpora that are trained on and not scored. With --check, FOLDER/unseen.jsonl
gets what was found on each page by models that have not seen its site, for `evaluate --figures`. Both may be asked for at
once; rows are read once then.
"""
import argparse
import collections
import itertools
import json
import pathlib
import re
import struct
import subprocess
import urllib.parse

import lightgbm
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROWS = ["cargo", "run", "-q", "--release", "-p", "evaluate", "--features", "training", "--", "--rows"]
WORD = re.compile(r"\w+")
FOLDS = 4
# The walk in model.rs takes as many steps in each tree as the deepest one has.
COMMON = dict(objective="cross_entropy", extra_trees=True, feature_fraction=0.3, bagging_fraction=0.7, bagging_freq=1,
              lambda_l2=10, max_bin=63, feature_pre_filter=False, seed=1, num_threads=1, deterministic=True,
              force_col_wise=True, verbose=-1)
FIRST = dict(COMMON, num_iterations=160, num_leaves=24, max_depth=6, learning_rate=0.1, min_data_in_leaf=40)
SECOND = dict(COMMON, num_iterations=60, num_leaves=16, max_depth=5, learning_rate=0.08, min_data_in_leaf=60)
# What tells articles from other pages, and the log-odds from which on a page is read as one, as in model.rs. Pages that are scored
# are read by the bound that the pages of the other folds would choose.
KIND = dict(COMMON, objective="binary", num_iterations=100, num_leaves=8, learning_rate=0.1, min_data_in_leaf=10,
            feature_fraction=0.5, bagging_fraction=1.0, bagging_freq=0, lambda_l2=5)
ARTICLE = 0.85
ARTICLE_BOUNDS = np.arange(-3, 4.01, 0.05)
# The weight that pages which are not scored have in that: there are no other pages among them.
ALSO = 0.3
# Where model.rs looks whether a block is beyond doubt, and when it is.
STOPS, CERTAIN = (28, 60, 92, 124, 156), 2.5


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


def is_open(odds):
    """Which blocks are looked at again."""
    return odds.astype("<f4") > -CERTAIN


def site(page):
    host = urllib.parse.urlsplit(page.get("url") or "").netloc.split(":")[0] or page["id"]
    parts = host.split(".")
    country = len(parts) > 2 and len(parts[-2]) <= 3 and len(parts[-1]) <= 3
    return ".".join(parts[-3:] if country else parts[-2:])


class Data:
    def __init__(self, folder, corpora, also):
        self.folder, self.corpora = folder, corpora + also
        (folder / "odds.bin").unlink(missing_ok=True)
        self.describe()
        with open(folder / "blocks.jsonl", encoding="utf-8") as lines:
            self.pages = [json.loads(line) for line in lines]
        self.blocks = [[words(text) for text in page["texts"]] for page in self.pages]
        sizes = np.array([len(blocks) for blocks in self.blocks])
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.page = np.repeat(np.arange(len(self.pages)), sizes)
        self.rows = self.read("rows")
        self.labels = np.concatenate(
            [labels_of(blocks, page["truth"]) for blocks, page in zip(self.blocks, self.pages)])
        self.lengths = np.array([len(block) for blocks in self.blocks for block in blocks], dtype=float)
        # Pages count alike, and long ones with little content do not drown it.
        total = np.bincount(self.page, weights=self.lengths, minlength=len(self.pages))
        content = np.array([len((page["truth"] or "").split()) for page in self.pages])
        share = self.lengths / np.maximum(1, np.minimum(total, 3 * content + 50))[self.page]
        short = np.minimum(self.lengths, 10) / 10 / np.maximum(1, sizes)[self.page]
        weights = 0.8 * share + 0.2 * short
        scored = sum(len(json.loads((pathlib.Path(corpus) / "ground-truth.json").read_text())) for corpus in corpora)
        self.scored = np.arange(len(self.pages)) < scored
        self.weights = weights
        self.fold = self.folds()
        self.is_article = np.array([(page.get("type") or "article") in ("article", "also") for page in self.pages])
        # The first block's row tells about the page with the features that do not change from block to block.
        heads = self.rows[np.minimum(self.starts[:-1], len(self.rows) - 1)]
        same = (self.rows == heads[self.page]).all(axis=0)
        self.page_rows = np.where(same, heads, 0)
        # Values are put into bins once, by all pages; labels have no part in that.
        self.binned = binned(self.rows, self.labels).construct()
        self.firsts = {}

    def describe(self):
        subprocess.run([*ROWS, self.folder.resolve(), *(pathlib.Path(corpus).resolve() for corpus in self.corpora)], check=True,
                       cwd=ROOT)

    def read(self, name):
        return np.fromfile(self.folder / f"{name}.bin", dtype="<f4").reshape(len(self.page), -1)

    def folds(self):
        """A fold for each page; pages of one site are in one fold, kinds of pages are spread evenly.

        Pages that are not scored and come from a site of one that is are in none.
        """
        random = np.random.RandomState(0)
        fold, of_site = np.full(len(self.pages), -1), {}
        kind_of = [(not scored, page.get("type") or "news") for scored, page in zip(self.scored, self.pages)]
        sites = {site(page) for page, scored in zip(self.pages, self.scored) if scored}
        for kind in sorted(set(kind_of)):
            members = [n for n in range(len(self.pages)) if kind_of[n] == kind]
            random.shuffle(members)
            counts = np.zeros(FOLDS)
            for n in members:
                if self.scored[n] or site(self.pages[n]) not in sites:
                    fold[n] = of_site.setdefault(site(self.pages[n]), int(np.argmin(counts)))
                    counts[fold[n]] += 1
        return fold

    def without(self, *folds):
        """The blocks of pages in none of these folds."""
        return ~np.isin(self.fold, (-1, *folds))[self.page]

    def within(self, fold):
        return (self.fold == fold)[self.page]

    def for_both(self, articles):
        """Blocks and weights for articles and for other pages; pages that are not scored are articles, and would spoil the
        latter."""
        for pages in (articles, self.scored):
            own = pages[self.page]
            yield own, self.weights / self.weights[own].mean()

    def kind_model(self, *folds):
        """Tells articles from other pages; trained on pages in none of these folds."""
        chosen = ~np.isin(self.fold, (-1, *folds))
        return train(KIND, self.page_rows[chosen], self.is_article[chosen], np.where(self.scored, 1, ALSO)[chosen])

    def kind_odds(self, *folds):
        return self.kind_model(*folds).predict(self.page_rows, raw_score=True, num_threads=1)

    def first_models(self, *folds):
        """Other pages help with articles as well."""
        key = frozenset(folds)
        if key not in self.firsts:
            models = []
            for own, weights in self.for_both(np.ones(len(self.pages), bool)):
                places = np.flatnonzero(own & self.without(*folds))
                blocks = self.binned.subset(places).construct()
                blocks.set_weight(weights[places])
                models.append(lightgbm.train(FIRST, blocks))
            self.firsts[key] = models
        return self.firsts[key]

    def first_look(self, models, chosen, articles):
        """The log-odds of blocks, as model.rs adds them up."""
        odds = np.zeros(len(self.labels))
        for model, own in zip(models, (chosen & articles[self.page], chosen & ~articles[self.page])):
            odds[own] = self.log_odds(model, self.rows[own])
        return odds[chosen]

    @staticmethod
    def log_odds(model, rows):
        odds, doubtful = np.zeros(len(rows)), np.ones(len(rows), bool)
        for low, high in itertools.pairwise((0, *STOPS, FIRST["num_iterations"])):
            if not doubtful.any():
                break
            odds[doubtful] += model.predict(rows[doubtful], start_iteration=low, num_iteration=high - low,
                                            raw_score=True, num_threads=1)
            doubtful &= np.abs(odds) <= CERTAIN
        return odds

    def second_models(self, rows, odds, chosen, articles):
        models = []
        for own, weights in self.for_both(articles):
            own = own & chosen & is_open(odds)
            models.append(train(SECOND, rows[own], self.labels[own], weights[own], odds[own]))
        return models

    def second_rows(self, *odds):
        """The rows for the second look, for each of some first looks; pages are read once for all of them."""
        np.concatenate(odds).astype("<f4").tofile(self.folder / "odds.bin")
        self.describe()
        (self.folder / "odds.bin").unlink()
        return [self.read(f"second.{place}") for place in range(len(odds))]

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

    def looks_within(self, left_out=None):
        """For each page, by models that know neither its fold nor the one that is left out: the log-odds that it is an article,
        and those of its blocks, as an article and as another page."""
        kinds, looks = np.zeros(len(self.pages)), [np.zeros(len(self.labels)) for _ in range(2)]
        for fold in range(FOLDS):
            folds = [fold] if left_out is None else [fold, left_out]
            pages, own = self.fold == fold, self.within(fold)
            kinds[pages] = self.kind_odds(*folds)[pages]
            for odds, articles in zip(looks, (np.ones(len(self.pages), bool), np.zeros(len(self.pages), bool))):
                odds[own] = self.first_look(self.first_models(*folds), own, articles)
        return kinds, looks

    def article_bound(self, kinds, looks, pages):
        """The log-odds from which on these pages are best read as articles, by their F1 after the first look: of the bounds that are
        equally good the middle one."""
        chances = [1 / (1 + np.exp(-odds)) for odds in looks]
        gains = np.zeros(len(self.pages))
        for n in np.flatnonzero(pages):
            own = slice(self.starts[n], self.starts[n + 1])
            if self.starts[n] < self.starts[n + 1]:
                as_article, as_other = (self.f1(n, self.keep(n, look[own])) for look in chances)
                gains[n] = as_article - as_other
        totals = np.array([gains[pages & (kinds > bound)].sum() for bound in ARTICLE_BOUNDS])
        best = np.flatnonzero(totals > totals.max() - 1e-9)
        return float(ARTICLE_BOUNDS[best[len(best) // 2]]), totals / pages.sum()

    def check(self):
        """Leaves out one fold for the score, and another in turn for what the second look is trained on and the bound for articles
        is chosen on."""
        chances, first, general = (np.zeros(len(self.labels)) for _ in range(3))
        read_as, firsts, are_articles = np.zeros(len(self.pages), bool), [], []
        for left_out in range(FOLDS):
            kinds, looks = self.looks_within(left_out)
            own = self.within(left_out)
            # The trees for other pages have seen articles as well: the one model for all pages.
            general[own] = looks[1][own]
            bound, totals = self.article_bound(kinds, looks, self.scored & (self.fold != left_out))
            near = totals[np.argmin(np.abs(ARTICLE_BOUNDS - ARTICLE))]
            print(f"fold {left_out}: articles from {bound:.2f} on, {totals.max():+.4f} of F1 in the other folds; "
                  f"{ARTICLE} would be {near:+.4f}", flush=True)
            articles = kinds > bound
            firsts.append(np.where(articles[self.page], *looks))
            are_articles.append(articles)
        for left_out, (odds, rows, articles) in enumerate(zip(firsts, self.second_rows(*firsts), are_articles)):
            own = self.within(left_out)
            read_as |= articles & (self.fold == left_out)
            models = self.second_models(rows, odds, self.without(left_out), articles)
            first[own] = chances[own] = odds[own]
            own &= is_open(odds)
            for model, chosen in zip(models, (own & articles[self.page], own & ~articles[self.page])):
                chances[chosen] += self.log_odds_added(model, rows[chosen])
        for name, log_odds in (("one model, first look", general), ("first look", first), ("both looks", chances)):
            print(name)
            self.report(1 / (1 + np.exp(-log_odds)))
        self.write_unseen(chances, read_as)

    def write_unseen(self, log_odds, articles):
        """For `evaluate --figures`: what models found on each page that have not seen its site."""
        with open(self.folder / "unseen.jsonl", "w", encoding="utf-8") as out:
            for n in np.flatnonzero(self.scored):
                own = log_odds[self.starts[n]:self.starts[n + 1]]
                line = dict(id=self.pages[n]["id"], article=bool(articles[n]), log_odds=[round(odds, 4) for odds in own.tolist()])
                out.write(json.dumps(line) + "\n")

    @staticmethod
    def log_odds_added(model, rows):
        return model.predict(rows, raw_score=True, num_threads=1) if len(rows) else 0.0

    def report(self, chances):
        scores, sites = collections.defaultdict(list), collections.defaultdict(list)
        for n, page in enumerate(self.pages):
            if not self.scored[n]:
                continue
            own = chances[self.starts[n]:self.starts[n + 1]]
            kept = self.keep(n, own) if len(own) else []
            scores[page.get("type") or "news"].append(self.f1(n, kept))
            sites[page.get("type") or "news"].append(site(page))
            if "type" not in page or not page["type"]:
                scores["news, runs"].append(self.runs(n, kept))
            else:
                scores["all types"].append(self.f1(n, kept))
                sites["all types"].append(site(page))
        for kind, values in sorted(scores.items()):
            if kind == "news, runs":
                right, found = (np.mean([value for value in column if value is not None]) for column in zip(*values))
                print(f"{kind:14} four-word F1 {2 * right * found / (right + found):.4f}  "
                      f"(precision {right:.4f}, recall {found:.4f})")
            else:
                print(f"{kind:14} word F1 {np.mean(values):.4f} ± {error(values, sites[kind]):.4f}  ({len(values)} pages)",
                      flush=True)

    def runs(self, n, kept):
        """Precision and recall of four-word runs, case kept, as the benchmark of the news pages counts them."""
        def count(text):
            own = WORD.findall((text or "").replace("\u00ad", ""))
            return collections.Counter(zip(*(own[k:] for k in range(4))) if len(own) > 4 else [tuple(own)] * bool(own))
        truth = count(self.pages[n]["truth"])
        found = count("\n".join(text for text, keep in zip(self.pages[n]["texts"], kept) if keep))
        both = sum((truth & found).values())
        return (both / sum(found.values()) if found else None), (both / sum(truth.values()) if truth else None)

    def models(self):
        """What tells articles from other pages, then for articles and for other pages a model for each look."""
        kinds, looks = self.looks_within()
        bound, _ = self.article_bound(kinds, looks, self.scored)
        print(f"all pages: articles from {bound:.2f} on; the model is of {ARTICLE}", flush=True)
        articles = kinds > ARTICLE
        odds = np.where(articles[self.page], *looks)
        everything = self.without()
        firsts = self.first_models()
        [rows] = self.second_rows(odds)
        seconds = self.second_models(rows, odds, everything, articles)
        return [self.kind_model(), firsts[0], seconds[0], firsts[1], seconds[1]]


def binned(rows, labels, weights=None, start=None):
    return lightgbm.Dataset(rows, labels, weight=weights, init_score=start, free_raw_data=False,
                            params=dict(max_bin=63, feature_pre_filter=False, verbose=-1))


def train(settings, rows, labels, weights, start=None):
    return lightgbm.train(settings, binned(rows, labels, weights, start))


def error(values, sites):
    """The standard error of the mean, where pages of a site are not independent of each other."""
    mean, of_site = np.mean(values), collections.defaultdict(float)
    for value, name in zip(values, sites):
        of_site[name] += value - mean
    return sum(value * value for value in of_site.values()) ** 0.5 / len(values)


def rounded(value, bits):
    """A float without its lowest bits, which makes a compressed model a third smaller."""
    whole, unit = struct.unpack("<I", struct.pack("<f", value))[0], 1 << bits
    return struct.pack("<I", (whole + unit // 2) // unit * unit)


def write_model(models, path, features):
    """The layout that content/model.rs describes; `features` is the hash of the features' list."""
    parts = [[tree for tree in model.dump_model()["tree_info"] if tree["num_leaves"] > 1] for model in models]
    out = struct.pack("<5H", *map(len, parts))
    for tree in itertools.chain(*parts):
        nodes, leaves = [], []

        def walk(node):
            if "leaf_value" in node:
                leaves.append(node["leaf_value"])
                return 256 - len(leaves)
            place = len(nodes)
            nodes.append(None)
            low, high = walk(node["left_child"]), walk(node["right_child"])
            nodes[place] = struct.pack("<BBBB", node["split_feature"], low, high, 0) + rounded(node["threshold"], 12)
            return place

        walk(tree["tree_structure"])
        out += bytes([len(nodes)]) + b"".join(nodes) + b"".join(rounded(leaf, 16) for leaf in leaves)
    out += features
    with open(path, "wb") as file:
        file.write(out)
    print(f"{path}: {len(out)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--model")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    FIRST["seed"] = SECOND["seed"] = arguments.seed
    arguments.folder.mkdir(parents=True, exist_ok=True)
    data = Data(arguments.folder, arguments.corpora, arguments.also)
    print(f"{len(data.pages)} pages, {len(data.labels)} blocks, {data.rows.shape[1]} features", flush=True)
    if arguments.check:
        data.check()
    if arguments.model:
        write_model(data.models(), arguments.model, (arguments.folder / "features.hash").read_bytes())


if __name__ == "__main__":
    main()
