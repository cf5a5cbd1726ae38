/** What a rail said that its answer is about. */
interface Reported {
  amount: string | null;
  currency: string | null;
  accountNumber: string | null;
  bankCode: string | null;
  reference: string | null;
}

/** `1000.00 NGN to 0123456785, bank 058, under 01a1…`: what is not given is left out; null where nothing is. */
export function reportedText(reported: Reported | null): string | null {
  if (reported === null) return null;
  const { amount, currency, accountNumber, bankCode, reference } = reported;
  const parts = [
    [amount, currency].filter((part) => part !== null).join(' '),
    accountNumber === null ? '' : `to ${accountNumber}`,
    bankCode === null ? '' : `bank ${bankCode}`,
    reference === null ? '' : `under ${reference}`,
  ];
  return parts.filter((part) => part !== '').join(', ') || null;
}
