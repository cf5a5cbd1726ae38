import type { Movement, TransferDraft, UniqueKey } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { inHalves } from '../platform/jobs/take-turns.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { ReconciliationDeps } from './deps.ts';
import { alreadySettled } from './errors.ts';
import {
  type ImportRow,
  insertSettlements,
  listLinesToSettle,
  listSettlements,
  type SettlementRow,
  updateLinesSettled,
} from './queries.ts';
import { settlementView } from './views.ts';

/** Payouts in one movement: a thousand unique keys and rows, one transfer. */
const MAX_PAYOUTS = 1_000;

/** Taken once for each payout, however often it is imported. */
const UNIQUE_KEY_SCOPES = { PAID: 'SETTLEMENT', RETURNED: 'SETTLEMENT_RETURN' } as const;

interface Due {
  /** The line. */
  id: string;
  payout_id: string;
  our_amount_minor: bigint;
}

/** What was settled of a payout before: nothing, or what an earlier file said. */
interface Known {
  paid: ReadonlySet<string>;
  returned: ReadonlySet<string>;
}

/** Lines of a file that cannot be settled: where there are more, the cause is not in the lines. */
const MOST_FAILED = 100;

/**
 * Settles what the file and our books agree on. A payment leaves our clearing for the rail's float; a return comes back
 * the same way, so that clearing is again what it was before the payout. Where the rail reports a return and the
 * payment was never settled, both are marked as settled and nothing moves. Where this was killed, another run
 * continues.
 * @param lineId of this line alone; undefined: all
 * @throws the first error of a line that cannot be settled, once the others are
 */
export async function settlePayouts(deps: ReconciliationDeps, settlement: ImportRow, lineId?: string): Promise<void> {
  const failed = new Map<string, unknown>();
  for (const kind of ['PAID', 'REVERSED'] as const) {
    while (failed.size <= MOST_FAILED) {
      const asked = [settlement.id, kind, MAX_PAYOUTS, [...failed.keys()], lineId ?? null];
      const lines = await deps.database.query(listLinesToSettle, asked);
      if (lines.length === 0) break;
      for (const [merchantId, due] of Map.groupBy(lines, ({ merchant_id }) => merchant_id)) {
        const tenant: Tenant = { merchantId, mode: settlement.mode };
        await inHalves(
          due,
          (some) => settleTenant(deps, settlement, tenant, kind === 'PAID' ? 'PAID' : 'RETURNED', some),
          ({ id }, error) => failed.set(id, error),
        );
      }
    }
  }
  for (const error of failed.values()) throw error as Error;
}

async function settleTenant(
  deps: ReconciliationDeps,
  settlement: ImportRow,
  tenant: Tenant,
  kind: SettlementRow['kind'],
  due: readonly Due[],
): Promise<void> {
  for (;;) {
    const known = await findKnown(deps, tenant, due);
    try {
      // Two lines of one payout, such as one with its reference and one with its session id, settle it once.
      const open = uniquePayouts(due).filter(
        ({ payout_id }) => !known[kind === 'PAID' ? 'paid' : 'returned'].has(payout_id),
      );
      for (const movement of await movementsOf(deps, settlement, tenant, kind, open, known)) {
        await deps.ledger.commit(movement);
      }
      break;
    } catch (error) {
      // Another import settled one of them at the same moment, which is known now.
      if (!(error instanceof AppError && error.code === 'PAYOUT_ALREADY_SETTLED')) throw error;
    }
  }
  const ids = due.map(({ id }) => id);
  await deps.database.query(updateLinesSettled, [settlement.id, ids, deps.clock.now()]);
}

const uniquePayouts = (due: readonly Due[]): Due[] => [...new Map(due.map((one) => [one.payout_id, one])).values()];

async function findKnown({ database }: ReconciliationDeps, tenant: Tenant, due: readonly Due[]): Promise<Known> {
  const ids = due.map(({ payout_id }) => payout_id);
  const rows = await database.query(listSettlements, [tenant.merchantId, tenant.mode, ids]);
  const of = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.payout_id));
  return { paid: of('PAID'), returned: of('RETURNED') };
}

async function movementsOf(
  deps: ReconciliationDeps,
  settlement: ImportRow,
  tenant: Tenant,
  kind: SettlementRow['kind'],
  due: readonly Due[],
  known: Known,
): Promise<Movement[]> {
  const { payoutClearing, providerFloat } = await deps.wallets.requireTenantAccounts(tenant);
  const cancelsOut = (one: Due) => kind === 'RETURNED' && !known.paid.has(one.payout_id);
  const [moved, never] = [due.filter((one) => !cancelsOut(one)), due.filter(cancelsOut)];
  const out = { debitAccountId: payoutClearing, creditAccountId: providerFloat };
  const back = { debitAccountId: providerFloat, creditAccountId: payoutClearing };
  return [
    ...(moved.length === 0 ? [] : [movementOf(deps, settlement, tenant, [kind], moved, kind === 'PAID' ? out : back)]),
    // Both keys are taken, so that no later file settles the payment alone.
    ...(never.length === 0 ? [] : [movementOf(deps, settlement, tenant, ['PAID', 'RETURNED'], never, undefined)]),
  ];
}

function movementOf(
  deps: ReconciliationDeps,
  settlement: ImportRow,
  tenant: Tenant,
  kinds: readonly SettlementRow['kind'][],
  due: readonly Due[],
  way: Pick<TransferDraft, 'debitAccountId' | 'creditAccountId'> | undefined,
): Movement {
  const id = newId();
  const now = deps.clock.now();
  const at = now.toISOString();
  const amountMinor = due.reduce((sum, { our_amount_minor }) => sum + our_amount_minor, 0n);
  const transfer: TransferDraft | undefined =
    way === undefined ? undefined : { kind: 'POSTED', id: newId(), ...way, amountMinor, code: 'PAYOUT_SETTLEMENT' };
  const uniqueKeys = kinds.flatMap((kind) =>
    due.map((one): UniqueKey => ({ scope: UNIQUE_KEY_SCOPES[kind], value: one.payout_id, refusal: alreadySettled })),
  );
  const rows = kinds.flatMap((kind) =>
    due.map((one) =>
      write(insertSettlements, {
        merchant_id: tenant.merchantId,
        mode: tenant.mode,
        payout_id: one.payout_id,
        kind,
        amount_minor: one.our_amount_minor,
        transfer_id: transfer?.id ?? null,
        import_id: settlement.id,
        settled_at: now,
      }),
    ),
  );
  const settled = settlementView({
    id,
    kind: kinds.at(-1) as SettlementRow['kind'],
    rail: settlement.rail,
    payouts: due.length,
    amountMinor,
    currency: DEFAULT_CURRENCY,
    at,
  });
  return {
    tenant,
    id,
    occurredAt: at,
    uniqueKeys,
    transfers: transfer === undefined ? [] : [transfer],
    writes: rows,
    events: [{ id: newId(), type: 'settlement.recorded', subjectId: id, data: JSON.stringify(settled) }],
    answer: success('Success'),
  };
}
