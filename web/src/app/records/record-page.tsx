import { Id } from '@isotherm/contract/common.ts'
import { type RecordDetails, records } from '@isotherm/contract/records.ts'
import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { Link, Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ReportButton } from '../../features/records/parts/report-button.tsx'
import { useRecordActions } from '../../features/records/use-record-actions.ts'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordView } from './record-view.tsx'

/** One record of devices. */
export function RecordPage() {
  const { t } = useTranslation('records')
  const navigate = useNavigate()
  const { recordId = '' } = useParams({ strict: false }) as { recordId?: string }
  const isId = Id.safeParse(recordId).success
  const answer = useCall(records.one, { params: { id: recordId } }, { enabled: isId, refetchMs: 60_000 })
  const mayEdit = useCan('devices.addOrEdit')
  const record = answer.data
  if (!isId || answer.error?.status === 404) return <Navigate to="/404" replace />
  return (
    <Page
      title={record?.name ?? t('title')}
      breadcrumb={<Link to="/records">{t('title')}</Link>}
      actions={
        record && (
          <RecordActions
            record={record}
            mayEdit={mayEdit}
            onRemoved={() => navigate({ to: '/records', replace: true })}
          />
        )
      }
    >
      {record && <RecordView record={record} />}
      {!record && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!record && !answer.error && <Skeleton height={420} radius="md" />}
    </Page>
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
  return (
    <>
      <ReportButton record={record} />
      {mayEdit && record.state === 'planned' && (
        <Button variant="default" leftSection={<IconPlayerPlay size={16} />} onClick={() => start(record)}>
          {t('start.action')}
        </Button>
      )}
      {mayEdit && record.state === 'running' && (
        <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={() => end(record)}>
          {t('end.action')}
        </Button>
      )}
      {mayEdit && !record.signature && (
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
