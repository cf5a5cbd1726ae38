import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, lagosDay } from '../../src/platform/clock.ts';
import { newId } from '../../src/platform/ids.ts';
import { jpeg, pdf, png } from '../onboarding/upload.ts';
import { createTestApp, type Reply, readMetrics, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { bearer, rowsOf } from '../support/world.ts';
import { CREDIT_NOTE, creditFields, newReference, sendCredit } from './credit-forms.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let ada: TestPerson;
let bola: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  ada = checked(t.app, await signedInOperator(t));
  bola = checked(t.app, await signedInOperator(t));
});
afterAll(async () => {
  expect((await brokenChecks(t.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await t.close();
});

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await t.addMerchant();
});

interface Proposed {
  manualCreditId: string;
  digest: string;
}

const ofMerchant = (of = merchant) => ({ merchantId: of.merchantId, mode: 'SANDBOX' });
const saidBy = ({ status, body }: Reply) => [status, body.code];

const propose = (fields: Record<string, string> = {}, by = ada, of = merchant) =>
  sendCredit(t, by, { merchantId: of.merchantId, fields: { ...creditFields(t, of.walletId), ...fields } });

async function proposed(fields: Record<string, string> = {}, by = ada): Promise<Proposed> {
  const reply = await propose(fields, by);
  if (reply.status !== 200) throw new Error(reply.text);
  const { manualCreditId, digest } = reply.body.data;
  return { manualCreditId, digest };
}

const approve = (shown: Proposed, by = bola) =>
  by.call('POST', '/operator/manual-credit/approve', { ...ofMerchant(), ...shown });
const close = (how: 'reject' | 'withdraw', { manualCreditId }: Proposed, by: TestPerson, reason = 'Not our account') =>
  by.call('POST', `/operator/manual-credit/${how}`, { ...ofMerchant(), manualCreditId, reason });
const evidence = (id: string, by = bola, of = ofMerchant()) =>
  by.call('GET', `/operator/merchant/${of.merchantId}/manual-credit/${id}?mode=${of.mode}`);

async function bookedOf(of = merchant): Promise<number> {
  const reply = await t.call('GET', '/wallet/merchant', undefined, bearer(of.secretKey));
  return reply.body.data.wallet.bookedBalance;
}

const creditsOf = (of = merchant) =>
  rowsOf<{ id: string; status: string; decided_by: string | null; transaction_id: string }>(
    t.connectionString,
    'select id, status, decided_by, transaction_id from manual_credits where merchant_id = $1 order by id',
    [of.merchantId],
  );

describe('money at the operator’s bank', () => {
  it('is in the wallet when two people have said so, once, with its transaction and its event', async () => {
    const reply = await propose({ amount: '1500.5', bankReference: ' ft26  77 ' });
    expect(reply.status, reply.text).toBe(200);
    const { manualCreditId, digest, problems } = reply.body.data;
    expect(problems).toEqual([]);
    expect(await bookedOf()).toBe(1_000_000);
    expect((await evidence(manualCreditId)).body.data).toMatchObject({
      manualCreditId,
      digest,
      status: 'PENDING',
      amount: 1_500.5,
      bankReference: 'ft26 77',
      walletAccountName: expect.stringContaining('Adire'),
      bankName: expect.stringContaining('Guaranty'),
      note: CREDIT_NOTE,
      proposedBy: { email: ada.email },
      isMine: false,
      isAltered: false,
      transactionId: null,
    });
    const approved = await approve({ manualCreditId, digest });
    expect(approved.status, approved.text).toBe(200);
    expect(await bookedOf()).toBe(1_001_500.5);
    const { transactionId } = approved.body.data;
    const read = await t.call('GET', `/transaction/${transactionId}`, undefined, bearer(merchant.secretKey));
    expect(read.body.data).toMatchObject({ category: 'MANUAL_CREDIT', status: 'SUCCESS', amount: 1_500.5 });
    const events = await rowsOf(t.connectionString, 'select type from events where subject_id = $1', [transactionId]);
    expect(events).toEqual([{ type: 'transaction.succeeded' }]);
    expect(await creditsOf()).toMatchObject([{ status: 'APPROVED', decided_by: bola.personId }]);
    expect(saidBy(await approve({ manualCreditId, digest }))).toEqual([409, 'MANUAL_CREDIT_DECIDED']);
    expect(await bookedOf()).toBe(1_001_500.5);
  });

  it('goes to a store’s or a subaccount’s wallet as well, and in live mode', async () => {
    const key = bearer(merchant.secretKey);
    const store = await t.call('GET', `/branch/store/${merchant.storeIds[0]}`, undefined, key);
    const { walletId, bookedBalance } = store.body.data;
    expect((await approve(await proposed({ walletId }))).status).toBe(200);
    const after = await t.call('GET', `/branch/store/${merchant.storeIds[0]}`, undefined, key);
    expect(after.body.data.bookedBalance).toBe(bookedBalance + 1_500.5);
    const live = await t.addMerchant({ mode: 'LIVE' });
    const wallet = (await t.call('GET', '/wallet/merchant', undefined, bearer(live.secretKey))).body.data.wallet.id;
    const fields = creditFields(t, wallet);
    const { body } = await sendCredit(t, ada, { merchantId: live.merchantId, mode: 'LIVE', fields });
    const { manualCreditId, digest } = body.data;
    const shown = { merchantId: live.merchantId, mode: 'LIVE', manualCreditId, digest };
    expect((await bola.call('POST', '/operator/manual-credit/approve', shown)).status).toBe(200);
    expect(await bookedOf(live)).toBe(1_500.5);
  });

  it('is for the wallet that an account number leads to, whoever’s it is', async () => {
    const { body } = await t.call('GET', '/wallet/merchant', undefined, bearer(merchant.secretKey));
    const { accountNumber } = body.data.wallet;
    const find = (number: string, query = '?mode=SANDBOX') => ada.call('GET', `/operator/wallet/${number}${query}`);
    const { walletId, merchantId } = merchant;
    const whose = { walletId, merchantId, mode: 'SANDBOX', businessName: 'Adire & Co', accountNumber };
    expect((await find(accountNumber)).body.data).toMatchObject(whose);
    expect(saidBy(await find(accountNumber, '?mode=LIVE'))).toEqual([404, 'WALLET_NOT_FOUND']);
    expect(saidBy(await find('0000000000'))).toEqual([404, 'WALLET_NOT_FOUND']);
    expect(saidBy(await find(accountNumber, ''))).toEqual([400, 'VALIDATION_FAILED']);
    expect((await find('x')).status).toBe(400);
  });

  it('is for the wallet of a live number of a provider, and of none where two wallets have the number', async () => {
    const [first, second] = [await t.addMerchant({ mode: 'LIVE' }), await t.addMerchant({ mode: 'LIVE' })];
    const give = (merchantId: string, rail: string, bankCode: string) =>
      rowsOf(
        t.connectionString,
        `with given as (
           insert into receiving_numbers (rail, account_number, virtual_account_id, merchant_id, mode, wallet_id, opened_at)
           select $2, '7012345678', gen_random_uuid(), merchant_id, mode, id, now()
             from wallets where merchant_id = $1 and mode = 'LIVE' and owner_id = $1
           returning *
         )
         insert into virtual_account_numbers (merchant_id, mode, wallet_id, virtual_account_id, account_number, bank_code,
                                              bank_name, account_name, opened_at)
         select merchant_id, mode, wallet_id, virtual_account_id, account_number, $3, 'A bank', 'A name', opened_at
           from given`,
        [merchantId, rail, bankCode],
      );
    const find = (more = '') => ada.call('GET', `/operator/wallet/7012345678?mode=LIVE${more}`);
    await give(first.merchantId, 'one', '035');
    expect((await find()).body.data).toMatchObject({ merchantId: first.merchantId, accountNumber: '7012345678' });
    await give(second.merchantId, 'two', '232');
    const refused = await find();
    expect(saidBy(refused)).toEqual([409, 'ACCOUNT_NUMBER_AMBIGUOUS']);
    expect(refused.body.errors).toMatchObject([{ field: 'bankCode' }]);
    expect((await find('&bankCode=232')).body.data).toMatchObject({ merchantId: second.merchantId });
    for (const table of ['receiving_numbers', 'virtual_account_numbers']) {
      await rowsOf(t.connectionString, `delete from ${table} where account_number = '7012345678'`);
    }
  });

  it('is written down in the log of its merchant: who proposed, who looked and who approved', async () => {
    const { manualCreditId, digest } = await proposed();
    await evidence(manualCreditId);
    await approve({ manualCreditId, digest });
    const entries = await rowsOf<{ action: string; actor_id: string; subject: string }>(
      t.connectionString,
      `select action, actor_id, subject::text as subject from audit_entries
        where merchant_id = $1 and mode = 'SANDBOX' and outcome = 'DONE' and action like '%manual-credit%' order by id`,
      [merchant.merchantId],
    );
    expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['POST /operator/merchant/:merchantId/manual-credit', ada.personId],
      ['GET /operator/merchant/:merchantId/manual-credit/:manualCreditId', bola.personId],
      ['POST /operator/manual-credit/approve', bola.personId],
    ]);
    for (const { subject } of entries) expect(subject).toContain(manualCreditId);
  });
});

