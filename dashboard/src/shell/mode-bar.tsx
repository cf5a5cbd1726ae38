import { Link } from '@tanstack/react-router';
import { FlaskConical, Radio } from 'lucide-react';
import { useMode, useSession } from '../api/session.ts';
import { cn } from '../components/class-names.ts';

/** Which money one is looking at: on every page, above everything, in colour, pattern and word. */
export function ModeBar() {
  const isLive = useMode() === 'LIVE';
  return (
    <section aria-label="Mode of this page">
      {isLive ? (
        <p className="flex h-8 items-center justify-center gap-2 bg-live print:bg-transparent print:text-ink text-xs font-semibold text-live-ink">
          <Radio className="size-4" aria-hidden />
          Live: real money
        </p>
      ) : (
        <p className="stripes flex h-8 items-center justify-center text-xs font-semibold">
          <span className="flex items-center gap-2 rounded-full bg-sandbox px-3 py-0.5">
            <FlaskConical className="size-4" aria-hidden />
            Sandbox: test money
          </span>
        </p>
      )}
    </section>
  );
}

/** Between the two. Live cannot be chosen before the business is approved, and says so. */
export function ModeSwitch() {
  const mode = useMode();
  const { merchant } = useSession();
  const side = 'min-h-7 px-2.5 rounded-md inline-flex items-center text-xs font-semibold';
  const off = 'text-muted hover:text-ink';
  return (
    <nav aria-label="Mode" className="flex rounded-control border bg-sunken p-0.5">
      <Link
        to="/"
        search={(before: object) => ({ ...before, mode: undefined })}
        className={cn(side, mode === 'SANDBOX' ? 'bg-sandbox text-sandbox-ink' : off)}
        activeProps={{}}
        aria-current={mode === 'SANDBOX'}
      >
        Sandbox
      </Link>
      {merchant?.approved === true ? (
        <Link
          to="/"
          search={(before: object) => ({ ...before, mode: 'live' as const })}
          className={cn(side, mode === 'LIVE' ? 'bg-live text-live-ink' : off)}
          aria-current={mode === 'LIVE'}
        >
          Live
        </Link>
      ) : (
        <Link
          to="/onboarding"
          title="Live opens once your business is approved. Open this to see what is still missing."
          className={cn(side, off)}
        >
          Live<span className="ml-1 hidden font-normal sm:inline">after approval</span>
        </Link>
      )}
    </nav>
  );
}
