import type { Device } from '@isotherm/contract/devices.ts'
import { maxCompared } from '@isotherm/contract/groups.ts'
import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { Selection } from '../../../ui/list/use-selection.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { useBulkChange } from '../use-bulk-change.ts'

const TagDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).TagDialog }))
const GroupDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).GroupDialog }))

interface BulkActionsProps {
  /** Those on the screen. */
  rows: readonly Device[]
  selection: Selection
  mayChange: boolean
}

/** The actions on several devices at once; on a phone behind one button. */
export function BulkActions({ rows, selection, mayChange }: BulkActionsProps) {
  const { t } = useTranslation('deviceSelection')
  const isPhone = usePhone()
  const navigate = useNavigate()
  const [mayFillGroups, seesGroups] = [useCan('groups.addOrEdit'), useCan('groups.view')]
  const [asked, setAsked] = useState<'tag' | 'group' | null>(null)
  const { running, run } = useBulkChange(rows, selection)
  const count = selection.ids.size
  const close = () => setAsked(null)
  const switchAll = (transmission: 'paused' | 'started') =>
    confirm({
      title: t(`${transmission}.title`, { count }),
      text: t(`${transmission}.text`),
      action: t(`${transmission}.action`),
      run: () => run(transmission, { transmission }),
    })
  const compare = () => void navigate({ to: '/compare', search: { devices: [...selection.ids].join() } })
  const changes = [
    { name: 'tag', onClick: () => setAsked('tag') },
    ...(mayFillGroups && seesGroups ? [{ name: 'group', onClick: () => setAsked('group') }] : []),
    { name: 'paused', onClick: () => switchAll('paused') },
    { name: 'started', onClick: () => switchAll('started') },
  ]
  const actions = [
    ...(count >= 2 && count <= maxCompared ? [{ name: 'compare', onClick: compare }] : []),
    ...(mayChange ? changes : []),
  ]
  const progress = running && t('progress', { done: formatNumber(running.done), total: formatNumber(running.total) })
  return (
    <>
      {isPhone && actions.length > 1 ? (
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button size="xs" disabled={progress !== null}>
              {progress ?? t('change')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ name, onClick }) => (
              <Menu.Item key={name} onClick={onClick}>
                {t(`${name}.action`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        actions.map(({ name, onClick }) => (
          <Button key={name} size="xs" variant="default" disabled={running !== null} onClick={onClick}>
            {running?.action === name ? progress : t(`${name}.action`)}
          </Button>
        ))
      )}
      <Suspense fallback={null}>
        {asked === 'tag' && <TagDialog count={count} onTag={(tag) => run('tag', { tag })} onClose={close} />}
        {asked === 'group' && <GroupDialog selection={selection} onClose={close} />}
      </Suspense>
    </>
  )
}