describe('a credit is not proposed', () => {
  it.each([
    ['a negative amount', { amount: '-5' }],
    ['nothing', { amount: '0' }],
    ['nothing, written with decimals', { amount: '0.00' }],
    ['a tenth of a kobo', { amount: '10.001' }],
    ['more than an amount may be', { amount: '10000000000000' }],
    ['an amount with separators', { amount: '1,500.00' }],
    ['an amount in another notation', { amount: '1e3' }],
    ['a day that has not begun', { receivedOn: '2099-01-01' }],
    ['a day of no calendar', { receivedOn: '2026-02-30' }],
    ['a day long ago', { receivedOn: '2001-01-01' }],
    ['a note that says too little', { note: 'seen it' }],
    ['a reference without a letter or digit', { bankReference: ' -/- ' }],
    ['a reference with what nobody sees', { bankReference: 'FT\u200b26' }],
    ['a reference that is longer than any', { bankReference: 'F'.repeat(61) }],
    ['no payer', { payerName: ' ' }],
    ['a wallet that is no id', { walletId: 'x' }],
    ['a field that there is none of', { status: 'APPROVED' }],
  ])('for %s', async (_what, wrong) => {
    expect(saidBy(await propose(wrong as Record<string, string>))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await creditsOf()).toEqual([]);
  });

  it('to the wallet of another merchant, of another mode or of nobody, or at a bank that is none', async () => {
    const other = await t.addMerchant();
    for (const walletId of [other.walletId, newId()]) {
      expect(saidBy(await propose({ walletId }))).toEqual([404, 'WALLET_NOT_FOUND']);
    }
    const fields = creditFields(t, merchant.walletId);
    const live = await sendCredit(t, ada, { merchantId: merchant.merchantId, mode: 'LIVE', fields });
    expect(saidBy(live)).toEqual([404, 'WALLET_NOT_FOUND']);
    expect(saidBy(await sendCredit(t, ada, { merchantId: newId(), fields }))).toEqual([404, 'WALLET_NOT_FOUND']);
    expect(saidBy(await sendCredit(t, ada, { merchantId: 'x', fields }))).toEqual([400, 'VALIDATION_FAILED']);
    const maybe = await sendCredit(t, ada, { merchantId: merchant.merchantId, mode: 'MAYBE', fields });
    expect(saidBy(maybe)).toEqual([400, 'VALIDATION_FAILED']);
    expect(saidBy(await propose({ bankCode: '999999' }))).toEqual([422, 'BANK_NOT_FOUND']);
  });

  it('without a document, or with one that is too large or is none, whatever its name says', async () => {
    const send = (file: { content: string | Buffer; fileName?: string } | null, more = {}) =>
      sendCredit(t, ada, {
        merchantId: merchant.merchantId,
        fields: creditFields(t, merchant.walletId),
        file,
        ...more,
      });
    expect(saidBy(await send(null))).toEqual([400, 'DOCUMENT_MISSING']);
    expect(saidBy(await send({ content: '' }))).toEqual([400, 'DOCUMENT_MISSING']);
    expect(saidBy(await send({ content: '<html>', fileName: 'a.pdf' }))).toEqual([422, 'DOCUMENT_TYPE_REFUSED']);
    expect(saidBy(await send({ content: pdf(5 * 1024 * 1024 + 1) }))).toEqual([422, 'DOCUMENT_TOO_LARGE']);
    const second = { name: 'file', content: pdf(), fileName: 'b.pdf' };
    expect(saidBy(await send({ content: pdf() }, { more: [second] }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await creditsOf()).toEqual([]);
    for (const content of [png(), jpeg(), pdf(5 * 1024 * 1024)]) expect((await send({ content })).status).toBe(200);
  });

  it('by a merchant’s person, a key or a form that is none', async () => {
    const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
    expect((await propose({}, owner)).status).toBe(403);
    const path = `/operator/merchant/${merchant.merchantId}/manual-credit?mode=SANDBOX`;
    expect((await ada.call('POST', path, { amount: 5 })).status).toBeGreaterThanOrEqual(400);
    expect(await creditsOf()).toEqual([]);
  });
});

describe('a bank reference', () => {
  it('is of one credit, whatever its capitals and spaces, also to another merchant', async () => {
    const other = await t.addMerchant();
    const first = await proposed({ bankReference: 'Ft 26 / 4711' });
    for (const bankReference of ['Ft 26 / 4711', 'ft26/4711', 'FT 26/ 4711', ' FT  26 /4711 ', 'ＦＴ26/4711']) {
      expect(saidBy(await propose({ bankReference }))).toEqual([409, 'BANK_REFERENCE_TAKEN']);
      expect(saidBy(await propose({ bankReference }, bola, other))).toEqual([409, 'BANK_REFERENCE_TAKEN']);
    }
    expect((await approve(first)).status).toBe(200);
    expect(saidBy(await propose({ bankReference: 'ft26/4711' }, bola, other))).toEqual([409, 'BANK_REFERENCE_TAKEN']);
    // The reference of another bank is another one, and whoever approves sees that there are two.
    const elsewhere = await propose({ bankReference: 'ft26/4711', bankCode: '044', amount: '3' }, ada, other);
    const { manualCreditId } = first;
    expect(elsewhere.body.data.problems).toMatchObject([
      { code: 'SAME_REFERENCE', params: { manualCreditId, bankCode: '058' } },
    ]);
  });

  it('is the same under the bank’s network code', async () => {
    const [bank] = await rowsOf<{ nip_code: string }>(
      t.connectionString,
      `select nip_code from banks where code = '058'`,
    );
    const bankReference = newReference();
    await proposed({ bankReference });
    const again = await propose({ bankReference, bankCode: bank?.nip_code ?? '' });
    expect(saidBy(again)).toEqual([409, 'BANK_REFERENCE_TAKEN']);
  });

  it('is free again when its credit was rejected or withdrawn', async () => {
    const bankReference = newReference();
    expect((await close('reject', await proposed({ bankReference }), bola)).status).toBe(200);
    expect((await close('withdraw', await proposed({ bankReference }), ada)).status).toBe(200);
    expect((await approve(await proposed({ bankReference }))).status).toBe(200);
    expect((await creditsOf()).map(({ status }) => status)).toEqual(['REJECTED', 'WITHDRAWN', 'APPROVED']);
    expect(await bookedOf()).toBe(1_001_500.5);
  });
});

describe('a credit is not approved', () => {
  it('by who proposed it, not even around the code', async () => {
    const shown = await proposed();
    expect(saidBy(await approve(shown, ada))).toEqual([403, 'SECOND_PERSON_NEEDED']);
    expect(saidBy(await close('reject', shown, ada))).toEqual([403, 'SECOND_PERSON_NEEDED']);
    expect(saidBy(await close('withdraw', shown, bola))).toEqual([403, 'NOT_THE_MAKER']);
    const around = rowsOf(
      t.connectionString,
      `update manual_credits set status = 'APPROVED', decided_by = proposed_by where id = $1`,
      [shown.manualCreditId],
    );
    await expect(around).rejects.toThrow('manual_credits_two_people');
    expect(await bookedOf()).toBe(1_000_000);
  });

  it('by somebody whom the proposer brought in less than a day ago', async () => {
    const newcomer = await signedInOperator(t);
    await rowsOf(t.connectionString, 'update people set role_given_by = $1, role_given_at = $2 where id = $3', [
      ada.personId,
      t.clock.now(),
      newcomer.personId,
    ]);
    expect(saidBy(await approve(await proposed(), newcomer))).toEqual([403, 'SECOND_PERSON_TOO_NEW']);
    expect(saidBy(await approve(await proposed({}, newcomer), ada))).toEqual([403, 'SECOND_PERSON_TOO_NEW']);
    expect(await bookedOf()).toBe(1_000_000);
  });

  it('without the password of the last minutes', async () => {
    const shown = await proposed();
    const late = await signedInOperator(t);
    t.clock.advance(6 * 60_000);
    expect(saidBy(await approve(shown, late))).toEqual([403, 'STEP_UP_REQUIRED']);
    await late.refresh();
    expect((await approve(shown, late)).status).toBe(200);
    await Promise.all([ada.refresh(), bola.refresh()]);
  });

  it('unseen: by the digest of another, in another mode, or under another merchant', async () => {
    const [shown, other] = [await proposed(), await proposed()];
    const mixed = await approve({ manualCreditId: shown.manualCreditId, digest: other.digest });
    expect(saidBy(mixed)).toEqual([409, 'MANUAL_CREDIT_ALTERED']);
    const approveAs = (more: object) =>
      bola.call('POST', '/operator/manual-credit/approve', { ...ofMerchant(), ...shown, ...more });
    expect(saidBy(await approveAs({ mode: 'LIVE' }))).toEqual([404, 'MANUAL_CREDIT_NOT_FOUND']);
    expect(saidBy(await approveAs({ merchantId: t.merchant.merchantId }))).toEqual([404, 'MANUAL_CREDIT_NOT_FOUND']);
    expect(saidBy(await approveAs({ personId: bola.personId }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await bookedOf()).toBe(1_000_000);
  });

  it.each([
    ['amount', 'amount_minor = amount_minor + 1'],
    [
      'wallet',
      `wallet_id = (select w.id from wallets w where w.merchant_id = manual_credits.merchant_id
                              and w.mode = 'SANDBOX' and w.id <> manual_credits.wallet_id limit 1)`,
    ],
    ['proposer', `proposed_by = '${crypto.randomUUID()}'`],
    ['reference', `bank_reference = bank_reference || '1'`],
    ['document', `document_sealed = document_sealed || 'x'::bytea`],
    ['document with its digest', `document_sealed = 'x'::bytea, document_digest = encode(sha256('x'::bytea), 'hex')`],
  ])('where its %s was altered in the database, and an alarm is raised', async (_what, change) => {
    const alarms = async () => Number(/MANUAL_CREDIT_ALTERED".*} (\d+)/.exec(await readMetrics(t))?.[1] ?? 0);
    const before = await alarms();
    const shown = await proposed();
    await rowsOf(t.connectionString, `update manual_credits set ${change} where id = $1`, [shown.manualCreditId]);
    const seen = (await evidence(shown.manualCreditId)).body.data;
    expect(seen.isAltered).toBe(true);
    expect(saidBy(await approve(shown))).toEqual([409, 'MANUAL_CREDIT_ALTERED']);
    expect(saidBy(await approve({ ...shown, digest: seen.digest }))).toEqual([409, 'MANUAL_CREDIT_ALTERED']);
    expect(await alarms()).toBe(before + 2);
    expect(await bookedOf()).toBe(1_000_000);
    await rowsOf(t.connectionString, 'delete from manual_credit_references where manual_credit_id = $1', [
      shown.manualCreditId,
    ]);
    await rowsOf(t.connectionString, 'delete from manual_credits where id = $1', [shown.manualCreditId]);
  });

  it('where its reference leads to another credit by now', async () => {
    const shown = await proposed();
    const other = await proposed();
    await rowsOf(t.connectionString, 'delete from manual_credit_references where manual_credit_id = $1', [
      shown.manualCreditId,
    ]);
    expect(saidBy(await approve(shown))).toEqual([409, 'MANUAL_CREDIT_ALTERED']);
    expect((await approve(other)).status).toBe(200);
    await rowsOf(t.connectionString, 'delete from manual_credits where id = $1', [shown.manualCreditId]);
  });

  it('when it was rejected or withdrawn, and is decided once', async () => {
    for (const [how, by] of [
      ['reject', bola],
      ['withdraw', ada],
    ] as const) {
      const shown = await proposed();
      expect((await close(how, shown, by, ' ')).status).toBe(400);
      expect((await close(how, shown, by)).status).toBe(200);
      expect(saidBy(await approve(shown))).toEqual([409, 'MANUAL_CREDIT_DECIDED']);
      expect(saidBy(await close(how, shown, by))).toEqual([409, 'MANUAL_CREDIT_DECIDED']);
    }
    expect(await bookedOf()).toBe(1_000_000);
  });
});

describe('who approves', () => {
  it('sees what may be the same money, and may approve it all the same', async () => {
    const first = await proposed({ amount: '750' });
    const second = await propose({ amount: '750.00' });
    const alike = { code: 'SAME_AMOUNT_SAME_DAY', params: { manualCreditId: first.manualCreditId, status: 'PENDING' } };
    expect(second.body.data.problems).toMatchObject([alike]);
    const { manualCreditId, digest } = second.body.data;
    expect((await evidence(manualCreditId)).body.data.problems).toMatchObject([alike]);
    const content = pdf();
    const send = () =>
      sendCredit(t, ada, {
        merchantId: merchant.merchantId,
        fields: { ...creditFields(t, merchant.walletId), amount: newReference().replace(/\D/g, '') },
        file: { content },
      });
    await send();
    expect((await send()).body.data.problems).toMatchObject([{ code: 'SAME_DOCUMENT' }]);
    expect((await approve({ manualCreditId, digest })).status).toBe(200);
    expect((await approve(first)).status).toBe(200);
    expect(await bookedOf()).toBe(1_001_500);
  });

  it('is told of no credit that was turned down or taken back, and of none of another day, amount or wallet', async () => {
    const terms = { amount: '615', receivedOn: lagosDay(new Date(t.clock.now().getTime() - DAY_MS)) };
    await close('reject', await proposed(terms), bola);
    await close('withdraw', await proposed(terms), ada);
    const store = await t.call('GET', `/branch/store/${merchant.storeIds[0]}`, undefined, bearer(merchant.secretKey));
    for (const [at, other] of [
      { ...terms, amount: '615.01' },
      { ...terms, receivedOn: lagosDay(t.clock.now()) },
      { ...terms, walletId: store.body.data.walletId },
    ].entries()) {
      const fields = { ...creditFields(t, merchant.walletId), ...other };
      await sendCredit(t, ada, {
        merchantId: merchant.merchantId,
        fields,
        file: { content: `${pdf().toString()}\n% ${at}` },
      });
    }
    const alone = { content: `${pdf().toString()}\n% another page` };
    const fields = { ...creditFields(t, merchant.walletId), ...terms };
    const { body } = await sendCredit(t, ada, { merchantId: merchant.merchantId, fields, file: alone });
    expect(body.data.problems).toEqual([]);
  });

  it('is told of the same document in the same mode alone', async () => {
    const content = `${pdf().toString()}\n% in both modes`;
    const [live] = await rowsOf<{ id: string }>(
      t.connectionString,
      `select id from wallets where merchant_id = $1 and mode = 'LIVE' and owner_id = $1`,
      [merchant.merchantId],
    );
    const send = (mode: 'LIVE' | 'SANDBOX', walletId: string, amount: string) =>
      sendCredit(t, ada, {
        merchantId: merchant.merchantId,
        mode,
        fields: { ...creditFields(t, walletId), amount },
        file: { content },
      });
    expect((await send('LIVE', live?.id ?? '', '81')).status).toBe(200);
    expect((await send('SANDBOX', merchant.walletId, '82')).body.data.problems).toEqual([]);
    expect((await send('SANDBOX', merchant.walletId, '83')).body.data.problems).toMatchObject([
      { code: 'SAME_DOCUMENT' },
    ]);
  });

  it('is told of a reference at another bank in the same mode alone', async () => {
    const live = await t.addMerchant({ mode: 'LIVE' });
    const wallet = (await t.call('GET', '/wallet/merchant', undefined, bearer(live.secretKey))).body.data.wallet.id;
    const bankReference = newReference();
    const fields = { ...creditFields(t, wallet), bankReference };
    expect((await sendCredit(t, ada, { merchantId: live.merchantId, mode: 'LIVE', fields })).status).toBe(200);
    expect((await propose({ bankReference, bankCode: '044' })).body.data.problems).toEqual([]);
    expect((await propose({ bankReference, amount: '16' })).body.data.problems).toMatchObject([
      { code: 'SAME_REFERENCE', params: { bankCode: '044' } },
    ]);
  });

  it('is shown that a merchant is suspended, whose money is credited all the same', async () => {
    const shown = await proposed();
    const path = `/operator/merchant/${merchant.merchantId}/suspend`;
    const suspended = await bola.call('POST', path, { reason: 'Under review' });
    expect(suspended.status, suspended.text).toBe(200);
    const { problems } = (await evidence(shown.manualCreditId)).body.data;
    expect(problems).toMatchObject([{ code: 'MERCHANT_SUSPENDED' }]);
    expect((await approve(shown)).status).toBe(200);
    const posted = await rowsOf(
      t.connectionString,
      `select amount_minor::text from transfers where merchant_id = $1 and code = 'MANUAL_CREDIT'`,
      [merchant.merchantId],
    );
    expect(posted).toEqual([{ amount_minor: '150050' }]);
  });

  it('finds it in the list while it waits and among the decided after, of every merchant', async () => {
    const shown = await proposed();
    const listed = async (state: string) => {
      const { body } = await bola.call('GET', `/operator/manual-credit?state=${state}&size=200`);
      const is = ({ manualCreditId }: Proposed) => manualCreditId === shown.manualCreditId;
      return body.data.records.find(is);
    };
    const forMe = async (by: TestPerson) => (await by.call('GET', '/operator/overview')).body.data.manualCreditsForMe;
    const before = [await forMe(ada), await forMe(bola)];
    expect(await listed('WAITING')).toMatchObject({ businessName: 'Adire & Co', status: 'PENDING', amount: 1_500.5 });
    expect(await listed('DECIDED')).toBeUndefined();
    await approve(shown);
    expect(await listed('WAITING')).toBeUndefined();
    expect(await listed('DECIDED')).toMatchObject({ status: 'APPROVED', decidedBy: { email: bola.email } });
    expect([await forMe(ada), await forMe(bola)]).toEqual([before[0], before[1] - 1]);
  });

  it('gets the document byte for byte, to be saved and never shown, and nobody gets it under another merchant', async () => {
    const content = pdf();
    const { body } = await sendCredit(t, ada, {
      merchantId: merchant.merchantId,
      fields: creditFields(t, merchant.walletId),
      file: { content, fileName: '../../état.exe' },
    });
    const fetchAs = (merchantId: string, id: string = body.data.manualCreditId) =>
      t.app.server.inject({
        method: 'GET',
        url: `/operator/merchant/${merchantId}/manual-credit/${id}/document?mode=SANDBOX`,
        headers: { cookie: bola.cookie() },
      });
    const answer = await fetchAs(merchant.merchantId);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(content)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename="_tat\.pdf"/),
      'content-security-policy': expect.stringContaining("default-src 'none'; sandbox"),
    });
    expect((await fetchAs(t.merchant.merchantId)).statusCode).toBe(404);
    const [row] = await rowsOf<{ document_sealed: Buffer }>(
      t.connectionString,
      'select document_sealed from manual_credits where id = $1',
      [body.data.manualCreditId],
    );
    expect(row?.document_sealed.includes('%PDF')).toBe(false);
    // In the row of another credit it opens as nothing, whatever digest stands beside it.
    const other = await proposed();
    const copy = `update manual_credits c set document_sealed = other.document_sealed, document_digest = other.document_digest
      from manual_credits other where c.id = $1 and other.id = $2 and other.merchant_id = c.merchant_id`;
    await rowsOf(t.connectionString, copy, [other.manualCreditId, body.data.manualCreditId]);
    expect((await fetchAs(merchant.merchantId, other.manualCreditId)).statusCode).toBe(500);
    await rowsOf(t.connectionString, 'delete from manual_credits where id = $1', [other.manualCreditId]);
    await rowsOf(t.connectionString, 'delete from manual_credit_references where manual_credit_id = $1', [
      other.manualCreditId,
    ]);
  });
});

describe('the day on which money arrived', () => {
  it('is one in Lagos, where it begins an hour before that of UTC, and no more than 366 days ago', async () => {
    const untilEvening = (23.5 * 3_600_000 - (t.clock.now().getTime() % DAY_MS) + DAY_MS) % DAY_MS;
    t.clock.advance(untilEvening);
    const person = checked(t.app, await signedInOperator(t));
    const now = t.clock.now().getTime();
    const day = (days: number) => lagosDay(new Date(now + days * DAY_MS));
    expect(day(0)).not.toBe(t.clock.now().toISOString().slice(0, 10));
    const statuses: number[] = [];
    for (const days of [0, 1, -366, -367]) statuses.push((await propose({ receivedOn: day(days) }, person)).status);
    expect(statuses).toEqual([200, 400, 200, 400]);
  });
});
