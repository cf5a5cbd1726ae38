import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { newOperatorNotice, notifyOrganization } from '../changes/notices.ts';
import { requestChange } from '../changes/request-change.ts';
import { keepPerson } from '../create-person.ts';
import { emailOf } from '../email.ts';
import { emailTaken } from '../errors.ts';
import { hashPassword } from '../hash-in-turn.ts';
import { checkPassword } from '../password.ts';
import { findPersonByEmail } from '../queries.ts';
import { lockMembersOf } from './organization.ts';

/** So many are made at the terminal alone: two people are what everything else here needs. */
const MADE_ALONE = 2;

/** Made, or waiting for one of the staff who agrees: then they are invited by mail and choose a password of their own. */
export type OperatorAdded = { personId: string } & ({ changeId: string } | { changeId: null });

/**
 * One of the operator's staff, made at the terminal. From the third on, one of those who are there has to agree.
 * @throws AppError 400 for a field that is wrong; 409 `EMAIL_TAKEN`; 422 `PASSWORD_TOO_COMMON`.
 */
export async function addOperator(
  deps: { database: Database; secrets: Secrets; clock: Clock },
  input: { email: string; password: string; actor: string },
): Promise<OperatorAdded> {
  const { database, secrets, clock } = deps;
  const email = emailOf(input.email);
  await checkPassword(input.password, { email });
  const passwordHash = await hashPassword(input.password);
  const name = `The operator’s terminal (${input.actor})`;
  return database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, null);
    const [holder] = await tx.query(findPersonByEmail, [email]);
    const mayRejoin = holder?.kind === 'OPERATOR' && holder.disabled_at !== null;
    if (holder !== undefined && !mayRejoin) throw emailTaken();
    const subjectId = holder?.id ?? newId();
    if (members.filter(({ disabled_at }) => disabled_at === null).length >= MADE_ALONE || mayRejoin) {
      const who = { merchantId: null, subjectId, email, role: null, madeBy: { personId: null, name } };
      const { changeId } = await requestChange(deps, tx, { kind: 'INVITATION', needed: 1, ...who }, members);
      return { personId: subjectId, changeId };
    }
    await keepPerson({ database: tx, clock }, { kind: 'OPERATOR', personId: subjectId, email, passwordHash });
    await notifyOrganization({ queries: tx, secrets, clock }, null, newOperatorNotice(email, name));
    return { personId: subjectId, changeId: null };
  });
}
