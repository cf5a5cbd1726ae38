import { type Clock, lagosDay } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Write, write } from '../../platform/db/statement.ts';
import { newId, uuidOfHex } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { providerWebhookSignatureInvalid } from '../errors.ts';
import { UnusableAnswerError } from '../port.ts';
import type { ReportedSettlement, SettlementLine, SettlementLineKind, SettlementSource } from '../settlements.ts';
import { stateAt } from './disputes.ts';
import { nextCursor, PAGE_LINES, startOfPage } from './pages.ts';
import { creditStatusAt, storedPayerScenario } from './payer-scenarios.ts';
import { refundScenarioOf, refundStatusAt } from './refund-scenarios.ts';
import { requireSandbox } from './scenarios.ts';
import {
  countSandboxSettlements,
  findSandboxSettlement,
  insertSandboxSettlements,
  listCreditsToSettle,
  listDisputesToSettle,
  listRefundsToSettle,
  listSandboxSettlements,
  type SandboxSettlementRow,
} from './settlement-queries.ts';
import { readSandboxSettlementWebhook } from './webhooks.ts';

const CURRENCY = 'NGN';
/** Of each kind, in one settlement; what is more is in the next. */
const MOST_LINES = 500;
/** What it keeps of a payment although it had said that it keeps nothing. */
const OTHER_FEE_MINOR = 10_00n;
const ID = /^sbs_([0-9a-f]{32})_[0-9a-f]{32}$/;

/** As docs/sandbox-rail.md has them. A published name never changes its meaning. */
export const SETTLEMENT_SCENARIO_NAMES = [
  'whole',
  'fee_differs',
  'payment_missing',
  'unknown_payment',
  'deducted_twice',
  'sum_differs',
] as const;
export type SettlementScenarioName = (typeof SETTLEMENT_SCENARIO_NAMES)[number];

/** A line as it is kept, kobo as text. */
interface StoredLine {
  kind: SettlementLineKind;
  id: string;
  gross: string;
  fee: string;
  at: string | null;
}

const hexOf = (uuid: string) => uuid.replaceAll('-', '').toLowerCase();
const netOf = ({ gross, fee }: StoredLine): bigint => BigInt(gross) - BigInt(fee);
const sumOf = (lines: readonly StoredLine[]): bigint => lines.reduce((sum, line) => sum + netOf(line), 0n);

/**
 * What the simulated bank settles now: all that was paid and is in no settlement yet, less the refunds that it made and the
 * disputes that were lost. What is more than it has to pay is taken another time.
 * @returns undefined where nothing was paid; `number`: how many settlements there were before.
 */
export async function sandboxSettlement(
  database: Pick<Database, 'query'>,
  { tenant, scenario }: { tenant: Tenant; scenario: SettlementScenarioName },
  now: Date,
): Promise<{ row: SandboxSettlementRow; number: number; write: Write } | undefined> {
  requireSandbox(tenant);
  const key = [tenant.merchantId, tenant.mode];
  // Read before the lines: where another settlement is committed between the two reads, it has this number, and this
  // one is refused by its unique key.
  const [counted] = await database.query(countSandboxSettlements, key);
  const [payments, taken] = await Promise.all([paymentsOf(database, key, now), takenOf(database, key, now)]);
  const lines = played(scenario, payments, hexOf(tenant.merchantId));
  let left = sumOf(lines);
  for (const line of taken) {
    const copies = scenario === 'deducted_twice' ? [line, line] : [line];
    if (left + sumOf(copies) < 0n) continue;
    left += sumOf(copies);
    lines.push(...copies);
  }
  if (lines.length === 0) return undefined;
  const row: SandboxSettlementRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: `sbs_${hexOf(tenant.merchantId)}_${hexOf(newId())}`,
    scenario,
    lump_minor: scenario === 'sum_differs' ? left + OTHER_FEE_MINOR : left,
    lines: JSON.stringify(lines),
    made_at: now,
    next_webhook_at: now,
  };
  return { row, number: counted?.settlements ?? 0, write: write(insertSandboxSettlements, row) };
}

async function paymentsOf(database: Pick<Database, 'query'>, key: readonly string[], now: Date): Promise<StoredLine[]> {
  const credits = await database.query(listCreditsToSettle, [...key, MOST_LINES]);
  return credits
    .filter((row) => creditStatusAt(storedPayerScenario(row.scenario), row, now) === 'SUCCESS')
    .map(({ id, amount_minor, paid_at }) => ({
      kind: 'PAYMENT',
      id,
      gross: String(amount_minor),
      fee: '0',
      at: paid_at.toISOString(),
    }));
}

