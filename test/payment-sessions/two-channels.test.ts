import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeCreditWebhook } from '../../src/collections/index.ts';
import { checkSession } from '../../src/payment-sessions/ask-provider.ts';
import { cancelSession, expireSessions } from '../../src/payment-sessions/end-session.ts';
import type { CreditHint, PaymentChannel } from '../../src/rails/index.ts';
import { type CollectionFixture, createCollectionFixture, webhookOf } from '../collections/fixture.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { brokenChecks } from '../support/proof.ts';
import { openedSession } from './support.ts';

let fixture: CollectionFixture;
let otherDatabase: ReturnType<CollectionFixture['base']['open']>;
let other: ReturnType<CollectionFixture['another']>;

beforeAll(async () => {
  fixture = await createCollectionFixture();
  otherDatabase = fixture.base.open(4);
  other = fixture.another(otherDatabase);
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await other.ledger.drain();
  await otherDatabase.close();
  await fixture.close();
});

const MINUTE_MS = 60_000;
const PAGE = {
  channels: ['CARD', 'BANK_TRANSFER'],
  mayTakeCards: true,
  returnUrl: 'https://shop.example/paid',
} as const;

type Session = Awaited<ReturnType<typeof openedSession>>;

/** A session whose page takes cards and transfers. */
const opened = (more: object = {}) => openedSession(fixture, { ...PAGE, ...more });

/** Somebody pays on its page: the provider knows it by our reference alone. @returns what a webhook says of it */
function paidOn({ reference }: Session, channel: PaymentChannel, amountMinor = 100_00n): CreditHint {
  const { providerTransactionId } = fixture.script.receive({ accountNumber: '', amountMinor, channel });
  const received = fixture.script.credits.get(providerTransactionId ?? '');
  if (received === undefined) throw new Error('nothing was received');
  // A card has no session of the interbank network.
  const sessionId = channel === 'CARD' ? null : received.credit.sessionId;
  received.credit = { ...received.credit, sessionId, accountNumber: null, accountReference: reference };
  const { providerReference } = received.credit;
  return { providerTransactionId, providerReference, sessionId, amountMinor, accountNumber: null };
}

describe('one session that is paid by card and by transfer', () => {
  const orders = {
    'the card first': async (card: CreditHint, transfer: CreditHint) => {
      await fixture.takeWebhook(card);
      await fixture.takeWebhook(transfer);
    },
    'the transfer first': async (card: CreditHint, transfer: CreditHint) => {
      await fixture.takeWebhook(transfer);
      await fixture.takeWebhook(card);
    },
    'both at once': async (card: CreditHint, transfer: CreditHint) => {
      await Promise.all([fixture.takeWebhook(card), fixture.takeWebhook(transfer)]);
    },
    'both in one webhook, twice, at two processes': async (card: CreditHint, transfer: CreditHint) => {
      await Promise.all([
        fixture.takeWebhook(card, transfer),
        takeCreditWebhook(other, fixture.creditRail, webhookOf(transfer, card)),
      ]);
    },
  };

  it.each(Object.keys(orders) as (keyof typeof orders)[])(
    'has both credited, %s, and the second is noted as one',
    async (order) => {
      for (let round = 0; round < 5; round += 1) {
        const session = await opened();
        await orders[order](paidOn(session, 'CARD'), paidOn(session, 'BANK_TRANSFER'));
        expect(await session.balance()).toBe(200_00n);
        const { status, received, payments } = await session.read();
        expect({ status, received, notes: payments.map(({ note }) => note) }).toEqual({
          status: 'PAID',
          received: 200,
          notes: [null, 'SECOND_PAYMENT'],
        });
        expect((await session.events()).filter((type) => type === 'paid')).toHaveLength(1);
      }
    },
  );

  it('in two parts is paid once both are there, and a third payment is a second one', async () => {
    const session = await opened();
    await fixture.takeWebhook(paidOn(session, 'CARD', 40_00n));
    expect(await session.read()).toMatchObject({ status: 'PARTIALLY_PAID', payable: true, outstanding: 60 });
    await fixture.takeWebhook(paidOn(session, 'BANK_TRANSFER', 60_00n));
    await fixture.takeWebhook(paidOn(session, 'CARD', 40_00n));
    expect(await session.read()).toMatchObject({
      status: 'PAID',
      payments: [{ note: 'SHORT' }, { note: null }, { note: 'SECOND_PAYMENT' }],
    });
    expect(await session.balance()).toBe(140_00n);
  });
});

