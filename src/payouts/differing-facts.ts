import type { Banks } from '../banks/index.ts';
import { differencesOf, type ReportedFacts, type SentTransfer, type TransferFact } from '../rails/index.ts';

/**
 * The facts by which what a rail reported contradicts what it was asked for. A bank may be named by the network's code; a
 * code that stands for no bank that we know is a numbering that we do not know, and contradicts nothing.
 */
export async function differingFacts(
  banks: Banks,
  sent: SentTransfer,
  reported: ReportedFacts,
): Promise<TransferFact[]> {
  const { bankCode } = reported;
  const isOurs = bankCode === null || bankCode === sent.bankCode;
  const known = isOurs ? bankCode : ((await banks.findBank(bankCode))?.code ?? null);
  return differencesOf(sent, { ...reported, bankCode: known });
}
