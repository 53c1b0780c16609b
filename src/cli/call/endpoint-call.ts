import { engineOf } from '../../app/engines/registry.ts';
import {
  checkEndpoints,
  loadServedSources,
  loadTablesEndpoint,
  ProblemsError,
} from '../../app/schema/load-schema.ts';
import { withOwnEndpoints } from '../../app/schema/own-schema.ts';
import { sourceCatalog } from '../../app/schema/source-catalog.ts';
import { UsageError } from '../../base/errors/command-error.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Problem } from '../../base/errors/problem.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import type { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { adHocQueries } from '../../calls/sandbox/ad-hoc-query.ts';
import { adHocSql } from '../../calls/sandbox/ad-hoc-sql.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { coerceParameters } from '../../definitions/endpoints/parameters/coerce.ts';
import { tablesEndpoint } from '../../definitions/endpoints/tables-endpoint.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { LoadedSources } from '../../definitions/sources/load-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { pickWanted, wantedKeys } from '../../server/rest/parameters/text-pairs.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { regexpMistake } from '../../sql/regexp/parse.ts';
import type { Value } from '../../sql/values/value.ts';
import { findEndpoint } from '../options/find-named.ts';

/** The options of commands that call an endpoint. */
export interface CallOptions {
  /** The parameters of the call, each as `name=value`. */
  readonly param?: readonly string[];
  /** An ad-hoc query instead of the stored one, in GoogleSQL or LQL. */
  readonly sql?: string;
  readonly lql?: string;
}

/** @throws UsageError for an option without `=` */
export function pairsOf({ param = [] }: CallOptions): (readonly [name: string, value: string])[] {
  return param.map((pair) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) throw new UsageError(`--param ${pair}: expected name=value`);
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

/** The ad-hoc query of a call, if it has one. */
export function adHocQueryOf({
  sql,
  lql,
}: CallOptions): { language: 'sql' | 'lql'; text: string } | undefined {
  if (sql !== undefined) return { language: 'sql', text: sql };
  return lql === undefined ? undefined : { language: 'lql', text: lql };
}

/**
 * The values of a call's parameters.
 *
 * @throws UsageError naming the parameter that the endpoint lacks, or whose value is missing or invalid
 */
export function parametersOf(
  { name: endpoint, parameters }: Endpoint,
  options: CallOptions,
): Map<string, Value> {
  const pairs = pairsOf(options);
  for (const [name, value] of pairs) {
    if (parameters.some((parameter) => parameter.name === name)) continue;
    const forms = parameters.map((parameter) => `${parameter.name}=…`).join(', ') || 'none';
    throw new UsageError(`--param ${name}=${value}: ${endpoint} has no such parameter; available: ${forms}`);
  }
  try {
    return coerceParameters({ parameters }, pickWanted(pairs, wantedKeys(parameters)));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { parameter } = error.details;
    throw new UsageError(
      `${error.message}${parameter === undefined ? '' : ` Use --param ${parameter}=…`}`,
      error,
    );
  }
}

/** An endpoint and a query of a call, planned from the files. */
export interface LoadedCall {
  readonly endpoint: Endpoint;
  /** The plan of the stored query, or of the ad-hoc one. */
  readonly plan: Plan;
  readonly sources: readonly Source[];
}

/**
 * Plans a call of an endpoint. Errors in the files of other endpoints don't prevent it: their number is printed.
 *
 * @param wanted the name or the id of the endpoint
 * @throws UsageError for an unknown endpoint, or an ad-hoc query that the endpoint doesn't take
 * @throws GatewayError for an ad-hoc query that would be refused to callers
 * @throws ProblemsError for errors in the files of endpoints and sources, if the endpoint may be among them
 */
export async function loadCall(
  config: Config,
  planner: LocalPlanner,
  { err }: Pick<Output, 'err'>,
  wanted: string,
  options: CallOptions,
  signal: AbortSignal,
): Promise<LoadedCall> {
  const { sources, problems } = await loadServedSources(config);
  if (problems.length > 0)
    err(
      `warning: ${counted(problems.length, 'error')} in files of sources; see npx endpoint-gateway check\n`,
    );
  const catalog = sourceCatalog(sources);
  const checkPlan = engineOf(config).checkPlan;
  const ofSources =
    wanted === tablesEndpoint ? await loadTablesEndpoint(config, planner, sources, checkPlan) : undefined;
  const endpoint = ofSources ?? (await loadEndpoint(config, planner, { sources, problems }, wanted, err));
  const query = adHocQueryOf(options);
  if (query === undefined) return { endpoint, plan: endpoint.plan, sources };
  if (!endpoint.sandbox)
    throw new UsageError(
      `--${query.language}: ${endpoint.name} does not accept ad-hoc queries; \`sandbox: true\` in ${endpoint.file} allows them`,
    );
  const planText = adHocSql({ planText: (text) => planner.planAdHocQuery(text), catalog, checkPlan });
  const { plan } = await adHocQueries({ queries: planText, regexpMistake }).plan(
    endpoint,
    query,
    ownAccount,
    signal,
  );
  return { endpoint, plan, sources };
}

/** One endpoint. Warns of errors in the files of others. */
async function loadEndpoint(
  config: Config,
  planner: LocalPlanner,
  { sources, problems: ofSources }: LoadedSources,
  wanted: string,
  err: Output['err'],
): Promise<Endpoint> {
  const { checkPlan } = engineOf(config);
  const declared = await checkEndpoints(config, planner, sources, checkPlan);
  const { endpoints, problems } = await withOwnEndpoints(declared, sources, planner, checkPlan);
  const endpoint = chosen(endpoints, [...ofSources, ...problems], wanted);
  if (problems.length > 0)
    err(
      `warning: ${counted(problems.length, 'error')} in files of other endpoints; see npx endpoint-gateway check\n`,
    );
  return endpoint;
}

function chosen(endpoints: readonly Endpoint[], problems: readonly Problem[], wanted: string): Endpoint {
  try {
    return findEndpoint(endpoints, wanted, wanted);
  } catch (error) {
    throw problems.length === 0 ? error : new ProblemsError(problems);
  }
}
