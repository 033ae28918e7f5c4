import { ActionIcon } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** The button of a menu for a screen that has to load fast: the code of `children`, an opened `RowMenu`, comes when somebody asks for it. */
export function LateRowMenu({ name, children }: { name: string; children: ReactNode }) {
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
  return <Suspense fallback={button}>{children}</Suspense>
}
