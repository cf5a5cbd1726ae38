import { DAY_MS, lagosDay } from '../../platform/clock.ts';
import { fromDecimal } from '../decimal-amount.ts';
import { UnusableAnswerError } from '../port.ts';
import { fieldsOf, listedIn, readJson, readListed, textOf } from '../provider-answers.ts';
import type {
  ReportedSettlement,
  SettlementLine,
  SettlementLinePage,
  SettlementLinesRequest,
  SettlementListRequest,
  SettlementPage,
  SettlementSource,
} from '../settlements.ts';
import { cursorInvalid, factOf, instantOf, isLastOf, pageOf } from '../wallet-answers.ts';
import { dataOf, whyUnknown } from './transfers.ts';
import type { FlutterwaveContext } from './virtual-accounts.ts';

/*
 * What Flutterwave settled, version 3. Read in November 2026 from
 *   https://github.com/Flutterwave/Node-v3/blob/master/documentation/settlements.md (shapes; "completed" and "pending" are
 *   the statuses that it shows)
 * A settlement has all of its payments in one document. Its refunds and chargebacks are two sums and the ids in
 * `refund_meta` and `chargeback_meta`.
 *
 * | status of the settlement | here |
 * |---|---|
 * | completed | SETTLED |
 * | pending | OPEN |
 * | failed | FAILED |
 * | any other | UNKNOWN |
 */
const STATUSES: Readonly<Record<string, ReportedSettlement['status']>> = {
  completed: 'SETTLED',
  pending: 'OPEN',
  failed: 'FAILED',
};

/** Some 400 bytes a payment. */
const MAX_SETTLEMENT_BYTES = 64 * 1024 * 1024;

export function createFlutterwaveSettlements(context: FlutterwaveContext): SettlementSource {
  return {
    listSettlements: (request, signal) => listSettlements(context, request, signal),
    readLines: (request, signal) => readLines(context, request, signal),
  };
}

/** GET /v3/settlements. Its window is in days of no documented zone: a day more is asked for on both sides. */
async function listSettlements(
  { http }: FlutterwaveContext,
  { from, to, cursor }: SettlementListRequest,
  signal: AbortSignal,
): Promise<SettlementPage> {
  const page = pageOf(cursor);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const query = {
    from: dayOf(from.getTime() - DAY_MS),
    to: dayOf(to.getTime() + DAY_MS),
    page: String(page),
  };
  const answer = await http.request({ method: 'GET', path: '/v3/settlements', query, signal });
  const rows = dataOf(answer);
  if (!Array.isArray(rows)) throw new UnusableAnswerError(whyUnknown(answer), `HTTP_${answer.status}`);
  const info = fieldsOf(fieldsOf(fieldsOf(answer.body)?.['meta'])?.['page_info']);
  const isLast = rows.length === 0 || isLastOf(page, info?.['total_pages']);
  const { read: settlements, unreadable } = readListed(rows, settlementOf);
  return { settlements, unreadable, next: isLast ? null : String(page + 1) };
}

function settlementOf(value: unknown): ReportedSettlement | undefined {
  const fields = fieldsOf(value);
  const reference = factOf(fields?.['id']);
  const lumpMinor = fromDecimal(fields?.['net_amount']);
  const at = instantOf(fields?.['processed_date']) ?? instantOf(fields?.['due_date']);
  if (fields === undefined || reference === null || lumpMinor === null || lumpMinor < 0n || at === null) {
    return undefined;
  }
  return {
    reference,
    status: listedIn(STATUSES, textOf(fields['status'])) ?? 'UNKNOWN',
    // Nothing distinguishes a test settlement from a live one but the key that finds it.
    mode: null,
    currency: textOf(fields['currency']),
    lumpMinor,
    settledOn: lagosDay(at),
  };
}

/** GET /v3/settlements/:id: all lines at once. */
async function readLines(
  { http }: FlutterwaveContext,
  { reference, cursor }: SettlementLinesRequest,
  signal: AbortSignal,
): Promise<SettlementLinePage> {
  if (cursor !== null) throw cursorInvalid();
  const path = `/v3/settlements/${encodeURIComponent(reference)}`;
  const answer = await http.request({ method: 'GET', path, signal, maxBodyBytes: MAX_SETTLEMENT_BYTES });
  const data = fieldsOf(dataOf(answer));
  const payments = data?.['transactions'];
  if (data === undefined || !Array.isArray(payments)) {
    throw new UnusableAnswerError(whyUnknown(answer), `HTTP_${answer.status}`);
  }
  if (textOf(data['id']) !== reference) {
    const reading = { reason: 'RAIL_ANSWER_MISMATCH', message: 'Flutterwave answered about another settlement' };
    throw new UnusableAnswerError(reading, `HTTP_${answer.status}`);
  }
  return {
    lines: [...payments.map(lineOf), ...takenOf(data, 'refund', 'REFUND'), ...takenOf(data, 'chargeback', 'DISPUTE')],
    next: null,
  };
}

/** `charged_amount` less `app_fee`, `merchant_fee` and `stampduty_charge` is `settlement_amount`. */
function lineOf(value: unknown): SettlementLine {
  const fields = fieldsOf(value) ?? {};
  const grossMinor = fromDecimal(fields['charged_amount']);
  const parts = ['app_fee', 'merchant_fee', 'stampduty_charge'].map((name) => fromDecimal(fields[name] ?? 0));
  const feeMinor = parts.includes(null) ? null : parts.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n);
  return {
    kind: 'PAYMENT',
    providerTransactionId: factOf(fields['id']),
    reference: factOf(fields['tx_ref']),
    grossMinor,
    feeMinor,
    netMinor: fromDecimal(fields['settlement_amount']),
    currency: textOf(fields['currency']),
    mode: null,
    occurredAt: null,
  };
}

/**
 * A sum that is taken. Of one refund it is that refund's; of several it is one line that names them all, since their
 * amounts are not there.
 */
function takenOf(
  data: Record<string, unknown>,
  name: 'refund' | 'chargeback',
  kind: SettlementLine['kind'],
): SettlementLine[] {
  const amountMinor = fromDecimal(data[name] ?? 0);
  if (amountMinor === 0n) return [];
  const given = data[`${name}_meta`];
  const list = typeof given === 'string' ? readJson(Buffer.from(given)) : given;
  const ids = Array.isArray(list) ? list.map(textOf).filter((id) => id !== '') : [];
  const taken = amountMinor === null ? null : amountMinor < 0n ? amountMinor : -amountMinor;
  return [
    {
      kind,
      providerTransactionId: ids.length === 1 ? (ids[0] ?? null) : `${name}s of ${textOf(data['id'])}`,
      reference: ids.length > 1 ? shortList(ids) : null,
      grossMinor: taken,
      feeMinor: 0n,
      netMinor: taken,
      currency: textOf(data['currency']),
      mode: null,
      occurredAt: null,
    },
  ];
}

const MAX_REFERENCE = 200;

function shortList(ids: readonly string[]): string {
  const text = ids.join(' ');
  return text.length <= MAX_REFERENCE ? text : `${text.slice(0, MAX_REFERENCE - 1)}…`;
}
