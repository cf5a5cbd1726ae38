import type { PersonKind } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import {
  attemptsFrom,
  attemptsOfAccount,
  countAttempts,
  deleteOldAttempts,
  judgeCounted,
  returnAttempts,
} from './attempts.ts';
import { normalEmail } from './email.ts';
import { signInRefused } from './errors.ts';
import { hashPassword, passwordMatches } from './hash-in-turn.ts';
import { findPersonByEmail, type PersonRow } from './queries.ts';

/** Compared with where nobody has the address, so that this takes as long as a wrong password. */
let nobodysHash: Promise<string> | undefined;

/**
 * The person with this address and password. A try is counted before the password is looked at, and given back when it
 * was right: however many guesses come at once, in however many processes, at most five are looked at in fifteen
 * minutes, and fifty from one network.
 * @throws AppError 401 `SIGN_IN_REFUSED`, the same for an unknown address, one who was removed and a wrong password;
 *   423 `SIGN_IN_LOCKED`, also for an address that is nobody's; 503 `OVERLOADED`.
 */
export async function checkSignIn(
  { database, clock }: { database: Database; clock: Clock },
  input: {
    email: string;
    password: string;
    /** Left out at the terminal. */
    ip?: string;
    /** Left out: of either kind. */
    kind?: PersonKind;
    /** Told of a wrong password for somebody who is there. */
    onRefused?: (person: PersonRow) => void;
  },
): Promise<PersonRow> {
  const email = normalEmail(input.email);
  const counted = [...(input.ip === undefined ? [] : [attemptsFrom(input.ip)]), attemptsOfAccount(email)];
  await countAttempts({ queries: database, clock }, ...counted);
  const [found] = await database.query(findPersonByEmail, [email]);
  const isWanted = found?.disabled_at === null && (input.kind === undefined || found.kind === input.kind);
  const person = isWanted ? found : undefined;
  const right = await judgeCounted(database, counted, async () =>
    passwordMatches(input.password, person?.password_hash ?? (await hashOfNobody())),
  );
  if (person === undefined || !right) {
    if (person !== undefined) input.onRefused?.(person);
    throw signInRefused();
  }
  await returnAttempts(database, ...counted);
  await deleteOldAttempts({ queries: database, clock });
  return person;
}

function hashOfNobody(): Promise<string> {
  nobodysHash ??= hashPassword('nobody').catch((error: unknown) => {
    nobodysHash = undefined;
    throw error;
  });
  return nobodysHash;
}
