import { nameOfPerson, type Principal } from '../access/index.ts';
import type { Database } from '../platform/db/database.ts';
import { findPersonName } from './queries.ts';

/** Who made something: a person, or a key, behind which stands the person who made the key. */
export interface Maker {
  merchantId: string;
  /** Null: a key of the operator's terminal, which no person made. */
  personId: string | null;
  /** Of a person; of a key it is looked up where it is needed. */
  name: string | null;
  via: 'DASHBOARD' | 'API';
  keyId: string | null;
  /** From where; null where nobody asked over a network. */
  ip: string | null;
}

/** Of a request: who it is by, and from where. */
export function makerOf({ principal, ip }: { principal: Principal; ip: string }): Maker {
  const { tenant, member, keyCreatedBy, keyId } = principal;
  const { merchantId } = tenant;
  if (member === null) return { merchantId, personId: keyCreatedBy, name: null, via: 'API', keyId, ip };
  return { merchantId, personId: member.personId, name: member.name, via: 'DASHBOARD', keyId: null, ip };
}

/** For people to read: who made it, and that it came by a key where it did. */
export async function nameOfMaker(database: Database, { merchantId, personId, name }: Maker): Promise<string> {
  if (name !== null) return name;
  const [person] = personId === null ? [] : await database.query(findPersonName, [merchantId, personId]);
  if (person === undefined) return 'An API key';
  const { first_name: firstName, last_name: lastName, email } = person;
  return `${nameOfPerson({ firstName, lastName, email })}, by an API key`;
}
