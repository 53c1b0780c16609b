import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { type Answer, type Call, runCall } from '../../parts/answer/answer.ts';
import { type ChartChoice, chartOf, chartPairs } from '../../parts/chart/chart-choice.ts';
import { type Loaded, useLoad } from '../../parts/loading/use-load.ts';
import {
  addressPairs,
  initialValues,
  missingParameters,
  type ParameterValues,
  pairsOf,
} from '../../parts/parameters/parameter-values.ts';
import { valuesNow } from '../../parts/parameters/relative-times.ts';
import { pushAddress, rewriteAddress } from '../../router/route.ts';
import type { Session } from '../../session/session.ts';

/** An answer with the call that it belongs to. */
export interface Ran {
  readonly answer: Answer;
  readonly call: Call;
  /** Those of the form: the call has times where they have the text of a range. */
  readonly values: ParameterValues;
}

export interface EndpointRun {
  /** Those of the form. */
  readonly values: ParameterValues;
  setValues(values: ParameterValues): void;
  /** Required parameters that a run lacked. */
  readonly missing: readonly string[];
  readonly ran: Loaded<Ran>;
  /** Puts values into the form and runs with them. */
  run(values: ParameterValues): void;
  /** The chart that was chosen. It is in the address, too. */
  readonly chart: ChartChoice | undefined;
  setChart(chart: ChartChoice): void;
}

/**
 * The values of an endpoint's form and what came of them. The address has those that ran last: to go back is to run with those before,
 * and an address that is opened fills the form.
 */
export function useEndpointRun(
  { client, caller }: Pick<Session, 'client' | 'caller'>,
  endpoint: Endpoint,
  address: URLSearchParams,
): EndpointRun {
  const { parameters } = endpoint;
  const [values, setValues] = useState(() => initialValues(parameters, address));
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [chart, setChart] = useState<ChartChoice>();
  const ran = useLoad<Ran>();
  const { load } = ran;

  const routeOf = useCallback(
    (given: ParameterValues, drawn: ChartChoice | undefined) => {
      const pairs = [...pairsOf(given), ...(drawn === undefined ? [] : chartPairs(drawn))];
      return {
        page: 'endpoint',
        endpoint: endpoint.name,
        values: addressPairs(pairs, client.key),
      } as const;
    },
    [client, endpoint.name],
  );

  const run = useCallback(
    (given: ParameterValues, write = pushAddress, drawn = chart) => {
      setValues(given);
      const without = missingParameters(parameters, given);
      setMissing(without);
      if (without.length > 0) return;
      write(routeOf(given, drawn));
      const call = {
        endpoint,
        values: valuesNow(parameters, given),
      };
      load(async (signal) => ({ call, values: given, answer: await runCall(client, call, signal) }));
    },
    [client, endpoint, parameters, load, routeOf, chart],
  );

  const opened = useRef<URLSearchParams>(undefined);
  useEffect(() => {
    if (opened.current === address) return;
    opened.current = address;
    const given = initialValues(parameters, address);
    const drawn = chartOf(address);
    setValues(given);
    setMissing([]);
    setChart(drawn);
    // What costs money runs when it is asked for.
    if (!caller.billed && missingParameters(parameters, given).length === 0)
      run(given, rewriteAddress, drawn);
  }, [address, parameters, caller, run]);

  // What was shown was of the version before.
  const version = useRef(endpoint.version);
  useEffect(() => {
    if (version.current === endpoint.version) return;
    version.current = endpoint.version;
    if (!caller.billed && ran.value !== undefined) run(values, rewriteAddress);
  }, [endpoint.version, caller, ran.value, run, values]);

  return {
    ...{ values, setValues, missing, ran, chart },
    run: useCallback((given) => run(given), [run]),
    setChart(next) {
      setChart(next);
      rewriteAddress(routeOf(ran.value?.values ?? values, next));
    },
  };
}
