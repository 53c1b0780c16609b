import { useId } from 'preact/hooks';
import { periods, quantities } from './key-wish.ts';

const names = {
  calls: 'Calls',
  rows: 'Rows',
  'engine-seconds': 'Engine seconds',
  bytes: 'Bytes billed',
} as const;

/** How much of what a key may use, by period of the calendar, and what becomes of its calls then. */
export function AllowanceFields({ isBilled }: { readonly isBilled: boolean }) {
  const id = useId();
  return (
    <fieldset class="allowances">
      <legend>Allowances (empty means none)</legend>
      {quantities
        .filter((quantity) => isBilled || quantity !== 'bytes')
        .map((quantity) => (
          <div key={quantity} class="allowance">
            <label for={`${id}-${quantity}`}>{names[quantity]}</label>
            <input
              id={`${id}-${quantity}`}
              name={`allow-${quantity}`}
              inputMode="numeric"
              autocomplete="off"
              placeholder={quantity === 'bytes' ? '1TB' : '10000'}
            />
            <select name={`per-${quantity}`} aria-label={`${names[quantity]}, in each`}>
              {periods.map((period) => (
                <option key={period} value={period} selected={period === 'day'}>
                  per {period}
                </option>
              ))}
            </select>
          </div>
        ))}
      <div class="allowance">
        <label for={`${id}-spent`}>When one is spent</label>
        <select id={`${id}-spent`} name="whenSpent">
          <option value="refuse">refuse calls</option>
          <option value="slow">run calls behind those of others</option>
        </select>
      </div>
    </fieldset>
  );
}
