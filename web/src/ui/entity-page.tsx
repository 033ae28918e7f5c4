import { Skeleton } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityAnswer } from '../lib/use-entity.ts'
import { Failure } from './failure.tsx'
import { Page, type PageProps } from './page.tsx'

interface EntityPageProps<T> extends Omit<PageProps, 'actions' | 'children'> {
  answer: EntityAnswer<T>
  actions?: ((entity: T) => ReactNode) | undefined
  children: (entity: T) => ReactNode
}

/** The frame of one thing's screens. What is not there, or not for us, is /404. */
export function EntityPage<T>({ answer, actions, children, tabs, ...page }: EntityPageProps<T>) {
  const { t } = useTranslation()
  const { entity, isAbsent, error, retry } = answer
  if (isAbsent) return <Navigate to="/404" replace />
  return (
    <Page {...page} tabs={entity && tabs} actions={entity && actions?.(entity)}>
      {entity && children(entity)}
      {!entity && Boolean(error) && <Failure error={error} onRetry={retry} />}
      {!entity && !error && (
        <div role="status" aria-label={t('list.loading')}>
          <Skeleton height={420} radius="md" />
        </div>
      )}
    </Page>
  )
}
