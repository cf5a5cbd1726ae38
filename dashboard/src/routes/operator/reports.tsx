import { createFileRoute } from '@tanstack/react-router';
import { ReportsPage } from '../../compliance/reports-page.tsx';

export const Route = createFileRoute('/operator/reports')({ component: ReportsPage });
