import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { ChooseRailsDialog } from './choose-rails-dialog.tsx';
import type { Merchant, RailChoice } from './merchant.ts';

const CHOSEN_BY: Record<RailChoice['chosenBy'], string> = {
  MERCHANT: 'The merchant chose them.',
  OPERATOR: 'The operator chose them.',
  DEFAULT: 'As for all merchants that chose none.',
};

/** Which rails pay for a merchant. */
export function RailsSection({ merchant }: { merchant: Merchant }) {
  const [choosing, setChoosing] = useState<RailChoice>();
  return (
    <Section title="Rails" about="A choice is known everywhere within 5 seconds; payouts stay where they are." bare>
      <ul className="card divide-y">
        {merchant.rails.map((choice) => (
          <li key={choice.mode} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5">
            <div>
              <p className="font-medium">{choice.mode === 'LIVE' ? 'Live' : 'Sandbox'}</p>
              <p className="text-sm text-muted">{inWords(choice)}</p>
            </div>
            <Button
              size="small"
              aria-label={`Choose its rails, ${choice.mode === 'LIVE' ? 'live' : 'sandbox'}`}
              onClick={() => setChoosing(choice)}
            >
              Choose
            </Button>
          </li>
        ))}
      </ul>
      {choosing !== undefined && (
        <ChooseRailsDialog merchant={merchant} choice={choosing} onClose={() => setChoosing(undefined)} />
      )}
    </Section>
  );
}

function inWords({ first, second, chosenBy }: RailChoice): string {
  if (first === null) return 'No rail is set: nothing can be paid.';
  const off = first.isActive ? '' : ' (switched off)';
  const then = second === null ? '' : `; ${second.name} takes over`;
  return `Pays by ${first.name}${off}${then}. ${CHOSEN_BY[chosenBy]}`;
}
