import path from 'node:path';
import { watchFolder } from '../../app/reload/watch-folder.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import type { EndpointTests, LoadedTests } from './load-tests.ts';

interface WatchParts {
  readonly loaded: LoadedTests;
  readonly load: () => Promise<LoadedTests>;
  readonly run: (all: LoadedTests, tests: readonly EndpointTests[]) => Promise<boolean>;
  readonly terminal: Output;
  readonly clock: Pick<Clock, 'after'>;
  readonly signal: AbortSignal;
}

/**
 * Runs all tests, then again those that a change of endpoints, sources, tests or files of rows affects, until the signal
 * is aborted.
 *
 * @throws the signal's reason
 */
export async function watchTests({ loaded, load, run, terminal, clock, signal }: WatchParts): Promise<void> {
  const folders = new Map<string, { close(): void }>();
  let isChanged = false;
  let wake = () => {};
  const onChange = () => {
    isChanged = true;
    wake();
  };
  const follow = (all: LoadedTests) => {
    for (const folder of foldersOf(all))
      if (!folders.has(folder)) folders.set(folder, watchFolder(folder, clock, onChange));
  };
  const onEnd = () => wake();
  signal.addEventListener('abort', onEnd);
  // The watchers don't keep the process alive.
  const alive = setInterval(() => {}, 2 ** 31 - 1);
  try {
    let all = loaded;
    follow(all);
    let before = await runAffected(all, new Map());
    for (;;) {
      terminal.err('Waiting for changes; Ctrl-C ends\n');
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isChanged || signal.aborted) resolve();
      });
      signal.throwIfAborted();
      isChanged = false;
      all = await load();
      follow(all);
      before = await runAffected(all, before);
    }
  } finally {
    clearInterval(alive);
    signal.removeEventListener('abort', onEnd);
    for (const watcher of folders.values()) watcher.close();
  }

  async function runAffected(
    all: LoadedTests,
    before: ReadonlyMap<string, string>,
  ): Promise<Map<string, string>> {
    const affected = all.tests.filter((test) => before.get(test.path) !== test.fingerprint);
    if (affected.length === 0 && all.problems.length === 0) {
      terminal.err('No test is affected\n');
      return new Map(before);
    }
    if (before.size > 0) terminal.out(`\n${counted(affected.length, 'affected file')}\n`);
    await run(all, affected);
    return new Map(all.tests.map((test) => [test.path, test.fingerprint]));
  }
}

function foldersOf({ tests, sources, endpoints }: LoadedTests): Set<string> {
  return new Set(
    [
      ...tests.flatMap((test) => [test.path, ...test.fixtures]),
      ...[...sources, ...endpoints].map(({ file }) => file),
    ].map((file) => path.dirname(file)),
  );
}
