import type { ComponentChildren } from 'preact';
import type { Operations } from '../../api/operations.ts';
import { bytesText, counted, percentText } from '../../parts/text/number-text.ts';
import { hitRate, requestRate, type Snapshot, total } from './snapshots.ts';

interface TilesProps {
  readonly snapshots: readonly Snapshot[];
  readonly latest: Operations;
}

/** The numbers to look at first. */
export function Tiles({ snapshots, latest }: TilesProps) {
  const { cache, queries, engineProcess, disk, endpoints } = latest;
  const hits = hitRate(cache.calls);
  const rate = requestRate(snapshots);
  const errors = endpoints.reduce((sum, endpoint) => sum + total(endpoint.errors), 0);
  const { running, waiting, permits, maxWaiting, classes } = queries;
  const others = classes.filter((each) => each.name !== 'default' && each.running + each.waiting > 0);
  return (
    <dl class="tiles">
      <Tile name="Cache hits" value={hits === undefined ? '–' : percentText(hits)}>
        {counted(cache.entries, 'result')}, {bytesText(cache.bytes)}
      </Tile>
      <Tile name="Requests" value={rate === undefined ? '…' : `${rateText(rate)}/s`}>
        while this page was open
      </Tile>
      <Tile name="Queries" value={`${running} of ${permits}`} isBad={running >= permits && waiting > 0}>
        {waiting} of {maxWaiting.toLocaleString('en')} waiting
        {others.map((each) => `; ${each.name}: ${each.running} running, ${each.waiting} waiting`)}
      </Tile>
      <Tile name="Failed requests" value={errors.toLocaleString('en')} isBad={errors > 0}>
        since the start
      </Tile>
      {engineProcess && (
        <Tile name="Engine" value={engineProcess.up ? 'up' : 'down'} isBad={!engineProcess.up}>
          {bytesText(engineProcess.memoryBytes)}, {engineProcess.restarts}{' '}
          {engineProcess.restarts === 1 ? 'restart' : 'restarts'}
        </Tile>
      )}
      {disk && (
        <Tile name="Disk" value={`${bytesText(disk.freeBytes)} free`} isBad={disk.full}>
          {disk.full ? 'full: rows are refused' : `of ${bytesText(disk.bytes)}`}
        </Tile>
      )}
    </dl>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}

function Tile({ name, value, isBad = false, children }: TileProps) {
  return (
    <div class="card tile">
      <dt class="quiet">{name}</dt>
      <dd>
        <span class={isBad ? 'tile-value mistake' : 'tile-value'}>{value}</span>
        <span class="quiet">{children}</span>
      </dd>
    </div>
  );
}

function rateText(rate: number): string {
  return rate >= 10 ? Math.round(rate).toLocaleString('en') : rate.toFixed(1);
}
