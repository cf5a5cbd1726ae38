const MOST = 5;

/** What somebody searched for last stays in their tab: it is sent nowhere, and goes with the tab. */
const keyOf = (personId: string): string => `manilla.find.${personId}`;

export function readRecent(personId: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(personId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function keepRecent(personId: string, typed: string): void {
  const text = typed.trim();
  if (text === '') return;
  try {
    const kept = [text, ...readRecent(personId).filter((one) => one !== text)].slice(0, MOST);
    sessionStorage.setItem(keyOf(personId), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing finds all the same.
  }
}
