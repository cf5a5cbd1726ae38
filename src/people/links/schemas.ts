import { Type } from 'typebox';
import { NAME_WITHOUT_LINK } from '../../platform/text.ts';

/** The secret of a link. What it is not is found out where it is used: any wrong one is just a wrong one. */
export const Token = () => Type.String({ minLength: 1, maxLength: 100, description: 'What stands behind #token=.' });

export const PersonName = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 60,
    format: 'visible-text',
    pattern: NAME_WITHOUT_LINK,
    examples: [example],
    'x-hint': 'must be a name of at most 60 characters, without a link',
  });

export const BusinessName = () =>
  Type.String({
    minLength: 2,
    maxLength: 100,
    format: 'visible-text',
    pattern: NAME_WITHOUT_LINK,
    examples: ['Adire & Co'],
    'x-hint': 'must be a name of 2 to 100 characters, without a link',
  });
