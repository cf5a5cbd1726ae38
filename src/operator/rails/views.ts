import { toNumber } from '../../money/index.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { NamedRail, RailAccountSummary } from '../../rail-accounts/index.ts';
import type { FloatCheckRow } from '../../reconciliation/index.ts';

interface RailFacts {
  rail: NamedRail;
  account: RailAccountSummary | undefined;
  lastCheck: FloatCheckRow | undefined;
}

export function railView({ rail, account, lastCheck }: RailFacts) {
  return {
    railId: rail.name,
    provider: rail.provider,
    mode: rail.mode,
    builtIn: account === undefined,
    active: account?.active ?? rail.active,
    openToMerchants: account?.openToMerchants ?? rail.openToMerchants,
    standing: account?.standing ?? null,
    baseUrl: account?.baseUrl ?? null,
    circuit: rail.circuit,
    opens: account?.opens ?? rail.opens,
    lastBalance: lastCheck === undefined ? null : railBalanceView(lastCheck.rail_minor, new Date(lastCheck.checked_at)),
  };
}

export function railBalanceView(amountMinor: bigint, at: Date) {
  return { amount: toNumber(amountMinor), at: at.toISOString() };
}

/** The built-in rail stands in where nobody set a default. */
export function defaultView(mode: Mode, accounts: readonly RailAccountSummary[]) {
  const named = (standing: 'FIRST' | 'SECOND') =>
    accounts.find((account) => account.mode === mode && account.standing === standing)?.name ?? null;
  return { mode, first: named('FIRST'), second: named('SECOND') };
}
