import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authenticateOperator, createPerson, requireOperator } from '../../src/people/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { type AccessDatabase, createAccessDatabase, outcome } from '../access/access-database.ts';
import { clockOf } from '../support/clock.ts';
import { addPerson, TEST_PASSWORD } from '../support/people.ts';

const RIGHT = TEST_PASSWORD;
let store: AccessDatabase;
let offset = 0;
const clock = clockOf(() => new Date(Date.now() + offset));
let email = '';
let made = 0;

beforeAll(async () => {
  store = await createAccessDatabase();
});
afterAll(() => store.drop());
beforeEach(async () => {
  made += 1;
  email = `ops${made}@bank.example`;
  await addPerson({ database: store.database, clock }, { kind: 'OPERATOR', email });
});

const signIn = (password: string, address = email, database = store.database) =>
  authenticateOperator({ database, clock }, { email: address, password });
const said = async (password: string, address = email) => outcome(() => signIn(password, address));

function minutesLater(minutes: number): void {
  offset += minutes * 60_000;
}

describe('signing in as an operator', () => {
  it('takes the right password, whatever the case of the address, and says who it is', async () => {
    const operator = await signIn(RIGHT, ` ${email.toUpperCase()} `);
    expect(operator).toEqual({ personId: expect.any(String), email });
    expect(await requireOperator(store.database, operator.personId)).toEqual(operator);
  });

  it('says the same to a wrong password, an unknown address and a merchant’s person', async () => {
    const member = `member${made}@shop.example`;
    const merchantId = newId();
    await addPerson({ database: store.database, clock }, { kind: 'MEMBER', role: 'OWNER', merchantId, email: member });
    const answers = await Promise.all(
      [
        [email, 'wrong'],
        ['nobody@bank.example', RIGHT],
        [member, RIGHT],
      ].map(([address = '', password = '']) =>
        signIn(password, address).then(
          () => 'ok',
          (error: Error & { code: string }) => `${error.code} ${error.message}`,
        ),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['SIGN_IN_REFUSED The e-mail address or the password is wrong.']));
  });

  it('looks at five of fifty wrong passwords that come at once through two processes, and then at no right one', async () => {
    const other = store.connect();
    for (const address of [email, `unknown${made}@bank.example`]) {
      const codes = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          outcome(() => signIn(`wrong ${at}`, address, at % 2 === 0 ? store.database : other)),
        ),
      );
      expect(codes.filter((code) => code === 'SIGN_IN_REFUSED')).toHaveLength(5);
      expect(codes.filter((code) => code === 'SIGN_IN_LOCKED')).toHaveLength(45);
      expect(await said(RIGHT, address)).toBe('SIGN_IN_LOCKED');
    }
  });

  it('opens again after fifteen minutes, with five new attempts', async () => {
    for (let at = 0; at < 5; at += 1) expect(await said('wrong')).toBe('SIGN_IN_REFUSED');
    minutesLater(14);
    expect(await said(RIGHT)).toBe('SIGN_IN_LOCKED');
    minutesLater(1);
    expect(await said('wrong')).toBe('SIGN_IN_REFUSED');
    expect(await said(RIGHT)).toBe('ok');
  });

  it('gives a right try back without wiping out the wrong ones', async () => {
    for (let at = 0; at < 4; at += 1) expect(await said('wrong')).toBe('SIGN_IN_REFUSED');
    for (let at = 0; at < 10; at += 1) expect(await said(RIGHT)).toBe('ok');
    expect(await said('wrong')).toBe('SIGN_IN_REFUSED');
    expect(await said(RIGHT)).toBe('SIGN_IN_LOCKED');
  });

  it('takes as long over an address that is nobody’s as over a wrong password', async () => {
    const slow = `slow${made}@bank.example`;
    await createPerson({ database: store.database, clock }, { kind: 'OPERATOR', email: slow, password: RIGHT });
    const timeOf = async (address: string) => {
      const startedAt = performance.now();
      await said('wrong', address);
      return performance.now() - startedAt;
    };
    await said('wrong', `first${made}@bank.example`);
    const times: { nobodys: number; own: number }[] = [];
    // By turns, so that both have the same moments of a busy machine.
    for (let at = 0; at < 4; at += 1) {
      times.push({ nobodys: await timeOf(`nobody${made}.${at}@bank.example`), own: await timeOf(slow) });
    }
    const fastest = (which: 'nobodys' | 'own') => Math.min(...times.map((each) => each[which]));
    // Without hashing it would be a tenth.
    expect(fastest('nobodys')).toBeGreaterThan(0.25 * fastest('own'));
  });

  it('keeps neither addresses nor passwords of those who were refused', async () => {
    await said('a secret that was mistyped', `mistyped${made}@bank.example`);
    const { rows } = await store.database.pool.query('select s::text as row from sign_in_attempts s');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ row }) => row).join()).not.toMatch(/mistyped|secret/);
  });

  it('knows no operator by the id of anybody else', async () => {
    expect(await outcome(() => requireOperator(store.database, newId()))).toBe('OPERATOR_NOT_FOUND');
  });
});
