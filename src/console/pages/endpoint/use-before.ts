import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { type Answer, type Call, runCall } from '../../parts/answer/answer.ts';
import { secondsOf } from '../../parts/chart/chart-columns.ts';
import type { BeforeRows } from '../../parts/chart/chart-data.ts';
import { type Loaded, useLoad } from '../../parts/loading/use-load.ts';
import {
  type ParameterValues,
  rangeParameters,
  rangeValues,
} from '../../parts/parameters/parameter-values.ts';
import { rangeBefore, type TimeRange } from '../../parts/time/time-range.ts';

/** The same call over the span of the same length before. */
interface Before {
  /** That span; undefined where the call has none. */
  readonly range: TimeRange | undefined;
  readonly isOn: boolean;
  readonly toggle: () => void;
  readonly loaded: Loaded<Answer>;
  /** Its rows, once they are there. */
  readonly rows: BeforeRows | undefined;
}

/** Runs a call over the span before its own, while it is switched on. */
export function useBefore(client: Client, endpoint: Endpoint, call: Call): Before {
  const [isOn, setOn] = useState(false);
  const loaded = useLoad<Answer>();
  const { load, cancel, value, isLoading } = loaded;
  const earlier = useMemo(() => valuesBefore(endpoint, call.values), [endpoint, call]);
  useEffect(() => {
    if (isOn && earlier !== undefined)
      load((signal) => runCall(client, { ...call, values: earlier.values }, signal));
    return cancel;
  }, [client, call, earlier, isOn, load, cancel]);
  const rows = useMemo(
    () =>
      isOn && !isLoading && value !== undefined && earlier !== undefined
        ? { rows: value.rows, shift: earlier.range.to - earlier.range.from }
        : undefined,
    [isOn, isLoading, value, earlier],
  );
  return { range: earlier?.range, isOn, toggle: () => setOn(!isOn), loaded, rows };
}

/** The values of a call for the span of the same length before its own. Undefined if its values bound no span. */
export function valuesBefore(
  { parameters }: Pick<Endpoint, 'parameters'>,
  values: ParameterValues,
): { readonly range: TimeRange; readonly values: ParameterValues } | undefined {
  const bounds = rangeParameters(parameters);
  if (bounds === undefined) return undefined;
  const timeOf = (name: string) => {
    const text = values.get(name);
    return typeof text === 'string' && /^\d{4}-\d\d-\d\d/.test(text) ? secondsOf(text) * 1000 : Number.NaN;
  };
  const [from, to] = [timeOf(bounds.start.name), timeOf(bounds.end.name)];
  if (!(from < to)) return undefined;
  const range = rangeBefore({ from, to });
  return { range, values: new Map([...values, ...rangeValues(bounds, range)]) };
}
