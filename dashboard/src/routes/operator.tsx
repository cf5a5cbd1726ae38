import { createFileRoute, Outlet } from '@tanstack/react-router';
import { OPERATOR_NAVIGATION } from '../shell/operator-navigation.ts';
import { requireSession } from '../shell/require-session.ts';
import { Shell } from '../shell/shell.tsx';

export const Route = createFileRoute('/operator')({
  beforeLoad: ({ context, location }) => requireSession(context.queries, 'OPERATOR', location),
  component: OperatorShell,
});

function OperatorShell() {
  return (
    <Shell of="OPERATOR" name="Operator" groups={OPERATOR_NAVIGATION}>
      <Outlet />
    </Shell>
  );
}
