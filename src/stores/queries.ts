import { setInsert, statement } from '../platform/db/statement.ts';
import { type ChildRow, childColumns } from '../wallets/index.ts';

export const insertStores = setInsert<ChildRow>('stores', childColumns);

export const findStore = statement<ChildRow>(
  'find-store',
  'select * from stores where merchant_id = $1 and mode = $2 and id = $3',
);
