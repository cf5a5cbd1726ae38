import type { Static } from 'typebox';
import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { railAccountNotFound, railNotActive, railNotSelectable, walletProviderUnable } from './errors.ts';
import {
  findRailAccount,
  findTenantRails,
  listDefaultRails,
  listRailAccountRows,
  type RailAccountRow,
  type RailChoiceRow,
  updateTenantRails,
} from './queries.ts';
import { openRail, type RailDirectory, SANDBOX } from './rail-directory.ts';
import type { RailChoiceSchema } from './schemas.ts';

/** Names of rails in order of choice; a `first` of null takes a choice back. */
export interface RailOrder {
  first: string | null;
  second?: string | null | undefined;
}

/** @throws AppError `VALIDATION_FAILED` */
export function checkOrder({ first, second }: RailOrder): { first: string | null; second: string | null } {
  if (second === undefined || second === null) return { first, second: null };
  if (first === null) throw invalidField('second', 'must be left out where first is null');
  if (second === first) throw invalidField('second', 'must be another rail than first');
  return { first, second };
}

export interface ChooseRailsDeps {
  database: Database;
  ledger: Ledger;
  clock: Clock;
  /** Of this process, where it serves: it forgets the tenant's earlier choice. */
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

/**
 * An account at which wallets can have account numbers.
 * @throws AppError `RAIL_NOT_FOUND`, `RAIL_NOT_ACTIVE`, `WALLET_PROVIDER_UNABLE`, `RAIL_CREDENTIALS_UNREADABLE`,
 *   `RAIL_ACCOUNT_UNUSABLE`
 */
export async function requireWalletProvider(
  { database, secrets, clock }: { database: Queries; secrets: Secrets; clock: Clock },
  mode: Mode,
  name: string,
): Promise<void> {
  const [row] = await database.query(findRailAccount, [name]);
  if (row?.mode !== mode) throw railAccountNotFound(name);
  if (!row.active) throw railNotActive(name);
  if (openRail({ secrets, clock }, row).wallets === undefined) throw walletProviderUnable(name);
}

/** Who chooses: a merchant sees only what the operator opened to merchants. */
type Chooser = 'MERCHANT' | 'OPERATOR';

export interface SelectableRail {
  name: string;
  provider: string;
}

/** What may be chosen in a mode, the sandbox rail first. Accounts that are switched off may not. */
function selectableRails(rows: readonly RailAccountRow[], mode: Mode, by: Chooser): SelectableRail[] {
  const open = rows.filter((row) => row.mode === mode && row.active && (by === 'OPERATOR' || row.open_to_merchants));
  const named = open.map(({ name, provider }) => ({ name, provider }));
  return mode === 'SANDBOX' ? [{ name: SANDBOX, provider: SANDBOX }, ...named] : named;
}

/** @throws AppError `RAIL_NOT_SELECTABLE` */
export async function requireSelectable(
  queries: Queries,
  mode: Mode,
  { first, second }: { first: string | null; second: string | null },
  by: Chooser,
): Promise<RailAccountRow[]> {
  const rows = await queries.query(listRailAccountRows);
  const names = new Set(selectableRails(rows, mode, by).map(({ name }) => name));
  for (const name of [first, second]) {
    if (name !== null && !names.has(name)) throw railNotSelectable(name);
  }
  return rows;
}

type RailChoiceView = Static<typeof RailChoiceSchema>;

interface RailChoiceFacts {
  own: (RailChoiceRow & { chosen_by: 'MERCHANT' | 'OPERATOR' }) | undefined;
  defaults: readonly (RailChoiceRow & { mode: Mode })[];
  rows: readonly RailAccountRow[];
}

/** What a tenant's next payouts go by, and what may be chosen instead. Names and providers, nothing of credentials. */
function railChoiceView(mode: Mode, { own, defaults, rows }: RailChoiceFacts): RailChoiceView {
  const isOwn = own !== undefined && own.first_rail !== null;
  const builtIn: RailChoiceRow = { first_rail: mode === 'SANDBOX' ? SANDBOX : null, second_rail: null };
  const choice = isOwn ? own : (defaults.find((each) => each.mode === mode) ?? builtIn);
  return {
    mode,
    first: chosenRail(choice.first_rail, rows),
    second: chosenRail(choice.second_rail, rows),
    chosenBy: isOwn ? own.chosen_by : 'DEFAULT',
    available: selectableRails(rows, mode, 'MERCHANT'),
  };
}

function chosenRail(name: string | null, rows: readonly RailAccountRow[]): RailChoiceView['first'] {
  if (name === null) return null;
  if (name === SANDBOX) return { name, provider: SANDBOX, isActive: true };
  const row = rows.find((each) => each.name === name);
  return { name, provider: row?.provider ?? 'unknown', isActive: row?.active === true };
}
