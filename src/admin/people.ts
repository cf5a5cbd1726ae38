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
    },
    merchantOf: (deps, options) => merchantOfEmail(deps.database, options.text('email')),
    async run(deps, options) {
      options.words('reason');
      const { personId, sessionsEnded } = await resetSecondFactor(deps, { email: options.text('email') });
      deps.warn(`Their password alone signs them in now. ${sessionsEnded} sessions have ended.`);
      deps.print(personId);
    },
  },
];
