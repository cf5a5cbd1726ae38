import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { ProviderAnswer, ProviderHttp } from '../http.ts';
import { fieldsOf, providerMessage, textOf } from '../provider-answers.ts';
import { isTemporary, type WalletReading } from '../wallet-answers.ts';
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
