/**
 * Where Monnify's bank list has another code than ours. OPay's stands in the webhook examples of its documentation
 * (https://developers.monnify.com/docs/webhooks/event-types), the rest in stored copies of what GET /api/v1/banks
 * answers with; the account's `bankCodes` go before it where the live list says otherwise.
 */
export const MONNIFY_BANK_CODES: Readonly<Record<string, string>> = {
  '000024': '502', // Rand
  '000026': '302', // TAJ
  '999991': '100033', // PalmPay
  '999992': '305', // OPay
};
