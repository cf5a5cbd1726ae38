import type { CreditRow } from '../rails/providers/wallet-books.ts';
import type { TestPerson } from '../support/people.ts';
import { type Bank, LIVE_BANK, type Payee } from './collection-history.ts';
import { type Maker, mustOf } from './maker.ts';

const NOTE = 'Their mail of 20 November, reference 41';
const BOUNDARY = 'a-boundary-that-no-file-holds';
const MINUTE_MS = 60_000;

interface Staff {
  ada: TestPerson;
  bola: TestPerson;
}

interface Recorded {
  reference: string;
  lumpSum: string;
  rows: readonly string[];
  cutOff?: string;
  /** Of the sandbox's own bank, with what kind of line each is; otherwise of the live one. */
  isSandbox?: boolean;
}

const HEADER = 'id,session_id,gross,fee,net,currency,domain,reference,paid_at';
const TYPED_HEADER = 'transaction_id,gross,fee,net,type';

async function record(
  { t }: Maker,
  by: TestPerson,
  { reference, lumpSum, rows, cutOff, isSandbox = false }: Recorded,
): Promise<string> {
  const settledOn = t.clock.now().toISOString().slice(0, 10);
  const [rail, mode, header] = isSandbox ? ['sandbox', 'SANDBOX', TYPED_HEADER] : [LIVE_BANK, 'LIVE', HEADER];
  const fields = { rail, mode, reference, lumpSum, settledOn, ...(cutOff && { cutOff }) };
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${reference}.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  const payload = `${parts.join('')}${head}${[header, ...rows, ''].join('\n')}\r\n--${BOUNDARY}--\r\n`;
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return (await mustOf(by.call)('POST', '/operator/provider-settlement', payload, type)).settlementId;
}

/** As a provider settles a payment, at its fee or another one. */
const lineOf = (
  { id, amountMinor }: Pick<CreditRow, 'id' | 'amountMinor'>,
  fee: number,
  more = ',NGN,live,ref,2026-11-20',
) => `${id},,${Number(amountMinor) / 100},${fee},${Number(amountMinor) / 100 - fee}${more}`;

/**
 * What a provider settled: of payments that wait for it and of others; with every difference, one of them resolved; one
 * file that was discarded, and one that waits. A payment that waited went back.
 */
export async function operatorSettlesCollections(
  made: Maker,
  { ada, bola }: Staff,
  { bank, payee, accountNumber }: { bank: Bank; payee: Payee; accountNumber: string },
): Promise<void> {
  const { merchantId } = payee.merchant;
  const pay = async (amountMinor: bigint) => {
    const credit = bank.pay({ accountNumber, amountMinor });
    await bank.report(credit);
    return credit;
  };
  const atOnce = await pay(71_00n);
  for (const person of [ada, bola]) await person.refresh();
  const rule = { merchantId, mode: 'LIVE', availability: 'ON_SETTLEMENT', reason: 'New, and untried' };
  await mustOf(ada.call)('POST', '/operator/availability', rule);
  const kept = { ...{ merchantId, mode: 'LIVE', channel: 'BANK_TRANSFER' }, rateBasisPoints: 500, days: 3 };
  await mustOf(ada.call)('POST', '/operator/reserve/rule', { ...kept, reason: 'New, and untried' });
  const all = { merchantId: null, mode: 'LIVE', availability: 'ON_CONFIRMATION', reason: 'As it was' };
  await mustOf(ada.call)('POST', '/operator/availability', all);
  await bank.pass(3 * MINUTE_MS);
  const [first, second, third] = [await pay(72_00n), await pay(73_00n), await pay(74_00n)];
  const waits = await pay(75_00n);
  await bank.pass(MINUTE_MS);
  const rows = [
    lineOf(atOnce, 1),
    lineOf(first, 2.5),
    lineOf(second, 0),
    lineOf(second, 0),
    lineOf(third, 80),
    lineOf(waits, 1).replace('75', '76'),
    lineOf({ id: 4_711, amountMinor: 5_00n }, 0.5),
    lineOf(third, 1, ',GHS,live,ref,'),
    `${waits.id},x,75,1,74,NGN,test,ref,`,
    'refund-9,,-10,0,-10,NGN,live,,',
    'nothing,,nothing,,,,,,',
  ];
  const cutOff = made.t.clock.now().toISOString();
  const settled = await record(made, ada, { reference: 'SETTLED-1', lumpSum: '100', rows, cutOff });
  await mustOf(bola.call)('POST', `/operator/provider-settlement/${settled}/apply`, { note: NOTE });
  const { records } = await mustOf(ada.call)('GET', `/operator/provider-settlement/${settled}/line?state=OPEN`);
  for (const { lineId } of (records as { lineId: string }[]).slice(0, 2)) {
    const path = `/operator/provider-settlement/${settled}/line/${lineId}/accept`;
    await mustOf(ada.call)('POST', path, { note: NOTE });
  }
  const again = await record(made, bola, {
    reference: 'SETTLED-2',
    lumpSum: '139.5',
    rows: [lineOf(first, 2.5), lineOf(second, 3)],
  });
  await mustOf(ada.call)('POST', `/operator/provider-settlement/${again}/apply`, {});
  const wrong = await record(made, ada, { reference: 'WRONG', lumpSum: '1', rows: [lineOf(waits, 1)] });
  await mustOf(bola.call)('POST', `/operator/provider-settlement/${wrong}/discard`, { reason: 'Another account’s' });
  await record(made, ada, { reference: 'WAITS', lumpSum: '74', rows: [lineOf(waits, 1)] });
  await daysAreSigned({ ada, bola });
  await goesBack(made, { ada, bola }, payee, await pay(76_00n));
}

