import type { Output } from '../../../src/base/terminal/output.ts';

/** An output that keeps what is written. */
export class CapturedOutput implements Output {
  stdout = '';
  stderr = '';

  readonly out = (text: string): void => {
    this.stdout += text;
  };

  readonly err = (text: string): void => {
    this.stderr += text;
  };

  /** What was complained of, line by line. */
  get complaints(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '');
  }
}