describe('a page that is left', () => {
  it('leaves the session payable until it expires, by another channel too; what comes later is late', async () => {
    const session = await opened();
    // Whoever comes back by the return address, or says so, has paid nothing.
    expect(await checkSession(fixture.deps, session.tenant, session.sessionId)).toMatchObject({ found: false });
    expect(await session.read()).toMatchObject({ status: 'OPEN', payable: true });
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.takeWebhook(paidOn(session, 'BANK_TRANSFER'));
    expect(await session.read()).toMatchObject({ status: 'PAID' });

    const abandoned = await opened();
    fixture.clock.advance(31 * MINUTE_MS);
    await expireSessions(fixture.deps, 'LIVE');
    expect(await abandoned.read()).toMatchObject({ status: 'EXPIRED', payable: false, pageUrl: null });
    await fixture.takeWebhook(paidOn(abandoned, 'CARD'));
    expect(await abandoned.read()).toMatchObject({ status: 'EXPIRED', payments: [{ note: 'LATE' }] });
    expect(await abandoned.balance()).toBe(100_00n);
  });

  it('is paid by the provider’s answer alone, of its amount, its currency and its mode', async () => {
    const other = await opened();
    const hint = paidOn(other, 'CARD');
    const received = fixture.script.credits.get(hint.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    const right = received.credit;
    received.credit = { ...right, currency: 'GHS' };
    expect(await fixture.takeWebhook(hint)).toEqual(['TO_DECIDE']);
    received.credit = { ...right, mode: 'SANDBOX' };
    expect(await fixture.takeWebhook(hint)).toEqual(['TO_DECIDE']);
    expect(await other.read()).toMatchObject({ status: 'OPEN', received: 0 });

    const less = await opened();
    const short = paidOn(less, 'CARD', 1_00n);
    // The webhook says what was asked for; the answer says what came.
    await fixture.takeWebhook({ ...short, amountMinor: 100_00n });
    expect(await less.read()).toMatchObject({ status: 'PARTIALLY_PAID', received: 1 });
  });

  it('that the merchant cancelled takes what is paid on it all the same, as late', async () => {
    const session = await opened();
    await cancelSession(fixture.deps, session.tenant, session.sessionId);
    await fixture.takeWebhook(paidOn(session, 'CARD'));
    expect(await session.read()).toMatchObject({ status: 'CANCELLED', payments: [{ note: 'LATE' }] });
    expect(await session.balance()).toBe(100_00n);
  });
});

describe('the fee on top of a session', () => {
  it('is that of cards where a card may be used, and that of transfers otherwise', async () => {
    await collectionFee(fixture, { channel: 'CARD', rateBasisPoints: 150, flatMinor: 100_00n });
    await collectionFee(fixture, { channel: 'BANK_TRANSFER', flatMinor: 10_00n });
    await collectionFee(fixture, { flatMinor: 7_00n });
    const asking = { feeBearer: 'CUSTOMER', amountMinor: 1_000_00n } as const;
    const byCard = await opened(asking);
    const byTransfer = await openedSession(fixture, asking);
    expect(await byTransfer.read()).toMatchObject({ fee: 10, vat: 0.75, amountToPay: 1_010.75 });
    const { fee, vat, amountToPay } = await byCard.read();
    expect(amountToPay).toBe(1_000 + fee + vat);
    expect(fee).toBeGreaterThan(100);
    await fixture.takeWebhook(paidOn(byCard, 'CARD', BigInt(Math.round(amountToPay * 100))));
    expect(await byCard.balance()).toBe(1_000_00n);
    // Paid otherwise it costs less, and the merchant has the difference.
    const other = await opened(asking);
    await fixture.takeWebhook(paidOn(other, 'USSD', BigInt(Math.round(amountToPay * 100))));
    expect(await other.balance()).toBe(BigInt(Math.round(amountToPay * 100)) - 7_00n - 53n);
  });
});
