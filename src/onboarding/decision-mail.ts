import { type NewMail, queueMail } from '../mail/index.ts';
import { peopleOfRoles } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';

interface Decided {
  merchantId: string;
  businessName: string;
  decision: 'approve' | 'reject';
  /** Of a merchant that was taken in before: its changes were decided. */
  changes: boolean;
  reason: string | undefined;
}

/** Tells those who can act on it what the reviewers decided: nobody looks at a page for days. */
export async function mailDecision(
  { tx, secrets, clock }: { tx: Tx; secrets: Secrets; clock: Clock },
  decided: Decided,
): Promise<void> {
  const people = await peopleOfRoles(tx, decided.merchantId, ['OWNER', 'ADMIN']);
  for (const { email } of people) {
    await queueMail({ queries: tx, secrets, clock }, decisionMail(email, decided));
  }
}

function decisionMail(to: string, { businessName, decision, changes, reason }: Decided): NewMail {
  const [subject, paragraphs] = decision === 'approve' ? acceptedWords(changes) : sentBackWords(changes, reason);
  return { to, subject, text: [`About ${businessName}:`, ...paragraphs, 'Manilla'].join('\n\n'), link: null };
}

function acceptedWords(changes: boolean): [string, string[]] {
  if (changes) return ['Your changes were accepted', ['Your changes were accepted and count from now on.']];
  return [
    'You are approved, and live mode is open',
    [
      'Your business profile was accepted, and live mode is open. Choose "Live" at the top of the dashboard to see it.',
      'From now on a payout in live mode moves real money.',
    ],
  ];
}

function sentBackWords(changes: boolean, reason: string | undefined): [string, string[]] {
  return [
    changes ? 'Your changes came back' : 'Your business profile came back',
    [
      ...(reason === undefined ? [] : [`The reviewers wrote: ${reason}`]),
      'Sign in, open "Business profile", put right what they name, and submit it again.',
      changes ? 'Until then what was accepted before counts.' : 'The sandbox goes on working meanwhile.',
    ],
  ];
}
