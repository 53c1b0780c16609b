import { arrow } from './arrow.ts';
import { csv } from './csv.ts';
import type { Format, FormatName } from './format.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';

/** All formats, the default first. */
export const formats: Readonly<Record<FormatName, Format>> = { json, ndjson, csv, parquet, arrow };
