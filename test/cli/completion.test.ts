import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { splitLine } from '../../src/cli/completion/complete.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { program } from '../support/program.ts';
import { inProcess } from './support/in-process.ts';

const exec = promisify(execFile);

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await workspace.write(
    'endpoints/a-colon.sql',
    '/*\nid: 00000000-0000-4000-8000-000000000001\nname: "a:b c"\nparameters:\n  flag: {type: BOOL}\n  hostile: {type: STRING, values: ["$(touch $HOME/ran)="], description: "x\\e]0;title\\ay"}\n*/\nSELECT @flag, @hostile',
  );
  // What the shells call, wherever the program is.
  await workspace.write(
    'tmp/endpoint-gateway',
    `#!/bin/sh\nexec ${resolve('node_modules/.bin/node')} ${program} "$@"\n`,
  );
  await chmod(workspace.path('tmp/endpoint-gateway'), 0o755);
});
afterAll(() => workspace?.remove());

/** What bash offers for a line that ends at the cursor. */
async function bash(line: string): Promise<string[]> {
  const { code, stdout } = await inProcess(['complete', 'bash', '--', line], workspace.environment);
  expect(code).toBe(0);
  return stdout.split('\n').filter((each) => each !== '');
}

test.each<[string, readonly string[]]>([
  ['endpoint-gateway ', expect.arrayContaining(['new', 'check', 'run', 'keys', 'completion', 'help'])],
  ['endpoint-gateway ru', ['run']],
  ['endpoint-gateway keys r', ['rotate', 'revoke']],
  ['endpoint-gateway help ex', ['explain', 'export']],
  ['endpoint-gateway run --form', ['--format']],
  ['endpoint-gateway run --format ', ['table', 'json', 'csv', 'ndjson', 'parquet', 'arrow']],
  ['endpoint-gateway run --format=c', ['csv']],
  ['endpoint-gateway run --json --js', []],
  ['endpoint-gateway run ', ['a:b\\ c', 'logs.all', 'usage.api-counts']],
  ['endpoint-gateway run a:', ['b\\ c']],
  ['endpoint-gateway explain --json usage.api-counts --param ', ['interval=', 'project=']],
  ['endpoint-gateway run usage.api-counts --param interval=', ['hourly', 'daily', 'minutely']],
  ["endpoint-gateway run 'a:b c' --param flag=t", ['true']],
  ['endpoint-gateway run logs.all more ', []],
  ['endpoint-gateway lql --endpoint us', ['usage.api-counts']],
  ['endpoint-gateway import edge', ['edge_logs']],
  ['endpoint-gateway import edge_logs ', []],
  ['endpoint-gateway new endpoint x --source auth', ['auth_logs']],
  ['endpoint-gateway completion ', ['bash', 'zsh', 'fish']],
  ['endpoint-gateway nonsense ', []],
])('after %j comes what may follow', async (line, expected) => {
  const found = await bash(line);
  expect(found).toEqual(expected);
  expect(found).not.toContain('complete');
});

test('zsh and fish get meanings, too', async () => {
  const of = (shell: string, ...words: string[]) =>
    inProcess(['complete', shell, '--', ...words], workspace.environment).then(({ stdout }) => stdout);
  expect(await of('zsh', 'ru')).toBe('run:Run an endpoint, and print its rows\n');
  expect(await of('zsh', 'run', 'a')).toBe('a\\:b c\n');
  expect(await of('fish', 'ru')).toBe('run\tRun an endpoint, and print its rows\n');
  expect(await of('fish', 'run', 'logs.all', '--param', 'iso_timestamp_s')).toMatch(
    /^iso_timestamp_start=\tOnly rows/,
  );
});

test('meanings have no control characters, which steer terminals', async () => {
  for (const shell of ['zsh', 'fish']) {
    const words = ['complete', shell, '--', 'run', 'a:b c', '--param', 'hos'];
    const { stdout } = await inProcess(words, workspace.environment);
    expect(stdout).toContain('x\\u001b]0;title\\u0007y');
  }
});

