import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayoutRecord } from '../../src/payouts/index.ts';
import { resolveLine } from '../../src/reconciliation/index.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from '../payouts/payout-fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { addOperator, booked, codeOf, importText, pay, payoutOf } from './files.ts';

/** The connection breaks at once, and the transfer was executed. */
const SILENT = { 'x-sandbox-scenario': 'error-executed' };

let fixture: PayoutFixture;
let ada: string;
let merchant: Merchant;
beforeAll(async () => {
  fixture = await createPayoutFixture();
  ada = await addOperator(fixture, 'ada');
});
// Of its own, so that no file lacks what another test paid.
beforeEach(async () => {
  merchant = await fixture.addMerchant();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

interface Line {
  reference: string;
  session?: string;
  amount?: string;
  currency?: string;
  account?: string;
  bank?: string;
}

/** As a provider exports it, with whom each transfer went to. */
function fileOf(...lines: Line[]): string {
  const rows = lines.map(({ reference, session = '', amount = '1000.00', currency = 'NGN', account = '', bank = '' }) =>
    [reference, session, amount, currency, account, bank, fixture.clock.now().toISOString(), 'successful'].join(','),
  );
  return ['reference,session_id,amount,currency,beneficiary_account,bank_code,date,status', ...rows, ''].join('\n');
}

const imported = (...lines: Line[]) => importText(fixture.deps, merchant, fileOf(...lines));
const account = (payout: PayoutRecord) => payout.beneficiary_account_number;
const apply = (importId: string, lineId: string) =>
  codeOf(resolveLine(fixture.deps, { importId, lineId, how: 'APPLY', note: null, personId: ada }));

describe('a line of a settlement file about another transfer', () => {
  it.each([
    ['account', { account: '9876543210' }, 'ACCOUNT_DIFFERS'],
    ['bank', { bank: '057' }, 'ACCOUNT_DIFFERS'],
    ['currency', { currency: 'GHS' }, 'CURRENCY_DIFFERS'],
    ['amount', { amount: '0.01' }, 'AMOUNT_DIFFERS'],
  ])('by its %s settles nothing that we paid, and ends nothing that is open', async (_what, changes, result) => {
    const [paid, open] = [await pay(fixture, merchant), await pay(fixture, merchant, {}, SILENT)];
    const before = await booked(fixture, merchant);
    const { id, lines } = await imported(
      { reference: paid.rail_reference, ...changes },
      { reference: open.rail_reference, ...changes },
    );
    expect(lines.map((line) => line.result)).toEqual([result, result]);
    for (const line of lines) expect(await apply(id, line.id)).toBe('SETTLEMENT_LINE_NOT_APPLICABLE');
    expect((await payoutOf(fixture, merchant, open.id)).status).toBe('PROCESSING');
    expect(await booked(fixture, merchant)).toEqual(before);
  });

  it('is one also where only its session id is known, and its reference is another of ours', async () => {
    const [paid, other] = [await pay(fixture, merchant), await pay(fixture, merchant)];
    const unknown = other.rail_reference.split('').reverse().join('');
    const { lines } = await imported({ reference: unknown, session: paid.session_id! });
    expect(lines[0]).toMatchObject({ result: 'MISSING_HERE', settles: false });
  });

  it('is not one where the account lost its zeros, is masked, or has the network’s code for its bank', async () => {
    const payouts: PayoutRecord[] = [];
    for (let at = 0; at < 3; at += 1) payouts.push(await pay(fixture, merchant, { accountNumber: '0123456785' }));
    const [zeros, masked, network] = payouts as [PayoutRecord, PayoutRecord, PayoutRecord];
    const { counts } = await imported(
      { reference: zeros.rail_reference, account: '123456785', bank: '058' },
      { reference: masked.rail_reference, account: '01****6785' },
      { reference: network.rail_reference, account: `'${account(network)}`, bank: '000013' },
    );
    expect(counts).toEqual({ MATCHED: 3 });
  });

  it('is no copy of the line before it: another amount under the same reference is reported as what it is', async () => {
    const paid = await pay(fixture, merchant);
    const { lines } = await imported(
      { reference: paid.rail_reference },
      { reference: paid.rail_reference, amount: '5000.00' },
      { reference: paid.rail_reference, account: '9876543210' },
      { reference: paid.rail_reference },
    );
    expect(lines.map(({ result }) => result)).toEqual([
      'MATCHED',
      'AMOUNT_DIFFERS',
      'ACCOUNT_DIFFERS',
      'DUPLICATE_LINE',
    ]);
  });

  it('is not applied by two people either once another answer was about the account that it leaves out', async () => {
    const headers = { 'x-sandbox-scenario': 'other-account' };
    const open = await pay(fixture, merchant, {}, headers);
    const { id, lines } = await imported({ reference: open.rail_reference });
    expect(lines[0]?.result).toBe('STATUS_DIFFERS');
    expect(await apply(id, lines[0]!.id)).toBe('SETTLEMENT_LINE_NOT_APPLICABLE');
    expect((await payoutOf(fixture, merchant, open.id)).status).toBe('PROCESSING');
    const { attempts } = (await merchant.call('GET', `/transaction/${open.id}/evidence`)).body.data;
    expect(attempts.at(-1)).toMatchObject({ kind: 'SETTLEMENT', outcome: 'unknown', reason: 'RAIL_ANSWER_MISMATCH' });
    expect(attempts.at(-1).message).toMatch(
      /^Line 2 of november.csv says successful. The rail says succeeded of another/,
    );
  });
});
