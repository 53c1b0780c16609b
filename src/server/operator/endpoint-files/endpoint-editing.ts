import type { Account } from '../../../base/fairness/account.ts';
import type { Planner } from '../../../calls/planner/planner.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { UnavailableEndpoint } from '../../../definitions/endpoints/endpoint-catalog.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { Completions } from '../../../sql/editing/completion.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import type { EndpointShape } from '../../graphql/shape/shape.ts';

/** The text of an endpoint's file, as somebody writes it. */
export interface EditedText {
  /** The name of the served endpoint whose file it is, or the name that its file is to have. */
  readonly name: string;
  readonly text: string;
}

/** Whose work it is, and until when. */
export interface EditingWork {
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** A part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** What is wrong with a text, and where. */
export interface TextProblem extends TextSpan {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The endpoint that a text would be. */
export interface CheckedText {
  /** The path in the project that its file has, or is to have: `endpoints/orders.sql`. */
  readonly file: string;
  readonly problems: readonly TextProblem[];
  /** Absent if the text has errors. */
  readonly shape?: EndpointShape;
}

/** What the file of an endpoint is, beside its text. */
export interface EndpointFile {
  /** Its path in the project: `endpoints/orders.sql`. */
  readonly file: string;
  readonly text: string;
  /** The file with its tests, if there is one. */
  readonly test?: { readonly file: string; readonly text: string };
}

/** A value that a query has written in it, which a parameter could have instead. */
export interface QueryLiteral extends TextSpan {
  /** The type that the parameter would have, as settings write it. */
  readonly type: string;
  /** The value as callers would give it. */
  readonly value: string;
  /** A name for the parameter. */
  readonly name: string;
  /** What it is compared with, such as `c.timestamp`; absent if with nothing. */
  readonly compared?: string;
  /** Whether callers probably want to choose it. */
  readonly isLikely: boolean;
}

/** A query over sources as an endpoint has it, and the values written in it. */
export interface QueryLiterals {
  readonly sql: string;
  readonly literals: readonly QueryLiteral[];
}

/** A text, compared with the served endpoint. */
export interface ComparedText {
  readonly state: 'changed' | 'same' | 'new';
  /** What is said of its answers, in one sentence. */
  readonly verdict: string;
  readonly changes: readonly {
    /** In words. Names and SQL are in backticks. */
    readonly text: string;
    /** Whether answers can differ because of it. */
    readonly isOfAnswers: boolean;
  }[];
}

/** Helps with the text of an endpoint that isn't served yet, as the language server does in editors. Serves nothing, and changes nothing. */
export interface EndpointEditing {
  /** @throws GatewayError NOT_FOUND if the endpoint isn't served from a file of the project */
  read(name: string): Promise<EndpointFile>;
  check(edited: EditedText, work: EditingWork): Promise<CheckedText>;
  /** Checks the form of the file with an endpoint's tests. Doesn't run them. @throws GatewayError BAD_USER_INPUT, with the place of the first error */
  checkTests(tests: EditedText): void;
  /** @param position in UTF-16 units */
  complete(edited: EditedText, position: number): Promise<Completions | undefined>;
  hover(edited: EditedText, position: number): Promise<(TextSpan & { readonly text: string }) | undefined>;
  /** @throws GatewayError BAD_USER_INPUT for a query with errors, with their place */
  literals(sql: string, work: EditingWork): Promise<QueryLiterals>;
  /** @throws GatewayError BAD_USER_INPUT for a text with errors, with their place */
  compare(edited: EditedText, work: EditingWork): Promise<ComparedText>;
}

/** What the editing of endpoints needs of a gateway. */
export interface EditingParts {
  readonly config: Config;
  readonly planner: Pick<Planner, 'planText' | 'listFunctions' | 'functionSignatures'>;
  /** Those that are served now. */
  readonly endpoints: () => readonly Endpoint[];
  /** Those that can't be served, because of errors in their files. */
  readonly unavailable: () => readonly UnavailableEndpoint[];
  readonly sources: () => readonly Source[];
  /** Refuses what the engine can't run. */
  readonly prepare: (plan: Plan) => Promise<void>;
}

/** Opens the editing of endpoints when it is first used. */
export type OpenEditing = (parts: EditingParts) => Promise<EndpointEditing>;
