import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import packageFile from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/app/engines/registry.ts';
import { settingDescriptions } from '../../src/definitions/settings/config.ts';

const service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  command: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.unknown().optional(),
  stop_grace_period: z.string().optional(),
  secrets: z.array(z.string()).default([]),
});
const { services, secrets } = z
  .object({
    services: z.object({ gateway: service, redis: service }),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(await readFile('compose.yaml', 'utf8')));

test('no service writes outside its volumes, or can get rights', () => {
  for (const each of Object.values(services)) {
    expect(each).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(each.security_opt).toContain('no-new-privileges:true');
    expect(each.image).toMatch(/:\d/);
  }
  expect(services.gateway.tmpfs.join()).toContain('/tmp:');
});

test('the gateway is configured by settings that exist, and its key is in a file', async () => {
  const { environment } = services.gateway;
  const known = settingDescriptions.map(({ variable }) => variable);
  for (const name of Object.keys(environment)) expect(known).toContain(name);
  expect(environment.API_KEY_FILE).toBe(`/run/secrets/${services.gateway.secrets.join()}`);
  expect(Object.keys(secrets)).toEqual(services.gateway.secrets);
  const { API_KEY_FILE, ...others } = environment;
  expect(readConfig(others).redisUrl).toBe(environment.REDIS_URL);
});

test('the gateway has the time to complete requests', () => {
  const seconds = Number(/^(\d+)s$/.exec(services.gateway.stop_grace_period ?? '')?.[1]);
  expect(seconds * 1000).toBeGreaterThan(readConfig({}).shutdownTimeoutMs + 1_500);
});

test('the gateway waits for Redis, which keeps what has no expiry', () => {
  expect(services.gateway.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
  const { command, healthcheck } = services.redis;
  expect(healthcheck).toBeDefined();
  expect(command[command.indexOf('--appendonly') + 1]).toBe('yes');
  expect(command[command.indexOf('--maxmemory-policy') + 1]).toBe('volatile-lru');
});

test('the image has the version of the package', () => {
  expect(services.gateway.image).toBe(`endpoint-gateway:${packageFile.version}`);
});
