import { createFileRoute } from '@tanstack/react-router';
import { FeesPage } from '../../fees/fees-page.tsx';

export const Route = createFileRoute('/operator/fees')({ component: FeesPage });
