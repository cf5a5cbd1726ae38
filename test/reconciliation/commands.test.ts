import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPinGuard } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from '../payouts/payout-fixture.ts';
import { TEST_PASSWORD } from '../support/people.ts';
import { addOperator, booked, csvOf, pay, payoutOf } from './files.ts';

/** The connection breaks at once, and the transfer was executed. */
const SILENT = { 'x-sandbox-scenario': 'error-executed' };
const NOTE = 'Letter of the bank of 20 November';

let fixture: PayoutFixture;
let folder: string;
let printed: string[];
let warned: string[];
beforeAll(async () => {
  fixture = await createPayoutFixture();
  folder = mkdtempSync(join(tmpdir(), 'manilla-settlement-'));
  await addOperator(fixture, 'ada');
  await addOperator(fixture, 'bola');
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

async function admin(argv: string[], input = TEST_PASSWORD): Promise<number> {
  printed = [];
  warned = [];
  const { database, clock, ledger } = fixture.deps;
  const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
  const deps: AdminDeps = {
    database,
    secrets,
    clock,
    ledger,
    payouts: () => fixture.deps,
    refunds: () => {
      throw new Error('no refunds here');
    },
    collections: () => {
      throw new Error('nothing comes in here');
    },
    peppers: { file: undefined, settingsWithNew: () => [] },
    pinGuard: createPinGuard({ database, secrets, clock }),
    actor: 'test',
    print: (line) => printed.push(line),
    warn: (line) => warned.push(line),
    readInput: () => Promise.resolve(input),
    openWallets: () => Promise.resolve(),
  };
  return runAdmin(argv, deps);
}

const ofMerchant = (merchant: Merchant) => ['--merchant', merchant.merchantId, '--mode', 'sandbox'];
const as = (name: string) => ['--email', `${name}@bank.example`];
const countsPrinted = () =>
  Object.fromEntries(
    printed
      .slice(1)
      .map((line) => line.split('\t') as [string, string])
      .filter(([, count]) => count !== '0'),
  );

describe('the commands for unknown outcomes', () => {
  it('take a payout from the queue through two people to its end', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant, {}, SILENT);
    expect(await admin(['list-outcomes'])).toBe(0);
    expect([printed, warned]).toEqual([[], ['Nothing waits for a decision.']]);
    fixture.clock.advance(2 * 3_600_000);
    expect(await admin(['list-outcomes', '--all'])).toBe(0);
    expect(printed[0]?.split('\t')).toEqual([
      merchant.merchantId,
      'SANDBOX',
      payout.id,
      'PROCESSING',
      'OUTCOME_UNKNOWN',
      '2.0 h',
      '₦1,000.00',
      'sandbox',
      'code none',
      `reference ${payout.rail_reference}`,
      'session none',
      'no proposal',
    ]);
    const what = ['--payout', payout.id, '--outcome', 'succeeded', '--source', 'bank_letter', '--note', NOTE];
    expect(await admin(['propose-outcome', ...ofMerchant(merchant), ...what, ...as('ada')])).toBe(0);
    const [proposal = ''] = printed;
    const decision = [...ofMerchant(merchant), '--proposal', proposal];
    await admin(['list-outcomes', '--all']);
    const seen = ['--digest', /digest ([0-9a-f]{64})$/.exec(printed.join())?.[1] ?? ''];
    expect(printed.join()).toContain(`proposal ${proposal}: SUCCEEDED by BANK_LETTER, ${NOTE}\t`);
    expect(await admin(['confirm-outcome', ...decision, ...seen, ...as('ada')])).toBe(1);
    expect(warned[0]).toContain('SECOND_PERSON_NEEDED');
    expect(await admin(['confirm-outcome', ...decision, ...seen, ...as('bola')], 'a wrong password')).toBe(1);
    expect(warned[0]).toContain('SIGN_IN_REFUSED');
    expect(await admin(['confirm-outcome', ...decision, ...seen, ...as('bola')])).toBe(0);
    expect(printed).toEqual([`${payout.id}\tSUCCEEDED`]);
    expect((await payoutOf(fixture, merchant, payout.id)).status).toBe('SUCCESS');
    expect(await admin(['reject-outcome', ...decision, '--reason', 'too late', ...as('bola')])).toBe(1);
    expect(warned[0]).toContain('OUTCOME_PROPOSAL_DECIDED');
  });

  it.each([
    ['an outcome that is none', ['--outcome', 'MAYBE', '--source', 'OTHER'], 'SUCCEEDED, FAILED, REVERSED'],
    ['a source that is none', ['--outcome', 'FAILED', '--source', 'HEARSAY'], 'BANK_LETTER'],
  ])('answer %s in words, before they ask for a password', async (_what, options, words) => {
    const merchant = await fixture.addMerchant(0);
    const rest = ['--payout', merchant.merchantId, '--note', NOTE, ...as('nobody')];
    expect(await admin(['propose-outcome', ...ofMerchant(merchant), ...options, ...rest])).toBe(1);
    expect(warned[0]).toContain(words);
  });
});

