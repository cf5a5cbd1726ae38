import { nameOfPerson } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, type Queries, violatedUnique } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  clearDefaultViews,
  deleteView,
  findView,
  insertView,
  listTakenPlaces,
  listViews,
  MAX_VIEWS,
  type ShownViewRow,
  updateView,
  type ViewRow,
} from './queries.ts';
import type { NewView, ViewChanges } from './schemas.ts';

const viewNotFound = () => new AppError('not_found', 'SAVED_VIEW_NOT_FOUND', 'There is no view of yours with this id.');

const viewNameTaken = () =>
  new AppError('conflict', 'SAVED_VIEW_NAME_TAKEN', 'You have a view of this list with this name already.', {
    errors: [{ field: 'name', message: 'is the name of another view' }],
  });

const viewsTooMany = (most: number) =>
  new AppError('conflict', 'SAVED_VIEWS_TOO_MANY', `You have ${most} views of this list. Delete one first.`);

export interface ViewDeps {
  database: Database;
  clock: Clock;
}

/** Whose views they are: one person's, of one merchant and mode. */
export interface Owner {
  tenant: Tenant;
  personId: string;
}

/** Two that add a view at one moment want the same place; the second takes the next one. */
const MAX_ATTEMPTS = 5;

const keyOf = ({ tenant, personId }: Owner) => [tenant.merchantId, tenant.mode, personId];

/** The views of a list that a person sees: their own, and what others share. */
export async function readViews(queries: Queries, owner: Owner, list: ViewRow['list']) {
  return savedViewsView(await queries.query(listViews, [...keyOf(owner), list]), owner.personId);
}

/**
 * Keeps a view. It moves nothing and is nobody else's, so no movement carries it.
 * @returns the id @throws AppError 409 `SAVED_VIEW_NAME_TAKEN`, `SAVED_VIEWS_TOO_MANY`
 */
export async function addView({ database, clock }: ViewDeps, owner: Owner, view: NewView): Promise<string> {
  const at = clock.now();
  const id = newId();
  const { name, key } = namesOf(view.name);
  const isDefault = view.isDefault === true;
  const texts = [JSON.stringify(view.filter), JSON.stringify(view.columns)];
  const values = [name, key, ...texts, view.isShared === true, isDefault ? at : null, at];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (tx) => {
        if (isDefault) await tx.query(clearDefaultViews, [...keyOf(owner), view.list]);
        const taken = new Set((await tx.query(listTakenPlaces, [...keyOf(owner), view.list])).map((row) => row.place));
        const free = Array.from({ length: MAX_VIEWS }, (_, before) => before + 1).find((place) => !taken.has(place));
        if (free === undefined) throw viewsTooMany(MAX_VIEWS);
        await tx.query(insertView, [...keyOf(owner), id, view.list, free, ...values]);
        return id;
      });
    } catch (error) {
      const isRace = violatedUnique(error) === 'saved_views_place_unique';
      if (!isRace || attempt === MAX_ATTEMPTS) throw asRefusal(error);
    }
  }
}

/**
 * Changes what is named of a view of one's own, and leaves the rest.
 * @throws AppError 404 `SAVED_VIEW_NOT_FOUND`, 409 `SAVED_VIEW_NAME_TAKEN`
 */
export async function changeView(
  { database, clock }: ViewDeps,
  owner: Owner,
  { viewId, changes }: { viewId: string; changes: ViewChanges },
): Promise<void> {
  const at = clock.now();
  const changed = database.transaction(async (tx) => {
    const [before] = await tx.query(findView, [...keyOf(owner), viewId]);
    if (before === undefined) throw viewNotFound();
    const { filter, columns, isShared = before.is_shared, isDefault } = changes;
    if (isDefault === true) await tx.query(clearDefaultViews, [...keyOf(owner), before.list]);
    const { name, key } = namesOf(changes.name ?? before.name);
    const [updated] = await tx.query(updateView, [
      ...keyOf(owner),
      viewId,
      name,
      key,
      filter === undefined ? before.filter : JSON.stringify(filter),
      columns === undefined ? before.columns : JSON.stringify(columns),
      isShared,
      isDefault === undefined ? before.default_at : isDefault ? at : null,
      at,
    ]);
    if (updated === undefined) throw viewNotFound();
  });
  await changed.catch((error: unknown) => {
    throw asRefusal(error);
  });
}

/** @throws AppError 404 `SAVED_VIEW_NOT_FOUND` */
export async function removeView(queries: Queries, owner: Owner, viewId: string): Promise<void> {
  const [removed] = await queries.query(deleteView, [...keyOf(owner), viewId]);
  if (removed === undefined) throw viewNotFound();
}

/** A name as it is shown, and as it is compared. */
function namesOf(given: string): { name: string; key: string } {
  const name = given.trim();
  return { name, key: name.toLowerCase() };
}

const asRefusal = (error: unknown) => (violatedUnique(error) === 'saved_views_name_unique' ? viewNameTaken() : error);

/** The views of one list on the wire, as one person sees them. The list opens with the one that was made its default last. */
function savedViewsView(rows: readonly ShownViewRow[], personId: string) {
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
