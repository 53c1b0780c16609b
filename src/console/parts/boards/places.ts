import type { BoardPanel, BoardPlace } from '../../api/boards.ts';

/** The grid of a board has so many columns. */
export const gridColumns = 12;

/** The size of a panel whose file names none. */
export const usualSize = { width: 6, height: 5 };

const maxHeight = 50;

/** The places of all panels. One without a place is below all before it. */
export function placesOf(panels: readonly Pick<BoardPanel, 'place'>[]): readonly BoardPlace[] {
  const places: BoardPlace[] = [];
  for (const { place } of panels) {
    const below = Math.max(1, ...places.map(({ row, height }) => row + height));
    places.push(place ?? { column: 1, row: below, ...usualSize });
  }
  return places;
}

/** The panels after one was moved or resized: it stays where it was put, and others go below what they would cover. */
export function withPlace<Panel extends Pick<BoardPanel, 'place'>>(
  panels: readonly Panel[],
  moved: number,
  wanted: BoardPlace,
): readonly Panel[] {
  const places = [...placesOf(panels)];
  const fitted = withinGrid(wanted);
  places[moved] = fitted;
  const settled = [fitted];
  const others = places
    .map((place, index) => ({ place, index }))
    .filter(({ index }) => index !== moved)
    .sort((one, other) => one.place.row - other.place.row || one.place.column - other.place.column);
  for (const { place, index } of others) {
    let next = place;
    for (;;) {
      const covered = settled.find((other) => overlap(other, next));
      if (covered === undefined) break;
      next = { ...next, row: covered.row + covered.height };
    }
    settled.push(next);
    places[index] = next;
  }
  return panels.map((panel, index) => ({ ...panel, place: places[index] }));
}

/** A place within the grid. */
function withinGrid({ column, row, width, height }: BoardPlace): BoardPlace {
  const within = (value: number, most: number) => Math.min(most, Math.max(1, Math.round(value) || 1));
  const fittedWidth = within(width, gridColumns);
  return {
    column: within(column, gridColumns + 1 - fittedWidth),
    row: within(row, 1_000),
    width: fittedWidth,
    height: within(height, maxHeight),
  };
}

function overlap(one: BoardPlace, other: BoardPlace): boolean {
  return (
    one.column < other.column + other.width &&
    other.column < one.column + one.width &&
    one.row < other.row + other.height &&
    other.row < one.row + one.height
  );
}

/** Where one more panel goes: beside the last one if there is space, else below all. */
export function nextPlace(panels: readonly Pick<BoardPanel, 'place'>[]): BoardPlace {
  const places = placesOf(panels);
  const last = places.at(-1);
  const below = Math.max(1, ...places.map(({ row, height }) => row + height));
  if (last !== undefined) {
    const beside = { ...usualSize, column: last.column + last.width, row: last.row, height: last.height };
    const fits = beside.column + beside.width - 1 <= gridColumns;
    if (fits && !places.some((place) => overlap(place, beside))) return beside;
  }
  return { column: 1, row: below, ...usualSize };
}
