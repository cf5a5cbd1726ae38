import { Secret, TOTP } from 'otpauth';
import type { Secrets } from '../../platform/secrets.ts';

const ISSUER = 'Manilla';
/** What authenticator apps expect, and some take nothing else. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** A clock that is half a minute off is still somebody's own. */
const WINDOW = 1;

/** A secret as the database keeps it: it opens on its own person's row only. */
export function sealTotp(secrets: Secrets, personId: string, secret: string): string {
  return secrets.seal(secret, contextOf(personId));
}

export function openTotp(secrets: Secrets, personId: string, sealed: string): string {
  return secrets.open(sealed, contextOf(personId));
}

function contextOf(personId: string): string {
  return `people/${personId}/totp`;
}

/** A secret to type and the address that a QR code shows. */
export function makeTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...SETTINGS, issuer: ISSUER, label: email, secret: new Secret({ size: SECRET_BYTES }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The half minute that a code belongs to, counted since 1970; undefined for a code of no half minute about now. */
export function stepOfCode(secret: string, code: string, now: Date): bigint | undefined {
  const totp = new TOTP({ ...SETTINGS, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const off = totp.validate({ token: code, timestamp, window: WINDOW });
  return off === null ? undefined : BigInt(totp.counter({ timestamp }) + off);
}
