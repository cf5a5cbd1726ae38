import type { Mode } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import { type CreditRail, creditRailOf } from './take-credit.ts';

/** A provider account in its second role; undefined where it has none, or does not open. */
export async function findCreditRail(rails: RailDirectory, mode: Mode, name: string): Promise<CreditRail | undefined> {
  const rail = await rails.findRail(mode, name);
  if (rail === undefined) return undefined;
  return creditRailOf(rail, mode, await rails.accountId(mode, name));
}

/** Those of a mode that are on, also where payouts go by another. */
export async function listCreditRails(rails: RailDirectory, mode: Mode): Promise<CreditRail[]> {
  const named = (await rails.listNamed()).filter((rail) => rail.mode === mode);
  const found = await Promise.all(named.map(({ name }) => findCreditRail(rails, mode, name)));
  return found.filter((rail) => rail !== undefined);
}
