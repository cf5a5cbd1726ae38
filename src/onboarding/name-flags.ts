import { isSameName, LOW_MATCH_BELOW, matchScore } from '../banks/index.ts';
import type { StepState } from './steps.ts';

export const NAME_PARTIES = ['BUSINESS', 'DIRECTOR', 'OWNER'] as const;
export const NAME_VERDICTS = ['SAME', 'ALIKE', 'DIFFERENT'] as const;

/** The name on the settlement account beside a name that the merchant gave. */
export interface NameFlag {
  /** Whose name: of the business, its director, or the person who signed up for it. */
  party: (typeof NAME_PARTIES)[number];
  name: string;
  accountName: string;
  /** How like they are, 0 to 100. */
  score: number;
  /** `SAME`: the same words in any order. `ALIKE`: near, or one within the other, as with a relative's name. */
  verdict: (typeof NAME_VERDICTS)[number];
  /** A bank said in live mode that the account is in this name. */
  isProven: boolean;
}

/**
 * The name on the settlement account against every name that a merchant gave, the least like it first. Empty while no bank
 * has said whose account it is.
 * @param owner who signed up for the business.
 */
export function nameFlagsOf(
  steps: readonly Pick<StepState, 'key' | 'values'>[],
  owner: { firstName: string; lastName: string },
): NameFlag[] {
  const of = (key: StepState['key'], field: string) => steps.find((step) => step.key === key)?.values[field] ?? '';
  const accountName = of('SETTLEMENT_ACCOUNT', 'accountName');
  const isProven = of('SETTLEMENT_ACCOUNT', 'verifiedIn') === 'LIVE';
  const director = [of('DIRECTOR_DETAILS', 'directorFirstName'), of('DIRECTOR_DETAILS', 'directorLastName')];
  const names = [
    { party: 'BUSINESS', name: of('BASIC_DETAILS', 'businessName').trim() },
    { party: 'DIRECTOR', name: director.join(' ').trim() },
    { party: 'OWNER', name: `${owner.firstName} ${owner.lastName}`.trim() },
  ] as const;
  if (accountName === '') return [];
  return names
    .filter(({ name }) => name !== '')
    .map(({ party, name }) => {
      const score = matchScore(name, accountName);
      return { party, name, accountName, score, verdict: verdictOf(name, accountName, score), isProven };
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || a.score - b.score);
}

function verdictOf(name: string, accountName: string, score: number): NameFlag['verdict'] {
  if (isSameName(name, accountName)) return 'SAME';
  return score >= LOW_MATCH_BELOW ? 'ALIKE' : 'DIFFERENT';
}

const rankOf = ({ verdict }: NameFlag): number => ['DIFFERENT', 'ALIKE', 'SAME'].indexOf(verdict);
