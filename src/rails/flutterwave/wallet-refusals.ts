import type { ProviderAnswer } from '../http.ts';
import { textOf } from '../provider-answers.ts';
import { isTemporary, type WalletReading } from '../wallet-answers.ts';
import { readHttpStatus } from './readings.ts';
import { refusalOf } from './transfer.ts';

/** The first that fits. */
export type Refusals = readonly (readonly [RegExp, WalletReading])[];

const NOTE = /^Please make a bank transfer to (.+)$/i;

/** A refusal (HTTP 400, `status: error`) of an adapter's table; undefined where it has none for this answer. */
export function listedRefusal(answer: ProviderAnswer, refusals: Refusals): WalletReading | undefined {
  const message = refusalOf(answer);
  if (message === undefined || answer.status !== 400 || isTemporary(message)) return undefined;
  return refusals.find(([pattern]) => pattern.test(message))?.[1];
}

/** Why an answer in the wallet role ends nothing. */
export function whyUnknown(answer: ProviderAnswer): WalletReading {
  const message = refusalOf(answer);
  const isAboutTheRequest = [400, 404, 422].includes(answer.status);
  if (message === undefined || !isAboutTheRequest) return readHttpStatus(answer.status);
  return { reason: 'RAIL_REFUSAL_UNLISTED', message: message || `Flutterwave refused with HTTP ${answer.status}` };
}

/** The name of an account stands only in a sentence for people, behind what Flutterwave puts before it. */
export function nameInNote(note: unknown): string | null {
  return NOTE.exec(textOf(note))?.[1]?.trim() || null;
}
