import { ratio } from 'fuzzball';
import type { Bank, Banks } from '../banks/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import type { BatchDeps } from './deps.ts';
import { findAction, type GroupRow, listItemsOfIds, listProblemGroups } from './group-queries.ts';
import { actionView, groupView, type Suggestion } from './group-views.ts';
import { earlierOf, MANY_ITEMS, requireBatch } from './read-batches.ts';
import { lastUndoable } from './resolve-group.ts';

/** What people write for a brand of a bank, without spaces and punctuation: no directory has these names. */
const BRANDS: Readonly<Record<string, string>> = {
  alat: '035',
  alatbywema: '035',
  wemaalat: '035',
  gtworld: '058',
  firstmobile: '011',
};
/** Below this similarity, two names are two banks. */
const ALIKE = 80;
const COMMON = /\b(?:the|bank|banks|plc|ltd|limited|nigeria|nig|of)\b/g;

const squeezed = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(COMMON, ' ')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The bank that was most likely meant; undefined where that is a guess between two. A person has to confirm it. */
async function suggestBank(banks: Banks, given: string): Promise<Bank | undefined> {
  const wanted = squeezed(given);
  const brand = BRANDS[wanted];
  if (brand !== undefined) return banks.findBank(brand);
  if (wanted.length < 3) return undefined;
  const ranked = (await banks.listBanks())
    .filter(({ active }) => active)
    .map((bank) => ({ bank, score: Math.max(...[bank.name, bank.shortName].map((name) => likeness(wanted, name))) }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = ranked;
  if (best === undefined || best.score < ALIKE || best.score === next?.score) return undefined;
  return best.bank;
}

const likeness = (wanted: string, name: string): number => ratio(wanted, squeezed(name), { full_process: false });

/** Groups in one answer: a list with a different wrong bank in every row has as many groups as rows. */
const MAX_GROUPS = 100;

/**
 * The problems of the items of a batch, in groups of the same problem with the same cause, with the actions that are
 * possible for each group. Read at one moment.
 * @throws AppError `BATCH_NOT_FOUND`
 */
export async function readGroups(deps: BatchDeps, tenant: Tenant, batchReference: string) {
  const { item_count } = await requireBatch(deps.database, tenant, batchReference);
  const read = async (queries: Queries) => {
    const batch = await requireBatch(queries, tenant, batchReference);
    const key = [batch.merchant_id, batch.mode, batch.id];
    const groups = await queries.query(listProblemGroups, [...key, MAX_GROUPS]);
    const ids = [...new Set(groups.flatMap(({ samples }) => samples))];
    const items = ids.length === 0 ? [] : await queries.query(listItemsOfIds, [tenant.merchantId, tenant.mode, ids]);
    const [running] = batch.action_id === null ? [] : await queries.query(findAction, [...key, batch.action_id]);
    const undoable = await lastUndoable(queries, batch);
    const earlier = await earlierOf(queries, batch, items);
    return { batch, groups, items: new Map(items.map((item) => [item.id, item])), earlier, running, undoable };
  };
  const found = await deps.database.snapshot(read, { aside: item_count > MANY_ITEMS });
  const { batch, groups, items, earlier, running, undoable } = found;
  const suggestions = await Promise.all(groups.map((group) => suggestionFor(deps, group)));
  const inSight = (group: GroupRow) =>
    group.samples.slice(0, 3).flatMap((id) => {
      const item = items.get(id);
      return item === undefined ? [] : [item];
    });
  return {
    batchReference: batchReferenceOf(batch.id),
    version: batch.version,
    groups: groups.map((group, at) => groupView(group, inSight(group), suggestions[at], earlier)),
    groupsLeftOut: Math.max(0, (groups[0]?.groups ?? 0) - groups.length),
    running: running === undefined ? null : actionView(running),
    undoable: undoable === undefined ? null : actionView(undoable),
  };
}

async function suggestionFor(
  { banks }: BatchDeps,
  { field, cause, severity }: GroupRow,
): Promise<Suggestion | undefined> {
  if (field !== 'bankCode' || severity !== 'ERROR' || cause === null) return undefined;
  const bank = await suggestBank(banks, cause);
  return bank === undefined ? undefined : { bankCode: bank.code, bankName: bank.name };
}
