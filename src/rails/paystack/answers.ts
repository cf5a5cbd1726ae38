import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { ProviderAnswer, ProviderHttp } from '../http.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';

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
    message: textOf(fields?.['message']),
  };
}
