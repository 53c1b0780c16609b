import { competitorOrder } from './competitor-order.ts';
import { startCompetitor } from './competitor-servers.ts';

let calls = 0;

// The first message is the order; each later one asks how often rows were resolved.
process.once('message', async (message) => {
  const order = competitorOrder.parse(message);
  process.on('message', () => process.send?.(calls));
  process.send?.(
    await startCompetitor(order, () => {
      calls += 1;
    }),
  );
});
