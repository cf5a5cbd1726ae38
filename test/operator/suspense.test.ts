import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollCredits } from '../../src/collections/index.ts';
import { type Container, createContainer } from '../../src/container.ts';
import { changeMerchantStatus } from '../../src/merchants/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { terminalOf } from '../support/terminal.ts';
import { bearer, rowsOf } from '../support/world.ts';
import { checked } from './operator-operations.ts';

const NOTE = 'The bank’s letter of 20 November, reference 41';

let t: TestApp;
let container: Container;
let ada: TestPerson;
let bola: TestPerson;
let printed: string[];
let warned: string[];

beforeAll(async () => {
  t = await createTestApp();
  const { config, database, secrets, clock } = t;
  container = createContainer({ config, database, secrets, clock, logger: createLogger('silent') });
  await signIn();
});
afterAll(async () => {
  expect((await brokenChecks(t.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await container.ledger.drain();
  await t.close();
});

/** Two of the staff who have just given their passwords. */
async function signIn(): Promise<void> {
  ada = checked(t.app, await signedInOperator(t));
  bola = checked(t.app, await signedInOperator(t));
}

async function admin(...argv: string[]): Promise<number> {
  const answer = await terminalOf(t, container)(...argv);
  ({ printed, warned } = answer);
  return answer.exit;
}

/** The simulated payer pays, and what its bank says is taken in. */
async function pay({ secretKey, walletId }: TestMerchant, scenario: string): Promise<void> {
  const { body } = await t.call('GET', `/wallet/${walletId}/account`, undefined, bearer(secretKey));
  const { accountNumber } = body.data.accounts[0];
  const payment = { accountNumber, amount: 250.25, scenario };
  const reply = await t.call('POST', '/sandbox/collection/pay', payment, bearer(secretKey));
  if (reply.status !== 200) throw new Error(reply.text);
  for (let minute = 0; minute < 3; minute += 1) {
    await container.sandbox.deliverAllDueWebhooks(container.jobs);
    t.clock.advance(60_000);
  }
}

const queueOf = async (person: TestPerson, query = '') =>
  (await person.call('GET', `/operator/suspense${query}`)).body.data.records;

/** A payment that came while its merchant was suspended. */
async function heldPayment() {
  const merchant = await t.addMerchant();
  const { merchantId } = merchant;
  const step = (name: 'suspend' | 'reinstate') =>
    changeMerchantStatus({ queries: t.database, clock: t.clock }, name, {
      merchantId,
      actor: 'test',
      reason: 'Looked into',
    });
  await pollCredits(container, 'SANDBOX');
  await pay(merchant, 'never_notified');
  await step('suspend');
  for (let minute = 0; minute < 3; minute += 1) {
    t.clock.advance(60_000);
    await pollCredits(container, 'SANDBOX');
  }
  await step('reinstate');
  t.clock.advance(5_000);
  await signIn();
  const [entry] = await queueOf(ada, `?merchantId=${merchantId}&mode=SANDBOX`);
  if (entry === undefined) throw new Error('nothing is held');
  return { merchant, tenant: { merchantId, mode: 'SANDBOX' }, paymentId: entry.paymentId as string };
}

const balanceOf = async ({ secretKey }: TestMerchant) => {
  const { body } = await t.call('GET', '/wallet/merchant', undefined, bearer(secretKey));
  return body.data.wallet.bookedBalance;
};

describe('the operator’s pages for money in', () => {
  it('take a held payment to its wallet through two people, by the digest that the queue shows', async () => {
    const { merchant, tenant, paymentId } = await heldPayment();
    const terms = { ...tenant, paymentId, action: 'ATTRIBUTE', source: 'BANK_LETTER', note: NOTE };
    const proposed = await ada.call('POST', '/operator/suspense/payment/propose', terms);
    expect(proposed.status, proposed.text).toBe(200);
    const [entry] = await queueOf(bola, `?merchantId=${merchant.merchantId}`);
    expect(entry).toMatchObject({
      kind: 'PAYMENT',
      amount: 250.25,
      status: 'SUSPENSE',
      reason: 'MERCHANT_SUSPENDED',
      proposal: { action: 'ATTRIBUTE', note: NOTE, isMine: false, wallet: { walletId: merchant.walletId } },
    });
    const overview = (await bola.call('GET', '/operator/overview')).body.data;
    expect(overview).toMatchObject({ moneyInSuspense: 1, suspenseForMe: 1 });
    const toAda = (await ada.call('GET', '/operator/overview')).body.data;
    expect(toAda, 'her own waits for somebody else').toMatchObject({ moneyInSuspense: 1, suspenseForMe: 0 });
    const moveTo = (status: string) =>
      t.database.pool.query('update inbound_payments set status = $2 where id = $1', [paymentId, status]);
    await moveTo('CREDITED');
    const released = (await bola.call('GET', '/operator/overview')).body.data;
    expect(released.suspenseForMe, 'what its settlement released waits for nobody').toBe(0);
    await moveTo('SUSPENSE');
    const shown = { ...tenant, proposalId: entry.proposal.proposalId, digest: entry.proposal.digest };
    const before = await balanceOf(merchant);
    const own = await ada.call('POST', '/operator/suspense/payment/confirm', shown);
    expect([own.status, own.body.code]).toEqual([403, 'SECOND_PERSON_NEEDED']);
    expect(await balanceOf(merchant)).toBe(before);
    const confirmed = await bola.call('POST', '/operator/suspense/payment/confirm', shown);
    expect(confirmed.body.data).toEqual({ paymentId, status: 'CREDITED' });
    expect(await balanceOf(merchant)).toBe(before + 250.25);
    expect(await queueOf(ada, `?merchantId=${merchant.merchantId}`)).toEqual([]);
  });

  it('show a payment that waits for its settlement while somebody proposes that it went back to its payer', async () => {
    const { merchant, tenant, paymentId } = await heldPayment();
    const of = `?merchantId=${merchant.merchantId}`;
    const moveTo = (status: string) =>
      rowsOf(t.connectionString, 'update inbound_payments set status = $2 where id = $1', [paymentId, status]);
    const waiting = async () => (await bola.call('GET', '/operator/overview')).body.data.moneyInSuspense;
    await moveTo('PENDING_SETTLEMENT');
    expect(await queueOf(bola, of)).toEqual([]);
    const itself = async () => (await bola.call('GET', `/operator/inbound-payment/${paymentId}`)).body.data.toDecide;
    expect(await itself(), 'on its own page it may be said').toMatchObject({ paymentId, proposal: null });
    const without = await waiting();
    const terms = { ...tenant, paymentId, action: 'RETURN', source: 'PROVIDER_SUPPORT', note: NOTE };
    const { proposalId } = (await ada.call('POST', '/operator/suspense/payment/propose', terms)).body.data;
    const shown = {
      paymentId,
      amount: 250.25,
      status: 'PENDING_SETTLEMENT',
      proposal: { action: 'RETURN', proposalId },
    };
    expect(await queueOf(bola, of)).toMatchObject([shown]);
    expect([await itself()], 'its page has what the queue has').toEqual(await queueOf(bola, of));
    expect(await waiting()).toBe(without + 1);
    const withdrawal = { ...tenant, proposalId, reason: 'The provider settles it after all' };
    const withdrawn = await ada.call('POST', '/operator/suspense/payment/withdraw', withdrawal);
    expect(withdrawn.status, withdrawn.text).toBe(200);
    expect(await queueOf(bola, of)).toEqual([]);
    await moveTo('CREDITED');
    expect(await itself(), 'nothing is to be decided').toBeNull();
    await moveTo('SUSPENSE');
  });

  it('say of a proposal that it is stale or altered, and confirm neither', async () => {
    const { merchant, tenant, paymentId } = await heldPayment();
    const terms = { ...tenant, paymentId, action: 'KEEP', source: 'OTHER', note: NOTE };
    const of = `?merchantId=${merchant.merchantId}`;
    const shownNow = async () => (await queueOf(bola, of))[0].proposal;
    const confirm = async () => {
      const { proposalId, digest } = await shownNow();
      const { body } = await bola.call('POST', '/operator/suspense/payment/confirm', { ...tenant, proposalId, digest });
      return body.code;
    };
    await ada.call('POST', '/operator/suspense/payment/propose', terms);
    expect(await shownNow()).toMatchObject({ isStale: false, isAltered: false });
    const setReason = (reason: string) =>
      rowsOf(t.connectionString, 'update inbound_payments set reason = $2 where id = $1', [paymentId, reason]);
    await setReason('LATE');
    expect(await shownNow()).toMatchObject({ isStale: true, isAltered: false });
    expect(await confirm()).toBe('SUSPENSE_PROPOSAL_STALE');
    await setReason('MERCHANT_SUSPENDED');
    await ada.call('POST', '/operator/suspense/payment/propose', terms);
    const alter = (note: string) =>
      rowsOf(
        t.connectionString,
        `update suspense_proposals set note = $2 where payment_id = $1 and status = 'PENDING'`,
        [paymentId, note],
      );
    await alter('Another note than was written');
    expect(await shownNow()).toMatchObject({ isStale: false, isAltered: true });
    expect(await confirm()).toBe('SUSPENSE_PROPOSAL_ALTERED');
    await admin('list-suspense', '--merchant', merchant.merchantId);
    expect(printed[0]).toContain('ALTERED: it cannot be confirmed');
    await alter(NOTE);
  });

  it('are a file for a spreadsheet too, of all that waits, in which nothing is run', async () => {
    const { merchant, paymentId } = await heldPayment();
    const [before] = await queueOf(ada, `?merchantId=${merchant.merchantId}`);
    const namePayer = (name: string | null) =>
      rowsOf(t.connectionString, 'update inbound_payments set payer_name = $2 where id = $1', [paymentId, name]);
    await namePayer('=1+1');
    const reply = await ada.call('GET', `/operator/suspense.csv?merchantId=${merchant.merchantId}&mode=SANDBOX`);
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [row, ...more] = parse(reply.text, { columns: true, bom: true });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      Kind: 'PAYMENT',
      Status: 'SUSPENSE',
      Reason: 'MERCHANT_SUSPENDED',
      Amount: '250.25',
      'Amount Is': 'CONFIRMED',
      Merchant: 'Adire & Co',
      'Merchant ID': merchant.merchantId,
      'Payment ID': paymentId,
      Payer: "'=1+1",
      'To Account Number': expect.stringMatching(/^="\d{10}"$/),
    });
    const whole = await ada.call('GET', '/operator/suspense.csv');
    expect(parse(whole.text, { columns: true, bom: true })).toHaveLength((await queueOf(ada, '?size=200')).length);
    await namePayer(before.payer.name);
    const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
    expect((await owner.call('GET', '/operator/suspense.csv')).status).toBe(403);
  });

  it('reject and withdraw, and the payment waits as before', async () => {
    const { merchant, tenant, paymentId } = await heldPayment();
    const terms = { ...tenant, paymentId, action: 'KEEP', source: 'OTHER', note: NOTE };
    const propose = async () =>
      (await ada.call('POST', '/operator/suspense/payment/propose', terms)).body.data.proposalId as string;
    const close = async (person: TestPerson, step: string, proposalId: string) => {
      const body = { ...tenant, proposalId, reason: 'Not so' };
      return (await person.call('POST', `/operator/suspense/payment/${step}`, body)).status;
    };
    expect(await close(bola, 'reject', await propose())).toBe(200);
    const proposalId = await propose();
    expect(await close(bola, 'withdraw', proposalId)).toBe(403);
    expect(await close(ada, 'withdraw', proposalId)).toBe(200);
    expect(await queueOf(ada, `?merchantId=${merchant.merchantId}`)).toMatchObject([{ paymentId, proposal: null }]);
  });

  it('say what each provider account owes for each merchant', async () => {
    const merchant = await t.addMerchant();
    await pay(merchant, 'paid');
    await signIn();
    const { body } = await ada.call('GET', '/operator/suspense/receivable?size=100');
    const row = body.data.records.find(({ merchantId }: { merchantId: string }) => merchantId === merchant.merchantId);
    expect(row).toMatchObject({ rail: 'sandbox', payments: 1, total: 250.25, underOneDay: 250.25, older: 0 });
  });

  it('ask about a contradicted credit again, and dismiss it by two people', async () => {
    await pay(await t.addMerchant(), 'reversed');
    await signIn();
    const credit = (await queueOf(ada)).find(({ kind }: { kind: string }) => kind === 'CREDIT');
    expect(credit).toMatchObject({ status: 'CONTRADICTED', reason: 'REVERSED', amount: 250.25 });
    const { rail, creditKey } = credit;
    const asked = await ada.call('POST', '/operator/suspense/ask-again', { rail, creditKey });
    expect(asked.body.data).toEqual({ result: 'TO_DECIDE' });
    const terms = { rail, creditKey, action: 'DISMISS', source: 'PROVIDER_DASHBOARD', note: NOTE };
    const forMe = async (by: TestPerson) => (await by.call('GET', '/operator/overview')).body.data.suspenseForMe;
    const before = [await forMe(ada), await forMe(bola)];
    const shown = (await ada.call('POST', '/operator/suspense/credit/propose', terms)).body.data;
    // Her own waits for somebody else.
    expect([await forMe(ada), await forMe(bola)]).toEqual([before[0], before[1] + 1]);
    const confirmed = await bola.call('POST', '/operator/suspense/credit/confirm', shown);
    expect(confirmed.body.data).toEqual({ result: 'DISMISSED' });
    const again = await bola.call('POST', '/operator/suspense/credit/confirm', shown);
    expect(again.body.code).toBe('SUSPENSE_PROPOSAL_DECIDED');
  });
});

describe('the commands for money in', () => {
  it('take a held payment back to its payer through two people', async () => {
    const { merchant, paymentId } = await heldPayment();
    const of = ['--merchant', merchant.merchantId, '--mode', 'sandbox'];
    const said = ['--action', 'return', '--source', 'bank_letter', '--note', NOTE, '--email', ada.email];
    expect(await admin('propose-suspense', ...of, '--payment', paymentId, ...said), warned.join()).toBe(0);
    const proposal = ['--proposal', printed[0] ?? ''];
    await admin('list-suspense', '--merchant', merchant.merchantId);
    expect(printed).toHaveLength(1);
    const digest = /digest ([0-9a-f]{64})/.exec(printed[0] ?? '')?.[1] ?? '';
    const shown = [...of, ...proposal, '--digest', digest];
    expect(await admin('confirm-suspense', ...shown, '--email', ada.email)).toBe(1);
    expect(warned[0]).toContain('SECOND_PERSON_NEEDED');
    expect(await admin('confirm-suspense', ...shown, '--email', bola.email)).toBe(0);
    expect(printed).toEqual([`${paymentId}\tRETURNED`]);
    expect(await admin('confirm-suspense', ...shown, '--email', bola.email)).toBe(1);
    expect(warned[0]).toContain('SUSPENSE_PROPOSAL_DECIDED');
  });

  it('dismiss a contradicted credit, reject and withdraw', async () => {
    await pay(await t.addMerchant(), 'reversed');
    await signIn();
    const entries = await queueOf(ada);
    const { rail, creditKey } = entries.find(({ kind }: { kind: string }) => kind === 'CREDIT');
    const of = ['--rail', rail, '--key', creditKey];
    const said = ['--action', 'dismiss', '--source', 'other', '--note', NOTE, '--email', ada.email];
    const why = ['--reason', 'Not so'];
    const propose = async () => {
      expect(await admin('propose-suspense', ...of, ...said), warned.join()).toBe(0);
      return ['--proposal', printed[0] ?? ''];
    };
    expect(await admin('reject-suspense', ...(await propose()), ...why, '--email', bola.email)).toBe(0);
    expect(await admin('withdraw-suspense', ...(await propose()), ...why, '--email', ada.email)).toBe(0);
    const proposal = await propose();
    const { proposal: shown } = (await queueOf(bola)).find(
      (entry: { creditKey: string }) => entry.creditKey === creditKey,
    );
    expect(await admin('confirm-suspense', ...proposal, '--digest', shown.digest, '--email', bola.email)).toBe(0);
    expect(printed).toEqual(['DISMISSED']);
    expect(await admin('ask-about-credit', ...of, '--email', ada.email)).toBe(0);
    expect(printed).toEqual(['NOT_ASKED']);
  });
});
