import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { ProviderAnswer, ProviderHttp } from '../http.ts';
import { UnusableAnswerError } from '../port.ts';
import { fieldsOf, providerMessage, textOf } from '../provider-answers.ts';
import { isLastOf, isTemporary, type WalletReading } from '../wallet-answers.ts';
import { readHttpStatus } from './transfers.ts';

/** One account at Paystack, for both of its roles. */
export interface PaystackContext {
  http: ProviderHttp;
  clock: Clock;
  /** Of the key. */
  mode: Mode;
  /** Signs the webhooks too. */
  secretKey: string;
}

export interface Got {
  status: number;
  /** HTTP 200 or 201 and `status: true`. */
  isSuccess: boolean;
  /** HTTP 4xx and `status: false`: Paystack itself answered, and refused. */
  isRefusal: boolean;
  data: Record<string, unknown> | undefined;
  /** Paystack's `code` where it gave one, else the HTTP status: never empty, and kept as evidence. */
  code: string;
  message: string;
}

export function readBody({ status, body }: ProviderAnswer): Got {
  const fields = fieldsOf(body);
  return {
    status,
    isSuccess: (status === 200 || status === 201) && fields?.['status'] === true,
    isRefusal: status >= 400 && status < 500 && fields?.['status'] === false,
    data: fieldsOf(fields?.['data']),
    code: textOf(fields?.['code']) || `HTTP ${status}`,
    message: providerMessage(fields?.['message']),
  };
}

/** The most rows that Paystack gives on one page. */
const PAGE_SIZE = '100';

interface PageRequest {
  path: string;
  query?: Record<string, string>;
  /** From one. */
  page: number;
  /** Left out: that of every answer. */
  maxBodyBytes?: number;
}

/** A page of one of Paystack's lists; `next` is null after the last one. @throws UnusableAnswerError where it is no list */
export async function readPage(
  { http }: Pick<PaystackContext, 'http'>,
  { path, query, page, ...limit }: PageRequest,
  signal: AbortSignal,
): Promise<{ rows: readonly unknown[]; next: string | null }> {
  const asked = { ...query, perPage: PAGE_SIZE, page: String(page) };
  const answer = await http.request({ method: 'GET', path, query: asked, signal, ...limit });
  const got = readBody(answer);
  const body = fieldsOf(answer.body);
  const rows = body?.['data'];
  if (!got.isSuccess || !Array.isArray(rows)) throw new UnusableAnswerError(whyUnknown(got), got.code);
  const isLast = rows.length === 0 || isLastOf(page, fieldsOf(body?.['meta'])?.['pageCount']);
  return { rows, next: isLast ? null : String(page + 1) };
}

/** Why an answer in the wallet role ends nothing. */
export function whyUnknown(got: Got): WalletReading {
  const isAboutTheRequest = got.isRefusal && [400, 404, 422].includes(got.status);
  if (!isAboutTheRequest) return readHttpStatus(got.status);
  return { reason: 'RAIL_REFUSAL_UNLISTED', message: got.message || `Paystack refused with HTTP ${got.status}` };
}

/** A refusal of an adapter's table; undefined where it has none for this answer, or the same may be taken at the next attempt. */
export function listedRefusal(
  { isRefusal, status, message }: Got,
  refusals: readonly Refusal[],
): WalletReading | undefined {
  if (!isRefusal || isTemporary(message)) return undefined;
  const listed = refusals.find((one) => one.statuses.includes(status) && one.message.test(message));
  return listed && { reason: listed.reason, message: listed.meaning };
}

export interface Refusal {
  statuses: readonly number[];
  message: RegExp;
  reason: string;
  meaning: string;
}

/** `domain` of what Paystack reports. */
export const DOMAINS: Readonly<Record<string, Mode>> = { live: 'LIVE', test: 'SANDBOX' };

/** Whole kobo, which Paystack writes as a number or as text; null where it is neither. */
export function koboOf(value: unknown): bigint | null {
  const digits = textOf(value);
  return /^\d{1,18}$/.test(digits) ? BigInt(digits) : null;
}
