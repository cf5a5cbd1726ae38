import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ConfirmedCredit, CreditHint, CreditKey } from '../rails/index.ts';
import { reportedText } from './credit-movement.ts';
import type { CollectionDeps } from './deps.ts';
import {
  findReversedCredit,
  type OpenCreditRow,
  type OpenCreditStatus,
  upsertOpenCredit,
} from './open-credit-queries.ts';
import type { CreditSource, InboundPaymentRow } from './queries.ts';

/** The pause before the provider is asked again, by how often it was asked; after the last one, that one. */
const PAUSES_MS = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
] as const;
/**
 * Nobody confirmed it for so long, and so often: people have to look. A credit that they attribute later is asked about
 * anew.
 */
const LOST_AFTER_MS = 72 * HOUR_MS;
const LOST_AFTER_ATTEMPTS = 12;

/** The reason of a booked credit whose money went back. */
export const REVERSED = 'REVERSED';

/** The prefix of the keys of credits that are said to have gone back. */
export const REVERSAL_KEY = 'reversal:';

/**
 * The key under which a credit is kept. That it went back has a key of its own, also where the credit itself has ended.
 */
export function creditKeyOf({
  providerTransactionId,
  providerReference,
  sessionId,
  isReversal,
}: CreditHint): string | undefined {
  if (isReversal === true) return `${REVERSAL_KEY}${providerTransactionId ?? providerReference ?? sessionId}`;
  if (providerTransactionId !== null) return `id:${providerTransactionId}`;
  if (providerReference !== null) return `ref:${providerReference}`;
  return sessionId === null ? undefined : `session:${sessionId}`;
}

interface KeptCredit {
  rail: string;
  mode: Mode;
  hint: CreditHint;
  source: CreditSource;
  status: OpenCreditStatus;
  reason: string | null;
  code: string | null;
  confirmed?: ConfirmedCredit;
  /** Absent: somebody reported it, and it may be kept already. */
  retried?: RetriedCredit | undefined;
}

/** A credit that is kept and was due to be asked about. */
export type RetriedCredit = Pick<OpenCreditRow, 'status' | 'attempts' | 'first_seen_at'>;

/**
 * Keeps a credit that is not in the books, so that it is asked about again or looked into. It is never only logged. Its
 * retries alone decide how often it is asked about, and when it is given to people, however often it is reported.
 * @returns its status; `isNew`: it did not have this status before.
 */
export async function keepOpenCredit(
  { database, clock }: CollectionDeps,
  kept: KeptCredit,
): Promise<{ status: OpenCreditStatus; isNew: boolean }> {
  const { hint, confirmed, retried } = kept;
  const key = creditKeyOf(hint);
  if (key === undefined) throw new Error('a credit has nothing that it could be asked about by');
  const now = clock.now();
  const isLost =
    retried !== undefined &&
    retried.attempts >= LOST_AFTER_ATTEMPTS &&
    now.getTime() - retried.first_seen_at.getTime() >= LOST_AFTER_MS;
  const status = isLost && kept.status === 'WAITING' ? 'UNCONFIRMED' : kept.status;
  const pause = PAUSES_MS[Math.min(retried?.attempts ?? 0, PAUSES_MS.length - 1)] as number;
  const [changed] = await database.query(upsertOpenCredit, [
    kept.rail,
    key,
    kept.mode,
    hint.providerTransactionId,
    hint.providerReference,
    hint.sessionId,
    hint.accountNumber,
    hint.amountMinor,
    kept.source,
    status,
    kept.reason,
    kept.code,
    confirmed === undefined ? null : confirmedText(confirmed, kept.reason),
    status === 'WAITING' ? new Date(now.getTime() + pause) : null,
    now,
    retried !== undefined,
  ]);
  return { status: changed?.status ?? retried?.status ?? status, isNew: changed !== undefined };
}

/** Includes whether the money went back: what two people dismissed before that is a different case. */
function confirmedText(confirmed: ConfirmedCredit, reason: string | null): string {
  return reportedText({ ...confirmed, ...(reason === REVERSED && { isReversed: true }) });
}

/** Ends the open credits under any of its names: they have become a payment. */
export async function endOpenCredit(
  { credits, clock }: CollectionDeps,
  rail: string,
  names: readonly CreditKey[],
): Promise<void> {
  const keys = new Set(
    names.flatMap(({ providerTransactionId, providerReference, sessionId }) => [
      ...(providerTransactionId === null ? [] : [`id:${providerTransactionId}`]),
      ...(providerReference === null ? [] : [`ref:${providerReference}`]),
      ...(sessionId === null ? [] : [`session:${sessionId}`]),
    ]),
  );
  await credits.end({ rail, keys: [...keys], at: clock.now() });
}

/** Whether the provider says that the money of a booked payment went back by itself. */
export async function isReversedByProvider(
  queries: Queries,
  { rail, provider_transaction_id: id }: Pick<InboundPaymentRow, 'rail' | 'provider_transaction_id'>,
): Promise<boolean> {
  const [found] = await queries.query(findReversedCredit, [rail, [`id:${id}`, `${REVERSAL_KEY}${id}`]]);
  return found?.is_reversed === true;
}
