import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ImportArguments, importCommand } from '../../../src/cli/import/import.ts';
import { inferCommand } from '../../../src/cli/sources/infer.ts';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { sourceByName } from '../../../src/definitions/sources/source.ts';
import { openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';

/** A folder with files to import, and ways to run `sources infer` and `import` in it. */
export async function importPlace(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder();
  const [sourcesDir, dataDir] = [join(folder, 'sources'), join(folder, 'data')];
  await mkdir(sourcesDir);
  const write = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  const plain = (words: string) => words.replaceAll(`${folder}/`, '');
  const declare = (source: string, schema: unknown) =>
    writeFile(
      join(sourcesDir, `${source}.json`),
      typeof schema === 'string' ? schema : JSON.stringify(schema),
    );

  return {
    folder,
    write,
    /** Writes the file of a source: its text, or what it is as JSON. */
    declare,
    /** The proposed source of a file, which becomes the source `t`, and what is printed besides. */
    async infer(file: string) {
      let [out, err] = ['', ''];
      await inferCommand(
        join(folder, file),
        {},
        {
          out: (words) => {
            out += words;
          },
          err: (words) => {
            err += words;
          },
        },
      );
      await declare('t', out);
      return { out: out, err: plain(err) };
    },
    async run(args: Partial<ImportArguments> & { readonly stdin?: string }) {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const named = args.files?.map((file) => (file === '-' ? file : join(folder, file))) ?? [];
      const settings = {
        engine: 'duckdb' as const,
        dataDir,
        sourcesDir,
        recordCalls: undefined,
        duckdbMemoryLimit: '500MB',
        duckdbThreads: 1,
        ingestMaxPastDays: 36_525,
        ingestMaxFutureSeconds: 86_400,
      };
      const code = await importCommand({ source: 't', ...args, files: named }, settings, {
        stdin: new PassThrough().end(args.stdin ?? ''),
        stdout,
        stderr,
        clock: { now: () => Date.now(), elapsed: () => 0 },
      });
      const [out = '', err = ''] = await Promise.all([stdout.end(), stderr.end()].map((each) => text(each)));
      return { code, out: plain(out), err: plain(err) };
    },
    /** The stored rows of a source. */
    async rows(name = 't', order = '') {
      const { sources } = await loadSources(sourcesDir);
      const source = sourceByName(sources, name);
      const store = await openTestStore(dataDir, ...sources);
      try {
        return source === undefined ? [] : await readRows(store, source, order);
      } finally {
        await store.close();
      }
    },
  };
}

/** The bytes of a Parquet file with the rows of a query of DuckDB. */
export async function parquetOf(select: string): Promise<Uint8Array> {
  const file = join(await temporaryFolder(), 'rows.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return readFile(file);
}
