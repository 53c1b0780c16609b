import { SQLDialect } from '@codemirror/lang-sql';
import { offeredWords, typeWords } from '../../../sql/editing/words.ts';

/** GoogleSQL for highlighting, brackets and comments. */
export const googleSql = SQLDialect.define({
  keywords: offeredWords.join(' ').toLowerCase(),
  types: typeWords.join(' ').toLowerCase(),
  builtin: '',
  identifierQuotes: '`',
  doubleQuotedStrings: true,
  hashComments: true,
  backslashEscapes: true,
  specialVar: '@',
  operatorChars: '*+-%<>!=&|~^/',
});
