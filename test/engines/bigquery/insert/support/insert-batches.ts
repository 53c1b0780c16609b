import { servedInserter } from './served-inserter.ts';

/** A process that inserts batches of ten rows one after the other, from a given one on, and writes the number of each. */
const [url = '', from = '0', to = '0'] = process.argv.slice(2);
const { inserter } = servedInserter({ url });
for (let batch = Number(from); batch < Number(to); batch++) {
  const rows = Array.from({ length: 10 }, (_, i) => {
    const insertId = `${String(batch).padStart(3, '0')}-${i}`;
    // The store would recognise an equal id, too.
    const id = `${insertId}.${process.pid}`;
    return { insertId, json: JSON.stringify({ id, timestamp: '2026-11-20T05:00:00Z' }) };
  });
  const signal = new AbortController().signal;
  await inserter.insert({ name: 'edge' }, rows, { partial: false, signal, timeoutMs: 60_000 });
  process.stdout.write(`${batch}\n`);
}
