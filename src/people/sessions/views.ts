import type { Static } from 'typebox';
import { permissionsOfRole, type SignedIn, type SignedInMerchant, scopesOfRole } from '../../access/index.ts';
import type { SessionRow } from './queries.ts';
import type { SessionRecord, SessionSchema } from './schemas.ts';

export function sessionView(
  session: SignedIn,
  { csrfToken, mailOutbox }: { csrfToken: string; mailOutbox: boolean },
): Static<typeof SessionSchema> {
  const { role, merchant } = session;
  return {
    person: {
      personId: session.personId,
      email: session.email,
      firstName: session.firstName,
      lastName: session.lastName,
      kind: session.kind,
      role,
      secondFactor: session.secondFactor,
      recoveryCodesLeft: session.recoveryCodesLeft,
    },
    merchant: merchant === null ? null : merchantView(merchant),
    permissions: role === null ? [] : [...permissionsOfRole(role)],
    scopes: {
      SANDBOX: role === null ? [] : [...scopesOfRole(role, 'SANDBOX')],
      LIVE: role === null ? [] : [...scopesOfRole(role, 'LIVE')],
    },
    csrfToken,
    expiresAt: session.expiresAt.toISOString(),
    idleExpiresAt: session.idleExpiresAt.toISOString(),
    freshUntil: session.freshUntil?.toISOString() ?? null,
    mailOutbox,
  };
}

function merchantView({ pins, services, ...merchant }: SignedInMerchant) {
  return {
    ...merchant,
    isPinSet: { SANDBOX: pins.SANDBOX !== null, LIVE: pins.LIVE !== null },
    services: [...services],
  };
}

export function sessionRecord(row: SessionRow, currentId: string): Static<typeof SessionRecord> {
  return {
    sessionId: row.id,
    current: row.id === currentId,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    ip: row.ip,
    userAgent: row.user_agent,
  };
}
