import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { exceededLimits, type OperationLimits } from '../limits/exceeded-limits.ts';
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

/** A worst-case document of this length takes about 50 MB when it is parsed. */
const cachedCharacters = 250_000;
/** The overhead of a cached document, however short, in characters. */
const documentOverhead = 200;

export interface DocumentChecker {
  /** @throws GraphQLError on a syntax error */
  check(text: string): CheckedDocument;
  /** Whether the text is cached. */
  isKnown(text: string): boolean;
}

/**
 * Parses and validates documents, and caches the outcome. A document above the limits isn't validated: the time for
 * validation can grow with the square of its length, the time for measuring can't.
 */
export function documentChecker(rules: DocumentRules): DocumentChecker {
  const known = new LRUCache<string, CheckedDocument>({
    maxSize: cachedCharacters,
    sizeCalculation: (_, text) => text.length + documentOverhead,
  });
  return {
    check(text) {
      const before = known.get(text);
      if (before !== undefined) return before;
      const checked = shallowly(() => check(text, rules));
      known.set(text, checked);
      return checked;
    },
    isKnown: (text) => known.has(text),
  };
}

function check(text: string, { schema, calling, limits, maxTokens, introspection }: DocumentRules) {
  const document = parse(text, { maxTokens });
  const tooLarge = exceededLimits(document, limits, calling);
  if (tooLarge.length > 0) return { document, errors: tooLarge };
  const validationRules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const errors = validate(schema, document, validationRules, { hideSuggestions: !introspection });
  return { document, errors: errors.map(explained) };
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
    if (error instanceof RangeError) throw new GraphQLError('The document is nested too deeply.');
    throw error;
  }
}
