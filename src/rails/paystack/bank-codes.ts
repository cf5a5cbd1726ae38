/**
 * Paystack lists banks by the central bank's codes, as our directory does, but for these: ours has the network's code
 * where no other is sure. From its public list, https://api.paystack.co/bank?currency=NGN, in copies that developers
 * published; the list itself needs a key.
 */
export const PAYSTACK_BANK_CODES: Readonly<Record<string, string>> = {
  '000024': '502',
  '000026': '302',
  '000027': '00103',
  '060001': '559',
};
