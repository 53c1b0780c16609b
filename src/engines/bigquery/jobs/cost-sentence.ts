import { counted } from '../../../base/text/counted.ts';

/** `Query exceeded limit for bytes billed: 85716253. 171966464 or higher required.` */
const bothFigures = /bytes billed: (\d{1,19})\. (\d{1,19}) or higher/;

/**
 * The error of a query that would cost too much, with both amounts.
 *
 * @param message BigQuery's own message
 * @param limit the most bytes that the job could be billed
 */
export function costSentence(message: string, limit: number | undefined): string {
  const [, ofBigQuery, needed] = bothFigures.exec(message) ?? [];
  const allowed = limit ?? (ofBigQuery === undefined ? undefined : Number(ofBigQuery));
  const atMost =
    allowed === undefined ? 'than it may be' : `than the ${counted(allowed, 'byte')} that it may be`;
  return needed === undefined
    ? `The query would be billed more bytes ${atMost}.`
    : `The query would be billed ${counted(Number(needed), 'byte')}, which is more ${atMost}.`;
}
