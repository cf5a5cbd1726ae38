import { Eye } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { nowMs } from '../api/clock.ts';
import { messageOf } from '../api/errors.ts';
import { useMode, useSession } from '../api/session.ts';
import { leaveSupportView } from '../components/support-view-pages.ts';
import { toast } from '../components/toast.tsx';
import { formatTime } from '../format/time.ts';

/** Above everything of a support view: whose pages these are, that nothing can be changed, until when, and why. */
export function SupportBar() {
  const { merchant, supportView } = useSession();
  const mode = useMode();
  const hasEnded = useHasPassed(supportView?.expiresAt);
  const [isEnding, setEnding] = useState(false);
  if (merchant === null || supportView === null) return null;
  const { supportViewId, expiresAt, reason } = supportView;
  const path = { merchantId: merchant.merchantId, supportViewId };

  async function end(): Promise<void> {
    setEnding(true);
    try {
      await call(
        'post',
        '/operator/merchant/{merchantId}/support-view/{supportViewId}/end',
        { path },
        { mode, desk: true },
      );
      leaveSupportView();
    } catch (error) {
      setEnding(false);
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }

  return (
    <section
      aria-label="Support view"
      className="flex min-h-10 flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-bad px-3 py-1 text-sm font-semibold text-bad-ink lg:h-10 lg:flex-nowrap"
    >
      <p className="flex min-w-0 items-center gap-2">
        <Eye className="size-4 shrink-0" aria-hidden />
        <span className="line-clamp-3 min-w-0 lg:block lg:truncate">
          Support view of {merchant.businessName}, read-only,{' '}
          {hasEnded ? 'has ended' : `ends at ${formatTime(expiresAt)} Lagos time`}
          <span className="font-normal">: {reason}</span>
        </span>
      </p>
      <button
        type="button"
        className="min-h-7 shrink-0 rounded-control border border-current px-2.5 text-xs hover:bg-bad-strong"
        disabled={isEnding}
        onClick={() => (hasEnded ? leaveSupportView() : void end())}
      >
        {hasEnded ? 'Back to the desk' : 'End the view'}
      </button>
    </section>
  );
}

/** Whether a moment is behind us, as it passes. */
function useHasPassed(at: string | undefined): boolean {
  const leftMs = at === undefined ? Number.POSITIVE_INFINITY : new Date(at).getTime() - nowMs();
  const [passed, setPassed] = useState(leftMs <= 0);
  useEffect(() => {
    if (at === undefined) return;
    const timer = setTimeout(() => setPassed(true), Math.max(0, new Date(at).getTime() - nowMs()));
    return () => clearTimeout(timer);
  }, [at]);
  return passed;
}
