import { SignJWT } from 'jose';
import { systemClock } from '../../base/system/clock.ts';
import type { Output } from '../../base/terminal/output.ts';
import { type KeyOptions, OptionProblems, readKeyOptions } from '../../calls/access/key/key-options.ts';
import { isSubject } from '../../calls/access/token/token-claims.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { notesOnUnknownNames, optionName } from './restrictions.ts';

/** The options of `keys token`, as given. */
export interface TokenOptions extends Omit<KeyOptions, 'name' | 'scopes' | 'sources'> {
  readonly subject: string;
}

/** How long a token is valid by default. */
const defaultExpiry = '30m';

/**
 * Makes a token for trying, signed with `JWT_SECRET`, and prints it to standard output.
 *
 * @returns the exit code
 */
export async function tokenCommand(
  config: Pick<Config, 'jwtSecret' | 'jwtIssuer' | 'jwtAudience' | 'jwtMaxLifetimeSeconds' | 'endpointsDir'>,
  output: Output,
  { subject, ...options }: TokenOptions,
): Promise<number> {
  const { jwtSecret, jwtIssuer, jwtAudience, endpointsDir } = config;
  if (jwtSecret === undefined) {
    output.err('JWT_SECRET is not set: the command signs with it\n');
    return exitCodes.wrongUse;
  }
  if (!isSubject(subject)) {
    output.err('--subject: expected 1 to 200 characters\n');
    return exitCodes.wrongUse;
  }
  try {
    const given = { ...options, name: 'token', expires: options.expires ?? defaultExpiry };
    const now = systemClock.now();
    const { name: _, scopes: __, expires = 0, ...claims } = readKeyOptions(given, now, optionName);
    const [issued, expiry] = [Math.floor(now / 1000), Math.floor(expires / 1000)];
    const maxSeconds = config.jwtMaxLifetimeSeconds;
    if (expiry - issued > maxSeconds) {
      output.err(`--expires: tokens are valid for at most ${maxSeconds} s (JWT_MAX_LIFETIME_SECONDS)\n`);
      return exitCodes.wrongUse;
    }
    const token = new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(subject)
      .setAudience(jwtAudience)
      .setIssuedAt(issued)
      .setExpirationTime(expiry);
    if (jwtIssuer !== undefined) token.setIssuer(jwtIssuer);
    for (const each of await notesOnUnknownNames(endpointsDir, 'token', claims)) output.err(`${each}\n`);
    output.out(`${await token.sign(new TextEncoder().encode(jwtSecret))}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof OptionProblems)) throw error;
    output.err(`${error.message}\n`);
    return exitCodes.wrongUse;
  }
}
