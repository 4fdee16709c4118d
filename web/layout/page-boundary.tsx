import { Component, type ReactNode } from 'react';
import { ErrorState } from '../components/error-state.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Keeps the navigation when a page fails, such as one whose code is gone since the service was upgraded. */
export class PageBoundary extends Component<Props, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error) return <ErrorState order={1} error={error} onRetry={() => location.reload()} />;
    return this.props.children;
  }
}