async function takenOf(database: Pick<Database, 'query'>, key: readonly string[], now: Date): Promise<StoredLine[]> {
  const [refunds, disputes] = await Promise.all([
    database.query(listRefundsToSettle, [...key, MOST_LINES]),
    database.query(listDisputesToSettle, [...key, MOST_LINES]),
  ]);
  const line = (kind: SettlementLineKind, id: string, amountMinor: bigint): StoredLine => ({
    kind,
    id,
    gross: String(-amountMinor),
    fee: '0',
    at: null,
  });
  return [
    ...refunds
      .filter((row) => refundStatusAt(refundScenarioOf(row.scenario), row, now) === 'PROCESSED')
      .map(({ reference, amount_minor }) => line('REFUND', `SBR${reference}`, amount_minor)),
    ...disputes
      .filter((row) => ['lost', 'accepted'].includes(stateAt(row, now).state))
      .map(({ id, amount_minor }) => line('DISPUTE', id, amount_minor)),
  ];
}

/** The payments of a settlement as its scenario has them. */
function played(scenario: SettlementScenarioName, payments: readonly StoredLine[], merchant: string): StoredLine[] {
  const [first, ...others] = payments;
  if (first === undefined) return [];
  if (scenario === 'payment_missing') return others;
  if (scenario === 'fee_differs') return [{ ...first, fee: String(OTHER_FEE_MINOR) }, ...others];
  if (scenario !== 'unknown_payment') return [...payments];
  return [...payments, { ...first, id: `sbx_${merchant}_${hexOf(newId())}` }];
}

interface Deps {
  database: Database;
  clock: Clock;
  secret: string | undefined;
  begin(signal: AbortSignal): Promise<void>;
}

/** What the built-in bank says that it settled, of each merchant apart. */
export function createSandboxSettlements({ database, clock, secret, begin }: Deps): SettlementSource {
  async function find(reference: string): Promise<SandboxSettlementRow | undefined> {
    const hex = ID.exec(reference)?.[1];
    if (hex === undefined) return undefined;
    const [row] = await database.query(findSandboxSettlement, [uuidOfHex(hex), 'SANDBOX', reference]);
    return row;
  }
  return {
    async listSettlements({ from, to, cursor }, signal) {
      await begin(signal);
      const after = startOfPage({ from, cursor });
      const rows = await database.query(listSandboxSettlements, [from, to, after.at, after.id, PAGE_LINES]);
      return {
        settlements: rows.map(reportedOf),
        unreadable: [],
        next: nextCursor(rows, (row) => row.made_at),
      };
    },
    async readLines({ reference }, signal) {
      await begin(signal);
      const row = await find(reference);
      if (row === undefined)
        throw new UnusableAnswerError({ reason: 'RAIL_RECORD_NOT_FOUND', message: 'No such settlement' }, 'NOT_FOUND');
      return { lines: linesOfSandbox(row), next: null };
    },
    async scopeOf(reference, signal) {
      await begin(signal);
      const row = await find(reference);
      return row && { merchantId: row.merchant_id, before: row.made_at };
    },
    async readNotice(request) {
      if (secret === undefined) throw providerWebhookSignatureInvalid();
      return readSandboxSettlementWebhook(secret, request, clock.now());
    },
  };
}

/** As the bank reports it. */
export function reportedOf({ id, lump_minor, made_at }: SandboxSettlementRow): ReportedSettlement {
  const reported = { reference: id, status: 'SETTLED', mode: 'SANDBOX', currency: CURRENCY } as const;
  return { ...reported, lumpMinor: lump_minor, settledOn: lagosDay(made_at) };
}

/** Its lines, as the bank shows them. */
export function linesOfSandbox({ lines }: Pick<SandboxSettlementRow, 'lines'>): SettlementLine[] {
  return (JSON.parse(lines) as StoredLine[]).map((line) => ({
    kind: line.kind,
    providerTransactionId: line.id,
    reference: null,
    grossMinor: BigInt(line.gross),
    feeMinor: BigInt(line.fee),
    netMinor: netOf(line),
    currency: CURRENCY,
    mode: 'SANDBOX',
    occurredAt: line.at === null ? null : new Date(line.at),
  }));
}
