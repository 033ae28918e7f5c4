import { type EpcisCheck, epcis } from '@isotherm/contract/epcis.ts'
import { Button, Group } from '@mantine/core'
import { IconDownload, IconSend } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import classes from './epcis.module.css'
import { EpcisFaults } from './epcis-faults.tsx'
import { isUnderWay, OlderPushes, PushList, pushesPerLook } from './push-log.tsx'

/** The document of a shipment: what it tells, whether it is valid, its download, and what was sent to the receiver. */
export function ShipmentEpcis({ shipmentId }: { shipmentId: string }) {
  const { t } = useTranslation('epcis')
  const mayExport = useCan('dispatch.export')
  const [isBusy, setIsBusy] = useState(false)
  const reasonId = useId()
  const asked = { params: { id: shipmentId } }
  const newest = { ...asked, query: { limit: pushesPerLook } }
  const check = useCall(epcis.check, asked)
  const pushes = useCall(epcis.pushes, newest)
  useCall(epcis.pushes, newest, { refetchMs: pushes.data?.some(isUnderWay) ? 5_000 : undefined })
  const busy = async (work: () => Promise<unknown>) => {
    setIsBusy(true)
    await work().catch(() => undefined)
    setIsBusy(false)
  }
  const save = () =>
    busy(async () =>
      download(await call(epcis.download, asked, { toastAll: true }), `shipment-${shipmentId}-epcis.jsonld`),
    )
  const send = (id?: string) =>
    busy(async () => {
      await (id
        ? call(epcis.retry, { params: { id } }, { toastAll: true })
        : call(epcis.push, asked, { toastAll: true }))
      toastSuccess(t('pushed'))
      await refetchCalls(epcis.pushes)
    })
  if (check.error) return <Failure error={check.error} onRetry={() => void check.refetch()} />
  const { data } = check
  const isUnfit = data !== undefined && (data.hiddenDevices > 0 || data.faults.length > 0)
  return (
    <Panel title={t('title')} text={t('lead')}>
      {data && <Checked check={data} />}
      {mayExport && data && data.events > 0 && (
        <Group gap="xs" mt="sm" mb="xs">
          <Button leftSection={<IconDownload size={16} />} disabled={isBusy} onClick={() => void save()}>
            {t('download')}
          </Button>
          {data.canPush && (
            <Button
              variant="default"
              leftSection={<IconSend size={16} />}
              disabled={isBusy || isUnfit || pushes.data?.some(isUnderWay)}
              aria-describedby={isUnfit ? reasonId : undefined}
              onClick={() => void send()}
            >
              {t('push')}
            </Button>
          )}
        </Group>
      )}
      {mayExport && data?.canPush && isUnfit && (
        <p id={reasonId} className={classes.small}>
          {t(data.hiddenDevices > 0 ? 'needsAll' : 'needsNoFaults')}
        </p>
      )}
      {data && !data.canPush && <p className={classes.small}>{t('noAddress')}</p>}
      {pushes.data && (data?.canPush || pushes.data.length > 0) && (
        <>
          <h3 className={classes.heading}>{t('log')}</h3>
          {pushes.data.length === 0 && <p className={classes.small}>{t('none')}</p>}
          <PushList pushes={pushes.data} onRetry={mayExport && !isBusy ? (id) => void send(id) : null} />
          <OlderPushes shipmentId={shipmentId} after={pushes.data} />
        </>
      )}
    </Panel>
  )
}

function Checked({ check }: { check: EpcisCheck }) {
  const { t } = useTranslation('epcis')
  const { events, bySteps, hiddenDevices, usesGs1, faults } = check
  if (events === 0) return <p className={classes.small}>{t('empty')}</p>
  return (
    <>
      <p>
        <b>{t('events', { count: events })}</b>
        {faults.length === 0 && ` · ${t('valid')}`}
      </p>
      {/* Beside each name is the word of the vocabulary, which the receiver reads. */}
      <dl className={classes.facts} aria-label={t('steps')}>
        {bySteps.map(({ bizStep, events: count }) => [
          <dt key={bizStep}>
            {t(`step.${bizStep}`)} <span className={classes.word}>{bizStep}</span>
          </dt>,
          <dd key={`${bizStep} events`}>{count}</dd>,
        ])}
      </dl>
      {hiddenDevices > 0 && <p className={classes.small}>{t('hidden', { count: hiddenDevices })}</p>}
      <p className={classes.small}>{t(usesGs1 ? 'gs1' : 'own')}</p>
      <EpcisFaults faults={faults} />
    </>
  )
}
