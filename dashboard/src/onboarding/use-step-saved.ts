import { useNavigate } from '@tanstack/react-router';
import { toast } from '../components/toast.tsx';
import { missingWords, type Step, slugOf } from './step-fields.ts';

/** What happens after a save: a complete step leads on to the next, an incomplete one says what it lacks. */
export function useStepSaved(next: Step | undefined): (saved: Step) => void {
  const navigate = useNavigate();
  return (saved) => {
    if (!saved.done) {
      toast({ tone: 'info', text: `Saved. ${missingWords(saved)}` });
      return;
    }
    toast({
      tone: 'good',
      text: next === undefined ? 'Saved. Everything is complete.' : `Saved. Next: ${next.title}.`,
    });
    if (next !== undefined)
      void navigate({ to: '/onboarding', search: { step: slugOf(next.key) }, resetScroll: false });
  };
}
