import { randomBytes } from 'node:crypto';
import type { Secrets } from '../platform/secrets.ts';

/** A session that nobody uses for so long ends. */
export const IDLE_MS = 30 * 60_000;
/** However busy, a session ends so long after it began. */
export const LIFETIME_MS = 12 * 60 * 60_000;
/** An MFA pending session waits so long for the second factor. */
export const MFA_PENDING_LIFETIME_MS = 10 * 60_000;
/** How long a password counts as just given. */
export const STEP_UP_MS = 5 * 60_000;
/** Requests that were under way while a session's secret changed still arrive with the old one. */
export const PREVIOUS_MS = 10_000;

const SECRET_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function isSecret(text: string): boolean {
  return SHAPE.test(text);
}

export function hashOfSecret(secrets: Secrets, secret: string): string {
  return secrets.hmac('session', secret);
}

/** What it may be stored as: a session lives through a change of the pepper, and ends under the one it began with. */
export function hashesOfSecret(secrets: Secrets, secret: string): string[] {
  return secrets.hmacs('session', secret);
}
