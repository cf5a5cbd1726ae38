import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { LISTS } from './schemas.ts';

/** Of one list, of one person. The table has so many places. */
export const MAX_VIEWS = 30;
/** Of everybody, that one list shows. */
const MAX_SHOWN = 200;

export interface ViewRow {
  merchant_id: string;
  mode: Mode;
  person_id: string;
  id: string;
  list: (typeof LISTS)[number];
  place: number;
  name: string;
  name_key: string;
  /** JSON text. */
  filter: string;
  /** JSON text. */
  columns: string;
  is_shared: boolean;
  default_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A view with whose it is. */
export type ShownViewRow = ViewRow & { first_name: string; last_name: string; email: string };

/** What a person sees of a list: their own first, then what others share who have not left. */
export const listViews = statement<ShownViewRow>(
  'list-saved-views',
  `select v.*, p.first_name, p.last_name, p.email
     from saved_views v
     join people p on p.id = v.person_id and p.merchant_id = v.merchant_id and p.disabled_at is null
    where v.merchant_id = $1 and v.mode = $2 and v.list = $4 and (v.person_id = $3 or v.is_shared)
    order by v.person_id <> $3, v.name_key, v.id
    limit ${MAX_SHOWN}`,
);

export const findView = statement<ViewRow>(
  'find-saved-view',
  'select * from saved_views where merchant_id = $1 and mode = $2 and person_id = $3 and id = $4',
);

export const listTakenPlaces = statement<{ place: number }>(
  'list-taken-places-of-saved-views',
  'select place from saved_views where merchant_id = $1 and mode = $2 and person_id = $3 and list = $4',
);

/** $5 list, $6 a place that was free. Two at once may want one place: the second is refused by its key. */
export const insertView = statement(
  'insert-saved-view',
  `insert into saved_views (merchant_id, mode, person_id, id, list, place, name, name_key, filter, columns, is_shared,
                            default_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`,
);

export const updateView = statement<{ id: string }>(
  'update-saved-view',
  `update saved_views
      set name = $5, name_key = $6, filter = $7, columns = $8, is_shared = $9, default_at = $10, updated_at = $11
    where merchant_id = $1 and mode = $2 and person_id = $3 and id = $4
   returning id`,
);

export const clearDefaultViews = statement(
  'update-saved-views-no-default',
  `update saved_views set default_at = null
    where merchant_id = $1 and mode = $2 and person_id = $3 and list = $4 and default_at is not null`,
);

export const deleteView = statement<{ id: string }>(
  'delete-saved-view',
  'delete from saved_views where merchant_id = $1 and mode = $2 and person_id = $3 and id = $4 returning id',
);
