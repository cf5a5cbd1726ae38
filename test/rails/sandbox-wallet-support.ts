import { nubanCheckDigit } from '../../src/banks/index.ts';

/** As the service says it: a bank at which wallets have numbers. */
export const WALLET_BANK = { code: '035', name: 'Wema Bank', checkDigit: nubanCheckDigit };
