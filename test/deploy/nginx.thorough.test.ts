import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { describeWith } from './support/installed.ts';
import { testProxy } from './support/proxy-tests.ts';
import type { Configure } from './support/reverse-proxy.ts';

const program = '/usr/sbin/nginx';

/** What distributions put around the files in conf.d: one worker, in the foreground, with files in the folder of the test. */
const around = (folder: string, file: string) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  include ${file};
}
`;

const configure: Configure = async ({ folder, port, upstream, certificateFile, keyFile }) => {
  const shipped = await readFile('deploy/nginx/endpoint-gateway.conf', 'utf8');
  const conf = shipped
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/^ *listen \[::\].*\n/m, '')
    .replace('127.0.0.1:4000', upstream)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificateFile};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${keyFile};`);
  const [file, main] = [path.join(folder, 'endpoint-gateway.conf'), path.join(folder, 'nginx.conf')];
  await writeFile(file, conf);
  await writeFile(main, around(folder, file));
  return { program, args: ['-e', 'stderr', '-p', folder, '-c', main] };
};

test('the gateway’s limits of time come before those of nginx', async () => {
  const shipped = await readFile('deploy/nginx/endpoint-gateway.conf', 'utf8');
  const [, all = '', ofSources = ''] =
    /location \/ \{(.*)location \/api\/sources\/ \{(.*)/s.exec(shipped) ?? [];
  const { requestTimeoutMs, uploadTimeoutMs } = readConfig({});
  for (const name of ['proxy_read_timeout', 'proxy_send_timeout']) {
    const milliseconds = (text: string) => Number(new RegExp(`${name} (\\d+)s;`).exec(text)?.[1]) * 1000;
    expect(milliseconds(all)).toBeGreaterThan(requestTimeoutMs);
    expect(milliseconds(ofSources)).toBeGreaterThan(uploadTimeoutMs);
  }
});

describeWith(program)('nginx with deploy/nginx/endpoint-gateway.conf', () => {
  testProxy(configure, { showsCutAnswers: true, passesTrailers: false });
});
