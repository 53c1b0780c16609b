import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import type { Caller } from '../../src/calls/access/caller/caller.ts';
import { TokenVerifier } from '../../src/calls/access/token/token-verifier.ts';
import { type TokenOptions, tokenCommand } from '../../src/cli/keys/token.ts';
import { memoryBudgets } from '../../src/definitions/settings/memory-budgets.ts';
import { CapturedOutput } from './support/captured-output.ts';

const secret = 'a secret of more than thirty-two characters';
const environment = { JWT_SECRET: secret, JWT_ISSUER: 'https://login.example', JWT_AUDIENCE: 'my-gateway' };
const issuer: Caller = { name: 'frontend', scopes: new Set(['query']), redact: false };

async function make(options: TokenOptions, settings: Readonly<Record<string, string>> = environment) {
  const output = new CapturedOutput();
  const code = await tokenCommand(readConfig(settings), output, options);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

describe('keys token', () => {
  test('prints a token that a gateway with the same settings accepts', async () => {
    const { code, stdout } = await make({
      subject: 'alice',
      endpoints: ['logs.all'],
      projects: ['a,b'],
      pin: ['level=error'],
      rate: '10/s',
      bytesPerDay: '1GB',
      allow: ['calls=10/day'],
      redact: true,
    });
    expect(code).toBe(0);
    const config = readConfig(environment);
    const tokens = new TokenVerifier({
      memory: memoryBudgets().tokens,
      settings: {
        secret,
        issuer: config.jwtIssuer,
        audience: config.jwtAudience,
        maxLifetimeSeconds: config.jwtMaxLifetimeSeconds,
      },
      clock: systemClock,
      issuerKey: () => ({ caller: issuer }),
    });
    await tokens.verify(stdout.trim());
    expect(tokens.find(stdout.trim())).toEqual({
      id: 'token of frontend for alice',
      name: 'token:alice',
      isToken: true,
      scopes: new Set(['query']),
      endpoints: new Set(['logs.all']),
      projects: new Set(['a', 'b']),
      pins: new Map([['level', 'error']]),
      rate: { requests: 10, seconds: 1 },
      allowances: [
        { of: 'calls', amount: 10, per: 'day' },
        { of: 'bytes', amount: 1_000_000_000, per: 'day' },
      ],
      redact: true,
      expires: expect.any(Number),
    });
  });

  test.each<[string, TokenOptions, RegExp]>([
    ['no subject', { subject: '' }, /^--subject: /],
    ['a lifetime that a gateway refuses', { subject: 'a', expires: '25h' }, /^--expires: .* 86400 s /],
    ['an expiry that is over', { subject: 'a', expires: '2020-01-01' }, /^--expires: /],
    ['a project that can be none', { subject: 'a', projects: ['.*'] }, /^--projects: /],
  ])('refuses %s', async (_, options, why) => {
    expect(await make(options)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(why) });
  });

  test('says which endpoints and parameters do not exist', async () => {
    const options = { subject: 'a', endpoints: ['logs.all', 'nope'], pin: ['odd=1'] };
    const { code, stderr } = await make(options);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Note: .* has no endpoint "nope" yet\.\nNote: .* "odd" yet, so the token can't call any\.\n$/,
    );
  });

  test('needs the secret', async () => {
    expect(await make({ subject: 'a' }, {})).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('JWT_SECRET is not set'),
    });
  });
});
