import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Moment } from '../components/values.tsx';
import { accountNumberOf, isWholeAccount } from '../format/accounts.ts';

/** The directory follows the books by seconds. */
export const LOOK_EVERY_MS = 10_000;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const REFERENCE = /^(MNL)?[0-9a-f]{32}$/;
const AMOUNT = /^₦?\s*(\d{1,3}(,\d{3})+|\d{1,9})(\.\d{1,2})?$/;

/**
 * What somebody typed into one field, as the filter that it can only be: ten digits are an account, a number is an amount, a
 * reference is one; anything else is what a bank or provider gave.
 * @param own under which name an id or reference of ours is looked for
 */
export function whatIsTyped(typed: string | undefined, own: 'reference' | 'paymentId'): Record<string, string> {
  const text = typed?.trim() ?? '';
  if (text === '') return {};
  if (ID.test(text)) return { [own]: text.toLowerCase() };
  if (own === 'reference' && REFERENCE.test(text)) return { reference: text };
  if (isWholeAccount(text)) return { accountNumber: accountNumberOf(text) };
  if (AMOUNT.test(text)) return { amount: text.replaceAll(/[₦,\s]/g, '') };
  const isSession = own === 'reference' || /^\d{20,}$/.test(text);
  return isSession ? { sessionId: text } : { providerReference: text };
}

interface LookedBackProps {
  to: string | null;
  onFurther: (to: string) => void;
}

/** How far back a search went, where that is not to the beginning. */
export function LookedBack({ to, onFurther }: LookedBackProps) {
  if (to === null) return null;
  return (
    <Alert
      tone="info"
      className="mb-4"
      action={
        <Button size="small" onClick={() => onFurther(to)}>
          Look further back
        </Button>
      }
    >
      Looked through the newest 50,000, back to <Moment at={to} />.
    </Alert>
  );
}