/**
 * What the sandbox's bank netted out of what it settled: refunds and disputes of ours, each at its fee or none, one of them twice,
 * and what nothing of ours answers to.
 */
export async function operatorSettlesDeductions(made: Maker, { ada, bola }: Staff): Promise<void> {
  const taken = `select p.provider_transaction_id as id, s.minor, s.type
     from (select 'refund' as type, merchant_id, mode, payment_id, amount_minor as minor from refunds
            where status = 'SUCCESS' and way = 'PROVIDER' and mode = 'SANDBOX'
            union all
           select 'chargeback', merchant_id, mode, payment_id, amount_minor from disputes
            where status in ('LOST', 'ACCEPTED') and mode = 'SANDBOX') s
     join inbound_payments p on p.merchant_id = s.merchant_id and p.mode = s.mode and p.id = s.payment_id
    order by s.type, s.minor, p.provider_transaction_id`;
  const { rows } = await made.t.database.pool.query<{ id: string; minor: string; type: string }>(taken);
  const paid = await made.t.database.pool.query<{ id: string; minor: string }>(
    `select provider_transaction_id as id, amount_minor as minor from inbound_payments
      where mode = 'SANDBOX' and status = 'CREDITED' order by amount_minor desc, provider_transaction_id limit 2`,
  );
  const gained = paid.rows.map(({ id, minor }) => `${id},${Number(minor) / 100},0,${Number(minor) / 100},payment`);
  const lines = rows.map(({ id, minor, type }, at) => ({ id, type, naira: Number(minor) / 100, fee: at % 2 }));
  const text = (line: (typeof lines)[number]) =>
    `${line.id},-${line.naira},${line.fee},-${line.naira + line.fee},${line.type}`;
  const [again] = lines;
  if (again === undefined || new Set(lines.map(({ type }) => type)).size !== 2) throw new Error('nothing was taken');
  for (const person of [ada, bola]) await person.refresh();
  const deducted = [...gained, ...lines.map(text), text(again), 'nobody,-9,0,-9,refund'];
  const settled = await record(made, ada, { reference: 'NETTED', lumpSum: '10', rows: deducted, isSandbox: true });
  await mustOf(bola.call)('POST', `/operator/provider-settlement/${settled}/apply`, { note: NOTE });
}

/** The day before in both modes: one signed by two, one reopened and signed anew. */
async function daysAreSigned({ ada, bola }: Staff): Promise<void> {
  const must = mustOf(ada.call);
  for (const mode of ['LIVE', 'SANDBOX']) {
    const { day, digest } = await must('GET', `/operator/daily-close/day?mode=${mode}`);
    const { closeId } = await must('POST', '/operator/daily-close', { mode, day, digest });
    await mustOf(bola.call)('POST', `/operator/daily-close/${closeId}/second-signature`, { digest });
    if (mode === 'LIVE') continue;
    await must('POST', `/operator/daily-close/${closeId}/reopen`, { reason: 'A posting was missing' });
    await mustOf(bola.call)('POST', '/operator/daily-close', { mode, day, digest });
  }
}

/** One that waited for its settlement, and the provider gave back. */
async function goesBack(made: Maker, { ada, bola }: Staff, payee: Payee, { amountMinor }: CreditRow): Promise<void> {
  await made.work();
  const { records } = await payee.must('GET', '/collection/payment?status=PENDING_SETTLEMENT');
  const amount = Number(amountMinor) / 100;
  const { paymentId } = (records as { paymentId: string; amount: number }[]).find((one) => one.amount === amount) ?? {};
  const payment = { merchantId: payee.merchant.merchantId, mode: 'LIVE' };
  const given = { ...payment, paymentId, action: 'RETURN', source: 'PROVIDER_DASHBOARD', note: NOTE };
  const proposed = await mustOf(ada.call)('POST', '/operator/suspense/payment/propose', given);
  await mustOf(bola.call)('POST', '/operator/suspense/payment/confirm', { ...payment, ...proposed });
}
