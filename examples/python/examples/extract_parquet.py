"""Extracts a column of HTML in a Parquet file, batch by batch: `python extract_parquet.py in.parquet out.parquet [column]`.

The same on DataFusion, in Rust, is `examples/corpus`.
"""

import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import aiweb

SCHEMA = pa.schema([("title", pa.string()), ("markdown", pa.string()), ("language", pa.string()), ("confidence", pa.float32())])


def main(source: str, target: str, column: str = "html") -> None:
    with pq.ParquetFile(source) as rows, pq.ParquetWriter(target, SCHEMA) as out:
        for batch in rows.iter_batches(batch_size=256, columns=[column]):
            pages = (value.as_py() or "" for value in batch.column(0))
            found: list[dict[str, Any]] = [
                {"title": page.title, "markdown": page.markdown, "language": page.language, "confidence": page.confidence}
                for page in aiweb.extract_many(pages)
            ]
            out.write_table(pa.Table.from_pylist(found, schema=SCHEMA))


if __name__ == "__main__":
    main(*sys.argv[1:])
