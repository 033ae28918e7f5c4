import { type RecordDetails, records } from '@isotherm/contract/records.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ReportButton } from '../../features/records/parts/report-button.tsx'
import { useRecordActions } from '../../features/records/use-record-actions.ts'
import { useCan } from '../../lib/can.ts'
import { useEntity } from '../../lib/use-entity.ts'
import { EntityPage } from '../../ui/entity-page.tsx'
import { RecordSections } from './record-sections.tsx'
import { RecordView } from './record-view.tsx'

/** One record of devices. */
export function RecordPage() {
  const { t } = useTranslation('records')
  const navigate = useNavigate()
  const answer = useEntity(records.one, { id: 'recordId' })
  const mayEdit = useCan(records.end)
  const onRemoved = () => navigate({ to: '/records', replace: true })
  return (
    <EntityPage
      answer={answer}
      title={answer.entity?.name ?? t('title')}
      breadcrumb={<Link to="/records">{t('title')}</Link>}
      tabs={<RecordSections record={answer.entity} />}
      actions={(record) => <RecordActions record={record} mayEdit={mayEdit} onRemoved={onRemoved} />}
    >
      {(record) => <RecordView record={record} />}
    </EntityPage>
  )
}

interface RecordActionsProps {
  record: RecordDetails
  mayEdit: boolean
  onRemoved: () => Promise<void>
}

/** The actions on a record in its state. */
export function RecordActions({ record, mayEdit, onRemoved }: RecordActionsProps) {
  const { t } = useTranslation('records')
  const { start, end, remove } = useRecordActions()
  // That of an order begins and ends with it.
  const mayEnd = mayEdit && record.order === null
  return (
    <>
      <ReportButton record={record} />
      {mayEnd && record.state === 'planned' && (
        <Button variant="default" leftSection={<IconPlayerPlay size={16} />} onClick={() => start(record)}>
          {t('start.action')}
        </Button>
      )}
      {mayEnd && record.state === 'running' && (
        <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={() => end(record)}>
          {t('end.action')}
        </Button>
      )}
      {mayEnd && !record.signature && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('remove.action')}
          title={t('remove.action')}
          onClick={() => remove(record, onRemoved)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </>
  )
}
