import type { Role } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Queries, violatedUnique } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { emailOf } from './email.ts';
import { emailTaken } from './errors.ts';
import { hashPassword } from './hash-in-turn.ts';
import { checkPassword } from './password.ts';
import { insertPerson } from './queries.ts';

export type NewPerson = { email: string; password: string; firstName?: string; lastName?: string } & (
  | { kind: 'OPERATOR' }
  | { kind: 'MEMBER'; merchantId: string; role: Role }
);

/**
 * Someone who may sign in to the dashboard.
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

/** The person whose password was checked and hashed before. @throws AppError 409 `EMAIL_TAKEN`. */
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
