import { Alert } from '../components/alert.tsx';
import type { Merchant } from './merchant.tsx';

type Screened = Merchant['screening'][number];

const PARTIES: Record<Screened['party'], string> = {
  BUSINESS: 'The business',
  DIRECTOR: 'The director',
  OWNER: 'Whoever signed up',
};

/** Names of a merchant that are like names on a screening list, for the person who reviews the merchant. */
export function ScreeningFlags({ screened }: { screened: readonly Screened[] }) {
  const flagged = screened.filter(({ result }) => result.outcome !== 'CLEAR');
  return flagged.map(({ party, name, result }) => (
    <Alert key={party} tone="warn" title={`${PARTIES[party]}, ${name}: ${wordsOf(result)}`}>
      {result.hits.map((hit) => `${hit.name} (${hit.list}, row ${hit.entryNumber}, ${hit.score} of 100)`).join('; ')}
    </Alert>
  ));
}

const wordsOf = ({ outcome }: Screened['result']) =>
  outcome === 'HIT' ? 'the name is on a list' : 'the lists cannot be read at this moment';
