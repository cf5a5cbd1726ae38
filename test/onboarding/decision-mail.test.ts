import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideOnboarding } from '../../src/onboarding/index.ts';
import { mailsTo } from '../people/mails.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';
import { fillEverything } from './upload.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

let merchantId: string;
let owner: TestPerson;
beforeEach(async () => {
  ({ merchantId } = await t.addMerchant({ approved: false, mode: 'LIVE' }));
  owner = await signedInMember(t, merchantId, 'OWNER');
  await fillEverything(t, owner);
  await owner.call('POST', '/onboarding/submit');
});

const decide = (decision: 'approve' | 'reject', reason?: string) =>
  decideOnboarding(t, decision, { merchantId, actor: 'operator@manilla.example', reason });
const subjects = async (email: string) => (await mailsTo(t, email)).map(({ subject }) => subject);

describe('what the reviewers decide', () => {
  it('is mailed with its reason to owners and administrators, and to nobody else', async () => {
    const admin = await signedInMember(t, merchantId, 'ADMIN');
    const maker = await signedInMember(t, merchantId, 'MAKER');
    await decide('reject', 'The bill is older than three months.');
    for (const { email } of [owner, admin]) {
      const [mail] = await mailsTo(t, email);
      expect(mail?.subject).toBe('Your business profile came back');
      expect(mail?.text).toContain('The reviewers wrote: The bill is older than three months.');
    }
    expect(await subjects(maker.email)).toEqual([]);
  });

  it('is mailed when live mode opens, and again when changes are accepted or come back', async () => {
    await decide('approve');
    expect(await subjects(owner.email)).toEqual(['You are approved, and live mode is open']);
    for (const [decision, subject] of [
      ['approve', 'Your changes were accepted'],
      ['reject', 'Your changes came back'],
    ] as const) {
      await owner.call('PATCH', '/onboarding/basic-details', { businessCategory: `Cloth, ${decision}` });
      await owner.call('POST', '/onboarding/submit');
      await decide(decision, 'as agreed');
      expect((await subjects(owner.email))[0]).toBe(subject);
    }
  });

  it('is not mailed where it was refused', async () => {
    await decide('approve');
    await expect(decide('reject', 'too late')).rejects.toThrow();
    expect(await subjects(owner.email)).toEqual(['You are approved, and live mode is open']);
  });
});
