// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of boards have this form
import { expect, test } from 'vitest';
import { newBoard, withPanel } from '../../../../src/console/parts/boards/board-draft.ts';
import { boardText } from '../../../../src/console/parts/boards/board-text.ts';
import { placesOf, withPlace } from '../../../../src/console/parts/boards/places.ts';
import { readBoard } from '../../../../src/definitions/boards/read-board.ts';

const text = `# What the team looks at.
title: Team # of all
range: 24h
panels:
  # The first one.
  - title: Calls
    endpoint: usage
    parameters:
      days: 7
      project: \${project} # chosen
    place: {column: 1, row: 1, width: 6, height: 5}
  - title: Errors
    sql: |
      SELECT 1
      FROM t
`;

function boardIn(written: string) {
  const { board, problems } = readBoard('b', 'b.yaml', written);
  if (board === undefined) throw new Error(problems.map((problem) => problem.text).join());
  return board;
}

test('the text of a board without changes is as it was', () => {
  expect(boardText(boardIn(text), text)).toBe(text);
});

test('changes leave comments and everything else as they are', () => {
  const board = boardIn(text);
  const [first, second] = board.panels;
  if (first === undefined || second === undefined) throw new Error('two panels');
  const chart = { type: 'bars' as const, x: 'day' };
  const next = {
    ...board,
    title: 'Team 2',
    panels: [
      { ...first, title: 'All calls' },
      { ...second, chart },
    ],
  };
  const changed = boardText(next, text);
  expect(changed).toBe(
    text
      .replace('title: Team', 'title: Team 2')
      .replace('title: Calls', 'title: All calls')
      .concat('    chart:\n      type: bars\n      x: day\n'),
  );
  expect(boardIn(changed)).toEqual(next);
  const fewer = boardText({ ...board, panels: [second] }, text);
  expect(boardIn(fewer)).toEqual({ ...board, panels: [second] });
});

test('a new board is a file that can be read', () => {
  const panel = { title: 'A: "b"', endpoint: 'e', parameters: { start: '${from}', project: 'p', id: '007' } };
  const board = withPanel({ ...newBoard('team'), variables: { project: { default: 'p' } } }, panel);
  const read = boardIn(boardText(board, undefined));
  expect(read).toEqual(board);
  expect(read.panels[0]?.parameters).toEqual({ start: '${from}', project: '${project}', id: '007' });
});

test('panels are added beside the last one where there is space, else below', () => {
  let board = newBoard('team');
  for (const title of ['a', 'b', 'c']) board = withPanel(board, { title, endpoint: 'e' });
  expect(board.panels.map(({ place }) => [place?.column, place?.row])).toEqual([
    [1, 1],
    [7, 1],
    [1, 6],
  ]);
});

test('a panel that is moved stays within the grid, and others go below what it covers', () => {
  const size = { width: 6, height: 2 };
  const panels = [
    { place: { column: 1, row: 1, ...size } },
    { place: { column: 7, row: 1, ...size } },
    { place: { column: 7, row: 3, ...size } },
  ];
  const moved = withPlace(panels, 0, { column: 9, row: 0, ...size });
  expect(moved.map(({ place }) => [place?.column, place?.row])).toEqual([
    [7, 1],
    [7, 3],
    [7, 5],
  ]);
  expect(withPlace(panels, 0, { column: 1, row: Number.NaN, width: 99, height: 0 })[0]?.place).toEqual({
    ...{ column: 1, row: 1, width: 12, height: 1 },
  });
});

test('panels without a place are below all before them', () => {
  expect(
    placesOf([{}, { place: { column: 1, row: 9, width: 1, height: 1 } }, {}]).map(({ row }) => row),
  ).toEqual([1, 9, 10]);
});
