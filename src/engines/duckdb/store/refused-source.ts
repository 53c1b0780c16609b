import { GatewayError } from '../../../base/errors/errors.ts';
import type { PlannedSource } from './planned-source.ts';

/** A source whose stored rows can't have the form of its file. Its rows stay as they are, and nothing reads or adds any. */
export interface RefusedSource {
  readonly source: string;
  /** Why, with what helps. For everybody: it has no values of rows. */
  readonly reason: string;
  /** The same with some of the rows that are at fault, for operators. */
  readonly details: string;
}

/** @param planned a source with faults */
export function refusedSource({ source, faults }: PlannedSource): RefusedSource {
  const { name, file } = source;
  const texts = faults.map(({ text }) => text);
  const drops = [...new Set(faults.flatMap(({ path = [] }) => path))].map((path) => `--drop ${name}.${path}`);
  const remedy =
    drops.length === 0
      ? `Change ${file}.`
      : `Change ${file} back, or drop the stored values: endpoint-gateway sources apply ${drops.join(' ')}`;
  const say = (parts: readonly string[]) => [...parts.map((part) => `${file}: ${part}`), remedy].join('\n');
  return {
    source: name,
    reason: say(texts),
    details: say(
      faults.map(({ text, examples }) =>
        examples.length === 0 ? text : `${text}, such as ${examples.join(', ')}`,
      ),
    ),
  };
}

/** The error of callers whose task needs a refused source. It tells them no values, and operators what to do. */
export function unavailableSource({ source, reason }: RefusedSource): GatewayError {
  return new GatewayError('BACKEND_UNAVAILABLE', `The source ${source} is unavailable. ${reason}`);
}
