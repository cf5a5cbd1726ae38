import {
  askAboutDisputes,
  type DisputeDeps,
  type DisputeRow,
  findDisputeRail,
  repayDebts,
  sendDueAnswers,
} from '../../src/disputes/index.ts';
import { takeDispute } from '../../src/disputes/take-dispute.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { CreditHint, ReportedDispute } from '../../src/rails/index.ts';
import { creditSubaccount } from '../../src/subaccounts/move-subaccount-money.ts';
import { createSubaccount } from '../../src/subaccounts/subaccount.ts';
import { RAIL } from '../collections/fixture.ts';
import { createSettlementFixture } from '../provider-settlements/fixture.ts';
import { addPerson } from '../support/people.ts';

/** Payments of a scripted provider that their payers dispute. */
export async function createDisputeFixture() {
  const fixture = await createSettlementFixture();
  const { database, script } = fixture;
  const deps = fixture.deps as DisputeDeps & typeof fixture.deps;
  type Payee = Awaited<ReturnType<typeof fixture.payee>>;

  const railOf = async (by: DisputeDeps) => {
    const rail = await findDisputeRail(by.rails, 'LIVE', RAIL);
    if (rail === undefined) throw new Error('the provider has no disputes');
    return rail;
  };
  /** As if the provider's webhook said it. */
  const hear = async ({ providerDisputeId }: Pick<ReportedDispute, 'providerDisputeId'>, by: DisputeDeps = deps) =>
    takeDispute(by, await railOf(by), { providerDisputeId }, { source: 'WEBHOOK' });

  const find = async (providerDisputeId: string): Promise<DisputeRow> => {
    const found = 'select * from disputes where rail = $1 and provider_dispute_id = $2';
    const { rows } = await database.pool.query(found, [RAIL, providerDisputeId]);
    if (rows.length !== 1) throw new Error(`${rows.length} disputes are ${providerDisputeId}`);
    return minor(rows[0]);
  };

  return {
    ...fixture,
    deps,
    hear,
    find,
    /** Opens one at the provider and hears of it. */
    async dispute(
      { providerTransactionId }: CreditHint,
      amountMinor: bigint,
      given: Partial<ReportedDispute> = {},
    ): Promise<ReportedDispute> {
      const dispute = script.disputes.open({
        providerTransactionId: providerTransactionId ?? '',
        amountMinor,
        ...given,
      });
      await hear(dispute);
      return dispute;
    },
    /** The provider ends it, and we hear of it. */
    async end({ providerDisputeId }: ReportedDispute, state: 'won' | 'lost' | 'accepted', bySilence = false) {
      script.disputes.end(providerDisputeId, state, bySilence);
      await hear({ providerDisputeId });
      return find(providerDisputeId);
    },
    /** The merchant spends what it has. */
    async drain({ tenant, wallet }: Payee) {
      const { availableMinor: amountMinor } = await deps.ledger.readBalance(tenant, wallet.id);
      const at = { tenant, idempotency: undefined };
      const { answer } = await createSubaccount(deps, { ...at, name: 'Elsewhere', merchantName: 'Adire' });
      const { subaccountId } = JSON.parse(answer.body).data;
      await creditSubaccount(deps, { ...at, subaccountId, amountMinor, narration: null, metadata: null });
    },
    work: () => askAboutDisputes(deps, 'LIVE'),
    send: () => sendDueAnswers(deps, 'LIVE'),
    repay: () => repayDebts(deps, 'LIVE'),
    available: async ({ tenant, wallet }: Payee) => (await deps.ledger.readBalance(tenant, wallet.id)).availableMinor,
    async owner({ merchantId }: Payee, email: string) {
      return addPerson(fixture.base, { kind: 'MEMBER', email, merchantId, role: 'OWNER' } as never);
    },
    async mails(to: string): Promise<string[]> {
      const { rows } = await database.pool.query('select subject from mails where recipient = $1 order by id', [to]);
      return rows.map(({ subject }) => subject);
    },
  };
}

/**
 * So many rows like a dispute, of the same merchant and before it in every order, for as long as `work` takes: nothing else
 * knows of them.
 */
export async function amongOlder<T>(
  { pool }: Pick<Database, 'pool'>,
  { id, count }: { id: string; count: number },
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await pool.query(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = 'disputes'::regclass and attnum > 0 and not attisdropped
        and attname not in ('id', 'provider_dispute_id', 'remind_at')`,
  );
  const { columns } = rows[0];
  await pool.query(
    `insert into disputes (id, provider_dispute_id, remind_at, ${columns})
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'older' || n, remind_at - interval '1 hour', ${columns}
       from disputes, generate_series(1, $2) n where id = $1`,
    [id, count],
  );
  try {
    return await work();
  } finally {
    await pool.query(`delete from disputes where provider_dispute_id like 'older%'`);
  }
}

export type DisputeFixture = Awaited<ReturnType<typeof createDisputeFixture>>;

function minor(row: Record<string, unknown>): DisputeRow {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    name.endsWith('_minor') && typeof value === 'string' ? BigInt(value) : value,
  ]);
  return Object.fromEntries(columns) as DisputeRow;
}
