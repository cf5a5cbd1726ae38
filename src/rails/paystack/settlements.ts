import { lagosDay } from '../../platform/clock.ts';
import { fieldsOf, listedIn, readListed, textOf } from '../provider-answers.ts';
import type {
  ReportedSettlement,
  SettlementLine,
  SettlementLinePage,
  SettlementLinesRequest,
  SettlementListRequest,
  SettlementPage,
  SettlementSource,
} from '../settlements.ts';
import { factOf, instantOf, pageOf } from '../wallet-answers.ts';
import { DOMAINS, koboOf, type PaystackContext, readPage } from './answers.ts';
import { amountsOf } from './credits.ts';

/*
 * What Paystack settled. Read in November 2026 from https://github.com/PaystackOSS/openapi and
 * https://github.com/PaystackOSS/doc-code-snippets (shapes and statuses). All amounts are kobo.
 *
 * | status of the settlement | here |
 * |---|---|
 * | success | SETTLED |
 * | processing, pending | OPEN |
 * | failed | FAILED |
 * | any other | UNKNOWN |
 */
const STATUSES: Readonly<Record<string, ReportedSettlement['status']>> = {
  success: 'SETTLED',
  processing: 'OPEN',
  pending: 'OPEN',
  failed: 'FAILED',
};

const KINDS: Readonly<Record<string, SettlementLine['kind']>> = {
  refund: 'REFUND',
  chargeback: 'DISPUTE',
  dispute: 'DISPUTE',
};

/** A page of payments, each with its customer and its card or account. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const SETTLEMENTS = { path: '/settlement', maxBodyBytes: MAX_PAGE_BYTES };

export function createPaystackSettlements(context: PaystackContext): SettlementSource {
  return {
    listSettlements: (request, signal) => listSettlements(context, request, signal),
    readLines: (request, signal) => readLines(context, request, signal),
  };
}

/** GET /settlement, newest first. Nothing documents its window: what is outside of it is left out here. */
async function listSettlements(
  context: PaystackContext,
  { from, to, cursor }: SettlementListRequest,
  signal: AbortSignal,
): Promise<SettlementPage> {
  const query = { from: from.toISOString(), to: to.toISOString() };
  const { rows, next } = await readPage(context, { ...SETTLEMENTS, query, page: pageOf(cursor) }, signal);
  const { read: settlements, unreadable } = readListed(rows, settlementOf);
  return { settlements, unreadable, next };
}

/** `effective_amount` is what is paid out: `total_amount` less what is deducted. */
function settlementOf(value: unknown): ReportedSettlement | undefined {
  const fields = fieldsOf(value);
  const reference = factOf(fields?.['id']);
  const lumpMinor = koboOf(fields?.['effective_amount']) ?? koboOf(fields?.['total_amount']);
  const at = instantOf(fields?.['settlement_date']) ?? instantOf(fields?.['createdAt']);
  if (fields === undefined || reference === null || lumpMinor === null || at === null) return undefined;
  return {
    reference,
    status: listedIn(STATUSES, textOf(fields['status'])) ?? 'UNKNOWN',
    mode: listedIn(DOMAINS, textOf(fields['domain'])) ?? null,
    currency: textOf(fields['currency']),
    lumpMinor,
    settledOn: lagosDay(at),
  };
}

/**
 * GET /settlement/:id/transactions, and after its last page what was deducted: GET /settlement has it, which lists no
 * single one, so its pages are gone through for this settlement.
 */
async function readLines(
  context: PaystackContext,
  { reference, cursor }: SettlementLinesRequest,
  signal: AbortSignal,
): Promise<SettlementLinePage> {
  if (cursor?.startsWith(DEDUCTIONS) === true) {
    const page = pageOf(cursor.slice(DEDUCTIONS.length));
    return readDeductions(context, { reference, page }, signal);
  }
  const path = `/settlement/${encodeURIComponent(reference)}/transactions`;
  const list = { path, page: pageOf(cursor), maxBodyBytes: MAX_PAGE_BYTES };
  const { rows, next } = await readPage(context, list, signal);
  return { lines: rows.map(lineOf), next: next ?? `${DEDUCTIONS}1` };
}

/** Of a cursor: the pages of settlements are being gone through. */
const DEDUCTIONS = 'deductions:';

async function readDeductions(
  context: PaystackContext,
  { reference, page }: { reference: string; page: number },
  signal: AbortSignal,
): Promise<SettlementLinePage> {
  const { rows, next } = await readPage(context, { ...SETTLEMENTS, page }, signal);
  const found = rows.map(fieldsOf).find((row) => textOf(row?.['id']) === reference);
  if (found !== undefined) return { lines: deductionsOf(found, reference), next: null };
  return { lines: [], next: next === null ? null : `${DEDUCTIONS}${next}` };
}

/**
 * What `total_amount` is more than `effective_amount`. `deductions` has no documented shape: where it is a list whose amounts
 * come to just that, each is a line; else they are one line that says nothing more.
 */
function deductionsOf(settlement: Record<string, unknown>, reference: string): SettlementLine[] {
  const total = koboOf(settlement['total_amount']);
  const effective = koboOf(settlement['effective_amount']);
  if (total === null || effective === null || total <= effective) return [];
  const currency = textOf(settlement['currency']);
  const mode = listedIn(DOMAINS, textOf(settlement['domain'])) ?? null;
  const shared = { feeMinor: 0n, currency, mode, occurredAt: instantOf(settlement['settlement_date']) };
  const given = settlement['deductions'];
  const parts = Array.isArray(given) ? given.map(fieldsOf) : [];
  const amounts = parts.map((part) => koboOf(part?.['amount']));
  const sum = amounts.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);
  if (parts.length === 0 || sum !== total - effective || amounts.includes(null)) {
    const all = -(total - effective);
    const id = `deductions of ${reference}`;
    return [{ ...shared, kind: 'OTHER', providerTransactionId: id, reference: null, grossMinor: all, netMinor: all }];
  }
  return parts.map((part, at) => {
    const amountMinor = -(amounts[at] ?? 0n);
    return {
      ...shared,
      kind: listedIn(KINDS, textOf(part?.['type'])) ?? 'OTHER',
      providerTransactionId: factOf(part?.['id']) ?? `deduction ${at + 1} of ${reference}`,
      reference: factOf(part?.['reference']),
      grossMinor: amountMinor,
      netMinor: amountMinor,
    };
  });
}

/** A payment, of which the fee that its payer bore on top is no part, as when it was confirmed. */
function lineOf(value: unknown): SettlementLine {
  const fields = fieldsOf(value) ?? {};
  const amounts = amountsOf(fields);
  const grossMinor = amounts?.amountMinor ?? null;
  const feeMinor = amounts?.providerFeeMinor ?? null;
  return {
    kind: 'PAYMENT',
    providerTransactionId: factOf(fields['id']),
    reference: factOf(fields['reference']),
    grossMinor,
    feeMinor,
    netMinor: grossMinor === null || feeMinor === null ? null : grossMinor - feeMinor,
    currency: textOf(fields['currency']),
    mode: listedIn(DOMAINS, textOf(fields['domain'])) ?? null,
    occurredAt: instantOf(fields['paid_at']) ?? instantOf(fields['paidAt']),
  };
}
