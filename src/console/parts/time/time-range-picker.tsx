import { useId, useRef, useState } from 'preact/hooks';
import {
  fixedRange,
  formatRange,
  inputTime,
  parseRange,
  presets,
  type RangeChoice,
  rangeAt,
  rangeTitle,
  timeOfInput,
  zoneText,
} from './time-range.ts';
import { useZone } from './use-zone.ts';

interface TimeRangePickerProps {
  readonly choice: RangeChoice;
  readonly onChoice: (choice: RangeChoice) => void;
}

/** A button with the chosen range, which opens the choice of another one: relative, of a calendar, or between two times. */
export function TimeRangePicker({ choice, onChoice }: TimeRangePickerProps) {
  const id = useId();
  const [zone, setZone] = useZone();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const choose = (next: RangeChoice) => {
    panel.current?.hidePopover();
    button.current?.focus();
    onChoice(next);
  };
  const onToggle = ({ newState }: { readonly newState: string }) => {
    setOpen(newState === 'open');
    if (newState === 'open') placeBelow(button.current, panel.current);
  };
  return (
    <span class="time-range">
      <button
        ref={button}
        type="button"
        class="time-range-button"
        popovertarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`Time range: ${rangeTitle(choice, zone)}, ${zoneText(zone, Date.now())}`}
      >
        {rangeTitle(choice, zone)} <span class="quiet">{zoneText(zone, Date.now())}</span>{' '}
        <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="card time-range-panel"
        role="dialog"
        aria-label="Time range"
        onToggle={onToggle}
      >
        {isOpen && (
          <>
            <fieldset class="chips">
              <legend class="quiet">Range</legend>
              {presets.map((text) => (
                <Preset key={text} text={text} isChosen={formatRange(choice) === text} onChoice={choose} />
              ))}
            </fieldset>
            <CustomRange key={zone} choice={choice} onChoice={choose} />
            <fieldset class="chips">
              <legend class="quiet">Zone of days and of all times</legend>
              {(['utc', 'local'] as const).map((one) => (
                <button key={one} type="button" aria-pressed={zone === one} onClick={() => setZone(one)}>
                  {one === 'utc' ? 'UTC' : `Local (${zoneText('local', Date.now())})`}
                </button>
              ))}
            </fieldset>
          </>
        )}
      </div>
    </span>
  );
}

interface PresetProps {
  readonly text: string;
  readonly isChosen: boolean;
  readonly onChoice: (choice: RangeChoice) => void;
}

function Preset({ text, isChosen, onChoice }: PresetProps) {
  const [zone] = useZone();
  const choice = parseRange(text);
  if (choice === undefined) return null;
  return (
    <button type="button" aria-pressed={isChosen} onClick={() => onChoice(choice)}>
      {rangeTitle(choice, zone)}
    </button>
  );
}

/** Two times, which begin as those of the present choice. */
function CustomRange({ choice, onChoice }: TimeRangePickerProps) {
  const id = useId();
  const [zone] = useZone();
  const [range] = useState(() => rangeAt(choice, Date.now(), zone));
  const [from, setFrom] = useState(() => inputTime(range.from, zone));
  const [to, setTo] = useState(() => inputTime(range.to, zone));
  const next = fixedRange({ from: timeOfInput(from, zone), to: timeOfInput(to, zone) });
  return (
    <form
      class="time-range-custom"
      onSubmit={(event) => {
        event.preventDefault();
        if (next !== undefined) onChoice(next);
      }}
      noValidate
    >
      <label for={`${id}-from`}>
        <span class="quiet">From</span>
        <TimeInput id={`${id}-from`} value={from} isWrong={next === undefined} onValue={setFrom} />
      </label>
      <label for={`${id}-to`}>
        <span class="quiet">To</span>
        <TimeInput id={`${id}-to`} value={to} isWrong={next === undefined} onValue={setTo} />
      </label>
      <button type="submit" disabled={next === undefined}>
        Apply
      </button>
      {next === undefined && (
        <p class="mistake" role="alert">
          The range needs two times, and the first one has to be earlier.
        </p>
      )}
    </form>
  );
}

interface TimeInputProps {
  readonly id: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onValue: (text: string) => void;
}

function TimeInput({ id, value, isWrong, onValue }: TimeInputProps) {
  return (
    <input
      id={id}
      type="datetime-local"
      step="1"
      value={value}
      aria-invalid={isWrong}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}

const gap = 4;

/** Puts a panel below its button, within the window. */
function placeBelow(button: HTMLElement | null, panel: HTMLElement | null): void {
  if (button === null || panel === null) return;
  const { left, bottom, top } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const isBelow = bottom + gap + height <= innerHeight || top < height;
  panel.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
  panel.style.top = `${isBelow ? bottom + gap : top - gap - height}px`;
}