describe('the commands for settlements', () => {
  it('write the sandbox rail’s books as a file, import it, show what differs, and resolve it', async () => {
    const merchant = await fixture.addMerchant();
    const paid = await pay(fixture, merchant);
    const silent = [await pay(fixture, merchant, {}, SILENT), await pay(fixture, merchant, {}, SILENT)];
    const file = join(folder, 'sandbox.csv');
    const today = fixture.clock.now().toISOString();
    const period = ['--from', '2026-01-01', '--to', today];
    expect(
      await admin(['export-sandbox-settlement', '--merchant', merchant.merchantId, ...period, '--file', file]),
    ).toBe(0);
    const columns = 'reference,session_id,amount,currency,account_number,bank_code,status,completed_at';
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(columns);
    const given = ['import-settlement', '--rail', 'sandbox', ...ofMerchant(merchant), '--file', file];
    expect(await admin(given)).toBe(0);
    const [importId = ''] = printed;
    expect([countsPrinted(), warned]).toEqual([
      { MATCHED: '1', STATUS_DIFFERS: '2' },
      ['2 lines differ: see show-settlement.'],
    ]);
    expect(await admin(given)).toBe(1);
    expect(warned[0]).toContain('SETTLEMENT_ALREADY_IMPORTED');
    expect(await admin(['list-settlements'])).toBe(0);
    expect(printed[0]).toMatch(
      new RegExp(
        `^${importId}\tsandbox\tSANDBOX\tDONE\tsandbox.csv\t.*\t3 lines\tMATCHED 1, STATUS_DIFFERS 2\t2 unresolved$`,
      ),
    );
    expect(await admin(['show-settlement', '--import', importId, '--result', 'status_differs'])).toBe(0);
    const [header = '', ...rows] = printed.join('\n').split('\n');
    expect(rows).toHaveLength(2);
    const first = Object.fromEntries(header.split(',').map((name, at) => [name, rows[0]?.split(',')[at]]));
    expect(first).toMatchObject({
      result: 'STATUS_DIFFERS',
      amount: '1000.00',
      our_status: 'PROCESSING',
      status: 'successful',
    });
    const resolve = ['resolve-settlement-line', '--import', importId, '--how', 'apply', ...as('ada')];
    expect(await admin([...resolve, '--line', first['id'] ?? ''])).toBe(0);
    expect(await admin([...resolve, '--result', 'STATUS_DIFFERS'])).toBe(0);
    expect(printed).toEqual(['resolved\t1']);
    for (const { id } of silent) expect((await payoutOf(fixture, merchant, id)).status).toBe('SUCCESS');
    expect((await booked(fixture, merchant))['PAYOUT_CLEARING']).toBe(0n);
    expect(await admin([...resolve])).toBe(1);
    expect(warned[0]).toContain('either --line or --result');
    expect(paid.status).toBe('SUCCESS');
  });

  it('tell which lines could not be applied, and resolve the others', async () => {
    const merchant = await fixture.addMerchant();
    const open = await pay(fixture, merchant, {}, SILENT);
    const failed = await pay(fixture, merchant, {}, { 'x-sandbox-scenario': 'failed-limit' });
    const file = join(folder, 'mixed.csv');
    writeFileSync(
      file,
      csvOf(
        [open, failed].map((one) => ({ reference: one.rail_reference })),
        fixture.clock.now(),
      ),
    );
    await admin(['import-settlement', '--rail', 'sandbox', ...ofMerchant(merchant), '--file', file]);
    const [importId = ''] = printed;
    await admin([
      'resolve-settlement-line',
      '--import',
      importId,
      '--how',
      'apply',
      '--result',
      'STATUS_DIFFERS',
      ...as('ada'),
    ]);
    expect(printed).toEqual(['resolved\t1']);
    expect(warned).toEqual([expect.stringContaining('SETTLEMENT_LINE_NOT_APPLICABLE')]);
    expect([await payoutOf(fixture, merchant, open.id), await payoutOf(fixture, merchant, failed.id)]).toMatchObject([
      { status: 'SUCCESS' },
      { status: 'FAILED' },
    ]);
  });

  it('refuse a file that is not there', async () => {
    const merchant = await fixture.addMerchant(0);
    expect(
      await admin(['import-settlement', '--rail', 'sandbox', ...ofMerchant(merchant), '--file', '/nowhere.csv']),
    ).toBe(1);
    expect(warned[0]).toContain('there is no file');
  });
});

describe('the comparison of floats', () => {
  it('shows both sides and the difference, which stays the same while both pay the same', async () => {
    const merchant = await fixture.addMerchant();
    const reconcile = ['reconcile-float', '--rail', 'sandbox', ...ofMerchant(merchant)];
    const differences: string[] = [];
    const look = async () => {
      expect(await admin(reconcile)).toBe(0);
      differences.push(printed.find((line) => line.startsWith('difference'))?.split('\t')[1] ?? '');
    };
    await look();
    const payout = await pay(fixture, merchant);
    await look();
    const file = join(folder, 'float.csv');
    writeFileSync(file, csvOf([{ reference: payout.rail_reference }], fixture.clock.now()));
    await admin(['import-settlement', '--rail', 'sandbox', ...ofMerchant(merchant), '--file', file]);
    await look();
    expect(new Set(differences).size).toBe(1);
    expect(printed.join('\n')).toContain(
      'our books say\t₦9,999,000.00\t= float ₦9,999,000.00 less ₦0.00 paid and not settled',
    );
    expect(printed.at(-1)).toContain(`before\t${differences[0]}`);
    // The rail paid, and we do not know it yet: that much may have left.
    await pay(fixture, merchant, { amount: 500 }, SILENT);
    expect(await admin(reconcile)).toBe(0);
    expect(printed.find((line) => line.startsWith('on its way'))).toContain('₦500.00');
    const { rows } = await fixture.database.pool.query(
      'select count(*)::int as checks from float_checks where merchant_id = $1',
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ checks: 4 }]);
  });

  it('needs to know whose books, where the rail keeps merchants apart, and a rail that is one', async () => {
    expect(await admin(['reconcile-float', '--rail', 'sandbox', '--mode', 'SANDBOX'])).toBe(1);
    expect(warned[0]).toContain('SETTLEMENT_MERCHANT_NEEDED');
    expect(await admin(['reconcile-float', '--rail', 'none', '--mode', 'LIVE'])).toBe(1);
    expect(warned[0]).toContain('RAIL_NOT_FOUND');
  });
});
