import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { countedMemory } from '../../app/engine-process/open-duckdb.ts';
import { duckDbSettings } from '../../app/engines/duckdb/open-engine-process.ts';
import { loadSourceSchemas } from '../../app/schema/load-schema.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { gatewayRefusal } from '../../base/errors/gateway-refusal.ts';
import { bytesOf } from '../../base/forms/bytes.ts';
import { exists } from '../../base/system/exists.ts';
import { plainLog } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { type ServerInfo, serverHolding } from '../../engines/duckdb/store/file/server-file.ts';
import { storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';
import { planStore } from '../../engines/duckdb/store/plan-store.ts';
import type { SourcePlan } from '../../engines/duckdb/store/source-plan.ts';
import { openCommandStore, refuseWithoutStore } from '../engine/command-store.ts';
import { recordChange } from '../engine/record-change.ts';
import { exitCodes } from '../output/exit-codes.ts';

export interface ChangesOptions {
  /** What goes with its values: `source.record.field`, or a source without a file. */
  readonly drop?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

/**
 * Prints what a start with the present files does to stored rows: through the gateway that has the store, or from the store
 * itself. Changes nothing.
 *
 * @returns the exit code: 1 if a source would be unavailable
 * @throws StoreError, GatewayError, ProblemsError
 */
export async function planCommand(config: Config, output: Output, options: ChangesOptions): Promise<number> {
  refuseWithoutStore(config, 'change');
  const plans = await storePlans(config, await loadSourceSchemas(config), options.drop);
  return printPlans(plans, output, options);
}

/**
 * Lets the store follow the present files: through the gateway that has it, or in the store itself.
 *
 * @returns the exit code: 1 if a source is unavailable
 * @throws StoreError, GatewayError, ProblemsError
 */
export async function applyCommand(config: Config, output: Output, options: ChangesOptions): Promise<number> {
  refuseWithoutStore(config, 'change');
  const { drop = [] } = options;
  const sources = await loadSourceSchemas(config);
  const log = plainLog((text) => output.err(text));
  const plans = await plansOf(config, sources, drop);
  if ('server' in plans) return printPlans(await changeThrough(plans.server, 'apply', drop), output, options);
  const opened = await openCommandStore(config, sources, { log }, drop);
  if ('server' in opened)
    return printPlans(await changeThrough(opened.server, 'apply', drop), output, options);
  const changed = plans.plans.filter(({ changes }) => changes.length > 0);
  if (changed.length > 0)
    await recordChange(config, log, { action: 'sources.applied', details: { sources: changed, drop } });
  await opened.store.close();
  return printPlans(plans.plans, output, options);
}

/** What a start with these sources does to stored rows. Without a store, all of them are new. */
export async function storePlans(
  config: Config,
  sources: readonly Source[],
  drop: readonly string[] = [],
): Promise<readonly SourcePlan[]> {
  const plans = await plansOf(config, sources, drop);
  return 'server' in plans ? await changeThrough(plans.server, 'plan', drop) : plans.plans;
}

type Plans = { readonly plans: readonly SourcePlan[] } | { readonly server: ServerInfo };

async function plansOf(config: Config, sources: readonly Source[], drop: readonly string[]): Promise<Plans> {
  const { dataDir, memoryLimit, threads } = duckDbSettings(config, sources);
  // Opening would make one.
  if (!(await exists(join(dataDir, storeFileName)))) return { plans: [] };
  const options = { dataDir, threads, memoryLimit: countedMemory(bytesOf(memoryLimit) ?? 0) };
  try {
    return { plans: await planStore(options, sources, drop) };
  } catch (error) {
    return { server: await serverHolding(dataDir, error) };
  }
}

const answer = z.object({
  sources: z.array(
    z.object({
      source: z.string(),
      changes: z.array(z.string()),
      reason: z.string().optional(),
      refusal: z.string().optional(),
      rows: z.number(),
      seconds: z.number(),
    }),
  ),
});

async function changeThrough(
  { url, token }: ServerInfo,
  step: 'plan' | 'apply',
  drop: readonly string[],
): Promise<readonly SourcePlan[]> {
  const target = new URL(`${url}/api/sources/${step}`);
  for (const path of drop) target.searchParams.append('drop', path);
  const request = httpRequest(target, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject).end();
    });
    const body = await textOf(response);
    if (response.statusCode !== 200) throw gatewayRefusal(response, body);
    const { sources } = answer.parse(JSON.parse(body));
    return sources.map(({ reason, refusal, ...plan }) => ({ ...plan, reason, refusal }));
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The gateway at ${url} closed the connection: ${reason}. Look again with sources plan.`;
    throw new GatewayError('BACKEND_UNAVAILABLE', message, { cause });
  }
}

function printPlans(
  plans: readonly SourcePlan[],
  { out, err }: Output,
  { json = false }: ChangesOptions,
): number {
  const refused = plans.filter(({ refusal }) => refusal !== undefined);
  if (json) out(`${JSON.stringify(plans, null, 2)}\n`);
  else {
    const changed = plans.filter(({ changes, refusal }) => changes.length > 0 && refusal === undefined);
    if (changed.length === 0 && refused.length === 0) out('The store has the form of the files.\n');
    for (const { source, changes, rows, seconds } of changed) {
      const time = seconds < 1 ? 'at once' : `about ${Math.ceil(seconds)} s`;
      out(
        `${source}: ${counted(rows, 'row')}, ${time}\n${changes.map((change) => `  ${change}\n`).join('')}`,
      );
    }
    for (const { source, refusal } of refused) err(`${source} is unavailable:\n${refusal}\n`);
  }
  return refused.length === 0 ? exitCodes.success : exitCodes.failure;
}
