import type { ReactNode } from 'react'
import { DispatchTabs } from '../../ui/dispatch-tabs.tsx'
import { Page } from '../../ui/page.tsx'

interface DispatchPageProps {
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** The frame of the lists of the dispatch section. */
export const DispatchPage = ({ title, actions, children }: DispatchPageProps) => (
  <Page title={title} actions={actions} tabs={<DispatchTabs />}>
    {children}
  </Page>
)
