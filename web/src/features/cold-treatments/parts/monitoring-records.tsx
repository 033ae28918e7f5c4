import { coldTreatments, type MonitoringRecord } from '@isotherm/contract/cold-treatments.ts'
import { Locale } from '@isotherm/contract/common.ts'
import { ActionIcon, Button, NativeSelect, Progress, Tooltip } from '@mantine/core'
import { IconDownload, IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { languageNames, localeNames } from '../../../lib/languages.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { isUnderWay } from '../../../shared/issued/issued-kind.ts'
import { Failure } from '../../../ui/failure.tsx'
import classes from './treatment.module.css'

/** The monitoring records of a shipment, and a way to make one in a language. */
export function MonitoringRecords({ shipmentId, canMake }: { shipmentId: string; canMake: boolean }) {
  const { t } = useTranslation('coldTreatments')
  const mayExport = useCan('dispatch.export')
  const asked = { params: { id: shipmentId } }
  const answer = useCall(coldTreatments.records, asked)
  const records = answer.data?.data ?? []
  // While one is being made, it is asked for again and again.
  useCall(coldTreatments.records, asked, { refetchMs: records.some(isUnderWay) ? 1_000 : undefined })
  return (
    <>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {records.length > 0 && (
        <>
          <h3 className={classes.title}>{t('records')}</h3>
          <ul className={classes.list}>
            {records.map((record) => (
              <li key={record.id} className={classes.item}>
                <Line record={record} mayExport={mayExport} />
              </li>
            ))}
          </ul>
        </>
      )}
      {mayExport && canMake && <Make shipmentId={shipmentId} />}
    </>
  )
}

function Make({ shipmentId }: { shipmentId: string }) {
  const { t } = useTranslation('coldTreatments')
  const [locale, setLocale] = useState<string>(currentLocale())
  const [isAsking, setIsAsking] = useState(false)
  const make = async () => {
    setIsAsking(true)
    try {
      const body = { locale: Locale.parse(locale) }
      await call(coldTreatments.makeRecord, { params: { id: shipmentId }, body }, { toastAll: true })
      toastSuccess(t('made'))
      await refetchCalls(coldTreatments.records)
    } catch {
      // The call has toasted it.
    } finally {
      setIsAsking(false)
    }
  }
  return (
    <div className={classes.actions}>
      <NativeSelect
        aria-label={t('language')}
        value={locale}
        onChange={(event) => setLocale(event.currentTarget.value)}
        data={localeNames.map((value) => ({ value, label: languageNames[value] }))}
      />
      <Button variant="default" leftSection={<IconFileText size={16} />} loading={isAsking} onClick={() => void make()}>
        {t('make')}
      </Button>
    </div>
  )
}

function Line({ record, mayExport }: { record: MonitoringRecord; mayExport: boolean }) {
  const { t } = useTranslation('coldTreatments')
  const { id, createdAt, locale, requestedBy, state, progress, removedAt } = record
  const load = async () => {
    try {
      const file = await call(coldTreatments.recordFile, { params: { id } }, { toastAll: true })
      download(file, `cold-treatment-${id}.pdf`)
    } catch {
      // The call has toasted it.
    }
  }
  const building = t('building', { progress })
  return (
    <>
      <span>
        {formatTime(createdAt)}, {languageNames[locale]}, {requestedBy}
      </span>
      {isUnderWay(record) && <Progress value={progress} w={90} aria-label={building} title={building} />}
      {state === 'failed' && <span>{t('failed')}</span>}
      {removedAt && <span>{t('fileGone')}</span>}
      {state === 'ready' && !removedAt && mayExport && (
        <Tooltip label={t('download')}>
          <ActionIcon variant="subtle" aria-label={t('download')} onClick={() => void load()}>
            <IconDownload size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  )
}
