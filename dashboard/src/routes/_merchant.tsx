import { createFileRoute, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useRead } from '../api/reads.ts';
import { useIsSuspended, useMay, useMode, useSession } from '../api/session.ts';
import { useStream } from '../api/stream.ts';
import { ModeBar, ModeSwitch } from '../shell/mode-bar.tsx';
import { itemAt, MERCHANT_NAVIGATION } from '../shell/navigation.ts';
import { requireSession } from '../shell/require-session.ts';
import { Shell } from '../shell/shell.tsx';

export const Route = createFileRoute('/_merchant')({
  beforeLoad: ({ context, location }) => requireSession(context.queries, 'MEMBER', location),
  component: MerchantShell,
});

function MerchantShell() {
  const { merchant, supportView } = useSession();
  const mode = useMode();
  const may = useMay();
  const isSuspended = useIsSuspended();
  const item = itemAt(useLocation().pathname);
  useStream();
  const isWrongMode = supportView === null ? mode === 'LIVE' && merchant?.approved !== true : supportView.mode !== mode;
  if (isWrongMode) {
    const right = supportView?.mode === 'LIVE' ? ('live' as const) : undefined;
    return <Navigate to="." search={(before: object) => ({ ...before, mode: right })} replace />;
  }
  const groups = MERCHANT_NAVIGATION.map((group) => ({
    ...group,
    items: group.items.filter(({ needs }) => needs === undefined || may(needs, mode)),
  })).filter(({ items }) => items.length > 0);
  const bar = supportView === null ? <ModeBar /> : <Bars />;
  const tools = supportView === null ? <ModeSwitch /> : undefined;
  return (
    <Shell
      of="MERCHANT"
      name={merchant?.businessName ?? ''}
      groups={groups}
      bar={bar}
      bars={supportView === null ? 1 : 2}
      tools={tools}
    >
      <OperatorNotices />
      {isSuspended && item?.to !== '/onboarding' && (
        <Suspense fallback={null}>
          <Suspended />
        </Suspense>
      )}
      {item?.needs === undefined || may(item.needs, mode) ? (
        // Nothing of one mode stays on the page of the other: not a typed amount, not an open dialog.
        <Outlet key={mode} />
      ) : (
        <Suspense fallback={null}>
          <NotForRole title={item.label} />
        </Suspense>
      )}
    </Shell>
  );
}

const SupportBar = lazy(() => import('../shell/support-bar.tsx').then((part) => ({ default: part.SupportBar })));
const NotForRole = lazy(() => import('../shell/rare-pages.tsx').then((part) => ({ default: part.NotForRole })));
const Suspended = lazy(() => import('../shell/rare-pages.tsx').then((part) => ({ default: part.Suspended })));
const Notices = lazy(() => import('../shell/notices.tsx').then((part) => ({ default: part.Notices })));

function Bars() {
  return (
    <>
      <Suspense fallback={<div className="h-10 bg-bad" />}>
        <SupportBar />
      </Suspense>
      <ModeBar />
    </>
  );
}

const LOOK = { refetchInterval: 60_000 };

/** What the operator tells the merchant's people, and who of it looks at their pages. Mostly nothing, so it is loaded then. */
function OperatorNotices() {
  const { data: announcements = [] } = useRead('/announcement', {}, LOOK);
  const { data: views = [] } = useRead('/support-view', {}, LOOK);
  const open = views.filter(({ isOpen }) => isOpen);
  if (announcements.length + open.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Notices announcements={announcements} views={open} />
    </Suspense>
  );
}
