export interface BeneficiaryAccount {
  bankCode: string;
  accountNumber: string;
}

/** What was asked for: by these facts a rail's answer is known to be about our transfer. */
export interface SentTransfer extends BeneficiaryAccount {
  /** Ours, derived from the payout's id: a second send of the same payout carries the same one. */
  railReference: string;
  /** Minor units of `currency`, more than zero. */
  amountMinor: bigint;
  /** ISO 4217, for example NGN. */
  currency: string;
}

/** Of a fact that the provider gives in this place, and that was missing or could not be read: it is never ours. */
export const UNREADABLE = 'UNREADABLE';

/**
 * What the provider says its answer is about. Null where it does not give the fact in this kind of answer; docs/rails.md
 * has the table.
 */
export interface ReportedFacts {
  /** Our reference, as the provider has it. */
  railReference: string | null;
  /** Minor units, without the provider's fee. */
  amountMinor: bigint | typeof UNREADABLE | null;
  currency: string | null;
  /** May be masked, for example 01****6785. */
  accountNumber: string | null;
  /** Ours where the adapter knows it; else as the provider wrote it. */
  bankCode: string | null;
}

export type TransferFact = keyof ReportedFacts;

/** Of an answer that says nothing about a transfer. */
export const NOTHING_REPORTED: ReportedFacts = {
  railReference: null,
  amountMinor: null,
  currency: null,
  accountNumber: null,
  bankCode: null,
};

const TRANSFER_FACTS = Object.keys(NOTHING_REPORTED) as readonly TransferFact[];

/**
 * The facts by which the two contradict each other: the one comparison of what was reported with what was sent. What
 * either does not give contradicts nothing.
 */
export function differencesOf(sent: ReportedFacts, reported: ReportedFacts): TransferFact[] {
  return TRANSFER_FACTS.filter((fact) => {
    const [ours, theirs] = [sent[fact], reported[fact]];
    if (ours === null || theirs === null) return false;
    if (fact === 'accountNumber') return !isSameAccount(String(ours), String(theirs));
    return ours !== theirs;
  });
}

const DIGITS = /^\d+$/;
const MASKED = /^[\d*xX•]+$/;

/** Spaces and hyphens are nobody's, and a number that was written as one has lost its leading zeros. */
function isSameAccount(ours: string, theirs: string): boolean {
  const plain = theirs.replaceAll(/[\s-]/g, '');
  if (DIGITS.test(plain)) return plain.padStart(ours.length, '0') === ours;
  if (!MASKED.test(plain)) return false;
  if (plain.length === ours.length) return [...plain].every((sign, at) => !DIGITS.test(sign) || sign === ours[at]);
  // A mask of another length hides how many digits it stands for: its ends are compared.
  const [first = ''] = /^\d*/.exec(plain) ?? [];
  const [last = ''] = /(?<!\d)\d*$/.exec(plain) ?? [];
  return first.length + last.length <= ours.length && ours.startsWith(first) && ours.endsWith(last);
}
