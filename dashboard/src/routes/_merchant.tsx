import { createFileRoute, Navigate, Outlet } from '@tanstack/react-router';
import { useMay, useMode, useSession } from '../api/session.ts';
import { useStream } from '../api/stream.ts';
import { ModeBar, ModeSwitch } from '../shell/mode-bar.tsx';
import { MERCHANT_NAVIGATION } from '../shell/navigation.ts';
import { requireSession } from '../shell/require-session.ts';
import { Shell } from '../shell/shell.tsx';

export const Route = createFileRoute('/_merchant')({
  beforeLoad: ({ context, location }) => requireSession(context.queries, 'MEMBER', location),
  component: MerchantShell,
});

function MerchantShell() {
  const { merchant } = useSession();
  const mode = useMode();
  const may = useMay();
  useStream();
  if (mode === 'LIVE' && merchant?.approved !== true)
    return <Navigate to="." search={(before: object) => ({ ...before, mode: undefined })} replace />;
  const groups = MERCHANT_NAVIGATION.map((group) => ({
    ...group,
    items: group.items.filter(({ needs }) => needs === undefined || may(needs, mode)),
  })).filter(({ items }) => items.length > 0);
  return (
    <Shell of="MERCHANT" name={merchant?.businessName ?? ''} groups={groups} bar={<ModeBar />} tools={<ModeSwitch />}>
      {/* Nothing of one mode stays on the page of the other: not a typed amount, not an open dialog. */}
      <Outlet key={mode} />
    </Shell>
  );
}
