import { NOTHING_REPORTED, type ReportedFacts, UNREADABLE } from '../rails/index.ts';

/** What a rail reported of a transfer, as the evidence keeps it: JSON text of the facts that it gave; null for none. */
export function reportedText(reported: ReportedFacts): string | null {
  const given = Object.entries(reported).filter(([, fact]) => fact !== null);
  if (given.length === 0) return null;
  return JSON.stringify(Object.fromEntries(given.map(([name, fact]) => [name, String(fact)])));
}

/** The same, read back. */
export function reportedFacts(text: string | null): ReportedFacts {
  if (text === null) return NOTHING_REPORTED;
  const { amountMinor = null, ...others } = JSON.parse(text) as Partial<Record<keyof ReportedFacts, string>>;
  const isAmount = amountMinor !== null && amountMinor !== UNREADABLE;
  return { ...NOTHING_REPORTED, ...others, amountMinor: isAmount ? BigInt(amountMinor) : amountMinor };
}
