import type { ServiceKey } from '../merchants/index.ts';
import { lagosClock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import type { Mode } from '../platform/tenant.ts';
import type { Role } from './roles.ts';

export function tokenMissing(): AppError {
  return new AppError(
    'unauthenticated',
    'TOKEN_MISSING',
    'This request needs an "Authorization: Bearer <key>" header.',
  );
}

/** One text for malformed and unknown alike: a guess learns nothing. */
export function tokenInvalid(): AppError {
  return new AppError('unauthenticated', 'TOKEN_INVALID', 'The key or token is not valid.');
}

export function tokenExpired(): AppError {
  return new AppError('unauthenticated', 'TOKEN_EXPIRED', 'The key or token has expired or was revoked.');
}

export function ipNotAllowed(): AppError {
  return new AppError('forbidden', 'IP_NOT_ALLOWED', 'This key may not be used from your IP address.');
}

export function keyTypeNotAllowed(): AppError {
  return new AppError('forbidden', 'KEY_TYPE_NOT_ALLOWED', 'This operation needs a secret key.');
}

export function scopeNotGranted(scope: string): AppError {
  return new AppError('forbidden', 'SCOPE_NOT_GRANTED', `This key or token does not have the scope ${scope}.`);
}

export function serviceNotEnabled(service: ServiceKey): AppError {
  return new AppError('forbidden', 'SERVICE_NOT_ENABLED', `The service ${service} is not enabled for your account.`);
}

export function merchantNotApproved(): AppError {
  return new AppError(
    'forbidden',
    'MERCHANT_NOT_APPROVED',
    'Your account must be approved before you can perform this action.',
  );
}

export function merchantSuspended(): AppError {
  return new AppError('forbidden', 'MERCHANT_SUSPENDED', 'Your account is suspended. Please contact support.');
}

export function idempotencyKeyMalformed(): AppError {
  return new AppError(
    'invalid',
    'IDEMPOTENCY_KEY_MALFORMED',
    'The Idempotency-Key header takes 1 to 255 printable ASCII characters without spaces.',
  );
}

export function keyNotFound(): AppError {
  return new AppError('not_found', 'KEY_NOT_FOUND', 'There is no key with this id.');
}

export function keyNotActive(): AppError {
  return new AppError('conflict', 'KEY_NOT_ACTIVE', 'This key has expired or was revoked, so it cannot be rotated.');
}

/** @param mode in words: `live`. */
export function scopeBeyondRole(scope: string, role: Role, mode: string): AppError {
  return new AppError(
    'forbidden',
    'SCOPE_NOT_GRANTED',
    `You may give a key only what you may do yourself, and your role (${role.toLowerCase()}) has no ${scope} in ${mode} mode.`,
  );
}

export function keysTooMany(most: number): AppError {
  return new AppError(
    'refused',
    'KEYS_TOO_MANY',
    `There are ${most} keys in force already. Revoke one that is not used.`,
  );
}

export function referenceInSandboxOnly(): AppError {
  return new AppError('forbidden', 'SANDBOX_ONLY', 'The API reference works in the sandbox only, with play money.');
}

function wordOf(mode: Mode): string {
  return mode === 'LIVE' ? 'live money' : 'the sandbox';
}

export function pinNotSet(mode: Mode): AppError {
  const sentence = `There is no PIN for ${wordOf(mode)} yet. Set one in the dashboard first.`;
  return new AppError('refused', 'PIN_NOT_SET', sentence);
}

export function pinInvalid(attemptsLeft: number): AppError {
  const attempts = attemptsLeft === 1 ? 'one attempt' : `${attemptsLeft} attempts`;
  return new AppError(
    'refused',
    'PIN_INVALID',
    `The PIN is wrong. You have ${attempts} left before PIN operations lock.`,
  );
}

export function pinTrivial(): AppError {
  return new AppError(
    'refused',
    'PIN_TOO_SIMPLE',
    'This PIN is too easy to guess. Avoid one repeated digit (1111) and runs (1234, 4321).',
  );
}

export function pinLocked(mode: Mode, until: Date, now: Date): AppError {
  return new AppError(
    'locked',
    'PIN_LOCKED',
    `Too many wrong PINs. PIN operations of ${wordOf(mode)} are locked until ${lagosClock(until)} Lagos time.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)) },
  );
}

export function sessionMissing(): AppError {
  return new AppError('unauthenticated', 'SESSION_MISSING', 'Please sign in first.');
}

/** One text for ended, expired and unknown alike: a guess learns nothing. */
export function sessionExpired(): AppError {
  return new AppError('unauthenticated', 'SESSION_EXPIRED', 'You have been signed out. Please sign in again.');
}

export function secondFactorNeeded(): AppError {
  return new AppError(
    'unauthenticated',
    'SECOND_FACTOR_NEEDED',
    'Give the code of your authenticator app to finish signing in.',
  );
}

export function csrfRefused(): AppError {
  return new AppError(
    'forbidden',
    'CSRF_REFUSED',
    'This request did not come from a page of this site. Please open the page again and repeat it.',
  );
}

export function personRequired(): AppError {
  return new AppError(
    'forbidden',
    'PERSON_REQUIRED',
    'Only a person who is signed in to the dashboard may do this, not an API key or token.',
  );
}

/** @param others who has what is missing: `owner or admin`. */
export function permissionNotGranted(role: Role, others: string): AppError {
  return new AppError(
    'forbidden',
    'PERMISSION_NOT_GRANTED',
    `Your role (${role.toLowerCase()}) may not do this. It takes the role ${others}.`,
  );
}

export function mustBeMember(): AppError {
  return new AppError('forbidden', 'PERMISSION_NOT_GRANTED', "This belongs to a merchant's own people.");
}

/** One text for ended, expired, unknown and somebody else's alike: a guess learns nothing. */
export function supportViewEnded(): AppError {
  return new AppError('forbidden', 'SUPPORT_VIEW_ENDED', 'This support view has ended. Open another from the desk.');
}

export function supportViewReadOnly(): AppError {
  return new AppError(
    'forbidden',
    'SUPPORT_VIEW_READ_ONLY',
    'This is a support view: it only reads, so nothing was changed.',
  );
}

export function notInSupportView(): AppError {
  return new AppError('forbidden', 'NOT_IN_SUPPORT_VIEW', 'A support view does not show this.');
}

export function mustBeOperator(): AppError {
  return new AppError('forbidden', 'PERMISSION_NOT_GRANTED', "Only the operator's staff may do this.");
}

export function stepUpRequired(): AppError {
  return new AppError(
    'forbidden',
    'STEP_UP_REQUIRED',
    'Please give your password again before you do this: it was last given too long ago.',
  );
}

/** The role was changed between the read and the commit. */
export function roleChanged(): AppError {
  return new AppError(
    'conflict',
    'ROLE_CHANGED',
    'Your role was changed at this moment. Nothing was done. Please try again.',
  );
}
