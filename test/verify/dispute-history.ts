import { newId } from '../../src/platform/ids.ts';
import type { TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { LIVE_BANK } from './collection-history.ts';
import { type Maker, moveSandboxClock, mustOf } from './maker.ts';

const BOUNDARY = 'a-boundary-of-evidence';
const TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A form with words and a file. */
function form(words: Record<string, string>): string {
  const fields = Object.entries(words).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="note.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7\r\n`;
  return `${fields.join('')}${file}--${BOUNDARY}--\r\n`;
}

/**
 * Disputes of payments at the sandbox's bank: won, lost, lost by silence, accepted, refused by the bank, and open; one of a wallet
 * that holds it step by step.
 */
export async function disputedPayments(made: Maker): Promise<void> {
  const { t, must, shop, work } = made;
  const { accounts } = await must('GET', `/wallet/${shop.walletId}/account`);
  const [{ accountNumber }] = accounts;
  const dispute = async (given: object): Promise<string> => {
    await must('POST', '/sandbox/collection/pay', { accountNumber, amount: 91.5 });
    await work();
    const { records } = await must('GET', '/collection/payment?size=1');
    await must('POST', '/sandbox/collection/dispute', { paymentId: records[0].paymentId, amount: 40, ...given });
    await work();
    const found = await must('GET', '/collection/dispute?size=1');
    return found.records[0].disputeId;
  };
  const contest = async (id: string) => {
    const words = form({ message: 'Delivered', customerName: 'Ngozi' });
    const headers = { ...TYPE, ...bearer(shop.secretKey), 'idempotency-key': newId() };
    const reply = await t.call('POST', `/collection/dispute/${id}/evidence`, words, headers);
    if (reply.status !== 200) throw new Error(reply.text);
  };
  const [won, lost] = [await dispute({ message: 'Not mine' }), await dispute({ scenario: 'lost', category: 'FRAUD' })];
  const refused = await dispute({ scenario: 'evidence_refused' });
  for (const id of [won, lost, refused]) await contest(id);
  const accepted = await dispute({ amount: 91.5 });
  await must('POST', `/collection/dispute/${accepted}/accept`, { pin: shop.pin });
  await work();
  await dispute({ scenario: 'never_notified', answerWithinSeconds: 60, amount: 500 });
  await moveSandboxClock(made, must, 120);
  await work();
  await dispute({ scenario: 'undecided' });
  await dispute({ answerWithinSeconds: 2_592_000 });
  await disputeOfSpentMoney(made);
}

/** Its store has passed most of it on, and holds more of it as money comes. */
async function disputeOfSpentMoney({ t, must, shop, work }: Maker): Promise<void> {
  const { storeId, walletId } = await must('POST', '/branch/store', { name: 'Ikoyi' });
  const [{ accountNumber }] = (await must('GET', `/wallet/${walletId}/account`)).accounts;
  await must('POST', '/sandbox/collection/pay', { accountNumber, amount: 91.5 });
  await work();
  const { records } = await must('GET', '/collection/payment?size=1');
  await must('POST', '/branch/store/debit', { pin: shop.pin, storeId, amount: 60, narration: 'Sales' });
  await must('POST', '/sandbox/collection/dispute', {
    paymentId: records[0].paymentId,
    answerWithinSeconds: 2_592_000,
  });
  await work();
  for (const amount of [20, 100]) {
    await must('POST', '/sandbox/wallet/fund', { walletId, amount });
    t.clock.advance(5_000);
    await work();
  }
}

/** Of a provider that cannot be asked: entered by two and won, and lost after all, lost and open; turned down; and one that waits for the second. */
export async function disputesByHand({ t }: Maker, { ada, bola }: Record<'ada' | 'bola', TestPerson>): Promise<void> {
  const { pool } = t.database;
  const setCredentials = async (sealed: string) => {
    const { rows } = await pool.query('select sealed_credentials from rail_accounts where name = $1', [LIVE_BANK]);
    await pool.query('update rail_accounts set sealed_credentials = $2 where name = $1', [LIVE_BANK, sealed]);
    t.clock.advance(5_000);
    return rows[0].sealed_credentials as string;
  };
  // An account that does not open has no interface of any kind.
  const before = await setCredentials('none');
  for (const person of [ada, bola]) await person.refresh();
  const { rows: payments } = await pool.query(
    `select merchant_id, id, amount_minor from inbound_payments where rail = $1 and status = 'CREDITED' order by id limit 5`,
    [LIVE_BANK],
  );
  if (payments.length < 5) throw new Error(`${payments.length} payments are there to be disputed`);
  const note = 'The provider wrote on 20 November, ticket 4711';
  const known = { source: 'RAIL_SUPPORT', note };
  const tenantOf = (at: number) => ({ merchantId: payments[at].merchant_id, mode: 'LIVE' });
  const propose = (at: number, more: object) => {
    const [naira, paymentId] = [Number(payments[at].amount_minor) / 200, payments[at].id];
    const amount = Math.max(0.01, Math.floor(naira * 100) / 100);
    const facts = { paymentId, rail: LIVE_BANK, providerDisputeId: `CB-${at}`, amount, category: 'CHARGEBACK' };
    return mustOf(ada.call)('POST', '/operator/dispute/propose', { ...tenantOf(at), ...facts, ...known, ...more });
  };
  const confirm = (at: number, { proposalId, digest }: { proposalId: string; digest: string }) =>
    mustOf(bola.call)('POST', '/operator/dispute/confirm', { ...tenantOf(at), proposalId, digest });
  const dueAt = new Date(t.clock.now().getTime() + 48 * 3_600_000).toISOString();
  for (const [at, outcomes] of [['WON', 'LOST'], ['LOST'], []].entries()) {
    const { disputeId } = await confirm(at, await propose(at, { message: 'I did not get it', dueAt }));
    for (const outcome of outcomes) {
      const said = { ...tenantOf(at), ...known, disputeId, outcome };
      await confirm(at, await mustOf(ada.call)('POST', '/operator/dispute/propose-end', said));
    }
  }
  const { proposalId } = await propose(3, {});
  await mustOf(bola.call)('POST', '/operator/dispute/reject', { ...tenantOf(3), proposalId, reason: 'Another one' });
  await propose(4, { category: 'FRAUD' });
  await setCredentials(before);
}
