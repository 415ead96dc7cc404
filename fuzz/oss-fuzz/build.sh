#!/bin/bash -eu
# Builds every target, and packs the published vectors as the seeds of each.
cd "$SRC/aiweb"
cargo +nightly fuzz build --release
for target in fuzz/fuzz_targets/*.rs; do
  name=$(basename "$target" .rs)
  cp "fuzz/target/x86_64-unknown-linux-gnu/release/$name" "$OUT/"
  find spec-vectors -name '*.json' -not -path '*/schema/*' -print0 | xargs -0 zip -q -j "$OUT/${name}_seed_corpus.zip"
done
