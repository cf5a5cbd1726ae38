import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atTerminal } from '../support/terminal.ts';
import { bearer, issueKey } from '../support/world.ts';
import {
  approve,
  type Business,
  business,
  callWith,
  codeOf,
  createTestApp,
  expectBooksRight,
  type Person,
  personOf,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

const SECRET = { name: 'Shop server', kind: 'SECRET' };
const makeKey = async (by: Person) => (await by.call('POST', '/key', SECRET)).body.data;
const unmade = async (shop: Business, mode = 'SANDBOX') =>
  (await shop.owner.call('GET', '/approval/rules', undefined, { 'x-mode': mode })).body.data.keysWithoutMaker;
const emailOf = ({ personId }: Person) => `${personId}@adire.example`;
/** The key that a command has printed, as a caller. */
const callerOf = ({ printed }: { printed: string[] }) => callWith(t, bearer(printed[0]?.split('\t')[1] ?? ''));

describe('whoever rotates a key', () => {
  it('is the maker of the new one, and cannot approve what it sends; the old key keeps its own', async () => {
    const shop = await business(t);
    const admin = await personOf(t, shop.merchant, 'ADMIN', 'Bola');
    const old = await makeKey(shop.owner);
    const rotated = await admin.call('POST', `/key/${old.keyId}/rotate`, {});
    expect(rotated.body.data, rotated.text).toMatchObject({ createdBy: { personId: admin.personId, name: 'Bola' } });
    const byNew = await waitingPayout(callWith(t, bearer(rotated.body.data.key)));
    expect(byNew.approval.madeBy).toMatchObject({ personId: admin.personId, via: 'API' });
    expect(codeOf(await approve(admin, byNew))).toBe('403 SELF_APPROVAL');
    expect(codeOf(await approve(shop.owner, byNew))).toBe('DONE');
    const byOld = await waitingPayout(callWith(t, bearer(old.key)));
    expect(codeOf(await approve(shop.owner, byOld))).toBe('403 SELF_APPROVAL');
    expect(codeOf(await approve(admin, byOld))).toBe('DONE');
  });

  it('at the operator’s terminal leaves the maker, unless it names another', async () => {
    const shop = await business(t);
    const { keyId } = await makeKey(shop.owner);
    const own = ['rotate-key', '--merchant', shop.merchant.merchantId, '--key', keyId, '--overlap-hours', '1'];
    const kept = await waitingPayout(callerOf(await atTerminal(t, ...own)));
    expect(codeOf(await approve(shop.owner, kept))).toBe('403 SELF_APPROVAL');
    const given = await waitingPayout(callerOf(await atTerminal(t, ...own, '--for', emailOf(shop.ann))));
    expect(codeOf(await approve(shop.ann, given))).toBe('403 SELF_APPROVAL');
    expect(codeOf(await approve(shop.owner, given))).toBe('DONE');
  });
});

describe('a key of the operator’s terminal', () => {
  const issue = (shop: Business, ...options: string[]) =>
    atTerminal(t, 'issue-key', '--merchant', shop.merchant.merchantId, ...options);

  it('that is made for somebody has them as its maker', async () => {
    const shop = await business(t);
    const before = await unmade(shop);
    const issued = await issue(shop, '--for', emailOf(shop.ann).toUpperCase());
    const payout = await waitingPayout(callerOf(issued));
    expect(payout.approval.madeBy).toEqual({ personId: shop.ann.personId, name: 'Ann, by an API key', via: 'API' });
    expect(codeOf(await approve(shop.ann, payout))).toBe('403 SELF_APPROVAL');
    expect(await unmade(shop)).toBe(before);
    const listed = await atTerminal(t, 'list-keys', '--merchant', shop.merchant.merchantId);
    const makers = listed.printed.map((line) => line.split('\t').at(-1));
    expect([makers[0], new Set(makers.slice(1))]).toEqual(['maker Ann', new Set(['maker nobody'])]);
  });

  it('is for nobody of another business, nobody who has left and nobody unknown', async () => {
    const [shop, other] = [await business(t), await business(t)];
    const keys = async () => (await shop.owner.call('GET', '/key')).body.data.length;
    const before = await keys();
    await t.database.pool.query('update people set disabled_at = now() where id = $1', [shop.ben.personId]);
    for (const email of [emailOf(other.ann), emailOf(shop.ben), 'nobody@adire.example']) {
      const { exit, warned } = await issue(shop, '--for', email);
      expect([exit, warned.join()]).toEqual([1, expect.stringContaining('PERSON_NOT_FOUND')]);
    }
    expect((await issue(shop, '--for', '')).exit).toBe(1);
    expect(await keys()).toBe(before);
  });

  it('that nobody made is counted beside the rules while it may pay, in its mode alone', async () => {
    const shop = await business(t);
    const { merchantId } = shop.merchant;
    const before = { sandbox: await unmade(shop), live: await unmade(shop, 'LIVE') };
    await issue(shop, '--public');
    await issue(shop, '--scope', 'payout:read');
    await issue(shop, '--days', '1');
    const { keyId } = await issueKey(t, merchantId, 'SANDBOX');
    await issue(shop, '--scope', 'payout:write', '--live');
    await makeKey(shop.owner);
    expect([await unmade(shop), await unmade(shop, 'LIVE')]).toEqual([before.sandbox + 2, before.live + 1]);
    await atTerminal(t, 'revoke-key', '--merchant', merchantId, '--key', keyId);
    t.clock.advance(25 * 60 * 60_000);
    const owner = await personOf(t, shop.merchant, 'OWNER');
    expect(await unmade({ ...shop, owner })).toBe(before.sandbox);
    const changed = await owner.call('PATCH', '/approval/rules', { isMakerCheckerEnabled: false });
    expect(changed.body.data.keysWithoutMaker).toBe(before.sandbox);
  });
});
