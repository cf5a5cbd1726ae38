import type { Queries } from '../../platform/db/database.ts';
import { columnArrays, type SetQuestion } from '../../platform/db/statement.ts';
import type { AppError } from '../../platform/errors.ts';
import type { LockedCheck, Movement } from '../movement.ts';

type Found = { place: number };

/** What each check found, under the lock. */
export type CheckResults = ReadonlyMap<LockedCheck, readonly Found[]>;

/** Asks the checks of a group, one statement a question; undefined, and nothing asked, where no movement has any. */
export async function readChecks(queries: Queries, movements: readonly Movement[]): Promise<CheckResults | undefined> {
  const byQuestion = new Map<LockedCheck['question'], LockedCheck[]>();
  for (const check of movements.flatMap(({ checks }) => checks ?? [])) {
    const same = byQuestion.get(check.question);
    if (same === undefined) byQuestion.set(check.question, [check]);
    else same.push(check);
  }
  if (byQuestion.size === 0) return undefined;
  const results = new Map<LockedCheck, Found[]>();
  await Promise.all(Array.from(byQuestion, ([question, checks]) => ask(queries, question, checks, results)));
  return results;
}

async function ask(
  queries: Queries,
  question: SetQuestion<never, Found>,
  checks: readonly LockedCheck[],
  results: Map<LockedCheck, Found[]>,
): Promise<void> {
  const owners = checks.flatMap((check) => check.rows.map((_, at) => ({ check, place: at + 1 })));
  for (const check of checks) results.set(check, []);
  const values = columnArrays(
    question,
    checks.flatMap(({ rows }) => rows),
  );
  for (const found of await queries.query<Found>(question, values)) {
    const owner = owners[found.place - 1];
    if (owner !== undefined) results.get(owner.check)?.push({ ...found, place: owner.place });
  }
}

/** The refusal of a movement by its checks. */
export function checkLocked(movement: Movement, results: CheckResults | undefined): AppError | undefined {
  for (const check of movement.checks ?? []) {
    const found = results?.get(check);
    if (found === undefined) throw new Error(`movement ${movement.id}: ${check.question.name} was not asked`);
    const refusal = check.refusal(found);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Takes movements into one group as long as none of them asks about what one before it may change. */
export function createCheckOrder(): (movement: Movement) => boolean {
  const changed = new Set<string>();
  return ({ tenant, checks, changes }) => {
    const named = (name: string) => `${tenant.merchantId}/${tenant.mode}/${name}`;
    if (checks?.some(({ about }) => about.some((name) => changed.has(named(name))))) return false;
    for (const name of changes ?? []) changed.add(named(name));
    return true;
  };
}
