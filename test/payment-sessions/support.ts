import type { SessionDeps } from '../../src/payment-sessions/deps.ts';
import { type OpenSession, openSession } from '../../src/payment-sessions/open-session.ts';
import { detailOf, requireSession } from '../../src/payment-sessions/read-sessions.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { CollectionFixture } from '../collections/fixture.ts';

/** What a merchant's server asks for, unless a test changes it. */
export function asked(tenant: Tenant, more: Partial<OpenSession> = {}): OpenSession {
  return {
    tenant,
    openedBy: 'SECRET_KEY',
    origin: undefined,
    amountMinor: 100_00n,
    amountRule: 'EXACT',
    reference: undefined,
    idempotencyKey: null,
    customer: { name: 'Ada Obi', email: 'ada@example.com', phoneNumber: null },
    description: null,
    metadata: null,
    channels: ['BANK_TRANSFER'],
    mayTakeCards: false,
    expiresInMinutes: 30,
    returnUrl: null,
    cancelUrl: null,
    walletId: undefined,
    feeBearer: 'MERCHANT',
    ...more,
  };
}

/** A merchant with a session that a payer can pay. */
export async function openedSession(
  fixture: CollectionFixture,
  more: Partial<OpenSession> = {},
  deps: SessionDeps = fixture.deps,
) {
  const merchant = await fixture.addMerchant();
  const opened = await openSession(deps, asked(merchant.tenant, more));
  const sessionId = opened.row.id;
  const accountNumber = opened.accounts[0]?.account_number ?? '';
  return {
    ...merchant,
    sessionId,
    accountNumber,
    reference: sessionId.replaceAll('-', ''),
    read: async () => detailOf(deps, await requireSession(deps, merchant.tenant, sessionId)),
    /** Somebody pays, and the provider reports it. */
    pay: (amountMinor: bigint) => fixture.takeWebhook(fixture.script.receive({ accountNumber, amountMinor })),
    events: async (): Promise<string[]> => {
      const { rows } = await fixture.database.pool.query(
        `select type from events where merchant_id = $1 and mode = $2 and subject_id = $3 order by sequence`,
        [merchant.merchantId, merchant.tenant.mode, sessionId],
      );
      return rows.map(({ type }) => type.replace('payment_session.', ''));
    },
  };
}
