import { approversNeeded } from '../approvals/index.ts';
import { merchantOfEmail, resetSecondFactor } from '../people/index.ts';
import type { Command } from './command.ts';

export const peopleCommands: readonly Command[] = [
  {
    name: 'reset-second-factor',
    audit: 'PEOPLE',
    about: "switch a person's second factor off and end their sessions, after they lost phone and recovery codes",
    options: {
      email: { type: 'string', about: 'e-mail address that the person signs in with', required: true },
      reason: { type: 'string', about: 'why, and how you made sure who asks; for the audit log', required: true },
      'nobody-left': { type: 'boolean', about: 'none of the staff can sign in to agree to it; all of them are told' },
    },
    merchantOf: (deps, options) => merchantOfEmail(deps.database, options.text('email')),
    async run(deps, options) {
      const input = { email: options.text('email'), reason: options.words('reason'), actor: deps.actor };
      const nobodyLeft = options.flag('nobody-left');
      const reset = await resetSecondFactor({ ...deps, approversNeeded }, { ...input, nobodyLeft });
      if ('changeId' in reset) {
        deps.warn(
          'It waits until somebody else there who decides about approvals agrees, under People. They have mail.',
        );
      } else {
        deps.warn(`Their password alone signs them in now. ${reset.sessionsEnded} sessions have ended.`);
      }
      deps.print(reset.personId);
    },
  },
];
