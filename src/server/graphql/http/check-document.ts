import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Account } from '../../../base/fairness/account.ts';
import type { BudgetedTable } from '../../../base/memory/cache-budget.ts';
import { exceededLimits, type OperationLimits } from '../limits/operation-size.ts';
import type { CallingFields } from '../shape/shape.ts';

export interface DocumentRules {
  readonly schema: GraphQLSchema;
  readonly calling: CallingFields;
  readonly limits: OperationLimits;
  readonly maxTokens: number;
  /** Whether clients may query the schema. If not, error messages don't suggest names either. */
  readonly introspection: boolean;
}

export interface CheckedDocument {
  readonly document: DocumentNode;
  /** The reasons not to run it. Empty if it may run. */
  readonly errors: readonly GraphQLError[];
}

/** Bytes of memory of a parsed document for each of its characters, and of an error. The most that was measured. */
const [characterBytes, errorBytes] = [320, 3_700];

export interface DocumentChecker {
  /**
   * @param account whose memory a new document uses
   * @throws GraphQLError on a syntax error
   */
  check(text: string, account: Account): CheckedDocument;
  /** Whether the text is cached. */
  isKnown(text: string): boolean;
}

/** The number of the last checker. Those of one table have different schemas, so that they share no outcomes. */
let lastChecker = 0;

/**
 * Parses and validates documents, and caches the outcome. A document above the limits isn't validated: the time for
 * validation can grow with the square of its length, the time for measuring can't.
 */
export function documentChecker(
  rules: DocumentRules,
  known: BudgetedTable<CheckedDocument>,
): DocumentChecker {
  const checker = ++lastChecker;
  const keyOf = (text: string) => `${checker} ${text}`;
  return {
    check(text, account) {
      const before = known.get(keyOf(text));
      if (before !== undefined) return before;
      const checked = shallowly(() => check(text, rules));
      const bytes = characterBytes * text.length + errorBytes * checked.errors.length;
      known.set(keyOf(text), checked, bytes, account);
      return checked;
    },
    isKnown: (text) => known.peek(keyOf(text)) !== undefined,
  };
}

function check(
  text: string,
  { schema, calling, limits, maxTokens, introspection }: DocumentRules,
): CheckedDocument {
  const document = parsed(text, maxTokens);
  const tooLarge = exceededLimits(document, limits, calling);
  if (tooLarge.length > 0) return { document, errors: tooLarge.map(invalid) };
  const validationRules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const errors = validate(schema, document, validationRules, { hideSuggestions: !introspection });
  return { document, errors: errors.map(explained).map(invalid) };
}

function parsed(text: string, maxTokens: number): DocumentNode {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    throw error instanceof GraphQLError ? withCode(error, 'GRAPHQL_PARSE_FAILED') : error;
  }
}

const invalid = (error: GraphQLError) => withCode(error, 'GRAPHQL_VALIDATION_FAILED');

function withCode(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes, source, positions } = error;
  return new GraphQLError(message, { nodes, source, positions, extensions: { code } });
}

/** graphql-js stops comparing fields with the same name after a number of pairs, and reports only that. */
function explained(error: GraphQLError): GraphQLError {
  if (error.message !== 'Validation aborted.') return error;
  return new GraphQLError('The document repeats fields too often to be validated.');
}

/** With a high token limit, deep nesting can exhaust the stack. That is the document's fault. */
function shallowly<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError)
      throw withCode(new GraphQLError('The document is nested too deeply.'), 'GRAPHQL_PARSE_FAILED');
    throw error;
  }
}
