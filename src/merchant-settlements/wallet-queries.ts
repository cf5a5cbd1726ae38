import { setStatement, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';

/** A version of a merchant's settings for the wallet of a store or subaccount. */
export interface WalletSettingsRow {
  merchant_id: string;
  mode: Mode;
  wallet_id: string;
  version: number;
  id: string;
  is_settled: boolean;
  keep_minor: bigint;
  changed_by: string;
  changed_at: Date;
}

/** SHA-256, hex, over a version `s` as it was made. */
export const walletSettingsDigest = (s: string): string =>
  `encode(sha256(convert_to(json_build_array(${s}.merchant_id, ${s}.mode, ${s}.wallet_id, ${s}.version, ${s}.id, ${s}.is_settled,
     ${s}.keep_minor, ${s}.changed_by, extract(epoch from ${s}.changed_at))::text, 'UTF8')), 'hex')`;

export const insertWalletSettings = setStatement<WalletSettingsRow>(
  'insert-wallet-settlement-settings',
  {
    merchant_id: 'uuid',
    mode: 'text',
    wallet_id: 'uuid',
    version: 'integer',
    id: 'uuid',
    is_settled: 'boolean',
    keep_minor: 'bigint',
    changed_by: 'text',
    changed_at: 'timestamptz',
  },
  `insert into wallet_settlement_settings (merchant_id, mode, wallet_id, version, id, is_settled, keep_minor, changed_by,
     changed_at, digest)
   select rows.*, ${walletSettingsDigest('rows')} from :rows`,
);

export const findWalletSettings = statement<WalletSettingsRow>(
  'find-wallet-settlement-settings',
  `select merchant_id, mode, wallet_id, version, id, is_settled, keep_minor, changed_by, changed_at
     from wallet_settlement_settings where merchant_id = $1 and mode = $2 and wallet_id = $3 order by version desc limit 1`,
);

export interface WalletStateRow {
  merchant_id: string;
  mode: Mode;
  wallet_id: string;
  is_settled: boolean;
  first_sequence: bigint;
  first_balance_minor: bigint;
  result: string | null;
  updated_at: Date;
}

const STATE = 'merchant_id, mode, wallet_id, is_settled, first_sequence, first_balance_minor, result, updated_at';

/** With new settings. The beginning of the first settlement does not change. */
export const upsertWalletStates = setStatement<Omit<WalletStateRow, 'result'>>(
  'upsert-wallet-settlement-states',
  {
    merchant_id: 'uuid',
    mode: 'text',
    wallet_id: 'uuid',
    is_settled: 'boolean',
    first_sequence: 'bigint',
    first_balance_minor: 'bigint',
    updated_at: 'timestamptz',
  },
  `insert into wallet_settlement_states as s (merchant_id, mode, wallet_id, is_settled, first_sequence, first_balance_minor,
     updated_at)
   select distinct on (rows.merchant_id, rows.mode, rows.wallet_id) rows.*
     from :rows order by rows.merchant_id, rows.mode, rows.wallet_id, rows.updated_at desc
   on conflict (merchant_id, mode, wallet_id) do update
      set is_settled = excluded.is_settled, result = null, updated_at = excluded.updated_at`,
);

/** The result of a turn. */
export const updateWalletStatesResult = setStatement<
  Pick<WalletStateRow, 'merchant_id' | 'mode' | 'wallet_id' | 'result' | 'updated_at'>
>(
  'update-wallet-settlement-states-result',
  { merchant_id: 'uuid', mode: 'text', wallet_id: 'uuid', result: 'text', updated_at: 'timestamptz' },
  `update wallet_settlement_states s
      set result = rows.result, updated_at = rows.updated_at
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.wallet_id = rows.wallet_id`,
);

export const findWalletState = statement<WalletStateRow>(
  'find-wallet-settlement-state',
  `select ${STATE} from wallet_settlement_states where merchant_id = $1 and mode = $2 and wallet_id = $3`,
);

/** Wallets with settlements, after $3. $4 how many. */
export const listSettledWallets = statement<WalletStateRow>(
  'list-settled-wallets',
  `select ${STATE} from wallet_settlement_states
    where merchant_id = $1 and mode = $2 and wallet_id > $3 and is_settled order by wallet_id limit $4`,
);

/** A wallet with its settings and its last settlement. */
export interface WalletSettlingRow extends WalletStateRow {
  account_name: string;
  version: number;
  keep_minor: bigint;
  changed_by: string;
  changed_at: Date;
  last_id: string | null;
  last_number: number | null;
  last_status: string | null;
}

const BY_WALLET: ListOrder<WalletSettlingRow> = {
  direction: 'desc',
  keys: [{ sql: 'h.wallet_id', type: 'uuid', of: ({ wallet_id }) => wallet_id }],
};

/** Wallets of stores and subaccounts with settings for settlements, those that were opened last first. */
export const walletList = ({ merchantId, mode }: Tenant): List<WalletSettlingRow> => ({
  name: 'wallet-settlement-states',
  of: [merchantId, mode],
  order: BY_WALLET,
  columns: `h.merchant_id, h.mode, h.wallet_id, h.is_settled, h.first_sequence, h.first_balance_minor, h.result, h.updated_at,
     w.account_name, v.version, v.keep_minor, v.changed_by, v.changed_at, l.id as last_id, l.number as last_number,
     l.status as last_status`,
  from: (tail) => `(select * from wallet_settlement_states h ${tail}) h
     join lateral (
       select account_name from wallets where merchant_id = $1 and mode = $2 and id = h.wallet_id offset 0
     ) w on true
     join lateral (
       select version, keep_minor, changed_by, changed_at from wallet_settlement_settings
        where merchant_id = $1 and mode = $2 and wallet_id = h.wallet_id order by version desc limit 1
     ) v on true
     left join lateral (
       select id, number, status from merchant_settlements
        where merchant_id = $1 and mode = $2 and wallet_id = h.wallet_id order by number desc limit 1
     ) l on true`,
  countFrom: 'wallet_settlement_states h',
  where: ['h.merchant_id = $1', 'h.mode = $2'],
  values: [merchantId, mode],
});
