import { createFileRoute } from '@tanstack/react-router';
import { ScreeningPage } from '../../compliance/screening-page.tsx';

export const Route = createFileRoute('/operator/screening')({ component: ScreeningPage });
