import { CalendarX } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { toast } from '../components/toast.tsx';

/** Calls a scheduled payout off before its time. */
export function CancelSchedule({ scheduleId, size = 'medium' }: { scheduleId: string; size?: 'small' | 'medium' }) {
  const [asking, setAsking] = useState(false);
  const cancel = useAction('post', '/payout/single/schedule/cancel');
  return (
    <>
      <Button size={size} icon={CalendarX} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Cancel this scheduled payout?"
        confirm="Cancel the payout"
        danger
        onConfirm={async () => {
          await cancel.run({ body: { scheduleId } });
          toast({ tone: 'good', text: 'The payout is cancelled.' });
        }}
      >
        <p>It will not be sent. To pay it after all, make a new one.</p>
      </ConfirmDialog>
    </>
  );
}
