import { switchApprovalsOff } from '../approvals/index.ts';
import { type Command, MERCHANT } from './command.ts';

export const approvalCommands: readonly Command[] = [
  {
    name: 'switch-approvals-off',
    audit: 'SETTINGS',
    about: 'let a merchant pay without approvals, where too few people are left who can decide',
    options: {
      merchant: MERCHANT,
      reason: { type: 'string', about: 'why, and who asked; the owners read it', required: true },
    },
    async run(deps, options) {
      const waiting = await switchApprovalsOff(deps, {
        merchantId: options.id('merchant'),
        operator: deps.actor,
        reason: options.words('reason'),
      });
      for (const [mode, count] of Object.entries(waiting)) {
        if (count > 0) deps.warn(`${mode}: ${count} still wait. Their maker can withdraw them, an approver decide.`);
      }
      deps.print('approvals are off');
    },
  },
];
