import { type KeyMaker, nameOfPerson } from '../access/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { MAX_EMAIL_LENGTH } from '../platform/http/schemas.ts';
import { isVisible } from '../platform/text.ts';
import { addressUnknown } from './errors.ts';
import { findPersonByEmail, type PersonRow } from './queries.ts';

/** A person's address may have letters of any script, which an address in a request of the API may not. */
const EMAIL = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\]+$/;

/**
 * The address as it is stored and compared: without case and outer spaces.
 * @throws AppError 400 for what is no address.
 */
export function emailOf(text: string): string {
  const email = normalEmail(text);
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email) || !isVisible(email)) {
    throw invalidField('email', 'must be an e-mail address');
  }
  return email;
}

export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** For the operator's terminal, where people are named by their address. @throws AppError 404 `PERSON_NOT_FOUND`. */
export async function requirePersonByEmail(queries: Queries, email: string): Promise<PersonRow> {
  const [person] = await queries.query(findPersonByEmail, [normalEmail(email)]);
  if (person === undefined || person.disabled_at !== null) throw addressUnknown();
  return person;
}

/** One of a merchant's own people, for a key that is made for them. @throws AppError 404 `PERSON_NOT_FOUND`. */
export async function requireMemberByEmail(
  queries: Queries,
  input: { merchantId: string; email: string },
): Promise<KeyMaker> {
  const person = await requirePersonByEmail(queries, input.email);
  if (person.merchant_id !== input.merchantId) throw addressUnknown();
  const { first_name: firstName, last_name: lastName, email } = person;
  return { personId: person.id, name: nameOfPerson({ firstName, lastName, email }) };
}

/** The merchant of the person with this address; null for the operator's staff and for an unknown address. */
export async function merchantOfEmail(queries: Queries, email: string): Promise<string | null> {
  const [person] = await queries.query(findPersonByEmail, [normalEmail(email)]);
  return person?.merchant_id ?? null;
}
