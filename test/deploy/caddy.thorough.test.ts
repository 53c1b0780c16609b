import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeWith } from './support/installed.ts';
import { testProxy } from './support/proxy-tests.ts';
import type { Configure } from './support/reverse-proxy.ts';

const program = '/usr/bin/caddy';

const configure: Configure = async ({ folder, port, upstream, certificateFile, keyFile }) => {
  const shipped = await readFile('deploy/caddy/Caddyfile', 'utf8');
  const own = shipped
    .replace(/^gateway\.example\.com \{/m, `https://localhost:${port} {\n\ttls ${certificateFile} ${keyFile}`)
    .replace('127.0.0.1:4000', upstream);
  const file = path.join(folder, 'Caddyfile');
  // Otherwise, it would listen on port 80, too, and for changes of its configuration.
  await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${own}`);
  return { program, args: ['run', '--config', file, '--adapter', 'caddyfile'] };
};

/** Debian has 2.6: https://github.com/caddyserver/caddy/pull/5952 is in 2.7.6. */
const showsCutAnswers = false;

describeWith(program)('Caddy with deploy/caddy/Caddyfile', () =>
  testProxy(configure, { showsCutAnswers, passesTrailers: true }),
);
