import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseList } from '../../src/compliance/case-queries.ts';
import { largeList } from '../../src/compliance/large-queries.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { rowsBeyond } from '../../src/platform/lists/queries.ts';
import { openTestDatabase } from '../support/database.ts';
import { planOf } from '../support/plans.ts';

/** Of 10,000 transactions a hundredth is large. */
const ROWS = 10_000;
const ids = "('0190f9a0-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid";
const amounts = 'case i % 100 when 0 then 700000000 else 5000000 end';
const moments = "timestamptz '2026-01-01' + i * interval '1 hour'";
const someone = `'${newId()}'::uuid`;
const FILLED = [
  `insert into transactions (merchant_id, mode, id, category, status, amount_minor, charges_minor, currency, narration,
     description, wallet_id, provider_wallet_id, beneficiary_bank_name, beneficiary_bank_code, beneficiary_account_number,
     beneficiary_account_name, originator_bank_name, originator_bank_code, originator_account_number,
     originator_account_name, created_at, updated_at, paid_at)
   select ${someone}, 'LIVE', ${ids}, 'PAYOUT', 'SUCCESS', ${amounts}, 0, 'NGN', '', '', ${ids}, ${ids},
     '', '', '', '', '', '', '', '', ${moments}, ${moments}, ${moments} from generate_series(1, ${ROWS}) i`,
  `insert into inbound_payments (merchant_id, mode, id, wallet_id, rail, provider_transaction_id, account_number, amount_minor,
     currency, status, receivable_id, confirmed_at, updated_at)
   select ${someone}, 'LIVE', ${ids}, ${ids}, '', i::text, '', ${amounts}, 'NGN', 'CREDITED', ${ids}, ${moments}, ${moments}
     from generate_series(1, ${ROWS}) i`,
  `insert into compliance_cases (merchant_id, mode, id, subject_type, subject_id, reason, cause, facts, status, opened_at,
     decided_at, updated_at, digest)
   select ${someone}, 'LIVE', ${ids}, 'PAYOUT', ${ids}, 'SCREENING', '', '', 'RELEASED', ${moments}, ${moments}, ${moments}, ''
     from generate_series(1, ${ROWS}) i`,
  'analyze transactions',
  'analyze inbound_payments',
  'analyze compliance_cases',
];

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
  for (const sql of FILLED) await database.pool.query(sql);
});
afterAll(() => drop());

const from = new Date('2026-02-01');
const to = new Date('2026-03-01');
const beyond = (lowestMinor: bigint) =>
  planOf(
    database,
    rowsBeyond(largeList({ mode: 'LIVE', from, to, lowestMinor }), {
      direction: 'after',
      key: [from, newId()],
      limit: 2_000,
    }),
  );

describe('the list of large transactions', () => {
  it('reads the large ones of its period by their indexes from where the page before ended, and nothing that is small', async () => {
    const plan = await beyond(500_000_000n);
    for (const index of ['transactions_large', 'inbound_payments_large']) {
      const [, read = ''] = plan.split(` using ${index} on `);
      expect(read.split('\n')[1], plan).toMatch(/Index Cond: .*mode = .*_at >= .*_at < .*ROW\(\w+_at, id\) > ROW/);
    }
  });

  it('leaves nothing out where a threshold is below what the indexes have', async () => {
    expect(await beyond(99_999_999n)).not.toContain('_large');
  });
});

describe('the list of compliance cases', () => {
  it.each([{}, { mode: 'LIVE' }, { status: 'RELEASED' }] as const)(
    'of %o sorts none of those that there ever were',
    async (of) => {
      const plan = await planOf(database, rowsBeyond(caseList(of), { direction: 'after', key: [newId()], limit: 51 }));
      expect(plan).toContain('Index Scan Backward using compliance_cases_newest on ');
      expect(plan).not.toMatch(/Sort|Seq Scan/);
    },
  );

  it.each([
    ['a freeze', { freezeId: newId() }, 'compliance_cases_by_freeze'],
    ['a payout', { merchantId: newId(), mode: 'LIVE', subjectId: newId() }, 'compliance_cases_once'],
  ] as const)('of %s reads what is of it and no other', async (_, of, index) => {
    const plan = await planOf(database, rowsBeyond(caseList(of), { direction: 'after', key: [newId()], limit: 51 }));
    expect(plan).toContain(` using ${index} on `);
    expect(plan).not.toContain('Seq Scan');
  });
});
