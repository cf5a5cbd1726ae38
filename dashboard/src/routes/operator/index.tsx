import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../../operator/overview-page.tsx';

export const Route = createFileRoute('/operator/')({ component: OverviewPage });
