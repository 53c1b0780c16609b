import type { DuckDBValue } from '@duckdb/node-api';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { type UsedFields, usesText } from '../../../sql/plan/used-fields.ts';
import { sizeOf } from '../../../sql/values/value-size.ts';
import type { EngineRequest } from '../../engine/engine.ts';
import { CompiledQueries } from '../compiled/compiled-queries.ts';
import { CompiledQuery } from '../compiled/compiled-query.ts';
import { emitExpression, emitQuery } from '../emit/emit-query.ts';
import type { EmitContext, EmittedQuery } from '../emit/emitter/context.ts';
import { type ConstantQuestion, ConstantTable, type Known, KnownConstants } from '../fold/constant-table.ts';
import { foldConstants } from '../fold/fold-constants.ts';
import { usualKey } from '../store/tables/key-sql.ts';
import type { IsFlatOnly } from '../store/tables/list-tables.ts';
import { emitContext, type KeyOfSource, sourceName } from './emit-context.ts';
import { queryError, readEngineError } from './engine-error.ts';
import { maxSqlLength, refuseLarge, refuseLongPlanning } from './planning-work.ts';
import { decoderOf } from './rows/decode.ts';
import type { Execute } from './rows/read-rows.ts';
import { queryTooLarge, withinStack } from './within-stack.ts';

/** A run of a plan, as far as its SQL depends on it. */
interface SqlRun {
  readonly plan: Plan;
  readonly parameters: EngineRequest['parameters'];
  readonly maxRows: number;
  readonly wanted: UsedFields;
  readonly inOneThread: boolean;
  /** Whether its aggregations have marks for slices, where that is exact. */
  readonly isSliced?: boolean;
  /** Microseconds since the epoch. */
  readonly now: bigint;
}

/** The SQL of a run for a snapshot of the store. Undefined if there is none for its tables. */
export type SqlForSnapshot = (isFlatOnly: IsFlatOnly) => Promise<EmittedQuery | undefined>;

/** Two ways to the same SQL. */
interface RunSql {
  /**
   * Puts the run's values into SQL that was compiled before.
   *
   * @returns undefined if there is none for these values
   */
  compiled(): Promise<SqlForSnapshot | undefined>;
  /**
   * Folds and emits the plan.
   *
   * @throws GatewayError BAD_USER_INPUT for values with which a constant expression fails; QUERY_FAILED
   */
  emitted(): Promise<SqlForSnapshot>;
}

/** Makes the SQL of runs. What doesn't depend on a run is done once for each plan. */
export class QuerySql {
  readonly #knownConstants = new KnownConstants();
  readonly #compiled = new CompiledQueries();

  readonly #keyOf: KeyOfSource;

  /** @param keyOf the key of a source's rows; by default, the usual one */
  constructor(keyOf: KeyOfSource = () => usualKey) {
    this.#keyOf = keyOf;
  }

  /** @param execute runs SQL, for constant expressions */
  of(run: SqlRun, execute: Execute, signal: AbortSignal): RunSql {
    const { plan, parameters, maxRows, wanted, inOneThread, now, isSliced = false } = run;
    if (parametersLength(plan, parameters) > maxSqlLength) throw queryTooLarge();
    const times = plan.tables.map((table) => this.#keyOf(sourceName(table)).time);
    const key = `${plan.id} ${maxRows} ${usesText(wanted)} ${inOneThread} ${isSliced} ${times.join()}`;
    const context = emitContext(plan, parameters, now, this.#keyOf);
    const constants = new ConstantTable({
      emit: (expression) => emitExpression(expression, context),
      parameters: context.parameters,
      kept: this.#knownConstants,
    });
    const rowOf = async (sql: string) => {
      refuseLongPlanning(sql);
      let row: readonly DuckDBValue[] = [];
      await execute(sql, (chunk) => {
        row = chunk.getRowValues(0);
      });
      return row;
    };
    const evaluate = (questions: readonly ConstantQuestion[]) => evaluateConstants(questions, rowOf, signal);
    return {
      compiled: async () => {
        const bound: { query: CompiledQuery; literals: readonly string[] }[] = [];
        for (const query of this.#compiled.of(key)) {
          const literals = await query.bind(context.parameters, now, (questions) =>
            constants.outcomes(questions, evaluate),
          );
          if (literals !== undefined) bound.push({ query, literals });
        }
        if (bound.length === 0) return undefined;
        return async (isFlatOnly) => {
          for (const { query, literals } of bound) {
            const emitted = query.withLiterals(literals, (table) => isFlatOnly(sourceName(table)));
            if (emitted === undefined) continue;
            this.#compiled.used(key);
            refuseLarge(emitted.sql);
            return emitted;
          }
          return undefined;
        };
      },
      emitted: async () => {
        const statement = statementOf(plan);
        const folded = await withinStack(() => foldConstants(statement, constants, evaluate));
        return (isFlatOnly) =>
          withinStack(() => {
            const whole: EmitContext = {
              ...context,
              // One extra row shows whether the result was truncated.
              rowLimit: maxRows + 1,
              wanted,
              inOneThread,
              isSliced,
              isFlatOnly: (table) => isFlatOnly(sourceName(table)),
            };
            const emitted = emitQuery(folded, whole);
            refuseLarge(emitted.sql);
            const recall = (question: ConstantQuestion) => constants.recall(question);
            this.#compiled.learn(key, () => CompiledQuery.of(statement, whole, recall, emitted));
            return emitted;
          });
      },
    };
  }
}

/** Evaluates all in one query. If that fails, evaluates each separately to find the failing ones. */
async function evaluateConstants(
  questions: readonly ConstantQuestion[],
  rowOf: (sql: string) => Promise<readonly DuckDBValue[]>,
  signal: AbortSignal,
): Promise<readonly Known[]> {
  const ask = async (asked: readonly ConstantQuestion[]): Promise<Known[]> => {
    const row = await rowOf(`SELECT ${asked.map(({ sql }) => sql).join(', ')}`);
    return asked.map(({ type }, index) => ({ value: decoderOf(type)(row[index] ?? null) }));
  };
  try {
    return await ask(questions);
  } catch {
    signal.throwIfAborted();
  }
  const answers: Known[] = [];
  for (const question of questions) {
    try {
      answers.push(...(await ask([question])));
    } catch (error) {
      signal.throwIfAborted();
      const { kind, message } = readEngineError(error);
      if (kind === 'engine') throw queryError(error);
      answers.push({ error: message, isTransient: kind === 'transient' });
    }
  }
  return answers;
}

/** The length of the SQL for an element of an array, besides its text. */
const elementLength = 30;

/**
 * The length of the SQL for the parameters' values, if one of them is long enough to matter: a query can use it a
 * thousand times.
 */
function parametersLength(plan: Plan, parameters: EngineRequest['parameters']): number {
  const longest = [...parameters.values()].reduce<number>(
    (size, value) => Math.max(size, sizeOf(value, elementLength)),
    0,
  );
  if (longest < 10_000) return 0;
  return longest * JSON.stringify(statementOf(plan)).split('"resolved_parameter_node"').length;
}
