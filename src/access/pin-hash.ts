import { AppError } from '../platform/errors.ts';
import { hashAsStored, type KeyedHash } from '../platform/keyed-hash.ts';
import { createConcurrencyLimit } from '../platform/queues/concurrency-limit.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { slowHashUnder } from './slow-hash.ts';

/** Keeps PINs apart from everything else that is hashed under the pepper. */
export const PIN_PURPOSE = 'pin';

/** A PIN as it is stored. */
export interface StoredPin extends KeyedHash {
  /** How the slow hash was made that lies behind the first pepper, in rows of earlier releases; else null. */
  readonly slow: string | null;
}

/**
 * Slow hashes of earlier releases are checked one at a time, however many merchants give their PIN for the first time
 * since the upgrade: one thread of four, and one core of two, is what that may cost all others. Who would wait longer than
 * a few seconds is asked to come again.
 */
const slowTurns = createConcurrencyLimit({
  atOnce: 1,
  maxWaiting: 200,
  tooMany: () =>
    new AppError('unavailable', 'OVERLOADED', 'The service is busy. Please try again shortly.', {
      retryAfterSeconds: 5,
    }),
});

/**
 * A PIN as it is stored from now on. Four digits are guessed in no time by whoever has hash and pepper, however slow the
 * hash; by who has the database alone, never.
 */
export function hashOfPin(secrets: Pick<Secrets, 'hmac'>, tenant: Tenant, pin: string): string {
  return secrets.hmac(PIN_PURPOSE, textOf(tenant, pin));
}

/** True where `stored` is as `hashOfPin` makes it, and can be compared with nothing but that. */
export function isStoredPlainly({ slow, pepper_ids }: StoredPin, { pepperId }: Pick<Secrets, 'pepperId'>): boolean {
  return slow === null && pepper_ids?.length === 1 && pepper_ids[0] === pepperId;
}

/** What `pin` is in the way in which `stored` was made. @throws AppError 503 where a pepper is missing, or too many wait. */
export function hashOfPinAs(
  stored: Pick<StoredPin, 'slow' | 'pepper_ids'>,
  secrets: Pick<Secrets, 'pepperId' | 'hmacUnder'>,
  tenant: Tenant,
  pin: string,
): Promise<string> {
  const { slow } = stored;
  if (slow === null) return hashAsStored(secrets, stored, { purpose: PIN_PURPOSE, text: textOf(tenant, pin) });
  return hashAsStored(secrets, stored, {
    purpose: PIN_PURPOSE,
    // As it was when a merchant had one PIN for both modes.
    text: `${tenant.merchantId}:${pin}`,
    slow: (hash) => slowTurns.run(() => slowHashUnder(slow, hash)),
  });
}

function textOf({ merchantId, mode }: Tenant, pin: string): string {
  return `${merchantId}:${mode}:${pin}`;
}
