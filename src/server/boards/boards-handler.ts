import { GatewayError } from '../../base/errors/errors.ts';
import { formatProblem } from '../../base/errors/problem.ts';
import { isBounded } from '../../calls/access/caller/caller.ts';
import type { ReadBoard } from '../../definitions/boards/read-board.ts';
import type { SchemaShape } from '../graphql/shape/shape.ts';
import { documentAnswer } from '../http/response/document-answer.ts';
import type { KeyedHandler } from '../http/route.ts';
import { CallableParts, describeBoard, isValid, mayOpen, summaryOf } from './describe-board.ts';

/**
 * `GET /api/boards` and `GET /api/boards/<name>`: the boards with a panel that the caller may call. Panels call endpoints as every
 * client does, so a board gives nobody what its key doesn't.
 *
 * @param boards those that there are now
 * @param shape the endpoints that are served now
 */
export function boardsHandlers(
  boards: () => readonly ReadBoard[],
  shape: () => SchemaShape,
): Readonly<Record<'list' | 'one', KeyedHandler>> {
  return {
    list: async ({ context, caller }) => {
      const parts = new CallableParts(caller, shape());
      const all = boards();
      const open = all.filter(isValid).filter((read) => mayOpen(read, caller, parts));
      const broken = isBounded(caller) ? [] : all.filter((read) => !isValid(read));
      return documentAnswer(context.request, {
        boards: open.map((read) => summaryOf(read, parts)),
        ...(broken.length > 0 && {
          unavailable: broken.map(({ name, problems }) => ({ name, errors: problems.map(formatProblem) })),
        }),
      });
    },
    one: async ({ context, caller, segment }) => {
      const read = boards().find(({ name }) => name === segment);
      const isShown =
        read !== undefined &&
        (isValid(read) ? mayOpen(read, caller, new CallableParts(caller, shape())) : !isBounded(caller));
      // A key doesn't learn which boards there are.
      if (!isShown)
        throw new GatewayError('NOT_FOUND', `There is no board ${JSON.stringify(segment.slice(0, 100))}.`);
      if (isValid(read)) return documentAnswer(context.request, await describeBoard(read, caller, shape()));
      const errors = read.problems.map(formatProblem).join('\n');
      throw new GatewayError('BACKEND_UNAVAILABLE', `The file of this board has errors: ${errors}`);
    },
  };
}
