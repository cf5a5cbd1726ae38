import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findTenantRails, listDefaultRails, listRailAccountRows, updateTenantRails } from './queries.ts';
import type { RailDirectory } from './rail-directory.ts';
import { type Chooser, requireSelectable } from './usable-rails.ts';
import { type RailChoiceView, railChoiceView } from './views.ts';

/** Names of rails in order of choice; a `first` of null takes a choice back. */
export interface RailOrder {
  first: string | null;
  second?: string | null | undefined;
}

/** @throws AppError `VALIDATION_FAILED` */
export function checkOrder({ first, second }: RailOrder): { first: string | null; second: string | null } {
  if (second === undefined || second === null) return { first, second: null };
  if (first === null) throw invalidField('second', 'must be left out where first is null.');
  if (second === first) throw invalidField('second', 'must be another rail than first.');
  return { first, second };
}

export interface ChooseRailsDeps {
  database: Database;
  ledger: Ledger;
  clock: Clock;
  /** Of this process, where it serves: it forgets the tenant's choice of before. */
  rails?: Pick<RailDirectory, 'forget'>;
}

export interface ChooseRailsInput extends RailOrder {
  tenant: Tenant;
  by: Chooser;
  idempotency?: IdempotencyKey | undefined;
}

/**
 * Says which rails pay for a tenant from now on. Payouts that were made before stay where they are; every process knows
 * it within 5 s. The event says what was chosen, and by whom.
 * @throws AppError `RAIL_NOT_SELECTABLE`, `VALIDATION_FAILED`
 */
export async function chooseRails(deps: ChooseRailsDeps, input: ChooseRailsInput): Promise<CommitResult> {
  const { tenant, by } = input;
  const order = checkOrder(input);
  const [rows, defaults] = await Promise.all([
    requireSelectable(deps.database, tenant.mode, order, by),
    deps.database.query(listDefaultRails),
  ]);
  const id = newId();
  const occurredAt = deps.clock.now().toISOString();
  const own = { first_rail: order.first, second_rail: order.second, chosen_by: by };
  const view = railChoiceView(tenant.mode, { own, defaults, rows });
  const chosen = { merchantId: tenant.merchantId, first: view.first, second: view.second, chosenBy: view.chosenBy };
  const result = await deps.ledger.commit({
    tenant,
    id,
    occurredAt,
    idempotency: input.idempotency,
    writes: [
      write(updateTenantRails, {
        merchant_id: tenant.merchantId,
        mode: tenant.mode,
        id,
        ...own,
        chosen_at: occurredAt,
      }),
    ],
    events: [
      { id: newId(), type: 'merchant.rails_chosen', subjectId: tenant.merchantId, data: JSON.stringify(chosen) },
    ],
    answer: success('Rails chosen', view),
  });
  deps.rails?.forget(tenant);
  return result;
}

/** What a tenant's next payouts go by, read now. */
export async function readRailChoice(
  { database }: { database: Queries },
  { merchantId, mode }: Tenant,
): Promise<RailChoiceView> {
  const [rows, defaults, [own]] = await Promise.all([
    database.query(listRailAccountRows),
    database.query(listDefaultRails),
    database.query(findTenantRails, [merchantId, mode]),
  ]);
  return railChoiceView(mode, { own, defaults, rows });
}
