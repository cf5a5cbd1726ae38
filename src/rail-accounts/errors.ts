import { AppError } from '../platform/errors.ts';

/** What a request may be refused with that needs a rail. */
export const RAIL_ERRORS = ['RAIL_NOT_CONFIGURED', 'RAIL_CREDENTIALS_UNREADABLE', 'RAIL_ACCOUNT_UNUSABLE'] as const;

export const railAccountNotFound = (name: string) =>
  new AppError('not_found', 'RAIL_NOT_FOUND', `There is no rail account "${name}".`);

export const railNotFound = () => new AppError('not_found', 'RAIL_NOT_FOUND', 'There is no such rail in this mode.');

export const providerWebhookEmpty = () => new AppError('invalid', 'BODY_MISSING', 'A provider webhook needs a body.');

export const railNameTaken = (name: string) =>
  new AppError(
    'conflict',
    'RAIL_NAME_TAKEN',
    `There is a rail account "${name}" already; --replace gives it other credentials.`,
  );

export const railAccountChanged = (name: string) =>
  new AppError(
    'conflict',
    'RAIL_ACCOUNT_CHANGED',
    `"${name}" is at another provider, address or mode. Payouts name it for ever: add an account under another name.`,
  );

export const railNameInvalid = () =>
  new AppError(
    'invalid',
    'RAIL_NAME_INVALID',
    'A rail name has 2 to 40 small letters, digits and hyphens and begins with a letter; "sandbox" is taken.',
  );

export const railProviderUnknown = (provider: string, known: readonly string[]) =>
  new AppError('invalid', 'RAIL_PROVIDER_UNKNOWN', `"${provider}" is none of the providers: ${known.join(', ')}.`);

/** Says which fields are wrong, never what is in them. */
export const railCredentialsInvalid = (why: string) =>
  new AppError('invalid', 'RAIL_CREDENTIALS_INVALID', `The credentials are not what the provider gives out: ${why}.`);

export const railCredentialsMode = (keyMode: string, mode: string) =>
  new AppError(
    'invalid',
    'RAIL_CREDENTIALS_MODE',
    `These credentials are for ${keyMode}, and the account is for ${mode}.`,
  );

export const railCredentialsUnreadable = (name: string, cause: unknown) =>
  new AppError(
    'unavailable',
    'RAIL_CREDENTIALS_UNREADABLE',
    `The credentials of the rail "${name}" cannot be opened: KEY_ENCRYPTION_KEY is not the one that sealed them, or the row was changed by hand.`,
    { cause },
  );

export const railNotActive = (name: string) =>
  new AppError('refused', 'RAIL_NOT_ACTIVE', `The account "${name}" is switched off; enable-rail switches it on.`);

export const walletProviderUnable = (name: string) =>
  new AppError(
    'refused',
    'WALLET_PROVIDER_UNABLE',
    `"${name}" opens no account numbers for wallets: its provider cannot, or its credentials lack what that needs.`,
  );

/** What else an account may lack to be opened, such as an adapter that takes its row. */
export const railAccountUnusable = (name: string, cause: unknown) =>
  new AppError('unavailable', 'RAIL_ACCOUNT_UNUSABLE', `The account of the rail "${name}" cannot be opened.`, {
    cause,
  });

export const railNotSelectable = (name: string) =>
  new AppError(
    'refused',
    'RAIL_NOT_SELECTABLE',
    `"${name}" is not a rail that can be chosen here; see GET /payout/rail.`,
  );
