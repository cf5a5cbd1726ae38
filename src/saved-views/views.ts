import { nameOfPerson } from '../access/index.ts';
import type { ShownViewRow } from './queries.ts';
import type { NewView } from './schemas.ts';

/** The views of one list on the wire, as one person sees them. The list opens with the one that was made its default last. */
export function savedViewsView(rows: readonly ShownViewRow[], personId: string) {
  const defaults = rows.filter((row) => row.person_id === personId && row.default_at !== null);
  const [first] = defaults.toSorted((a, b) => Number(b.default_at) - Number(a.default_at));
  return {
    views: rows.map((row) => ({
      viewId: row.id,
      list: row.list,
      name: row.name,
      filter: JSON.parse(row.filter) as NewView['filter'],
      columns: JSON.parse(row.columns) as string[],
      isDefault: row === first,
      isShared: row.is_shared,
      isOwn: row.person_id === personId,
      personName: nameOfPerson({ firstName: row.first_name, lastName: row.last_name, email: row.email }),
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    })),
  };
}
