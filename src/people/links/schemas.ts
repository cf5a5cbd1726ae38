import { Type } from 'typebox';
import { VisibleText } from '../../platform/http/schemas.ts';
import { NAME_WITHOUT_LINK } from '../../platform/text.ts';

/** The secret of a link. What it is not is found out where it is used: any wrong one is just a wrong one. */
export const Token = () => Type.String({ minLength: 1, maxLength: 100, description: 'What stands behind #token=.' });

export const PersonName = (example: string) =>
  VisibleText({
    minLength: 1,
    maxLength: 60,
    pattern: NAME_WITHOUT_LINK,
    examples: [example],
    'x-hint': 'must be a name of at most 60 characters, without a link',
  });

export const BusinessName = () =>
  VisibleText({
    minLength: 2,
    maxLength: 100,
    pattern: NAME_WITHOUT_LINK,
    examples: ['Adire & Co'],
    'x-hint': 'must be a name of 2 to 100 characters, without a link',
  });
