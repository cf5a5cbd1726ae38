import { queueMail } from '../../mail/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { secondFactorOff } from '../errors.ts';
import { secondFactorResetMail } from '../links/mails.ts';
import { requirePersonByEmail } from '../person-by-email.ts';
import { endSessionsOf } from '../sessions/end-session.ts';
import { lockSecondFactor, updateTotpDisabled } from './queries.ts';

/**
 * The operator's way out for somebody who lost the app and the recovery codes, and whom nobody else can help: their second
 * factor is off, and their sessions end everywhere within two seconds. They are told by mail.
 * @returns how many sessions ended.
 * @throws AppError 404 `PERSON_NOT_FOUND` where nobody who may sign in has the address; 409 `SECOND_FACTOR_OFF`.
 */
export async function resetSecondFactor(
  { database, secrets, clock }: { database: Database; secrets: Secrets; clock: Clock },
  input: { email: string },
): Promise<{ personId: string; sessionsEnded: number }> {
  const { id: personId, email } = await requirePersonByEmail(database, input.email);
  return database.transaction(async (tx) => {
    await tx.query(lockSecondFactor, [personId]);
    const changed = await tx.query(updateTotpDisabled, [personId]);
    if (changed.length === 0) throw secondFactorOff();
    const sessionsEnded = await endSessionsOf(tx, personId);
    await queueMail({ queries: tx, secrets, clock }, secondFactorResetMail(email, clock.now()));
    return { personId, sessionsEnded };
  });
}
