/** What kind of transaction it is, in a merchant's words. */
const CATEGORIES = {
  PAYOUT: 'Payout',
  STORE_TO_MERCHANT: 'From a store',
  SUBACCOUNT: 'To a subaccount',
  SUBACCOUNT_TO_MERCHANT: 'From a subaccount',
  WALLET_FUNDING: 'Play money',
} as const;

export type Category = keyof typeof CATEGORIES;

export const isCategory = (text: string | undefined): text is Category => text !== undefined && text in CATEGORIES;

export const categoryWord = (category: Category): string => CATEGORIES[category];

export const CATEGORY_OPTIONS = Object.entries(CATEGORIES).map(([value, label]) => ({ value, label }));

/** Whether money came into the main wallet or left it; what the sandbox puts into a store does neither. */
export function directionOf(transaction: {
  category: string;
  walletId: string;
  toWalletId: string | null;
}): 'in' | 'out' | undefined {
  switch (transaction.category) {
    case 'STORE_TO_MERCHANT':
    case 'SUBACCOUNT_TO_MERCHANT':
    case 'WALLET_FUNDING':
      return 'in';
    case 'SUBACCOUNT':
    case 'PAYOUT':
      return 'out';
    default:
      return undefined;
  }
}
