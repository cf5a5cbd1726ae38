import type { Merchant } from './merchant.ts';

export type Decision = 'approve' | 'reject' | 'suspend' | 'reinstate';

/** A merchant that is taken in asks for its accepted details to be changed. */
export const wantsChanges = ({ status, submittedAt }: Merchant) => status === 'ACTIVE' && submittedAt !== null;

/** What is asked, and what is said afterwards. */
interface DecisionWords {
  title: string;
  about: string;
  confirm: string;
  done: string;
}

/** For what opens the service to a merchant. */
export function openingWords(decision: 'approve' | 'reinstate', merchant: Merchant): DecisionWords {
  const { businessName } = merchant;
  if (decision === 'reinstate') {
    return {
      title: `Reinstate ${businessName}?`,
      about: 'Its keys and pages work again within two seconds, and payouts that waited go within five minutes.',
      confirm: 'Reinstate',
      done: `${businessName} is active again.`,
    };
  }
  if (wantsChanges(merchant)) {
    return {
      title: `Accept the changes of ${businessName}?`,
      about: 'What it gave anew counts from now on.',
      confirm: 'Accept the changes',
      done: `The changes of ${businessName} count.`,
    };
  }
  return {
    title: `Approve ${businessName}?`,
    about: 'Its live keys and pages open within two seconds, and it may move real money.',
    confirm: 'Approve',
    done: `${businessName} may go live.`,
  };
}

/** For what closes it, with a reason. */
export function closingWords(decision: 'reject' | 'suspend', merchant: Merchant): DecisionWords {
  const { businessName } = merchant;
  if (decision === 'suspend') {
    return {
      title: `Suspend ${businessName}?`,
      about:
        'Within two seconds its keys and pages stop, in the sandbox too. Schedules that come due fail. What has not been sent to a bank yet waits, with its money held.',
      confirm: 'Suspend',
      done: `${businessName} is suspended.`,
    };
  }
  if (wantsChanges(merchant)) {
    return {
      title: `Reject the changes of ${businessName}?`,
      about: 'It reads your reason and may submit others. The accepted details go on to count.',
      confirm: 'Reject the changes',
      done: `The changes of ${businessName} are turned down.`,
    };
  }
  return {
    title: `Reject ${businessName}?`,
    about: 'It reads your reason, corrects its profile and submits again. The sandbox stays open to it.',
    confirm: 'Reject',
    done: `${businessName} is turned down.`,
  };
}
