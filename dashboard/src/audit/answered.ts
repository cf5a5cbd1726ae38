interface Entry {
  outcome: string;
  requestId: string | null;
}

/** A request is written down before it is done and after: where the end is known, the beginning says nothing more. */
export function withoutAnswered<E extends Entry>(entries: readonly E[]): E[] {
  const ended = new Set(entries.filter(({ outcome }) => outcome !== 'ASKED').map(({ requestId }) => requestId));
  return entries.filter(({ outcome, requestId }) => outcome !== 'ASKED' || requestId === null || !ended.has(requestId));
}
