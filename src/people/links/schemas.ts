import { Type } from 'typebox';

/** The secret of a link. What it is not is found out where it is used: any wrong one is just a wrong one. */
export const Token = () => Type.String({ minLength: 1, maxLength: 100, description: 'What stands behind #token=.' });

/** A person's or business's name as it stands in mails to others, where it must not pass for a link. */
const NO_LINK = '^(?!.*(://|www\\.))[^<>]*\\S[^<>]*$';

export const PersonName = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 60,
    format: 'visible-text',
    pattern: NO_LINK,
    examples: [example],
    'x-hint': 'must be a name of at most 60 characters',
  });

export const BusinessName = () =>
  Type.String({
    minLength: 2,
    maxLength: 100,
    format: 'visible-text',
    pattern: NO_LINK,
    examples: ['Adire & Co'],
    'x-hint': 'must be a name of 2 to 100 characters',
  });
