import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../../base/errors/errors.ts';
import { formatProblem, type Problem } from '../../base/errors/problem.ts';
import { ownFolders } from '../../base/package-folder.ts';
import { isCode } from '../../base/system/is-code.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { readStateOf, writeAsRead } from '../../base/system/write-as-read.ts';
import { boardExtension, boardName, boardsDir, loadBoards } from '../../definitions/boards/load-boards.ts';
import { type ReadBoard, readBoard } from '../../definitions/boards/read-board.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { type RecordSettings, recordsCalls } from '../schema/own-schema.ts';

/** The boards that are served now. */
export class LiveBoards {
  readonly folder: string;
  readonly #config: Pick<Config, 'endpointsDir'> & RecordSettings;
  #current: readonly ReadBoard[] = [];

  private constructor(config: Pick<Config, 'endpointsDir'> & RecordSettings) {
    this.folder = boardsDir(config);
    this.#config = config;
  }

  static async open(config: Pick<Config, 'endpointsDir'> & RecordSettings): Promise<LiveBoards> {
    const boards = new LiveBoards(config);
    await boards.load();
    return boards;
  }

  get current(): readonly ReadBoard[] {
    return this.#current;
  }

  /**
   * Reads all files again. A board of the project takes the place of one of the gateway's own.
   *
   * @returns the errors of their form. The boards of other files are served
   */
  async load(): Promise<readonly Problem[]> {
    const boards = await loadBoards(this.folder);
    const own = recordsCalls(this.#config) ? await loadBoards(ownFolders.boards) : [];
    const isTaken = ({ name }: ReadBoard) => boards.some((board) => board.name === name);
    this.#current = [...boards, ...own.filter((board) => !isTaken(board))];
    return this.#current.flatMap(({ problems }) => problems);
  }

  /**
   * Writes the file of a board, and serves it.
   *
   * @param check the errors of what the board calls
   * @throws GatewayError as `WriteBoard`
   */
  async write(
    name: string,
    text: string,
    replaces: string | undefined,
    check: (read: ReadBoard) => Promise<readonly Problem[]>,
  ): Promise<string> {
    if (!boardName.test(name))
      throw refused(
        `${JSON.stringify(name)} is no name of a board: it has letters, digits, dots, hyphens and underscores.`,
      );
    const file = join(this.folder, `${name}${boardExtension}`);
    const read = readBoard(name, shownFile(file), text);
    const problems = [...read.problems, ...(await check(read))];
    if (problems.length > 0) throw refused(problems.map(formatProblem).join('\n'));
    try {
      await this.#put(file, text, replaces);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      throw refused(`${file} can't be written (${fileFailure(error)}).`);
    }
    await this.load();
    return file;
  }

  async #put(file: string, text: string, replaces: string | undefined): Promise<void> {
    const state = await readStateOf(file, replaces);
    if (state === 'exists')
      throw refused(`There is such a board already: ${file}. Load the board again, or choose another name.`);
    if (state === 'changed')
      throw refused(
        `The file has changed since it was read: ${file}. Load the board again, or choose another name.`,
      );
    await mkdir(this.folder, { recursive: true });
    await writeAsRead(file, text, replaces).catch((error: unknown) => {
      if (isCode(error, 'EEXIST'))
        throw refused(`There is such a board already: ${file}. Choose another name.`);
      throw error;
    });
  }
}

function refused(message: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', message);
}
