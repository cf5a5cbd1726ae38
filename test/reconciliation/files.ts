import { Readable } from 'node:stream';
import { findPayout, type PayoutRecord } from '../../src/payouts/index.ts';
import {
  importSettlement,
  type ReconciliationDeps,
  readLines,
  readSettlements,
} from '../../src/reconciliation/index.ts';
import type { LineRow } from '../../src/reconciliation/queries.ts';
import { type Merchant, type PayoutFixture, payment } from '../payouts/payout-fixture.ts';
import { addPerson } from '../support/people.ts';

/** One line of a rail's file, as tests write it. */
export interface FileLine {
  reference?: string;
  session?: string;
  amount?: string;
  date?: string;
  status?: string;
}

export function csvOf(lines: readonly FileLine[], at: Date): string {
  const rows = lines.map(({ reference = '', session = '', amount = '1000.00', date, status = 'successful' }) =>
    [reference, session, amount, date ?? at.toISOString(), status].join(','),
  );
  return ['Reference,Session ID,Amount,Completed At,Status', ...rows, ''].join('\n');
}

export const openText = (text: string) => () => Readable.from([Buffer.from(text)]);

export async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

export interface Imported {
  id: string;
  counts: Record<string, number>;
  unresolved: number;
  lines: LineRow[];
}

/** Imports a file of the sandbox rail for a merchant and reads what came of it; results that are not there are left out. */
export async function importText(
  deps: ReconciliationDeps,
  merchant: Merchant | null,
  text: string,
  options: { rail?: string; amountsInKobo?: boolean } = {},
): Promise<Imported> {
  const id = await importSettlement(deps, {
    rail: options.rail ?? 'sandbox',
    mode: 'SANDBOX',
    merchantId: merchant?.merchantId ?? null,
    fileName: 'november.csv',
    open: openText(text),
    amountsInKobo: options.amountsInKobo ?? false,
    importedBy: 'test',
  });
  return readImported(deps, id);
}

export async function readImported({ database }: ReconciliationDeps, id: string): Promise<Imported> {
  const summary = (await readSettlements(database, {}, { page: 1, size: 1_000 })).rows.find(
    ({ settlement }) => settlement.id === id,
  );
  if (summary === undefined) throw new Error('no such import');
  const lines = await collected(readLines(database, id, null));
  const counts = Object.fromEntries(Object.entries(summary.counts).filter(([, count]) => count > 0));
  return { id, counts, unresolved: summary.unresolved, lines };
}

/** Accepts a payout and works it off. */
export async function pay(
  fixture: PayoutFixture,
  merchant: Merchant,
  fields = {},
  headers = {},
): Promise<PayoutRecord> {
  const reply = await merchant.call('POST', '/payout/single', payment({ allowDuplicate: true, ...fields }), headers);
  if (reply.body?.status !== true) throw new Error(JSON.stringify(reply.body));
  await fixture.worker.runOnce();
  return payoutOf(fixture, merchant, reply.body.data.transactionId);
}

export async function payoutOf(fixture: PayoutFixture, { tenant }: Merchant, id: string): Promise<PayoutRecord> {
  const [payout] = await fixture.database.query(findPayout, [tenant.merchantId, tenant.mode, id]);
  return payout as PayoutRecord;
}

/** Posted balances of the merchant's system accounts, in kobo: credits less debits. */
export async function booked(fixture: PayoutFixture, merchant: Merchant): Promise<Record<string, bigint>> {
  const { rows } = await fixture.database.pool.query(
    `select kind, credits_posted_minor - debits_posted_minor as booked from accounts where merchant_id = $1 and mode = 'SANDBOX'`,
    [merchant.merchantId],
  );
  return Object.fromEntries(rows.map(({ kind, booked: minor }) => [kind, BigInt(minor)]));
}

export async function addOperator(fixture: PayoutFixture, name: string): Promise<string> {
  return addPerson(fixture.deps, { kind: 'OPERATOR', email: `${name}@bank.example` });
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
