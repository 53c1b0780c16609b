import { useState } from 'preact/hooks';
import type { Board, BoardPanel } from '../../api/boards.ts';
import { type BoardValues, callOf } from '../../parts/boards/board-values.ts';
import { placesOf, withPlace } from '../../parts/boards/places.ts';
import { Empty } from '../../parts/faces/faces.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import type { TimeRange } from '../../parts/time/time-range.ts';
import { useSession } from '../../session/session.ts';
import { PanelEditor } from './panel-editor.tsx';
import { PanelFrame, PanelView } from './panel-view.tsx';

interface BoardGridProps {
  readonly panels: Board['panels'];
  readonly values: BoardValues;
  readonly turn: number;
  readonly isLive: boolean;
  readonly mayRun: boolean;
  readonly onRange: (range: TimeRange) => void;
  /** Called with changed panels. Without it, they can't be changed. */
  readonly onPanels: ((panels: readonly BoardPanel[]) => void) | undefined;
}

/** The panels of a board in their places. */
export function BoardGrid({ panels, values, turn, isLive, mayRun, onRange, onPanels }: BoardGridProps) {
  const { client, endpoints } = useSession();
  const places = placesOf(panels);
  const [streams] = useState(maxStreams);
  const callable = panels.filter((panel) => panel.callable);
  const change = (index: number, changed: BoardPanel) =>
    onPanels?.(panels.map((panel, at) => (at === index ? changed : panel)));
  return (
    <div class="board">
      {panels.map((panel, index) => {
        const place = places[index];
        if (place === undefined) return null;
        if (!panel.callable) {
          return (
            <PanelFrame key={index} title={oneLine(panel.title)} place={place}>
              <Empty title="Not for this key">
                <p class="quiet">This key may not call what this panel shows.</p>
              </Empty>
            </PanelFrame>
          );
        }
        return (
          <PanelView
            key={index}
            {...{ client, panel, place, turn, onRange }}
            call={mayRun ? callOf(panel, values, endpoints) : undefined}
            endpoint={endpoints.find(({ name }) => name === panel.endpoint)}
            isLive={isLive && callable.indexOf(panel) < streams}
            onChart={onPanels && ((chart) => change(index, { ...panel, chart }))}
          >
            {onPanels && (
              <PanelEditor
                panel={panel}
                place={place}
                onChange={(changed) => change(index, changed)}
                onPlace={(next) => onPanels(withPlace(panels, index, next))}
                onRemove={() => onPanels(panels.filter((_, at) => at !== index))}
              />
            )}
          </PanelView>
        );
      })}
    </div>
  );
}

/**
 * How many panels can be streams. A browser has six connections of HTTP/1.1 for all tabs of a server, which streams would take for
 * good; the other panels ask again and again.
 */
function maxStreams(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  const protocol = navigation instanceof PerformanceNavigationTiming ? navigation.nextHopProtocol : '';
  return /^h[23]/.test(protocol) ? 20 : 2;
}
