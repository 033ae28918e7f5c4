import { type SavedView, savedViews } from '@isotherm/contract/saved-views.ts'
import { ActionIcon, Group, Loader, Popover, UnstyledButton } from '@mantine/core'
import { IconBookmark, IconTrash, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { useUrlSearch } from '../../../lib/url-search.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Failure } from '../../../ui/failure.tsx'
import type { SavedViewsProps } from '../../../ui/list/saved-views-slot.ts'
import { searchToKeep } from '../search-to-keep.ts'
import { SaveDialog } from './save-dialog.tsx'
import classes from './views-menu.module.css'

/** Filters, order and columns of this list that were kept under a name; one click brings them back. */
export function ViewsMenu({ screen, columns, onColumns }: SavedViewsProps) {
  const { t } = useTranslation('savedViews')
  const navigate = useNavigate()
  const { search } = useUrlSearch()
  const [isOpen, setOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const show = (view: SavedView) => {
    setOpen(false)
    onColumns(view.columns)
    void navigate({ to: '.', search: view.search, resetScroll: false })
  }
  return (
    <>
      <Popover position="bottom-end" width={300} trapFocus opened={isOpen} onChange={setOpen} returnFocus>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('title')}
            title={t('title')}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconBookmark size={16} aria-hidden="true" />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={6}>
          <Views screen={screen} onShow={show} onRemove={() => setOpen(false)} />
          <UnstyledButton
            className={classes.save}
            onClick={() => {
              setOpen(false)
              setSaving(true)
            }}
          >
            {t('saveThis')}
          </UnstyledButton>
        </Popover.Dropdown>
      </Popover>
      {isSaving && (
        <SaveDialog view={{ screen, search: searchToKeep(search), columns }} onClose={() => setSaving(false)} />
      )}
    </>
  )
}

interface ViewsProps {
  screen: string
  onShow: (view: SavedView) => void
  onRemove: () => void
}

function Views({ screen, onShow, onRemove }: ViewsProps) {
  const { t } = useTranslation('savedViews')
  const answer = useCall(savedViews.list, { query: { screen } })
  if (!answer.data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Loader size="sm" m="sm" />
    )
  if (answer.data.data.length === 0) return <p className={classes.none}>{t('none')}</p>
  const remove = (view: SavedView) => {
    onRemove()
    confirm({
      title: t('remove.title', { name: view.name }),
      text: t(view.isShared ? 'remove.shared' : 'remove.own'),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(savedViews.remove, { params: { id: view.id } })
        toastSuccess(t('removed'))
        await refetchCalls(savedViews.list)
      },
    })
  }
  return (
    <ul className={classes.views} aria-label={t('title')}>
      {answer.data.data.map((view) => (
        <li key={view.id}>
          <UnstyledButton className={classes.view} onClick={() => onShow(view)}>
            <span className={classes.name}>{view.name}</span>
            {view.isShared && (
              <Group gap={4} wrap="nowrap" className={classes.by}>
                <IconUsers size={14} aria-hidden="true" />
                {view.isOwn ? t('sharedByYou') : t('sharedBy', { name: view.by })}
              </Group>
            )}
          </UnstyledButton>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('remove.label', { name: view.name })}
            onClick={() => remove(view)}
          >
            <IconTrash size={16} aria-hidden="true" />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}
