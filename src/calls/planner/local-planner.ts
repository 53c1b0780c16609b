import { LRUCache } from 'lru-cache';
import { never } from '../../base/async/race-with-abort.ts';
import { type Account, ownAccount } from '../../base/fairness/account.ts';
import type { PlannedText, StoredText } from '../../definitions/endpoints/plan-text.ts';
import { type PreparedText, prepareText } from '../../engines/bigquery/sql/prepare-text.ts';
import { type TableMapping, tableNames } from '../../engines/bigquery/text/table-names.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { type CallableFunction, callableFunctions } from '../../sql/analyzer/callable-functions.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { functionSignatures } from '../../sql/analyzer/function-signatures.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { type Packed, unpacked } from '../../sql/values/packed.ts';
import { type PageToPlan, planPage } from '../pages/plan-page.ts';
import { type EndpointSandbox, endpointSandbox, type Offer } from '../sandbox/endpoint-sandbox.ts';
import type { PlannedQuery } from '../sandbox/plan-ad-hoc-query.ts';
import { type AdHocText, planAdHocQuery } from '../sandbox/plan-ad-hoc-query.ts';
import { planRewritten } from './plan-rewritten.ts';
import type { Planner } from './planner.ts';

/** Maximum number of unpacked offers and of catalogs in the cache. There are as many as endpoints. */
const maxUnpacked = 500;

type PlanningAnalyzer = Pick<Analyzer, 'analyze' | 'parse' | 'readDefinition'>;

/** Plans in the calling thread. */
export class LocalPlanner implements Planner {
  readonly #analyzer: PlanningAnalyzer & Pick<Analyzer, 'call'>;
  readonly #catalogs = new LRUCache<string, Catalog>({ max: maxUnpacked });
  readonly #sandboxes = new LRUCache<string, Promise<EndpointSandbox>>({ max: maxUnpacked });

  constructor(analyzer: PlanningAnalyzer & Pick<Analyzer, 'call'>) {
    this.#analyzer = analyzer;
  }

  async planText({ catalog, account, ...text }: StoredText, signal = never): Promise<PlannedText> {
    return planRewritten(text, this.#catalog(catalog), this.#analyzerFor(account, signal));
  }

  async planAdHocQuery(text: AdHocText, signal = never): Promise<PlannedQuery> {
    const { sql, offer, catalog, limits, account } = text;
    const analyzer = this.#analyzerFor(account, signal);
    const sandbox = await this.#sandbox(offer, catalog);
    return planAdHocQuery(sql, { analyzer, sandbox, catalog: this.#catalog(catalog), limits, signal });
  }

  planPage({ catalog, account, ...page }: PageToPlan, signal = never): Promise<Plan> {
    return planPage(page, this.#catalog(catalog), this.#analyzerFor(account, signal));
  }

  prepareText(plan: Plan, mapping: TableMapping, signal = never): Promise<PreparedText> {
    return prepareText(plan, this.#analyzerFor(ownAccount, signal), tableNames(mapping), signal);
  }

  listFunctions(): Promise<readonly CallableFunction[]> {
    return callableFunctions((method, request) => this.#analyzer.call(method, request));
  }

  functionSignatures(): Promise<ReadonlyMap<string, readonly string[]>> {
    return functionSignatures((method, request) => this.#analyzer.call(method, request));
  }

  #analyzerFor(account: Account | undefined, signal: AbortSignal): PlanningAnalyzer {
    const analyzer = this.#analyzer;
    return {
      analyze: (sql, context) => analyzer.analyze(sql, context, signal, account),
      parse: (sql) => analyzer.parse(sql, signal, account),
      readDefinition: (sql, start, functions) =>
        analyzer.readDefinition(sql, start, functions, signal, account),
    };
  }

  /** Returns the same object each time, since the analyzer's process recognises it. */
  #catalog(catalog: Packed<Catalog>): Catalog {
    const known = this.#catalogs.get(catalog.id) ?? unpacked(catalog);
    this.#catalogs.set(catalog.id, known);
    return known;
  }

  #sandbox(offer: Packed<Offer>, catalog: Packed<Catalog>): Promise<EndpointSandbox> {
    const key = `${offer.id} ${catalog.id}`;
    let sandbox = this.#sandboxes.get(key);
    if (sandbox === undefined) {
      sandbox = endpointSandbox(unpacked(offer), this.#catalog(catalog), this.#analyzer);
      this.#sandboxes.set(key, sandbox);
      sandbox.catch(() => this.#sandboxes.delete(key));
    }
    return sandbox;
  }
}
