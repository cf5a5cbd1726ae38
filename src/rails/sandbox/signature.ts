import { createHmac } from 'node:crypto';
import { providerWebhookMalformed, providerWebhookSignatureInvalid } from '../errors.ts';
import type { ProviderWebhookRequest } from '../port.ts';
import { isSameSecret } from '../provider-answers.ts';

const TIMESTAMP_HEADER = 'x-sandbox-rail-timestamp';
const SIGNATURE_HEADER = 'x-sandbox-rail-signature';
/** An older or younger signature is a replay or a wrong clock. A provider webhook is signed anew whenever it is delivered. */
const SIGNATURE_AGE_MAX_SECONDS = 300;

/** A webhook as the simulated bank sends it: JSON, and an HMAC-SHA256 of the time and the body's bytes. */
export function signedRequest(secret: string, body: unknown, now: Date): ProviderWebhookRequest {
  const rawBody = Buffer.from(JSON.stringify(body));
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signatureOf(secret, timestamp, rawBody) };
  return { headers, rawBody };
}

/**
 * The JSON that the simulated bank signed.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`; `PROVIDER_WEBHOOK_MALFORMED` where it is no JSON
 */
export function openSigned(secret: string, { headers, rawBody }: ProviderWebhookRequest, now: Date): unknown {
  const timestamp = headers[TIMESTAMP_HEADER] ?? '';
  if (!isSameSecret(headers[SIGNATURE_HEADER] ?? '', signatureOf(secret, timestamp, rawBody))) {
    throw providerWebhookSignatureInvalid();
  }
  if (!(Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= SIGNATURE_AGE_MAX_SECONDS))
    throw providerWebhookSignatureInvalid();
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw providerWebhookMalformed();
}

function signatureOf(secret: string, timestamp: string, rawBody: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
}
