import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueApiKey, type Role } from '../../src/access/index.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { bearer, rowsOf } from '../support/world.ts';
import { newestLink } from './mails.ts';

let t: TestApp;
let merchant: TestMerchant;
let owner: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  t.clock.advance(60 * 60_000);
  merchant = await t.addMerchant();
  owner = await signedInMember(t, merchant.merchantId, 'OWNER');
});

const memberAs = (role: Role, mode: 'SANDBOX' | 'LIVE' = 'SANDBOX') =>
  signedInMember(t, merchant.merchantId, role, mode);
const made = async (who: TestPerson, name: string, scopes?: string[]) =>
  (await who.call('POST', '/key', { name, kind: 'SECRET', scopes })).body.data as { keyId: string; key: string };
const codeOf = async (key: string) => {
  const { status, body } = await t.call('GET', '/wallet/merchant', undefined, bearer(key));
  return body.code ?? status;
};
const keyOf = async (keyId: string) =>
  (await owner.call('GET', '/key')).body.data.find((key: { keyId: string }) => key.keyId === keyId);

describe('somebody who is removed', () => {
  it('leaves no key in force in either mode, and each that ended is on record', async () => {
    const admin = await memberAs('ADMIN');
    const inLive = await signedInMember(t, merchant.merchantId, 'ADMIN', 'LIVE');
    const [till, other] = [await made(admin, 'Till'), await made(inLive, 'Other')];
    await t.database.pool.query('update api_keys set created_by = $1 where id = $2', [admin.personId, other.keyId]);
    const listed = (await owner.call('GET', `/member/${admin.personId}/key`)).body.data;
    expect(listed).toMatchObject([
      { keyId: other.keyId, mode: 'LIVE', name: 'Other' },
      { keyId: till.keyId, mode: 'SANDBOX', name: 'Till' },
    ]);
    expect(await codeOf(till.key)).toBe(200);
    const removed = await owner.call('DELETE', `/member/${admin.personId}`);
    expect(removed.body.data).toEqual({ keysRevoked: 2, invitationsWithdrawn: 0 });
    // Within the two seconds for which a key is believed.
    for (const { key } of [till, other])
      await expect.poll(() => codeOf(key), { timeout: 20_000 }).toBe('TOKEN_EXPIRED');
    expect(await keyOf(till.keyId)).toMatchObject({ state: 'REVOKED', createdBy: { left: true } });
    const { records } = (await owner.call('GET', '/audit?category=KEYS&action=revoke-key')).body.data;
    expect(records.map(({ subject, actor }: { subject: object; actor: object }) => [subject, actor])).toEqual([
      [
        { keyId: till.keyId, name: 'Till', personId: admin.personId, reason: 'MAKER_REMOVED' },
        expect.objectContaining({ personId: owner.personId }),
      ],
      [expect.objectContaining({ keyId: other.keyId }), expect.objectContaining({ personId: owner.personId })],
    ]);
  });

  it('leaves them in force where that is asked for, which is on record, and they show that their maker has left', async () => {
    const admin = await memberAs('ADMIN');
    const { keyId, key } = await made(admin, 'Till');
    expect((await keyOf(keyId)).createdBy).toEqual({ personId: admin.personId, name: 'ADMIN Person', left: false });
    const kept = await owner.call('DELETE', `/member/${admin.personId}?keepKeys=true`);
    expect(kept.body.data).toEqual({ keysRevoked: 0, invitationsWithdrawn: 0 });
    expect(await codeOf(key)).toBe(200);
    expect(await keyOf(keyId)).toMatchObject({ state: 'ACTIVE', createdBy: { left: true } });
    const { records } = (await owner.call('GET', '/audit?category=PEOPLE&outcome=DONE')).body.data;
    expect(records[0].subject).toEqual({ personId: admin.personId, keepKeys: true });
  });

  it('has no way back in by an invitation that they sent before', async () => {
    const admin = await memberAs('ADMIN');
    const back = `second.address${merchant.merchantId}@shop.example`;
    await admin.call('POST', '/member/invite', { email: back, role: 'VIEWER' });
    const token = await newestLink(t, back);
    const removed = await owner.call('DELETE', `/member/${admin.personId}`);
    expect(removed.body.data).toEqual({ keysRevoked: 0, invitationsWithdrawn: 1 });
    const body = { token, password: TEST_PASSWORD, firstName: 'Bola', lastName: 'Ade' };
    expect((await browser(t).call('POST', '/invitation/accept', body)).body.code).toBe('LINK_INVALID');
    expect((await owner.call('GET', '/member')).text).not.toContain(back);
  });

  it('makes no key at the moment of it that outlives it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const admin = await memberAs('ADMIN');
      await admin.csrfToken();
      const [, ...replies] = await Promise.all([
        owner.call('DELETE', `/member/${admin.personId}`),
        ...Array.from({ length: 4 }, () => admin.call('POST', '/key', { name: 'Late', kind: 'SECRET' })),
      ]);
      for (const { status } of replies) expect([200, 401]).toContain(status);
      const left = await rowsOf(
        t.connectionString,
        'select 1 from api_keys where created_by = $1 and revoked_at is null',
        [admin.personId],
      );
      expect(left, `round ${round}`).toEqual([]);
    }
  });

  it('of the operator’s staff has no way back in either', async () => {
    const [ada, ngozi] = [await signedInOperator(t), await signedInOperator(t)];
    await rowsOf(
      t.connectionString,
      `insert into invitations (id, merchant_id, role, email, invited_by, created_at)
      values (gen_random_uuid(), null, null, 'ada.again@manilla.example', $1, now())`,
      [ada.personId],
    );
    const removed = await ngozi.call('DELETE', `/operator/person/${ada.personId}`);
    expect(removed.body.data).toEqual({ keysRevoked: 0, invitationsWithdrawn: 1 });
  });
});

describe('somebody whose role becomes less', () => {
  it('loses the keys that may do more than they, and keeps the others', async () => {
    const admin = await memberAs('ADMIN');
    const [all, reads] = [await made(admin, 'Pays'), await made(admin, 'Reads', ['wallet:read'])];
    const changed = await owner.call('PATCH', `/member/${admin.personId}`, { role: 'VIEWER' });
    expect(changed.body.data).toEqual({ keysRevoked: 1, invitationsWithdrawn: 0, changeId: null });
    expect([(await keyOf(all.keyId)).state, (await keyOf(reads.keyId)).state]).toEqual(['REVOKED', 'ACTIVE']);
    const other = await memberAs('ADMIN');
    const { keyId } = await made(other, 'Pays');
    await owner.call('PATCH', `/member/${other.personId}`, { role: 'VIEWER', keepKeys: true });
    expect((await keyOf(keyId)).state).toBe('ACTIVE');
  });

  it('makes no key with the rights of before, also where a process has not heard of it yet', async () => {
    const { merchantId } = merchant;
    const developer = await memberAs('DEVELOPER');
    const createdBy = { personId: developer.personId, name: 'Bola Ade' };
    const asAdmin = { merchantId, mode: 'LIVE', kind: 'SECRET', createdBy, role: 'ADMIN' } as const;
    await expect(issueApiKey(t, asAdmin)).rejects.toMatchObject({ code: 'ROLE_CHANGED' });
    const made = await rowsOf(t.connectionString, 'select 1 from api_keys where created_by = $1', [developer.personId]);
    expect(made).toEqual([]);
  });
});
