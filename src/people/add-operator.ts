import type { Role } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, type Queries, violatedUnique } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { emailOf } from './email.ts';
import { emailTaken } from './errors.ts';
import { lockMembersOf } from './organization.ts';
import { checkPassword, hashPassword } from './password.ts';
import { findPersonByEmail, insertPerson } from './queries.ts';
import { newOperatorNotice, notifyOrganization, requestChange } from './request-change.ts';

/** So many people are made at the terminal alone: everything else here needs two people. */
const MADE_ALONE = 2;

/**
 * Made, or waiting for one of the staff who agrees: then they are invited by mail and choose a password of their own.
 */
type OperatorAdded = { personId: string } & ({ changeId: string } | { changeId: null });

/**
 * Adds one of the operator's staff, at the terminal. From the third on, one of the present staff has to agree.
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

export type NewPerson = { email: string; password: string; firstName?: string; lastName?: string } & (
  | { kind: 'OPERATOR' }
  | { kind: 'MEMBER'; merchantId: string; role: Role }
);

/**
 * Creates a person who may sign in to the dashboard.
 * @throws AppError 400 for a field that is wrong; 409 `EMAIL_TAKEN`; 422 `PASSWORD_TOO_COMMON`.
 */
export async function createPerson(
  deps: { database: Queries; clock: Clock },
  input: NewPerson,
): Promise<{ personId: string }> {
  const email = emailOf(input.email);
  await checkPassword(input.password, { email });
  const passwordHash = await hashPassword(input.password);
  const personId = newId();
  await keepPerson(deps, { ...input, personId, email, passwordHash });
  return { personId };
}

/** Stores a person whose password was checked and hashed before. @throws AppError 409 `EMAIL_TAKEN`. */
export async function keepPerson(
  { database, clock }: { database: Queries; clock: Clock },
  input: Omit<NewPerson, 'password' | 'kind'> & { personId: string; passwordHash: string } & (
      | { kind: 'OPERATOR' }
      | { kind: 'MEMBER'; merchantId: string; role: Role }
    ),
): Promise<void> {
  const person = write(insertPerson, {
    id: input.personId,
    kind: input.kind,
    merchant_id: input.kind === 'MEMBER' ? input.merchantId : null,
    role: input.kind === 'MEMBER' ? input.role : null,
    first_name: input.firstName ?? '',
    last_name: input.lastName ?? '',
    email: input.email,
    password_hash: input.passwordHash,
    created_at: clock.now(),
  });
  try {
    await database.run(person.into, [person.row]);
  } catch (error) {
    if (violatedUnique(error) === 'people_email_unique') throw emailTaken();
    throw error;
  }
}
