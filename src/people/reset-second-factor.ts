import { queueMail } from '../mail/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { PeopleDeps } from './deps.ts';
import { requirePersonByEmail } from './email.ts';
import { secondFactorOff } from './errors.ts';
import { secondFactorResetMail } from './mails.ts';
import type { MemberRow } from './member-queries.ts';
import { lockMembersOf } from './organization.ts';
import { agreementsOf, notifyOrganization, requestChange, resetNotice } from './request-change.ts';
import { lockSecondFactor, updateTotpDisabled } from './second-factor-queries.ts';
import { endSessionsOf } from './session.ts';

interface ResetInput {
  email: string;
  /** Why; whoever has to agree reads it. */
  reason: string;
  /** Who has the terminal. */
  actor: string;
  /** None of the operator's staff can sign in to agree: the terminal alone does it for one of them. */
  nobodyLeft: boolean;
}

/** How it went: done, with the sessions that ended, or waiting for a second person. */
type ResetDone = { personId: string } & ({ sessionsEnded: number } | { changeId: string });

/**
 * The operator's way out for somebody who lost the app and the recovery codes, and whom nobody else can help: their second
 * factor is off, and their sessions end everywhere within two seconds. At a merchant whose approvals are on, and for one
 * of several of the operator's staff, it waits until somebody else who decides there has agreed. They, and every owner,
 * are notified by mail.
 * @throws AppError 404 `PERSON_NOT_FOUND` where nobody who may sign in has the address; 409 `SECOND_FACTOR_OFF`.
 */
export async function resetSecondFactor(
  deps: Pick<PeopleDeps, 'database' | 'secrets' | 'clock' | 'approversNeeded'>,
  input: ResetInput,
): Promise<ResetDone> {
  const person = await requirePersonByEmail(deps.database, input.email);
  const { id: personId, email, merchant_id: merchantId } = person;
  return deps.database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, merchantId);
    if (members.find(({ id }) => id === personId)?.second_factor !== true) throw secondFactorOff();
    const needed = await agreementsForReset(deps, tx, { ...input, personId, merchantId, members });
    if (needed > 0) {
      const madeBy = { personId: null, name: `The operator’s terminal (${input.actor})` };
      const about = { kind: 'SECOND_FACTOR', merchantId, subjectId: personId, email, role: null } as const;
      const change = { ...about, reason: input.reason, needed, madeBy };
      return { personId, ...(await requestChange(deps, tx, change, members)) };
    }
    const sessionsEnded = await switchSecondFactorOff(deps, tx, { personId, email });
    const on = { queries: tx, secrets: deps.secrets, clock: deps.clock };
    await notifyOrganization(on, merchantId, resetNotice(email, input.reason));
    return { personId, sessionsEnded };
  });
}

async function agreementsForReset(
  deps: Pick<PeopleDeps, 'approversNeeded'>,
  tx: Tx,
  about: Pick<ResetInput, 'nobodyLeft'> & {
    personId: string;
    merchantId: string | null;
    members: readonly MemberRow[];
  },
): Promise<number> {
  const { personId, merchantId, members, nobodyLeft } = about;
  if (merchantId !== null) return agreementsOf(deps, tx, merchantId);
  const others = members.filter(({ id, disabled_at }) => id !== personId && disabled_at === null);
  return nobodyLeft || others.length === 0 ? 0 : 1;
}

/**
 * In the caller's transaction: the second factor is off, their sessions end, and they are notified.
 * @returns how many sessions ended.
 * @throws AppError 409 `SECOND_FACTOR_OFF`.
 */
export async function switchSecondFactorOff(
  { secrets, clock }: Pick<PeopleDeps, 'secrets' | 'clock'>,
  tx: Tx,
  { personId, email }: { personId: string; email: string },
): Promise<number> {
  await tx.query(lockSecondFactor, [personId]);
  const changed = await tx.query(updateTotpDisabled, [personId]);
  if (changed.length === 0) throw secondFactorOff();
  const ended = await endSessionsOf(tx, personId);
  await queueMail({ queries: tx, secrets, clock }, secondFactorResetMail(email, clock.now()));
  return ended;
}
