import { setInsert, statement } from '../platform/db/statement.ts';
import { type ChildRow, childColumns } from '../wallets/index.ts';

export const insertSubaccounts = setInsert<ChildRow>('subaccounts', childColumns);

export const findSubaccount = statement<ChildRow>(
  'find-subaccount',
  'select * from subaccounts where merchant_id = $1 and mode = $2 and id = $3',
);
