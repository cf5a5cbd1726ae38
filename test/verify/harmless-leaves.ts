import type { Row } from './catalog.ts';

/** Leaves of JSON that are not the matter of the books, by the types of events, and of the rows that alone have them. */
export const LEAVES: readonly { of: RegExp; leaves: RegExp; why: string; when?: (row: Row['values']) => boolean }[] = [
  {
    of: /^batch\.(ready|needs_fix|pending_approval|cancelled|expired|created|item_updated|item_dropped|items_changed)$/,
    leaves: /^amount$/,
    why: 'what a batch came to before its dispatch',
  },
  {
    of: /^batch\./,
    leaves: /^expiresAt$/,
    why: 'until when a batch waited then: each change of it says so anew, and the last one is compared',
  },
  {
    of: /^batch\.created$/,
    leaves: /^(understood|warnings|problems)\b/,
    why: 'what was understood of a file: its items are compared',
  },
  { of: /^inbound_payment\.pending$/, leaves: /^reason$/, why: 'a note beside a payment that went back' },
  {
    of: /^(payout\.succeeded|merchant_settlement\.paid)$/,
    leaves: /^(sessionId|railCode)$/,
    why: 'the session or the code of a success that came back',
  },
  {
    of: /^merchant_settlement\./,
    leaves: /^summary\.label$/,
    why: 'words for people; the kind beside them is compared',
  },
  { of: /^merchant_settlement\.failed$/, leaves: /^tryAgainAt$/, why: 'when a worker meant to try again, as of then' },
  {
    of: /^(sandbox\.dispute_opened|dispute\.[a-z_]+)$/,
    leaves: /^dueAt$/,
    why: 'until when a dispute could be answered, as the provider said, or the sandbox’s clock moved it',
  },
  {
    of: /^(payment_session\.[a-z_]+|approval\.(requested|decided))$/,
    leaves: /^expiresAt$/,
    why: 'until when it could be used, of a sandbox whose clock moves that, or before its provider was asked',
    when: (row) => row['mode'] === 'SANDBOX' || row['type'] === 'payment_session.created',
  },
];
export const isHarmlessLeaf = (row: Row['values'], kind: string): boolean =>
  LEAVES.some(
    ({ of, leaves, when }) =>
      kind.startsWith('leaf ') &&
      of.test(row['type'] ?? '') &&
      leaves.test(kind.slice('leaf '.length)) &&
      (when?.(row) ?? true),
  );
