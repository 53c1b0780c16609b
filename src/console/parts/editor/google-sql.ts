import { SQLDialect } from '@codemirror/lang-sql';
import { offeredWords, reservedWords, typeWords } from '../schema/sql-words.ts';

/** GoogleSQL for highlighting, brackets and comments. */
export const googleSql = SQLDialect.define({
  keywords: [...new Set([...reservedWords, ...offeredWords])].filter((word) => !isType(word)).join(' '),
  types: typeWords.join(' '),
  builtin: '',
  identifierQuotes: '`',
  doubleQuotedStrings: true,
  hashComments: true,
  backslashEscapes: true,
  specialVar: '@',
  operatorChars: '*+-%<>!=&|~^/',
});

function isType(word: string): boolean {
  return typeWords.includes(word);
}
