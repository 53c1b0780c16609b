import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import type { Payer } from '../../../src/calls/access/caller/caller.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from './support/caller.ts';
import { endpointWith } from './support/endpoint.ts';
import { settled } from './support/manual-clock.ts';
import { setUp } from './support/setup.ts';

const { signal } = new AbortController();
const ada = callerNamed('ada', { maxScanBytes: 500 });
const bob = callerNamed('bob', { maxScanBytes: 2000 });
const eve = callerNamed('eve');

/** An engine that would read 1,000 bytes. It refuses what may read less by itself. */
function limited(settings: Partial<Endpoint> = {}) {
  const set = setUp();
  const endpoint = endpointWith({ cacheSeconds: 0, ...settings });
  const ask = (payer: Payer) => set.ask(endpoint, { project: 'a' }, signal, payer);
  const refuse = () => {
    const { request } = set.engine.latest;
    const { maxScanBytes = 0 } = request;
    const details = { maxScanBytes };
    set.engine.latest.fail(new GatewayError('COST_LIMIT_EXCEEDED', 'It would read 1,000 bytes.', details));
  };
  return { ...set, endpoint, ask, refuse };
}

const tooLarge = { code: 'COST_LIMIT_EXCEEDED' };

describe('the limit of a run', () => {
  it.each([
    ['the endpoint', { maxScanBytes: 400 }, ada, 400, 'the endpoint "counts"'],
    ['the key', { maxScanBytes: 600 }, ada, 500, 'the key "ada"'],
    ['the call', {}, { ...ada, callScanBytes: 300 }, 300, 'the call'],
    ["a token's key", {}, { ...eve, issuer: { key: 'issuing', maxScanBytes: 7 } }, 7, 'the key "issuing"'],
  ])('is the smallest, that of %s, and is named', async (_, settings, payer, bytes, whose) => {
    const { ask, engine, refuse } = limited(settings);
    const asked = ask(payer);
    await settled();
    expect(engine.latest.request.maxScanBytes).toBe(bytes);
    refuse();
    await expect(asked).rejects.toMatchObject({
      ...tooLarge,
      message: `It would read 1,000 bytes. This is the limit of ${whose}.`,
    });
    expect(engine.estimates).toEqual([]);
  });

  it('is not there without one', async () => {
    const { ask, engine } = limited();
    const asked = ask(eve);
    await settled();
    expect(engine.latest.request.maxScanBytes).toBeUndefined();
    engine.latest.succeed([]);
    await asked;
  });

  it('is that of an export, too', async () => {
    const { executor, engine, endpoint, refuse } = limited();
    const call = callOf({ endpoint, parameters: new Map([['project', 'a']]), payer: ada });
    const exported = executor.stream(call, { signal }, () => {});
    await settled();
    expect(engine.latest.request.maxScanBytes).toBe(500);
    refuse();
    await expect(exported).rejects.toMatchObject({ ...tooLarge, message: /the key "ada"/ });
  });

  it('does not concern cached answers', async () => {
    const { ask, engine } = limited({ cacheSeconds: 60 });
    engine.answer = () => [[1n]];
    await ask(eve);
    expect((await ask(ada)).cache.status).toBe('hit');
    expect(engine.estimates).toEqual([]);
  });
});

describe('of callers who share a run', () => {
  it('those are refused whose limits are too small, before it runs, and no others', async () => {
    const { ask, engine } = limited();
    const asked = [ada, bob, eve, { ...bob, callScanBytes: 999 }].map(ask);
    const outcomes = Promise.allSettled(asked);
    await settled();
    await expect(asked[0]).rejects.toMatchObject({
      ...tooLarge,
      message:
        'The query would read up to 1,000 bytes, which is more than the 500 bytes that it may read. This is the limit of the key "ada".',
    });
    await expect(asked[3]).rejects.toMatchObject({ ...tooLarge, message: /the limit of the call\.$/ });
    expect(engine.runs).toHaveLength(1);
    expect(engine.estimates).toHaveLength(1);
    expect(engine.latest.request.maxScanBytes).toBeUndefined();
    engine.latest.succeed([]);
    expect((await outcomes).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
  });

  it('none is left, nothing runs', async () => {
    const { ask, engine } = limited();
    const outcomes = await Promise.allSettled([ask(ada), ask({ ...ada, maxScanBytes: 400 })]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(engine.runs).toEqual([]);
  });

  it('one that joins a run is refused, too, and the others are not', async () => {
    const { ask, engine } = limited();
    const first = ask(eve);
    await settled();
    await expect(ask(ada)).rejects.toMatchObject(tooLarge);
    const second = ask(bob);
    await settled();
    engine.latest.succeed([]);
    await Promise.all([first, second]);
    expect(engine.runs).toHaveLength(1);
  });

  it('one that joins a run with a smaller limit than its own is not refused with it', async () => {
    const { ask, engine, refuse } = limited();
    const first = ask(ada);
    await settled();
    const second = ask(bob);
    await settled();
    refuse();
    await expect(first).rejects.toMatchObject(tooLarge);
    await settled();
    expect(engine.runs).toHaveLength(2);
    expect(engine.latest.request.maxScanBytes).toBe(2000);
    engine.latest.succeed([]);
    await second;
  });

  it('those with a limit are refused if the engine can not tell', async () => {
    const { ask, engine } = limited();
    engine.estimated = { bytesProcessed: undefined };
    const others = ask(eve);
    await expect(ask(ada)).rejects.toMatchObject({ ...tooLarge, message: /is not known before it runs/ });
    engine.latest.succeed([]);
    await others;
  });
});
