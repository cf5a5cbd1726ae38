import type { TestApp } from './app.ts';
import type { Operation } from './operations.ts';
import { signedInMember, signedInOperator, type TestPerson } from './people.ts';
import { bearer } from './world.ts';

/** Who may call what: so that a generated request gets past the guard of whichever operation. */
export interface Callers {
  /** What somebody who may call the operation sends along: a key, a session whose password was just given, or nothing. */
  headersFor(operation: Operation): Promise<Record<string, string>>;
}

const IS_OPEN = /^(POST \/session|\w+ \/(sign-up|password\/(forgot|reset)|invitation)\b.*)$/;

export function createCallers(t: TestApp): Callers {
  const people = new Map<string, TestPerson>();

  /** Signs in again a person who was signed out by what was called. */
  async function signedIn(kind: 'owner' | 'operator'): Promise<TestPerson> {
    const known = people.get(kind);
    if (known !== undefined && (await known.call('GET', '/session')).status === 200) return known;
    const person = await (kind === 'owner' ? signedInMember(t, t.merchant.merchantId, 'OWNER') : signedInOperator(t));
    await person.refresh();
    people.set(kind, person);
    return person;
  }

  return {
    async headersFor({ name, tags }) {
      if (IS_OPEN.test(name)) return {};
      const isOf = (kind: string) => tags.some((tag) => tag.startsWith(kind));
      if (!isOf('Dashboard') && !isOf('Operator')) return bearer(t.merchant.secretKey);
      const person = await signedIn(isOf('Operator') ? 'operator' : 'owner');
      return { cookie: person.cookie(), 'x-csrf-token': await person.csrfToken() };
    },
  };
}
