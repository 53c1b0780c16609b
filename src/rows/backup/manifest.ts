import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { CommandError } from '../../base/errors/command-error.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';

/** A name of a file in a folder. */
const fileName = z
  .string()
  .regex(/^[^/\\\0]+$/)
  .refine((name) => name !== '.' && name !== '..');

const manifest = z.object({
  /** When the backup began, RFC 3339. */
  createdAt: z.string(),
  /** The version of the gateway that made it. */
  gateway: z.string(),
  /** The number of rows of each table, by its name with its schema. */
  rows: z.record(z.string(), z.int().nonnegative()),
  /** The texts of the files of added fields, by the names of the sources. */
  addedFields: z.record(fileName, z.string()),
});

/** What a backup has besides the store: written into its own table of the file, which marks the file as a backup. */
export type Manifest = Readonly<z.infer<typeof manifest>>;

/** Writes it, in place of one that the file has. */
export async function writeManifest(connection: DuckDBConnection, content: Manifest): Promise<void> {
  await connection.run('CREATE OR REPLACE TABLE meta.backup (manifest VARCHAR NOT NULL)');
  await connection.run('INSERT INTO meta.backup VALUES ($1)', [JSON.stringify(content)]);
}

/** @throws CommandError if the file is not a backup */
export async function readManifest(connection: DuckDBConnection, file: string): Promise<Manifest> {
  const tables = await connection.runAndReadAll(
    `SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE schema_name = 'meta'`,
  );
  const names = tables.getRows().map(([name]) => name);
  if (!names.includes('meta.backup')) {
    const what = names.includes('meta.facts') ? 'a store, but not a backup' : 'not a backup';
    throw new CommandError(`${file} is ${what}. Backups are made by: npx endpoint-gateway backup <file>`);
  }
  const reader = await connection.runAndReadAll('SELECT manifest FROM meta.backup');
  const read = manifest.safeParse(parsedJson(String(reader.value(0, 0))));
  if (read.success) return read.data;
  throw new CommandError(`${file} is a backup that this version of the gateway can't read.`, read.error);
}

export async function removeManifest(connection: DuckDBConnection): Promise<void> {
  await connection.run('DROP TABLE meta.backup');
}
