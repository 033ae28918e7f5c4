import { ActionIcon } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowAction } from './column.ts'

const RowMenu = lazy(async () => ({ default: (await import('./row-menu.tsx')).RowMenu }))

/** The same menu for a screen that has to load fast: its code comes when somebody opens it. */
export function LateRowMenu({ name, actions }: { name: string; actions: RowAction[] }) {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      aria-label={t('list.rowActions', { name })}
      onClick={() => setAsked(true)}
    >
      <IconDotsVertical size={18} />
    </ActionIcon>
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <RowMenu name={name} actions={actions} defaultOpened />
    </Suspense>
  )
}
