import { type ApiKey, developer } from '@isotherm/contract/developer.ts'
import { Button, Collapse, Paper, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { AddButton } from '../../../ui/add-button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { isOver } from '../key-words.ts'
import { useKeyActions } from '../use-key-actions.ts'
import classes from './developer.module.css'
import { KeyForm } from './key-form.tsx'
import { KeyRow } from './key-row.tsx'
import { type Secret, SecretDialog } from './secret-dialog.tsx'

/** The API keys of the company: those that are good first, the others on demand. */
export function KeysPanel() {
  const { t } = useTranslation('developer')
  const answer = useCall(developer.settings, undefined, { refetchMs: 60_000 })
  const [dialog, setDialog] = useState<{ form: ApiKey | null } | Secret | null>(null)
  const [isOpen, setOpen] = useState(false)
  const { rotate, revoke } = useKeyActions(setDialog)
  const close = () => setDialog(null)
  const keys = answer.data?.keys ?? []
  const [good, over] = [keys.filter((key) => !isOver(key)), keys.filter(isOver)]
  const add = <AddButton onClick={() => setDialog({ form: null })}>{t('keys.add')}</AddButton>
  const rows = (listed: ApiKey[], label: string) => (
    <ul className={classes.rows} aria-label={label}>
      {listed.map((key) => (
        <KeyRow
          key={key.id}
          known={key}
          onEdit={() => setDialog({ form: key })}
          onRotate={() => rotate(key)}
          onRevoke={() => revoke(key)}
        />
      ))}
    </ul>
  )
  return (
    <Paper component="section" className={frames.panel} aria-label={t('keys.title')}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h2>{t('keys.title')}</h2>
          <Text size="sm" c="dimmed">
            {t('keys.lead')}
          </Text>
        </div>
        {good.length > 0 && add}
      </div>
      {!answer.data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={120} role="status" aria-label={t('common:list.loading')} />}
      {answer.data && good.length === 0 && <Empty title={t('keys.none')} text={t('keys.noneText')} action={add} />}
      {good.length > 0 && rows(good, t('keys.title'))}
      {over.length > 0 && (
        <>
          <Button variant="subtle" size="sm" px={0} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('keys.over', { count: over.length })}
          </Button>
          <Collapse expanded={isOpen}>{isOpen && rows(over, t('keys.over', { count: over.length }))}</Collapse>
        </>
      )}
      {dialog && 'form' in dialog && <KeyForm known={dialog.form} onMade={setDialog} onClose={close} />}
      {dialog && 'secret' in dialog && <SecretDialog shown={dialog} onClose={close} />}
    </Paper>
  )
}
