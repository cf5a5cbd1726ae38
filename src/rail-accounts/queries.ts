import { setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface RailAccountRow {
  /** Owner of the receivable accounts that merchants' books have for it. */
  id: string;
  name: string;
  provider: string;
  mode: Mode;
  base_url: string | null;
  sealed_credentials: string;
  open_to_merchants: boolean;
  active: boolean;
  created_at: Date;
  updated_at: Date;
}

const ACCOUNT = `id, name, provider, mode, base_url, sealed_credentials, open_to_merchants, active, created_at, updated_at`;

/** All of them: an operator has a handful. */
export const listRailAccountRows = statement<RailAccountRow>(
  'list-rail-accounts',
  `select ${ACCOUNT} from rail_accounts order by name`,
);

export const findRailAccount = statement<RailAccountRow>(
  'find-rail-account',
  `select ${ACCOUNT} from rail_accounts where name = $1`,
);

export const insertRailAccount = statement<{ name: string }>(
  'insert-rail-account',
  `insert into rail_accounts (${ACCOUNT}) values ($8, $1, $2, $3, $4, $5, $6, true, $7, $7)
   on conflict (name) do nothing returning name`,
);

/** Only where nothing but the credentials and their being open changes. */
export const updateRailCredentials = statement<{ name: string }>(
  'update-rail-credentials',
  `update rail_accounts set sealed_credentials = $5, open_to_merchants = $6, updated_at = $7
   where name = $1 and provider = $2 and mode = $3 and base_url is not distinct from $4
   returning name`,
);

export const updateRailActive = statement<{ name: string }>(
  'update-rail-active',
  `update rail_accounts set active = $2, updated_at = $3 where name = $1 returning name`,
);

export interface RailChoiceRow {
  first_rail: string | null;
  second_rail: string | null;
}

export const listDefaultRails = statement<RailChoiceRow & { mode: Mode }>(
  'list-default-rails',
  `select mode, first_rail, second_rail from default_rails`,
);

export const updateDefaultRails = statement(
  'update-default-rails',
  `insert into default_rails (mode, first_rail, second_rail, updated_at) values ($1, $2, $3, $4)
   on conflict (mode) do update set
     first_rail = excluded.first_rail, second_rail = excluded.second_rail, updated_at = excluded.updated_at`,
);

export const findTenantRails = statement<RailChoiceRow & { chosen_by: 'MERCHANT' | 'OPERATOR' }>(
  'find-tenant-rails',
  `select first_rail, second_rail, chosen_by from tenant_rails where merchant_id = $1 and mode = $2`,
);

interface TenantRailsRow {
  merchant_id: string;
  mode: Mode;
  /** Of the movement: the later of two in one group wins. */
  id: string;
  first_rail: string | null;
  second_rail: string | null;
  chosen_by: string;
  chosen_at: string;
}

export const updateTenantRails = setStatement<TenantRailsRow>(
  'update-tenant-rails',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    first_rail: 'text',
    second_rail: 'text',
    chosen_by: 'text',
    chosen_at: 'timestamptz',
  },
  `insert into tenant_rails (merchant_id, mode, first_rail, second_rail, chosen_by, chosen_at)
   select distinct on (merchant_id, mode) merchant_id, mode, first_rail, second_rail, chosen_by, chosen_at
     from :rows order by merchant_id, mode, id desc
   on conflict (merchant_id, mode) do update set
     first_rail = excluded.first_rail, second_rail = excluded.second_rail,
     chosen_by = excluded.chosen_by, chosen_at = excluded.chosen_at`,
);
