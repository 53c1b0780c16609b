/** What GitHub's runner skips before `::`. It compares texts without characters that have no width. */
const commandAtStart = /^[\s\p{Cf}]*(?=::)/u;

/**
 * A line that GitHub's runner does not take for one of its commands: names and rows may contain what looks
 * like one. `::` acts at the start of a line, after blanks; `##[` acts anywhere.
 *
 * Source: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function withoutCommand(line: string): string {
  return line.replace(commandAtStart, '$&· ').replaceAll('##[', '##\\u005b');
}
