import { type JobText, JobTexts, type RunTexts } from '../../../../../src/engines/bigquery/sql/job-text.ts';
import { prepareText } from '../../../../../src/engines/bigquery/sql/prepare-text.ts';
import { type TableNames, tableNames } from '../../../../../src/engines/bigquery/text/table-names.ts';
import { Analyzer } from '../../../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../../../src/sql/analyzer/catalog.ts';
import { newPlan, type Plan } from '../../../../../src/sql/plan/plan.ts';
import type { AnyNode } from '../../../../../src/sql/resolved/node.ts';
import { resultColumns } from '../../../../../src/sql/resolved/result-columns.ts';
import { wholeText } from '../../../../../src/sql/text/place.ts';
import type { Column, SqlType } from '../../../../../src/sql/values/type.ts';
import type { Value } from '../../../../../src/sql/values/value.ts';

/** What a test says of its sources and parameters. */
export interface Setting {
  readonly sources: Readonly<Record<string, readonly Column[]>>;
  readonly parameters: ReadonlyMap<string, SqlType>;
}

export const names: TableNames = tableNames({
  project: 'my-project-1',
  dataset: 'logs_eu',
  tables: new Map([['billing', 'example.com:old-project.money.Billing 2026']]),
});

/** Plans texts, makes those that BigQuery is sent, and analyzes these against a catalog of BigQuery's tables. */
export class Workbench implements AsyncDisposable {
  readonly analyzer: Analyzer;
  readonly #setting: Setting;
  readonly #sources: Catalog;
  readonly #tables: Catalog;
  readonly #texts: JobTexts;

  private constructor(analyzer: Analyzer, setting: Setting) {
    const sources = Object.entries(setting.sources);
    this.analyzer = analyzer;
    this.#setting = setting;
    this.#sources = { tables: sources.map(([name, columns]) => ({ path: ['logs', name], columns })) };
    this.#tables = {
      tables: sources.map(([name, columns]) => {
        const { project, dataset, table } = names(name);
        return { path: [`${project}.${dataset}.${table}`], columns };
      }),
    };
    this.#texts = new JobTexts((plan) => prepareText(plan, analyzer, names));
  }

  static async open(setting: Setting): Promise<Workbench> {
    return new Workbench(await Analyzer.start(), setting);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.analyzer.close();
  }

  async plan(sql: string): Promise<Plan> {
    const { parameters } = this.#setting;
    const statement = await this.analyzer.analyze(sql, { catalog: this.#sources, parameters });
    return newPlan({
      isCallers: false,
      sql,
      statement,
      columns: resultColumns(statement),
      parameters,
      origin: wholeText,
    });
  }

  /** The text for a run of a plan, which BigQuery's analyzer accepts. */
  async jobText(
    plan: Plan,
    options: { maxRows?: number; values?: Record<string, Value> } = {},
  ): Promise<JobText> {
    const { maxRows = 100, values = {} } = options;
    const given = new Map([...plan.parameters.keys()].map((name) => [name, values[name] ?? null]));
    const text = await this.#texts.of(plan, given, maxRows);
    await this.resolved(text.sql);
    return text;
  }

  /** All texts of a run, which BigQuery's analyzer accepts. */
  async runTexts(sql: string, now: bigint, values: Readonly<Record<string, Value>> = {}): Promise<RunTexts> {
    const plan = await this.plan(sql);
    const given = new Map(Array.from(plan.parameters.keys(), (name) => [name, values[name] ?? null]));
    const texts = await this.#texts.runs(plan, given, 100, now);
    for (const text of [texts.plain, texts.bounded, texts.newest?.textFrom(now)])
      if (text !== undefined) await this.resolved(text.sql);
    return texts;
  }

  async sql(sql: string, options?: { maxRows?: number; values?: Record<string, Value> }): Promise<string> {
    return (await this.jobText(await this.plan(sql), options)).sql;
  }

  /** The tree of a text over BigQuery's tables. */
  resolved(sql: string): Promise<AnyNode> {
    return this.analyzer.analyze(sql, { catalog: this.#tables, parameters: this.#setting.parameters });
  }
}

const array = (element: SqlType): SqlType => ({ kind: 'ARRAY', element });
const columns: readonly Column[] = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'n', type: { kind: 'INT64' } },
  {
    name: 'metadata',
    type: array({ kind: 'STRUCT', fields: [{ name: 'path', type: { kind: 'STRING' } }] }),
  },
];

/** Sources with an id, a number and records; `billing` is a table of another name, elsewhere. */
export const logSetting: Setting = {
  sources: { edge_logs: columns, auth_logs: columns, billing: columns },
  parameters: new Map([
    ['rows', { kind: 'INT64' }],
    ['Name', { kind: 'STRING' }],
  ]),
};
