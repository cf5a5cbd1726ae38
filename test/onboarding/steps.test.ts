import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StepProblem } from '../../src/onboarding/errors.ts';
import { decideOnboarding, readOnboarding } from '../../src/onboarding/index.ts';
import { createTestApp, type Reply, type TestApp } from '../support/app.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';
import { bearer, rowsOf } from '../support/world.ts';
import { ACCOUNT, BASIC, BUSINESS, DIRECTOR, fillEverything, pdf, upload } from './upload.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

let merchantId: string;
let liveKey: string;
let owner: TestPerson;
beforeEach(async () => {
  const merchant = await t.addMerchant({ approved: false, mode: 'LIVE' });
  merchantId = merchant.merchantId;
  liveKey = merchant.secretKey;
  owner = await signedInMember(t, merchantId, 'OWNER');
});

const save = (step: string, body: object) => owner.call('PATCH', `/onboarding/${step}`, body);
const told = ({ status, body }: Reply) => [status, body.code];
const read = async () => (await owner.call('GET', '/onboarding')).body.data;
const stepOf = (data: { steps: { key: string }[] }, key: string) =>
  data.steps.find((step) => step.key === key) as unknown as {
    done: boolean;
    values: Record<string, string>;
    problems: StepProblem[];
    before: Record<string, string>;
  };
const missingOf = ({ problems }: { problems: StepProblem[] }) =>
  problems.filter(({ severity }) => severity === 'ERROR').map(({ field }) => field);
const info = async () => (await owner.call('GET', '/merchant/info')).body.data;
const decide = (decision: 'approve' | 'reject', reason?: string) =>
  decideOnboarding(t, decision, { merchantId, actor: 'operator@manilla.example', reason });

