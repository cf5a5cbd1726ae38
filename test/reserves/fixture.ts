import type { Mode } from '../../src/platform/tenant.ts';
import type { NewReserveRule } from '../../src/reserves/index.ts';
import { releaseDueReserves, setReserveRule } from '../../src/reserves/index.ts';
import { readReserve } from '../../src/reserves/views.ts';
import { createSettlementFixture } from '../provider-settlements/fixture.ts';

const NOTICE_MS = 3 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;

/** Money in by card at a scripted provider, of which the operator keeps a part. */
export async function createReserveFixture() {
  const fixture = await createSettlementFixture();
  const { base, clock, database, deps } = fixture;

  type Payee = Awaited<ReturnType<typeof fixture.payee>>;

  return {
    ...fixture,
    /** A rule that is in force when this returns: 10 % of cards for 90 days, unless it says otherwise. */
    async keep(terms: Partial<NewReserveRule> = {}) {
      const rule = await setReserveRule(
        { database, clock },
        {
          merchantId: null,
          mode: 'LIVE',
          channel: 'CARD',
          rateBasisPoints: 1_000,
          days: 90,
          effectiveFrom: undefined,
          source: 'Decided on 20 November',
          ...terms,
        },
      );
      clock.advance(NOTICE_MS);
      return rule;
    },
    byCard: (payee: Pick<Payee, 'accountNumber'>, amountMinor: bigint) =>
      fixture.pay(payee, amountMinor, { channel: 'CARD', payerAccountNumber: null, payerBankName: null }),
    release: (by = deps, mode: Mode = 'LIVE') =>
      releaseDueReserves({ ...by, reserveAccount: by.collectionAccounts.reserve }, mode),
    reserveOf: ({ tenant }: Pick<Payee, 'tenant'>, walletId?: string) => readReserve(database, tenant, walletId),
    /** Another process, with connections and caches of its own. */
    process() {
      const opened = base.open(4);
      const other = fixture.another(opened);
      return {
        deps: other,
        async close() {
          await other.ledger.drain();
          await opened.close();
        },
      };
    },
    /** The transactions that brought something back, and the entries of the wallet that they are. */
    async releasesOf({ tenant }: Pick<Payee, 'tenant'>) {
      const { rows } = await database.pool.query<{ amount_minor: bigint; narration: string }>(
        `select amount_minor, narration from transactions
          where merchant_id = $1 and mode = $2 and category = 'RESERVE_RELEASE' order by id`,
        [tenant.merchantId, tenant.mode],
      );
      return rows;
    },
  };
}

export type ReserveFixture = Awaited<ReturnType<typeof createReserveFixture>>;
