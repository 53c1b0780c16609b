import { type QueryClass, queryClasses } from '../../../definitions/classes/query-class.ts';

// The grammar of a Dictionary: https://www.rfc-editor.org/rfc/rfc8941#section-3.2
const key = '[a-z*][a-z0-9_\\-.*]*';
const bareItem = [
  '-?\\d{1,15}',
  '-?\\d{1,12}\\.\\d{1,3}',
  '"(?:[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\["\\\\])*"',
  "[A-Za-z*][!#$%&'*+\\-.^_`|~0-9A-Za-z:/]*",
  ':[A-Za-z0-9+/=]*:',
  '\\?[01]',
].join('|');
const parameters = `(?:; *${key}(?:=(?:${bareItem}))?)*`;
const item = `(?:${bareItem})${parameters}`;
const innerList = `\\( *(?:${item}(?: +${item})*)? *\\)${parameters}`;
const member = `(${key})(?:=(?:((?:${bareItem}))${parameters}|${innerList})|${parameters})`;
const nextMember = new RegExp(`${member}(?:[ \\t]*(,)[ \\t]*|[ \\t]*$)`, 'y');

/** The longest header that is read. Those of clients have a few letters. */
const maxLength = 200;

/**
 * The most urgent class that a request asks for by `Priority` (RFC 9218). Of the urgencies, 0 to 4 ask for nothing: browsers send
 * them for what a page waits for. 5 and 6 ask for `default`, and 7, which is for work in the background, for `background`. A header
 * that is malformed is ignored as a whole, and an urgency of another type or out of range is ignored, as the RFC says.
 *
 * @param headers the values of all headers with this name
 */
export function classOfPriority(headers: readonly string[] | undefined): QueryClass | undefined {
  const urgency = urgencyOf(headers?.join(', ') ?? '');
  if (urgency === undefined) return undefined;
  const [, lower, lowest] = queryClasses;
  if (urgency === 7) return lowest;
  return urgency >= 5 ? lower : undefined;
}

/** The urgency; of several, the last one counts. Undefined if there is none, or the text is no dictionary. */
function urgencyOf(text: string): number | undefined {
  const dictionary = text.trim();
  if (dictionary === '' || dictionary.length > maxLength) return undefined;
  let urgency: string | undefined;
  nextMember.lastIndex = 0;
  for (;;) {
    const isAtEnd = nextMember.lastIndex === dictionary.length;
    const found = nextMember.exec(dictionary);
    // A comma at the end is malformed, too.
    if (found === null || isAtEnd) return undefined;
    const [, name, value, comma] = found;
    if (name === 'u') urgency = value;
    if (comma === undefined)
      return urgency !== undefined && /^[0-7]$/.test(urgency) ? Number(urgency) : undefined;
  }
}
