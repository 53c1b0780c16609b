import { settingsPlace } from '../settings/settings-place.ts';
import { settingSchema, valuesOf } from '../settings/settings-schema.ts';

export interface DescribedKey {
  /** In Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Says what the key at an offset of the settings comment means. */
export function hoverInSettings(text: string, offset: number): DescribedKey | undefined {
  const isOfWord = (character: string | undefined) => character !== undefined && /[\w$]/.test(character);
  let [start, end] = [offset, offset];
  while (isOfWord(text[start - 1])) start -= 1;
  while (isOfWord(text[end])) end += 1;
  if (start === end || !/^\s*:/.test(text.slice(end, end + 10))) return undefined;
  const place = settingsPlace(text, text.indexOf('/*') + 2, end);
  if (place?.what !== 'key') return undefined;
  const key = text.slice(start, end);
  const schema = settingSchema([...place.path, key]);
  if (schema?.description === undefined) return undefined;
  const values = valuesOf(schema);
  const notes = [
    ...(values.length > 0 ? [`One of ${values.join(', ')}.`] : []),
    ...(schema.default === undefined ? [] : [`Default: ${JSON.stringify(schema.default)}`]),
  ];
  return { text: [`**${key}**: ${schema.description}`, ...notes].join('\n\n'), start, end };
}
