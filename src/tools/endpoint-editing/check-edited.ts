import path from 'node:path';
import { checkEndpoints, engineRefusals } from '../../app/schema/load-schema.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { compareProblems, type Problem, positionAt } from '../../base/errors/problem.ts';
import { ownFolders } from '../../base/package-folder.ts';
import { filesOnDisk } from '../../base/system/folder-files.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { defaultSandboxLimits } from '../../calls/sandbox/limits.ts';
import { checkSize, checkText } from '../../calls/sandbox/plan-ad-hoc-query.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { endpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { PlannedText, StoredText } from '../../definitions/endpoints/plan-text.ts';
import { readSettingsComment } from '../../definitions/endpoints/settings-comment.ts';
import { buildShape } from '../../server/graphql/shape/build-shape.ts';
import type { EndpointShape } from '../../server/graphql/shape/shape.ts';
import type {
  EditingParts,
  EditingWork,
  TextProblem,
} from '../../server/operator/endpoint-files/endpoint-editing.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import { statementOf, withOwnTree } from '../../sql/plan/plan.ts';
import { problemSpan } from '../language-server/problem-span.ts';
import { EditedFiles } from '../language-server/project/edited-files.ts';
import type { CheckedCache } from './checked-cache.ts';
import { filesReadBy } from './files-read.ts';
import { requireReadable } from './readable-tree.ts';

/**
 * Checks the text of an endpoint's file as the command `check` does, with the files that it reads, and by the limits of ad-hoc
 * queries: it may run here. Other files are not checked.
 *
 * @param location where the file is, or would be
 * @throws GatewayError BACKEND_UNAVAILABLE without an analyzer; the signal's reason
 */
export async function checkEdited(
  location: string,
  text: string,
  parts: EditingParts,
  checked: CheckedCache,
  work: EditingWork,
): Promise<{ readonly problems: readonly TextProblem[]; readonly shape: EndpointShape | undefined }> {
  const { config, planner, sources, endpoints } = parts;
  const file = shownFile(location);
  const { queryStart } = readSettingsComment(file, text);
  const answer = (problems: readonly Problem[], shape?: EndpointShape) => ({
    problems: [...problems].sort(compareProblems).map((problem) => spanned(text, problem)),
    shape: problems.length > 0 ? undefined : shape,
  });
  const refusal = refusalOf(() => checkText(text.slice(queryStart), defaultSandboxLimits));
  if (refusal !== undefined) return answer([{ file, ...positionAt(text, queryStart), text: refusal }]);
  const edited = new EditedFiles(filesOnDisk);
  edited.edit(path.resolve(location), text);
  const files = await filesReadBy(location, text, edited, checked);
  const loaded = await checkEndpoints(
    config,
    { planText: (stored) => planned(stored, planner, work) },
    sources(),
    parts.prepare,
    { files, checked, served: endpoints() },
  );
  work.signal.throwIfAborted();
  const endpoint = loaded.endpoints.find((each) => each.file === file);
  const others = endpoints().filter((each) => each.file !== file && each.id !== endpoint?.id);
  const found = [
    ...loaded.problems,
    ...engineRefusals(config, loaded.refusals),
    ...(endpoint === undefined ? [] : takenNames(endpoint, parts, loaded.places.locate(endpoint, ['name']))),
  ].filter((problem) => problem.file === file);
  if (endpoint === undefined || found.length > 0) return answer(found);
  const tooLarge = refusalOf(() => {
    requireReadable(endpoint.plan);
    checkSize(statementOf(withOwnTree(endpoint.plan)), defaultSandboxLimits);
  });
  if (tooLarge !== undefined)
    return answer([{ file, ...loaded.places.locate(endpoint, []), text: tooLarge }]);
  const { shape, problems } = buildShape([...others, endpoint], loaded.places, sources());
  const ofText = shape.endpoints.find((each) => each.endpoint === endpoint);
  return answer(
    problems.filter((problem) => problem.file === file),
    ofText,
  );
}

/** The message of a refusal, if there is one. */
function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
}

/** Names and ids that other files have. */
function takenNames(
  endpoint: Endpoint,
  { endpoints, config }: Pick<EditingParts, 'endpoints' | 'config'>,
  place: { readonly line: number; readonly column: number },
): readonly Problem[] {
  // A file takes the place of one of the gateway's own.
  const isOwn = (one: string) => path.resolve(one).startsWith(path.resolve(ownFolders.endpoints));
  const shown = (one: string) => path.relative(path.resolve(config.endpointsDir), path.resolve(one));
  const others = endpointCatalog(
    endpoints().filter((each) => each.file !== endpoint.file && !isOwn(each.file)),
  );
  const other = others.byName(endpoint.name);
  const sameId = others.byId(endpoint.id);
  const { file } = endpoint;
  return [
    ...(other === undefined
      ? []
      : [{ file, ...place, text: `Duplicate name: ${shown(other.file)} also has "${other.name}"` }]),
    ...(sameId === undefined
      ? []
      : [{ file, ...place, text: `Duplicate id: ${shown(sameId.file)} also has "${sameId.id}"` }]),
  ];
}

/** A text on which the analyzer fails has an error. */
async function planned(
  text: StoredText,
  planner: EditingParts['planner'],
  { account, signal }: EditingWork,
): Promise<PlannedText> {
  try {
    return await planner.planText({ ...text, account }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AnalyzerUnavailableError)) throw error;
    if (error instanceof AnalyzerOverwhelmedError)
      return { uses: undefined, tables: [], mistake: { message: error.message, position: undefined } };
    throw new GatewayError('BACKEND_UNAVAILABLE', error.message, { cause: error, retryAfterSeconds: 1 });
  }
}

function spanned(text: string, problem: Problem): TextProblem {
  const { start, end } = problemSpan(text, problem);
  const { line, column, text: message } = problem;
  return { from: start, to: end, message, line, column };
}
