import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const usage = `usage: node test/fuzz/run.ts --port <of a gateway whose API_KEY is "key"> [--requests 100000] [--seed 1]
  [--bound-key <of the project p only>]... [--hidden <a text that is only in rows of other projects>]
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    'bound-key': { type: 'string', multiple: true, default: [] },
    hidden: { type: 'string' },
  },
});
if (values.port === undefined) {
  process.stderr.write(usage);
  process.exit(2);
}
const { statuses, findings } = await fuzz({
  port: Number(values.port),
  requests: Number(values.requests),
  seed: Number(values.seed),
  atOnce: 24,
  silenceMs: 10_000,
  boundKeys: values['bound-key'],
  ...(values.hidden !== undefined && { hidden: values.hidden }),
  onProgress: (done) => process.stdout.write(`${done}\n`),
});
for (const finding of findings) process.stdout.write(`${JSON.stringify(finding)}\n`);
const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
process.stdout.write(`${counts.join(', ')}; ${findings.length} findings\n`);
process.exit(findings.length === 0 ? 0 : 1);
