import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ImportArguments, importCommand } from '../../../src/cli/import/import.ts';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { writeServerFile } from '../../../src/engines/duckdb/store/file/server-file.ts';
import { maxBadRows, maxBlankLines, receiveRows } from '../../../src/rows/ingest/receive.ts';
import { openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';

const schema = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'n', type: 'INTEGER' },
];
const good = (id: string) => `{"id":"${id}","timestamp":0,"n":1}\n`;
const bad = `{"id":"bad","timestamp":0,"n":"x"}\n`;

/** A folder with sources `a_logs` and `b_logs`, files to import, and a way to run the command in it. */
async function workplace(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await temporaryFolder();
  const sourcesDir = join(folder, 'sources');
  const dataDir = join(folder, 'data');
  await mkdir(sourcesDir);
  for (const name of ['a_logs', 'b_logs']) {
    await writeFile(join(sourcesDir, `${name}.json`), JSON.stringify(schema));
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const { sources } = await loadSources(sourcesDir);

  const run = async (args: Partial<ImportArguments>, stdin = '') => {
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
    const input = new PassThrough().end(stdin);
    const code = await importCommand({ source: 'a_logs', ...args, files: named }, settings, {
      stdin: input,
      stdout,
      stderr,
      clock: { now: () => Date.now(), elapsed: () => 0 },
    });
    const written = await Promise.all([stdout.end(), stderr.end()].map((stream) => text(stream)));
    const [out = '', err = ''] = written.map((words) => words.replaceAll(`${folder}/`, ''));
    return { code, out, err };
  };
  const ids = async () => {
    const store = await openTestStore(dataDir, ...sources);
    try {
      const [source] = sources;
      return source === undefined ? [] : (await readRows(store, source, 'ORDER BY id')).map(([id]) => id);
    } finally {
      await store.close();
    }
  };
  return { folder, dataDir, sources, run, ids };
}

describe('importing files', () => {
  test('adds their rows and says how many; again it adds none and says so', async () => {
    const { run, ids } = await workplace({ 'x.ndjson': good('a') + good('b') });
    expect(await run({ files: ['x.ndjson'] })).toEqual({
      code: 0,
      out: 'imported 2 rows into a_logs (0 already existed)\n',
      err: '',
    });
    expect((await run({ files: ['x.ndjson'] })).out).toBe(
      'imported 0 rows into a_logs (2 already existed)\n',
    );
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('reads CSV and JSON arrays, plain and gzip', async () => {
    const time = '2024-01-01T00:00:00Z';
    const array = JSON.stringify([
      { id: 'c', timestamp: 1_700_000_000, n: 1 },
      { id: 'd', timestamp: time },
    ]);
    const { run, ids } = await workplace({
      'x.csv': `id,timestamp,n\na,${time},1\nb,1700000000000,\n`,
      'y.json': array,
      'z.tsv.gz': gzipSync(`id\ttimestamp\ne\t${time}\n`),
      'bad.csv': `id,timestamp,n\nf,${time},x\ng\nh,${time},2\n`,
      'worse.csv': 'id,nothing\n',
      'bad.json': '[{"id": "i"',
    });
    expect(
      await run({ files: ['x.csv', 'y.json', 'z.tsv.gz', 'bad.csv', 'worse.csv', 'bad.json'] }),
    ).toMatchObject({
      code: 1,
      out: expect.stringContaining('imported 5 rows into a_logs'),
      err: [
        'bad.csv:2: n: expected INT64, got "x"',
        'bad.csv:3: expected 3 cells, got 1',
        'bad.csv: nothing imported: 2 invalid rows',
        "worse.csv: nothing imported. The file can't be imported: the source a_logs has no column nothing.",
        'bad.json: nothing imported. The file is not a JSON array: it ends before its array does.',
        '',
      ].join('\n'),
    });
    expect((await run({ files: ['-'] }, array)).out).toContain('(2 already existed)');
    expect(await run({ files: ['bad.csv'], skipBadRows: true })).toMatchObject({ code: 0 });
    expect(await ids()).toEqual(['a', 'b', 'c', 'd', 'e', 'h']);
  });

  test('refuses rows of the future, and of more than a hundred years ago, by their lines', async () => {
    const [soon, late] = [1, 25].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const row = (id: string, timestamp: unknown) => JSON.stringify({ id, timestamp });
    const rows = [
      row('a', soon),
      row('b', late),
      row('c', '1930-01-01'),
      row('d', '1900-01-01'),
      row('e', 0),
    ];
    const { run, ids } = await workplace({
      'x.ndjson': rows.join('\n'),
      'y.json': `[${rows.join()}]`,
      'z.csv': `id,timestamp\nf,2999-01-01\ng,1999-01-01\n`,
    });
    const { code, err } = await run({ files: ['x.ndjson', 'y.json', 'z.csv'] });
    expect(code).toBe(1);
    const range = String.raw`timestamp: expected a time from [-:TZ\d]+ to [-:TZ\d]+ \(INGEST_MAX_PAST_DAYS, INGEST_MAX_FUTURE_SECONDS\), got`;
    for (const line of ['x.ndjson:2', 'x.ndjson:4', 'y.json:2', 'y.json:4', 'z.csv:2'])
      expect(err).toMatch(new RegExp(`^${line}: ${range} "`, 'm'));
    expect(await ids()).toEqual([]);
    await run({ files: ['x.ndjson', 'z.csv'], skipBadRows: true });
    expect(await ids()).toEqual(['a', 'c', 'e', 'g']);
  });

  test('reads logs, zstd and UTF-16, names files by patterns, and says once that times are cut', async () => {
    const line = (n: number) => `time=2024-05-01T10:00:00.12345678${n}Z id=${n} n=${n}\n`;
    const { run, ids } = await workplace({
      'x1.log': line(1),
      'x2.log': zstdCompressSync(line(2)),
      'y.csv': Buffer.from('\uFEFFid,timestamp,n\n3,2024-05-01,3\n', 'utf16le'),
    });
    expect(await run({ files: ['x*.log', 'y.csv'] })).toEqual({
      code: 0,
      out: [
        'x1.log: imported 1 row into a_logs (0 already existed)',
        'x2.log: imported 1 row into a_logs (0 already existed)',
        'y.csv: imported 1 row into a_logs (0 already existed)',
        'imported 3 rows into a_logs (0 already existed)\n',
      ].join('\n'),
      err: 'x1.log: some times are finer than a microsecond; they are cut to microseconds\n',
    });
    expect(await ids()).toEqual(['1', '2', '3']);
    await expect(run({ files: ['z*.log'] })).rejects.toThrow('No file matches');
  });

  test('only shows what it would do, if asked', async () => {
    const { run, ids } = await workplace({ 'x.ndjson': good('a') + bad + good('b') });
    expect(await run({ files: ['x.ndjson'], dryRun: true })).toEqual({
      code: 0,
      out: [
        'columns of a_logs:',
        '  id         STRING REQUIRED',
        '  timestamp  TIMESTAMP REQUIRED',
        '  n          INT64',
        'x.ndjson: 2 rows would be imported into a_logs; 1 row would be rejected',
        'first rows:',
        '  {"id":"a","timestamp":0,"n":1}',
        '  {"id":"b","timestamp":0,"n":1}\n',
      ].join('\n'),
      err: 'x.ndjson:2: n: expected INT64, got "x"\n',
    });
    expect(await ids()).toEqual([]);
  });

  test('reads times without an offset in a zone', async () => {
    const { run } = await workplace({ 'x.ndjson': '{"id":"a","timestamp":"2024-07-01 12:00:00"}\n' });
    const { out } = await run({ files: ['x.ndjson'], dryRun: true, zone: 'Europe/Berlin' });
    expect(out).toContain('"timestamp":"2024-07-01T10:00:00Z"');
    await expect(run({ files: ['x.ndjson'], zone: 'Mars' })).rejects.toThrow(
      '--zone Mars: expected a time zone',
    );
  });

  test('imports each file separately: a bad one excludes only its own rows', async () => {
    const { run, ids } = await workplace({
      'x.ndjson': good('a') + bad + good('b'),
      'y.ndjson.gz': gzipSync(good('c')),
      'z.ndjson.gz': gzipSync(good('d')).subarray(0, -5),
    });
    const { code, out, err } = await run({
      files: ['x.ndjson', 'nowhere', 'y.ndjson.gz', 'z.ndjson.gz', '.'],
    });
    expect(code).toBe(1);
    expect(out).toBe(
      'y.ndjson.gz: imported 1 row into a_logs (0 already existed)\n' +
        'imported 1 row into a_logs (0 already existed)\n',
    );
    expect(err.split('\n')).toEqual([
      'x.ndjson:2: n: expected INT64, got "x"',
      'x.ndjson: nothing imported: 1 invalid row',
      expect.stringMatching(/^nowhere: nothing imported\. There is no file nowhere\.$/),
      expect.stringMatching(
        /^z\.ndjson\.gz: nothing imported\. The compressed data is damaged, cut short or/,
      ),
      expect.stringMatching(/: nothing imported\. \S+ is a folder, not a file\.$/),
      '',
    ]);
    expect(await ids()).toEqual(['c']);
  });

  test('names the first twenty bad rows, then how many more', async () => {
    const { run } = await workplace({ 'x.ndjson': bad.repeat(1234) });
    const { err } = await run({ files: ['x.ndjson'] });
    const lines = err.split('\n');
    expect(lines[19]).toBe('x.ndjson:20: n: expected INT64, got "x"');
    expect(lines.slice(20)).toEqual([
      'x.ndjson: and 1,214 more',
      'x.ndjson: nothing imported: 1,234 invalid rows',
      '',
    ]);
  });

  test('skips bad rows on request, and writes them to a file next to each input file', async () => {
    const { run, ids, folder } = await workplace({ 'x.ndjson': `${good('a')}\n${bad}{oops\n${good('b')}` });
    const { code, out, err } = await run({ files: ['x.ndjson'], skipBadRows: true });
    expect(code).toBe(0);
    expect(out).toBe('imported 2 rows into a_logs (0 already existed)\n');
    expect(err).toContain('x.ndjson: 2 rows skipped, see x.ndjson.rejects.ndjson\n');
    const rejects = await readFile(join(folder, 'x.ndjson.rejects.ndjson'), 'utf8');
    expect(
      rejects
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { file: join(folder, 'x.ndjson'), line: 3, reason: 'n: expected INT64, got "x"', row: bad.trimEnd() },
      { file: join(folder, 'x.ndjson'), line: 4, reason: expect.stringMatching(/^not JSON/), row: '{oops' },
    ]);
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('keeps the bad rows of all files in one file when that is named', async () => {
    const { run, folder } = await workplace({ 'x.ndjson': bad, 'y.ndjson': bad + good('a') });
    const rejects = join(folder, 'rejects');
    await run({ files: ['x.ndjson', 'y.ndjson'], skipBadRows: true, rejects });
    const lines = (await readFile(rejects, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).file)).toEqual([
      join(folder, 'x.ndjson'),
      join(folder, 'y.ndjson'),
    ]);
  });

  test('reads standard input as -', async () => {
    const { run, ids } = await workplace({});
    expect((await run({ files: ['-'] }, good('a'))).code).toBe(0);
    expect((await run({ files: ['-'] }, bad)).err).toContain('stdin:1: n: expected INT64');
    expect(await ids()).toEqual(['a']);
  });

  test('lists the sources when the one named is not among them', async () => {
    const { run } = await workplace({});
    expect(await run({ source: 'c_logs', files: ['x'] })).toEqual({
      code: 2,
      out: '',
      err: 'Unknown source "c_logs". Did you mean "a_logs"? Available: a_logs, b_logs\n',
    });
  });
});

describe('importing while a server has the store', () => {
  /** A server that has the store open and takes rows. */
  async function served(files: Readonly<Record<string, string | Buffer>>) {
    const place = await workplace(files);
    const store = await openTestStore(place.dataDir, ...place.sources);
    const requests: string[] = [];
    const server = createServer(async (request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      const controller = new AbortController();
      response.on('close', () => controller.abort(new Error('the client left')));
      const skipBadRows = request.url?.includes('skip_bad_rows=true') ?? false;
      const lineNumbers = request.url?.includes('line_numbers=true') ?? false;
      const options = { skipBadRows, lineNumbers, signal: controller.signal };
      try {
        const result = await receiveRows(store, 'a_logs', request, options);
        response.end(JSON.stringify(result));
      } catch (error) {
        response.writeHead(400).end(JSON.stringify({ error: String(error) }));
      }
    });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await writeServerFile(place.dataDir, {
      ...{ pid: 1, storePid: 1 },
      ...{ url: `http://127.0.0.1:${port}`, token: 'key' },
    });
    const ids = async () => {
      const [source] = place.sources;
      return source === undefined ? [] : (await readRows(store, source, 'ORDER BY id')).map(([id]) => id);
    };
    return { ...place, ids, requests, server, store };
  }

  test('goes through it, with its key', async () => {
    const { run, ids, requests } = await served({ 'x.ndjson': good('a') + good('b') });
    expect((await run({ files: ['x.ndjson'] })).out).toBe(
      'imported 2 rows into a_logs (0 already existed)\n',
    );
    expect((await run({ files: ['x.ndjson'] })).out).toBe(
      'imported 0 rows into a_logs (2 already existed)\n',
    );
    expect(requests[0]).toBe('POST /api/sources/a_logs/rows?line_numbers=true Bearer key');
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('adds nothing of a file with a bad row, and says which', async () => {
    const { run, ids } = await served({
      'x.ndjson': Array.from({ length: 5000 }, (_, i) => good(`${i}`)).join('') + bad,
    });
    const { code, err } = await run({ files: ['x.ndjson'] });
    expect(code).toBe(1);
    expect(err).toBe(
      'x.ndjson:5001: n: expected INT64, got "x"\nx.ndjson: nothing imported: 1 invalid row\n',
    );
    expect(await ids()).toEqual([]);
  });

  test('skips bad rows here, and keeps them', async () => {
    const { run, ids, folder, requests } = await served({ 'x.ndjson': good('a') + bad + good('b') });
    const { code, err } = await run({ files: ['x.ndjson'], skipBadRows: true });
    expect([code, err]).toEqual([
      0,
      'x.ndjson:2: n: expected INT64, got "x"\nx.ndjson: 1 row skipped, see x.ndjson.rejects.ndjson\n',
    ]);
    expect(requests[0]).toContain('skip_bad_rows=true');
    expect(await readFile(join(folder, 'x.ndjson.rejects.ndjson'), 'utf8')).toContain('"line":2');
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('may skip more bad and blank lines than an upload may have', async () => {
    const skipped = 'x\n'.repeat(maxBadRows + 1) + '\n'.repeat(maxBlankLines + 1);
    const { run, ids } = await served({ 'x.ndjson': `${good('a')}${skipped}${good('b')}` });
    expect(await run({ files: ['x.ndjson'], skipBadRows: true })).toMatchObject({
      code: 0,
      out: 'imported 2 rows into a_logs (0 already existed)\n',
    });
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('passes on why the server refuses', async () => {
    const { run, server } = await served({ 'x.ndjson': good('a') });
    server.removeAllListeners('request');
    server.on('request', (_request, response) => response.writeHead(401).end('{"error":"Unauthorized"}'));
    const { code, err } = await run({ files: ['x.ndjson'] });
    expect(code).toBe(1);
    expect(err).toBe('x.ndjson: nothing imported. The server refused the rows (status 401). Unauthorized\n');
  });

  test('reports a server that leaves', async () => {
    const { run, server } = await served({ 'x.ndjson': good('a').repeat(100_000) });
    server.removeAllListeners('request');
    server.on('request', (request) => request.socket.destroy());
    const { code, err } = await run({ files: ['x.ndjson'] });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^x\.ndjson: The server at http:\/\/127\.0\.0\.1:\d+ closed the connection: .* may or may not have/,
    );
  });

  test("sends nothing to a program on a former server's port, while another process has the store", async () => {
    const { run, store, requests, dataDir } = await served({ 'x.ndjson': good('a') });
    await store.close();
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openStore } from ${JSON.stringify(import.meta.resolve('../../../src/engines/duckdb/store/open-store.ts'))};
       await openStore({ dataDir: ${JSON.stringify(dataDir)}, sources: [], memoryLimit: '100MB', threads: 1 });
       console.log('open');
       setInterval(() => {}, 1000);`,
    ]);
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    const { code, err } = await run({ files: ['x.ndjson'] });
    expect(code).toBe(1);
    expect(err).toContain(`in use by another process (pid ${holder.pid})`);
    expect(requests).toEqual([]);
  });

  test('opens the store itself when the server is gone, despite leftover files', async () => {
    const { run, store, server } = await served({ 'x.ndjson': good('a') });
    server.close();
    await store.close();
    expect((await run({ files: ['x.ndjson'] })).out).toBe('imported 1 row into a_logs (0 already existed)\n');
  });
});
