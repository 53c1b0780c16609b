import { engineOf } from '../../app/engines/registry.ts';
import { loadTablesEndpoint } from '../../app/schema/load-schema.ts';
import { withOwnEndpoints } from '../../app/schema/own-schema.ts';
import { sourceCatalog } from '../../app/schema/source-catalog.ts';
import { queryTrier } from '../../app/schema/try-query.ts';
import type { Problem } from '../../base/errors/problem.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import { adHocQueries } from '../../calls/sandbox/ad-hoc-query.ts';
import { adHocSql } from '../../calls/sandbox/ad-hoc-sql.ts';
import { boardProblems } from '../../definitions/boards/board-problems.ts';
import { boardsDir, loadBoards } from '../../definitions/boards/load-boards.ts';
import type { LoadedEndpoints } from '../../definitions/endpoints/load-endpoints.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { regexpMistake } from '../../sql/regexp/parse.ts';

interface BoardsReport {
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
}

/** Checks the boards beside the endpoints: their form, what they call, and their queries by planning them. */
export async function checkBoards(
  config: Pick<Config, 'endpointsDir' | 'engine' | 'dataRetentionDays'>,
  planner: Planner,
  { sources, loaded }: { readonly sources: readonly Source[]; readonly loaded: LoadedEndpoints },
): Promise<BoardsReport> {
  const boards = await loadBoards(boardsDir(config));
  if (boards.length === 0) return { names: [], problems: [] };
  const { checkPlan } = engineOf(config);
  const { endpoints } = await withOwnEndpoints(loaded, sources, planner, checkPlan);
  const ofSources = await loadTablesEndpoint(config, planner, sources, checkPlan);
  const queries = adHocSql({
    planText: (text, signal) => planner.planAdHocQuery(text, signal),
    catalog: sourceCatalog(sources),
    checkPlan,
  });
  const tryQuery = queryTrier(adHocQueries({ queries, regexpMistake }));
  const found = await Promise.all(
    boards.map(async (read) => [
      ...read.problems,
      ...(await boardProblems(read, { endpoints, ofSources, tryQuery })),
    ]),
  );
  return { names: boards.map(({ name }) => name), problems: found.flat() };
}
