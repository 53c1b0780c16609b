import { arrow } from './arrow.ts';
import { csv } from './csv.ts';
import type { Format, FormatName } from './format.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';

/** All formats, the default first. */
export const formats = { json, ndjson, csv, parquet, arrow } satisfies Record<FormatName, Format>;