test('words of a line are those that the shell would see', () => {
  expect(splitLine(`a  'b c' "d\\"e"f g\\ h ''`)).toEqual(['a', 'b c', 'd"ef', 'g h', '']);
  expect(splitLine('a ')).toEqual(['a', '']);
  expect(splitLine(`a 'b c`)).toEqual(['a', 'b c']);
});

describe('in the shell itself', () => {
  /** Runs a script with the program in its path. */
  async function inShell(shell: string, script: string): Promise<string> {
    const { PATH = '' } = process.env;
    const env = {
      ...workspace.environment,
      PATH: `${workspace.path('tmp')}:${PATH}`,
      HOME: workspace.path('tmp'),
    };
    const { stdout } = await exec(shell, ['-c', script], { env });
    return stdout;
  }

  async function has(shell: string): Promise<boolean> {
    return exec(shell, ['-c', 'true']).then(
      () => true,
      () => false,
    );
  }

  test('bash completes a word, and its value after a wordbreak', async () => {
    const ask = (line: string, words: string) => `
      COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(${words}) COMP_CWORD=$((\${#COMP_WORDS[@]}-1))
      _endpoint_gateway; printf '%s|' "\${COMPREPLY[@]}"; echo`;
    const stdout = await inShell(
      'bash',
      `compopt() { echo "compopt $*"; }
      source <(endpoint-gateway completion bash)
      complete -p endpoint-gateway
      ${ask('endpoint-gateway run us', 'endpoint-gateway run us')}
      ${ask('endpoint-gateway run usage.api-counts --param int', 'endpoint-gateway run usage.api-counts --param int')}
      ${ask('endpoint-gateway run usage.api-counts --param interval=m', "endpoint-gateway run usage.api-counts --param interval '=' m")}`,
    );
    expect(stdout).toBe(
      'complete -o default -F _endpoint_gateway endpoint-gateway\nusage.api-counts|\ncompopt -o nospace\ninterval=|\nminutely|\n',
    );
  });

  test('zsh loads the script and gets descriptions', async (context) => {
    if (!(await has('zsh'))) context.skip('zsh is not installed');
    const stdout = await inShell(
      'zsh',
      `compdef() { print "compdef $@" }
      _describe() { print -l "\${(P@)2}" }
      source <(endpoint-gateway completion zsh)
      words=(endpoint-gateway run us) CURRENT=3
      _endpoint_gateway`,
    );
    expect(stdout).toMatch(
      /^compdef _endpoint_gateway endpoint-gateway\nusage\.api-counts:Number of requests/,
    );
  });

  test('zsh quotes a value that ends with =, and adds no space', async (context) => {
    if (!(await has('zsh'))) context.skip('zsh is not installed');
    const stdout = await inShell(
      'zsh',
      `zmodload zsh/zpty
      zpty shell 'PS1= RPS1= zsh -f -i'
      zpty -w shell 'autoload -U compinit; compinit -u -D; show() { print -r -- "<""<$BUFFER>>" }; zle -N show
        bindkey "^X" show; bindkey "^I" complete-word; source <(endpoint-gateway completion zsh); print re""ady'
      zpty -r -m shell out '*ready*'
      for option in hos hostile=; do
        zpty -w -n shell $'\\C-u'"endpoint-gateway run 'a:b c' --param $option"$'\\t\\C-x'
        zpty -r -m shell out '*<<*>>*'
        print -r -- "\${\${out##*<<}%%>>*}|"
      done`,
    );
    expect(stdout).toBe(
      "endpoint-gateway run 'a:b c' --param hostile=|\nendpoint-gateway run 'a:b c' --param hostile=\\$\\(touch\\ \\$HOME/ran\\)=|\n",
    );
  });

  test('fish completes', async (context) => {
    if (!(await has('fish'))) context.skip('fish is not installed');
    const stdout = await inShell(
      'fish',
      "endpoint-gateway completion fish | source; complete --do-complete 'endpoint-gateway run us'",
    );
    expect(stdout).toMatch(/^usage\.api-counts\tNumber of requests/);
  });
});
