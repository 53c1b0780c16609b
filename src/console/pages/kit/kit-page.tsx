import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';
import { EarlierRows } from '../../parts/answer/earlier-rows.tsx';
import { FactsLine } from '../../parts/answer/facts-line.tsx';
import { ChartView } from '../../parts/chart/chart-view.tsx';
import { CodeBlock } from '../../parts/copy/code-block.tsx';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Empty, FailureFace, FileErrors, Loading } from '../../parts/faces/faces.tsx';
import { Icon, iconNames } from '../../parts/icons/icon.tsx';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Toast } from '../../parts/overlays/toast.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { DataTable } from '../../parts/table/data-table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import type { RangeChoice } from '../../parts/time/time-range.ts';
import { TimeRangePicker } from '../../parts/time/time-range-picker.tsx';
import { ValueTree } from '../../parts/value/value-tree.tsx';
import { colours, kitColumns, kitRows } from './kit-data.ts';

/** All components of the console in all states, for those who change them: in the colours of the system, of light or of dark. */
export default function KitPage() {
  const [scheme, setScheme] = useState<'light dark' | 'light' | 'dark'>('light dark');
  return (
    <section class="page kit" aria-labelledby="title" style={{ colorScheme: scheme }}>
      <div class="page-head">
        <h1 id="title">Components</h1>
        <fieldset class="chips">
          <legend class="only-heard">Colours</legend>
          {(['light dark', 'light', 'dark'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === scheme} onClick={() => setScheme(one)}>
              {one === 'light dark' ? 'as the system' : one}
            </button>
          ))}
        </fieldset>
      </div>
      <Tokens />
      <Controls />
      <Overlays />
      <Faces />
      <Data />
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function Group({ title, children }: GroupProps) {
  return (
    <section class="card kit-group" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Tokens() {
  return (
    <>
      <Group title="Colours">
        <ul class="kit-colours">
          {colours.map((name) => (
            <li key={name}>
              <span class="kit-colour" style={{ background: `var(${name})` }} /> <code>{name}</code>
            </li>
          ))}
        </ul>
      </Group>
      <Group title="Icons">
        <ul class="kit-line">
          {iconNames.map((name) => (
            <li key={name}>
              <Icon name={name} /> {name}
            </li>
          ))}
        </ul>
      </Group>
    </>
  );
}

function Controls() {
  const [tab, setTab] = useState<'one' | 'two'>('one');
  const [range, setRange] = useState<RangeChoice>({ kind: 'calendar', name: 'yesterday' });
  return (
    <>
      <Group title="Buttons">
        <p class="kit-line">
          <button type="button" class="primary">
            Primary
          </button>
          <button type="button">Plain</button>
          <button type="button" class="danger">
            Danger
          </button>
          <button type="button" disabled>
            Disabled
          </button>
          <button type="button" aria-pressed="true">
            Pressed
          </button>
          <button type="button" class="plain" aria-label="Close">
            <Icon name="close" />
          </button>
          <CopyButton text={() => 'copied'}>Copy</CopyButton>
        </p>
      </Group>
      <Group title="Fields">
        <div class="kit-fields">
          {[
            { label: 'Text', attributes: { value: 'a value' } },
            { label: 'Empty', attributes: { placeholder: 'For example this' } },
            { label: 'Invalid', attributes: { value: 'wrong', 'aria-invalid': true } },
            { label: 'Disabled field', attributes: { value: 'fixed', disabled: true } },
          ].map(({ label, attributes }) => (
            <div key={label} class="parameter">
              <label for={`kit-${label}`}>{label}</label>
              <input id={`kit-${label}`} {...attributes} />
              {label === 'Invalid' && <p class="mistake">What is wrong with it.</p>}
            </div>
          ))}
          <div class="parameter">
            <label for="kit-select">Choice</label>
            <select id="kit-select">
              <option>one</option>
              <option>two</option>
            </select>
          </div>
          <label class="check">
            <input type="checkbox" defaultChecked /> Checked
          </label>
        </div>
      </Group>
      <Group title="Chips and ranges">
        <fieldset class="chips">
          <legend class="quiet">Chips</legend>
          <button type="button" aria-pressed="true">
            chosen
          </button>
          <button type="button" aria-pressed="false">
            another
          </button>
        </fieldset>
        <TimeRangePicker choice={range} onChoice={setRange} />
      </Group>
      <Group title="Tabs">
        <Tabs
          label="Examples"
          tabs={[
            { name: 'one', text: 'One' },
            { name: 'two', text: 'Two' },
          ]}
          selected={tab}
          onSelect={setTab}
        >
          <p>The panel of {tab}.</p>
        </Tabs>
      </Group>
    </>
  );
}

function Overlays() {
  const [opened, setOpened] = useState<'dialog' | 'confirm' | 'toast'>();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpened(undefined);
  return (
    <Group title="Overlays">
      <p class="kit-line">
        <button type="button" ref={button} onClick={() => setOpened('dialog')}>
          Dialog
        </button>
        <button type="button" onClick={() => setOpened('confirm')}>
          Confirmation
        </button>
        <button type="button" onClick={() => setOpened('toast')}>
          Toast
        </button>
      </p>
      {opened === 'dialog' && (
        <Dialog title="A dialog" onClose={close}>
          <p>A click beside it, Escape and the button close it.</p>
        </Dialog>
      )}
      {opened === 'confirm' && (
        <ConfirmDialog
          title="Remove the thing?"
          action="Remove"
          typed="thing"
          onConfirm={() => Promise.reject(new Error('It could not be removed.'))}
          onClose={close}
          returnTo={button}
        >
          <p>This can’t be undone.</p>
        </ConfirmDialog>
      )}
      {opened === 'toast' && <Toast text="Closed “Query 1”" action="Undo" onAction={close} onClose={close} />}
    </Group>
  );
}

function Faces() {
  return (
    <Group title="Faces">
      <Empty title="Nothing here">
        <p class="quiet">What to do about it.</p>
      </Empty>
      <Loading what="Running the query" onCancel={() => {}} />
      <FailureFace
        failure={new Failure('Too many requests.', { code: 'RATE_LIMITED', status: 429, retryAfter: 5 })}
        onRetry={() => {}}
      />
      <FileErrors title="Its file has errors" errors={['a.sql:3:5: unknown column \u202eevil']} />
    </Group>
  );
}

function Data() {
  return (
    <>
      <Group title="Rows">
        <FactsLine
          facts={{
            ...{ rows: 3, truncated: true, source: 'cache', age: 90, milliseconds: 12 },
            ...{
              engineMilliseconds: 8,
              slices: { kept: 3, made: 1 },
              bytesProcessed: 1e6,
              bytesBilled: undefined,
            },
          }}
        />
        <DataTable label="Some rows" columns={kitColumns} rows={kitRows} />
        <EarlierRows isLoading={false} note="Results of the query before your changes">
          <DataTable label="Earlier rows" columns={kitColumns} rows={kitRows} />
        </EarlierRows>
        <PlainTable label="A plain table" heads={['Name', 'Count']}>
          <tr>
            <th scope="row">one</th>
            <td>1</td>
          </tr>
        </PlainTable>
      </Group>
      <Group title="Chart">
        <ChartView label="A chart" columns={kitColumns} rows={kitRows} />
      </Group>
      <Group title="Values and code">
        <ValueTree value={kitRows[0] ?? null} />
        <CodeBlock label="Some code" text={'select *\nfrom edge_logs'} />
      </Group>
    </>
  );
}
