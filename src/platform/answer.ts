import type { AppError, ErrorKind } from './errors.ts';
import { jsonOf } from './json-text.ts';

/** What a client is told: an HTTP status and the finished JSON text, so that a replay is the first answer byte for byte. */
export interface Answer {
  status: number;
  body: string;
}

/** The one place that knows which class of refusal is which HTTP status. */
const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  misdirected: 421,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  refused: 422,
  locked: 423,
  rate_limited: 429,
  unavailable: 503,
};

/** `{status: true, message, data?}`. `data` must be wire-ready: money as numbers, times as ISO 8601 text. */
export function success(message: string, data?: unknown): Answer {
  return { status: 200, body: jsonOf({ status: true, message, data }) };
}

/** The same from data that is JSON text already. */
export function successJson(message: string, dataJson: string): Answer {
  return { status: 200, body: `{"status":true,"message":${JSON.stringify(message)},"data":${dataJson}}` };
}

/** `{status: false, message, code, errors?}` with the status of the error's class. */
export function failure(error: AppError): Answer {
  const body = { status: false, message: error.message, code: error.code, errors: error.errors };
  return { status: STATUS[error.kind], body: JSON.stringify(body) };
}
