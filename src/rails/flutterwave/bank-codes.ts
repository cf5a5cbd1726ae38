/**
 * Where Flutterwave's bank list has another code than ours. Commercial banks have the central bank's three digits in
 * both; wallets and microfinance banks have the network's six there. From stored copies of the list that
 * GET /v3/banks/NG answers with; the account's `bankCodes` go before it where the live list says otherwise.
 */
export const FLUTTERWAVE_BANK_CODES: Readonly<Record<string, string>> = {
  '125': '090175', // Rubies
  '50211': '090267', // Kuda
  '50515': '090405', // Moniepoint
  '999991': '100033', // PalmPay
  '999992': '100004', // OPay
};
