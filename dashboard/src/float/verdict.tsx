import type { Data } from '../api/types.ts';
import { Badge } from '../components/status.tsx';

export type FloatCheck = Data<'get', '/operator/float'>['standing'][number];

const VERDICTS: Record<FloatCheck['verdict'], { tone: 'good' | 'warn' | 'bad'; word: string; about: string }> = {
  AGREES: { tone: 'good', word: 'Agrees', about: 'The rails hold exactly what the books say.' },
  EXPLAINED_BY_HELD: {
    tone: 'warn',
    word: 'May be on its way',
    about:
      'The difference fits into what is held for payouts without an outcome. Compare again when they are concluded.',
  },
  RAILS_HAVE_LESS: {
    tone: 'bad',
    word: 'The rails have less',
    about: 'More left the rails than the books know. Import their settlement files, then look at what is missing.',
  },
  RAILS_HAVE_MORE: {
    tone: 'bad',
    word: 'The rails have more',
    about: 'Something came in, or was not paid, that the books do not know. Import the settlement files.',
  },
};

/** How a comparison ended. */
export function Verdict({ verdict }: { verdict: FloatCheck['verdict'] }) {
  const { tone, word } = VERDICTS[verdict];
  return <Badge tone={tone}>{word}</Badge>;
}

export const aboutVerdict = (verdict: FloatCheck['verdict']) => VERDICTS[verdict].about;
