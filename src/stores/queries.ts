import { setInsert, statement } from '../platform/db/statement.ts';
import { type ChildRow, childColumns } from '../wallets/index.ts';

export const insertStores = setInsert<ChildRow>('stores', childColumns);

export const findStore = statement<ChildRow>(
  'find-store',
  'select * from stores where merchant_id = $1 and mode = $2 and id = $3',
);

/** Newest first; ids sort by time. */
export const listStores = statement<ChildRow>(
  'list-stores',
  'select * from stores where merchant_id = $1 and mode = $2 order by id desc offset $3 limit $4',
);

export const countStores = statement<{ total: number }>(
  'count-stores',
  'select count(*)::int as total from stores where merchant_id = $1 and mode = $2',
);
