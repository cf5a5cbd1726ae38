import { timingSafeEqual } from 'node:crypto';
import { uuidOfHex } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';

const PURPOSE = 'payment-session-client-secret';
const SECRET = /^mcs_(test|live)_([A-Za-z0-9_-]{22})_([A-Za-z0-9_-]{43})$/;

interface SessionOfTenant {
  tenant: Tenant;
  sessionId: string;
}

/**
 * What lets a payer's browser read the public half of one session. It is a keyed hash of whose session it is, under the
 * pepper, so it is stored nowhere and a repeated request has it again. It names its merchant: a page that has only this and
 * the session's id finds the row.
 */
export function clientSecretOf(secrets: Pick<Secrets, 'hmac'>, { tenant, sessionId }: SessionOfTenant): string {
  return `${headOf(tenant)}${secrets.hmac(PURPOSE, nameOf({ tenant, sessionId }))}`;
}

/** Where a payer pays a session, on this service: the address has the secret. */
export function checkoutPathOf(secrets: Pick<Secrets, 'hmac'>, session: SessionOfTenant): string {
  return checkoutPathWith(session.sessionId, clientSecretOf(secrets, session));
}

/** The same with the secret, which takes microseconds to make. */
export const checkoutPathWith = (sessionId: string, clientSecret: string) => `/checkout/${sessionId}?s=${clientSecret}`;

/** Whose session it is, where the secret is that of this session, under any pepper that is given; undefined otherwise. */
export function tenantOfSecret(
  secrets: Pick<Secrets, 'hmacs'>,
  { sessionId, clientSecret }: { sessionId: string; clientSecret: string },
): Tenant | undefined {
  const [, mode, merchant = '', hash = ''] = SECRET.exec(clientSecret) ?? [];
  if (mode === undefined) return undefined;
  const tenant: Tenant = {
    merchantId: uuidOfHex(Buffer.from(merchant, 'base64url').toString('hex')),
    mode: mode === 'live' ? 'LIVE' : 'SANDBOX',
  };
  const given = Buffer.from(hash);
  const isRight = secrets
    .hmacs(PURPOSE, nameOf({ tenant, sessionId }))
    .some((expected) => expected.length === given.length && timingSafeEqual(Buffer.from(expected), given));
  return isRight ? tenant : undefined;
}

const nameOf = ({ tenant, sessionId }: SessionOfTenant) =>
  `${tenant.merchantId}/${tenant.mode}/${sessionId}`.toLowerCase();

function headOf({ merchantId, mode }: Tenant): string {
  const merchant = Buffer.from(merchantId.replaceAll('-', ''), 'hex').toString('base64url');
  return `mcs_${mode === 'LIVE' ? 'live' : 'test'}_${merchant}_`;
}
