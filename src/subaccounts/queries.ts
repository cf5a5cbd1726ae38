import { setInsert, statement } from '../platform/db/statement.ts';
import { type ChildRow, childColumns } from '../wallets/index.ts';

export const insertSubaccounts = setInsert<ChildRow>('subaccounts', childColumns);

export const findSubaccount = statement<ChildRow>(
  'find-subaccount',
  'select * from subaccounts where merchant_id = $1 and mode = $2 and id = $3',
);

/** Newest first; ids sort by time. */
export const listSubaccounts = statement<ChildRow>(
  'list-subaccounts',
  'select * from subaccounts where merchant_id = $1 and mode = $2 order by id desc offset $3 limit $4',
);

export const countSubaccounts = statement<{ total: number }>(
  'count-subaccounts',
  'select count(*)::int as total from subaccounts where merchant_id = $1 and mode = $2',
);