describe('a step', () => {
  it('keeps what was given of it, and what is given later is added', async () => {
    const first = await save('business-details', { city: 'Ibadan' });
    expect(first.status, first.text).toBe(200);
    expect(stepOf(first.body.data, 'BUSINESS_DETAILS')).toMatchObject({ done: false, values: { city: 'Ibadan' } });
    const second = await save('business-details', { state: 'Oyo' });
    const step = stepOf(second.body.data, 'BUSINESS_DETAILS');
    expect(step.values).toMatchObject({ city: 'Ibadan', state: 'Oyo', address: '' });
    expect(missingOf(step)).toEqual(['registrationNumber', 'address']);
  });

  it('takes no name that would pass for a link in the mails that name the business', async () => {
    for (const businessName of ['Win at https://evil.example', 'www.evil.example', '<b>Adire</b>']) {
      const reply = await save('basic-details', { businessName });
      expect([...told(reply), reply.body.errors[0].field]).toEqual([400, 'VALIDATION_FAILED', 'businessName']);
    }
    expect(told(await save('basic-details', { businessName: 'Adire.ng & Söhne (Lagos)' }))).toEqual([200, undefined]);
  });

  it('may be emptied again where the account can be without it', async () => {
    await save('business-details', { ...BUSINESS, postalCode: '101241' });
    await save('business-details', { city: '', postalCode: '' });
    expect(stepOf(await read(), 'BUSINESS_DETAILS')).toMatchObject({
      done: false,
      values: { city: '', postalCode: '' },
    });
    expect((await info()).postalCode).toBeNull();
    expect(told(await save('basic-details', { businessName: '' }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(told(await save('basic-details', { email: '' }))).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('counts as complete in the Merchant object from the moment it is, and no longer when it is not', async () => {
    expect((await info()).kycCompletedFields).toEqual([]);
    await save('basic-details', BASIC);
    await save('business-details', BUSINESS);
    expect((await info()).kycCompletedFields).toEqual(['BASIC_DETAILS', 'BUSINESS_DETAILS']);
    await save('business-details', { city: '' });
    expect((await info()).kycCompletedFields).toEqual(['BASIC_DETAILS']);
  });

  it('corrects what has one meaning: a Nigerian phone number, a registration number', async () => {
    await save('basic-details', BASIC);
    await save('business-details', BUSINESS);
    expect(await info()).toMatchObject({ phoneNumber: '2348031234567', registrationNumber: 'RC1234567' });
  });

  it.each([
    ['(0803) 123-4567', '2348031234567'],
    ['+234 (0) 803 123 4567', '2348031234567'],
    ['+234.803.123.4567', '2348031234567'],
    ['00234 803 123 4567', '2348031234567'],
    ['01 271 2345', '012712345'],
    ['+44 20 7946 0958', '442079460958'],
  ])('reads the phone number %s as %s', async (phoneNumber, kept) => {
    await save('basic-details', { phoneNumber });
    expect((await info()).phoneNumber).toBe(kept);
  });

  it.each([
    ['RC: 7654321', 'RC7654321'],
    ['rc no. 7654321', 'RC7654321'],
    ['BN-2345678', 'BN2345678'],
    ['CAC/IT/NO 12345', 'IT12345'],
    ['1234567', '1234567'],
  ])('reads the registration number %s as %s', async (registrationNumber, kept) => {
    await save('business-details', { registrationNumber });
    expect((await info()).registrationNumber).toBe(kept);
  });

  it.each(['UNREGISTERED', 'GOVERNMENT'])(
    'asks a business of the kind %s for no registration with CAC',
    async (kind) => {
      await save('basic-details', { ...BASIC, businessType: kind });
      await save('business-details', { ...BUSINESS, registrationNumber: '' });
      const data = await read();
      expect(stepOf(data, 'BUSINESS_DETAILS').done).toBe(true);
      expect(missingOf(stepOf(data, 'BUSINESS_DOCUMENTS'))).toEqual(['DIRECTOR_ID', 'PROOF_OF_ADDRESS']);
    },
  );

  const long = 'x'.repeat(300);
  it.each<[string, string, object]>([
    ['basic-details', 'email', { ...BASIC, email: 'hello@' }],
    ['basic-details', 'phoneNumber', { ...BASIC, phoneNumber: 'call me' }],
    ['basic-details', 'phoneNumber', { ...BASIC, phoneNumber: '080' }],
    ['basic-details', 'phoneNumber', { ...BASIC, phoneNumber: '0803 123 456' }],
    ['basic-details', 'phoneNumber', { ...BASIC, phoneNumber: '+234 803 123 45678' }],
    ['basic-details', 'businessType', { ...BASIC, businessType: 'BANK' }],
    ['basic-details', 'businessName', { ...BASIC, businessName: '   ' }],
    ['basic-details', 'businessName', { ...BASIC, businessName: 'Ada\u202eFoods' }],
    ['basic-details', 'businessCategory', { ...BASIC, businessCategory: long }],
    ['basic-details', 'status', { ...BASIC, status: 'ACTIVE' }],
    ['business-details', 'registrationNumber', { ...BUSINESS, registrationNumber: 'none' }],
    ['business-details', 'country', { ...BUSINESS, country: '' }],
    ['business-details', 'address', { ...BUSINESS, address: long }],
    ['business-details', 'city', { ...BUSINESS, city: 7 }],
    ['director-details', 'bvn', { ...DIRECTOR, bvn: '2229876543' }],
    ['director-details', 'bvn', { ...DIRECTOR, bvn: '222*****432' }],
    ['director-details', 'directorDateOfBirth', { ...DIRECTOR, directorDateOfBirth: '1985-02-30' }],
    ['director-details', 'directorDateOfBirth', { ...DIRECTOR, directorDateOfBirth: '17/04/1985' }],
    ['director-details', 'directorDateOfBirth', { ...DIRECTOR, directorDateOfBirth: '2020-01-01' }],
    ['director-details', 'directorDateOfBirth', { ...DIRECTOR, directorDateOfBirth: '1885-01-01' }],
    ['director-details', 'directorFirstName', { ...DIRECTOR, directorFirstName: long }],
    ['settlement-account', 'accountNumber', { ...ACCOUNT, accountNumber: '12345' }],
    ['settlement-account', 'bankCode', { ...ACCOUNT, bankCode: 'GTB' }],
    ['settlement-account', 'accountName', { ...ACCOUNT, accountName: 'Me' }],
  ])('%s with a wrong %s keeps nothing of it and names the field', async (step, field, body) => {
    const before = await read();
    const reply = await save(step, body);
    expect(told(reply), reply.text).toEqual([400, 'VALIDATION_FAILED']);
    expect(reply.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
    expect(await read()).toEqual(before);
  });

  it('takes no empty body and no field of another step', async () => {
    for (const step of ['basic-details', 'business-details', 'director-details', 'settlement-account']) {
      expect(told(await save(step, {})), step).toEqual([400, 'VALIDATION_FAILED']);
      expect(told(await save(step, { nonsense: 1 })), step).toEqual([400, 'VALIDATION_FAILED']);
    }
  });
});

describe('the BVN', () => {
  it('is sealed in the database, and shows its ends only to anyone who reads', async () => {
    const saved = await save('director-details', DIRECTOR);
    expect(stepOf(saved.body.data, 'DIRECTOR_DETAILS')).toMatchObject({ done: true, values: { bvn: '222*****432' } });
    expect(saved.text).not.toContain(DIRECTOR.bvn);
    expect(JSON.stringify(await readOnboarding(t, merchantId))).not.toContain(DIRECTOR.bvn);
    const [row] = await rowsOf<{ bvn_sealed: string }>(
      t.connectionString,
      'select bvn_sealed from merchants where id = $1',
      [merchantId],
    );
    expect(t.secrets.open(row?.bvn_sealed ?? '', `merchants/${merchantId}/bvn_sealed`)).toBe(DIRECTOR.bvn);
    const dump = await rowsOf<{ text: string }>(
      t.connectionString,
      `select m::text as text from merchants m union all select o::text from merchant_onboarding o
       union all select a::text from audit_entries a`,
    );
    expect(dump.map(({ text }) => text).join()).not.toContain(DIRECTOR.bvn);
  });

  it('stays where a form sends it back empty', async () => {
    await save('director-details', DIRECTOR);
    await save('director-details', { directorFirstName: 'Ngozi', bvn: '' });
    expect(stepOf(await read(), 'DIRECTOR_DETAILS').values).toMatchObject({
      directorFirstName: 'Ngozi',
      bvn: '222*****432',
    });
  });
});

describe('the settlement account', () => {
  it('has the name that its bank gives, and the mode in which it was asked', async () => {
    const reply = await save('settlement-account', ACCOUNT);
    expect(reply.body.message).toContain('name that the bank gave');
    expect(stepOf(reply.body.data, 'SETTLEMENT_ACCOUNT')).toMatchObject({
      done: true,
      values: { ...ACCOUNT, verifiedIn: 'SANDBOX', accountName: expect.stringMatching(/\S/) },
      problems: [
        { code: 'SETTLEMENT_OWNER_OF_SANDBOX', field: 'accountNumber', severity: 'WARNING' },
        { code: 'SETTLEMENT_OWNER_UNLIKE', field: 'accountNumber', severity: 'WARNING' },
      ],
    });
  });

  it('is not doubted when it is in the name of the director, however that is written', async () => {
    const { accountName } = stepOf((await save('settlement-account', ACCOUNT)).body.data, 'SETTLEMENT_ACCOUNT').values;
    const [first = '', ...others] = String(accountName).toLowerCase().split(' ').toReversed();
    await save('director-details', { directorFirstName: first, directorLastName: others.join(' ') });
    expect(stepOf(await read(), 'SETTLEMENT_ACCOUNT').problems).toMatchObject([
      { code: 'SETTLEMENT_OWNER_OF_SANDBOX' },
    ]);
    await save('director-details', DIRECTOR);
  });

  it('is kept unverified, and says so, where no live bank can be asked yet', async () => {
    const reply = await owner.call('PATCH', '/onboarding/settlement-account', ACCOUNT, { 'x-mode': 'LIVE' });
    expect([reply.status, reply.body.message]).toEqual([200, expect.stringContaining('No bank could be asked')]);
    expect(stepOf(reply.body.data, 'SETTLEMENT_ACCOUNT')).toMatchObject({
      done: true,
      values: { accountName: '', verifiedIn: '' },
      problems: [{ code: 'SETTLEMENT_OWNER_NOT_CONFIRMED', field: 'accountNumber', severity: 'WARNING' }],
    });
  });

  it('loses the old name when the number changes and no bank can be asked', async () => {
    await save('settlement-account', ACCOUNT);
    const other = { accountNumber: '0000999901' };
    const reply = await owner.call('PATCH', '/onboarding/settlement-account', other, { 'x-mode': 'LIVE' });
    expect(stepOf(reply.body.data, 'SETTLEMENT_ACCOUNT').values).toMatchObject({ ...other, accountName: '' });
  });

  it('is refused next to the field where there is no such bank or no such account', async () => {
    const bank = await save('settlement-account', { ...ACCOUNT, bankCode: '999' });
    expect([...told(bank), bank.body.errors[0].field]).toEqual([422, 'BANK_NOT_FOUND', 'bankCode']);
    const account = await save('settlement-account', { bankCode: '058', accountNumber: '0009999904' });
    expect([...told(account), account.body.errors[0].field]).toEqual([422, 'ACCOUNT_NOT_FOUND', 'accountNumber']);
    expect(stepOf(await read(), 'SETTLEMENT_ACCOUNT').values['accountNumber']).toBe('');
  });
});

describe('submitting', () => {
  it('is refused in words while something is missing, naming each', async () => {
    await save('basic-details', BASIC);
    const reply = await owner.call('POST', '/onboarding/submit');
    expect(told(reply)).toEqual([422, 'ONBOARDING_INCOMPLETE']);
    const message = 'The identity document of a director is missing.';
    expect(reply.body.errors).toContainEqual({ field: 'DIRECTOR_ID', message });
    const data = { code: 'DIRECTOR_ID_MISSING', field: 'DIRECTOR_ID', params: {}, message };
    expect(reply.body.problems).toContainEqual(data);
    const step = stepOf(await read(), 'BUSINESS_DOCUMENTS');
    expect(step.problems).toContainEqual({ ...data, severity: 'ERROR' });
    expect(await read()).toMatchObject({ canSubmit: false, submittedAt: null });
  });

  it('locks every step until the operator has decided, and approval opens live mode', async () => {
    await fillEverything(t, owner);
    expect(await read()).toMatchObject({ canSubmit: true, canEdit: true });
    const submitted = await owner.call('POST', '/onboarding/submit');
    expect(submitted.status, submitted.text).toBe(200);
    expect(submitted.body.data).toMatchObject({
      reviewStatus: 'PENDING',
      canSubmit: false,
      canEdit: false,
      submittedAt: expect.any(String),
    });
    const waiting = [409, 'ONBOARDING_WAITING'];
    expect(told(await save('basic-details', { businessName: 'Other' }))).toEqual(waiting);
    expect(told(await save('settlement-account', ACCOUNT))).toEqual(waiting);
    expect(told(await upload(t, owner, 'OTHER', pdf()))).toEqual(waiting);
    const [document] = (await read()).documents;
    expect(told(await owner.call('DELETE', `/onboarding/document/${document.documentId}`))).toEqual(waiting);
    expect(told(await owner.call('POST', '/onboarding/submit'))).toEqual(waiting);

    expect((await t.call('GET', '/branch/store', undefined, bearer(liveKey))).body.code).toBe('MERCHANT_NOT_APPROVED');
    await decide('approve');
    expect(await read()).toMatchObject({ status: 'ACTIVE', reviewStatus: 'ACCEPTED', submittedAt: null });
    t.clock.advance(2_000);
    expect((await t.call('GET', '/branch/store', undefined, bearer(liveKey))).status).toBe(200);
  });

  it('is opened again by a rejection, which says why, and can be done again', async () => {
    await fillEverything(t, owner);
    await owner.call('POST', '/onboarding/submit');
    await decide('reject', 'The CAC certificate cannot be read.');
    expect(await read()).toMatchObject({
      reviewStatus: 'REJECTED',
      rejectedReason: 'The CAC certificate cannot be read.',
      canEdit: true,
      canSubmit: true,
    });
    await upload(t, owner, 'CAC_CERTIFICATE', pdf());
    const again = await owner.call('POST', '/onboarding/submit');
    expect(again.body.data).toMatchObject({ reviewStatus: 'PENDING', rejectedReason: null });
  });

  it('happens once, however many press at once', async () => {
    await fillEverything(t, owner);
    const replies = await Promise.all(Array.from({ length: 12 }, () => owner.call('POST', '/onboarding/submit')));
    const taken = replies.filter(({ status }) => status === 200);
    expect([taken.length, replies.filter(({ status }) => status === 409).length]).toEqual([1, 11]);
    const rows = await rowsOf(
      t.connectionString,
      `select 1 from merchant_status_changes where merchant_id = $1 and action = 'submit'`,
      [merchantId],
    );
    expect(rows).toHaveLength(1);
  });

  it('never lets a change slip in beside it: what was reviewed is what was there', async () => {
    await fillEverything(t, owner);
    const [submitted, ...saved] = await Promise.all([
      owner.call('POST', '/onboarding/submit'),
      ...Array.from({ length: 8 }, (_, at) => save('business-details', { city: `City ${at}` })),
    ]);
    expect(submitted.status).toBe(200);
    for (const reply of saved) expect([200, 409]).toContain(reply.status);
    const [row] = await rowsOf<{ reviewed: boolean }>(
      t.connectionString,
      `select o.updated_at <= m.submitted_at as reviewed
         from merchants m join merchant_onboarding o on o.merchant_id = m.id where m.id = $1`,
      [merchantId],
    );
    expect(row?.reviewed).toBe(true);
  });
});

describe('an accepted merchant', () => {
  beforeEach(async () => {
    await fillEverything(t, owner);
    await owner.call('POST', '/onboarding/submit');
    await decide('approve');
  });

  it('goes on with the accepted details while what it wants changed waits', async () => {
    const reply = await save('business-details', { city: 'Ibadan' });
    expect(reply.body.data).toMatchObject({ hasChanges: true, canSubmit: true, status: 'ACTIVE' });
    const changed = stepOf(reply.body.data, 'BUSINESS_DETAILS');
    expect([changed.values['city'], changed.before]).toEqual(['Ibadan', { city: 'Lagos' }]);
    expect(stepOf(reply.body.data, 'BASIC_DETAILS').before).toEqual({});
    expect((await info()).city).toBe('Lagos');
    const submitted = await owner.call('POST', '/onboarding/submit');
    expect(submitted.body.data).toMatchObject({ status: 'ACTIVE', reviewStatus: 'ACCEPTED', canEdit: false });
    expect((await info()).city).toBe('Lagos');
    await decide('approve');
    expect((await info()).city).toBe('Ibadan');
    expect(await read()).toMatchObject({ hasChanges: false, canEdit: true, submittedAt: null });
  });

  it('keeps its account when changes are rejected, reads why, and can correct them', async () => {
    await save('director-details', { bvn: '22211111111' });
    await owner.call('POST', '/onboarding/submit');
    await decide('reject', 'The BVN is of somebody else.');
    expect(await read()).toMatchObject({
      status: 'ACTIVE',
      rejectedReason: 'The BVN is of somebody else.',
      canEdit: true,
    });
    expect((await info()).bvn).toBe('222*****432');
    expect(stepOf(await read(), 'DIRECTOR_DETAILS').values['bvn']).toBe('222*****111');
  });

  it('has nothing to submit where nothing was changed, or was put back', async () => {
    await save('basic-details', BASIC);
    expect(await read()).toMatchObject({ hasChanges: false, canSubmit: false });
    await save('business-details', { city: 'Ibadan' });
    expect(await read()).toMatchObject({ hasChanges: true, canSubmit: true });
    await save('business-details', { city: 'Lagos' });
    expect(await read()).toMatchObject({ hasChanges: false, canSubmit: false });
    expect(told(await owner.call('POST', '/onboarding/submit'))).toEqual([409, 'ONBOARDING_UNCHANGED']);
  });

  it('keeps the documents that were accepted, and may add newer ones', async () => {
    const [document] = (await read()).documents;
    expect(document.removable).toBe(false);
    const refused = await owner.call('DELETE', `/onboarding/document/${document.documentId}`);
    expect(told(refused)).toEqual([409, 'DOCUMENT_ACCEPTED']);
    const added = await upload(t, owner, 'DIRECTOR_ID', pdf());
    expect(added.status).toBe(200);
    expect(await read()).toMatchObject({ hasChanges: true, canSubmit: true });
    expect((await owner.call('DELETE', `/onboarding/document/${added.body.data.documentId}`)).status).toBe(200);
  });
});

it('takes an Idempotency-Key, as every other operation does', async () => {
  const key = { 'idempotency-key': 'a-key' };
  expect((await owner.call('PATCH', '/onboarding/basic-details', BASIC, key)).status).toBe(200);
  expect((await owner.call('POST', '/onboarding/submit', undefined, key)).status).toBe(422);
});

describe('who may', () => {
  it.each(['MAKER', 'APPROVER', 'DEVELOPER'] as const)('a %s sees the review and changes nothing', async (role) => {
    const person = await signedInMember(t, merchantId, role);
    expect((await person.call('GET', '/onboarding')).status).toBe(200);
    const refused = [403, 'PERMISSION_NOT_GRANTED'];
    expect(told(await person.call('PATCH', '/onboarding/basic-details', { businessName: 'Mine' }))).toEqual(refused);
    expect(told(await person.call('POST', '/onboarding/submit'))).toEqual(refused);
    expect(told(await upload(t, person, 'OTHER', pdf()))).toEqual(refused);
  });

  it('no API key does, not even one with everything', async () => {
    const { secretKey } = t.merchant;
    for (const [method, path] of [
      ['GET', '/onboarding'],
      ['PATCH', '/onboarding/basic-details'],
      ['POST', '/onboarding/submit'],
      ['POST', '/onboarding/document'],
    ] as const) {
      const reply = await t.call(method, path, method === 'PATCH' ? { city: 'x' } : undefined, bearer(secretKey));
      expect(told(reply), path).toEqual([403, 'PERSON_REQUIRED']);
    }
  });
});
