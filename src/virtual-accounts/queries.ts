import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { VirtualAccountRow, VirtualAccountStatus } from '../wallets/index.ts';

/** An account at a provider that is not open, as the operator's people look for it. */
export type NotOpenRow = VirtualAccountRow & { wallet_account_name: string };

/** `FAILED`: the provider refused it. `WAITING`: it is asked for since long. */
type NotOpenState = 'FAILED' | 'WAITING';

export interface NotOpenFilter {
  state?: NotOpenState | undefined;
  merchantId?: string | undefined;
  mode?: Mode | undefined;
}

/**
 * Across merchants: the last request of each wallet and customer at each provider account that was refused, or waits since
 * before a moment; what was asked for first comes first. A live merchant that is not approved yet has none: its requests wait for the
 * approval.
 */
export function notOpenList({ state, merchantId, mode }: NotOpenFilter, before: Date): List<NotOpenRow> {
  const values: unknown[] = [];
  const where = [
    // As the index virtual_accounts_not_open has it.
    `v.requested_at > '-infinity'`,
    `v.reason is distinct from 'MERCHANT_NOT_ACTIVE'`,
    `case when v.customer_id is null
          then not exists (select from virtual_accounts o
                            where o.merchant_id = v.merchant_id and o.mode = v.mode and o.wallet_id = v.wallet_id
                              and o.rail = v.rail and o.customer_id is null
                              and (o.requested_at, o.id) > (v.requested_at, v.id))
          else not exists (select from virtual_accounts o
                            where o.merchant_id = v.merchant_id and o.mode = v.mode and o.customer_id = v.customer_id
                              and o.wallet_id = v.wallet_id and o.rail = v.rail
                              and (o.requested_at, o.id) > (v.requested_at, v.id)) end`,
  ];
  if (state === 'FAILED') where.push(`v.status = 'FAILED'`);
  else {
    const isLong = `v.requested_at <= $${values.push(before)}`;
    if (state === 'WAITING') where.push(`v.status = 'REQUESTED'`, isLong);
    else where.push(`v.status in ('REQUESTED', 'FAILED')`, `(v.status = 'FAILED' or ${isLong})`);
  }
  if (merchantId !== undefined) where.push(`v.merchant_id = $${values.push(merchantId)}`);
  if (mode !== undefined) where.push(`v.mode = $${values.push(mode)}`);
  return {
    name: 'account numbers that are not open',
    of: [{ state, merchantId, mode }],
    order: {
      direction: 'asc',
      keys: [
        { sql: 'v.requested_at', type: 'timestamptz', of: ({ requested_at }) => requested_at },
        { sql: 'v.id', type: 'uuid', of: ({ id }) => id },
      ],
    },
    columns: 'v.*, w.account_name as wallet_account_name',
    from: `virtual_accounts v
           join wallets w on w.merchant_id = v.merchant_id and w.mode = v.mode and w.id = v.wallet_id`,
    countFrom: 'virtual_accounts v',
    where,
    values,
  };
}

export const findVirtualAccount = statement<VirtualAccountRow>(
  'find-virtual-account',
  'select * from virtual_accounts where merchant_id = $1 and mode = $2 and id = $3',
);

export interface AccountFilter {
  status?: VirtualAccountStatus | undefined;
  walletId?: string | undefined;
  customerId?: string | undefined;
}

const NEWEST: ListOrder<VirtualAccountRow> = {
  direction: 'desc',
  keys: [
    { sql: 'requested_at', type: 'timestamptz', of: ({ requested_at }) => requested_at },
    { sql: 'id', type: 'uuid', of: ({ id }) => id },
  ],
};

/** A merchant's accounts at providers, of wallets and of customers: what was asked for last comes first. */
export function accountList({ merchantId, mode }: Tenant, filter: AccountFilter): List<VirtualAccountRow> {
  const { status, walletId, customerId } = filter;
  const values: unknown[] = [merchantId, mode];
  const where = ['merchant_id = $1', 'mode = $2'];
  // As the indexes of the other lists have it, and that of customers does not.
  if (customerId === undefined) where.push(`requested_at > '-infinity'`);
  if (status !== undefined) where.push(`status = '${status}'`);
  if (walletId !== undefined) where.push(`wallet_id = $${values.push(walletId)}`);
  if (customerId !== undefined) where.push(`customer_id = $${values.push(customerId)}`);
  return {
    name: 'accounts at providers',
    of: [merchantId, mode, { status, walletId, customerId }],
    order: NEWEST,
    columns: '*',
    from: 'virtual_accounts',
    where,
    values,
  };
}
