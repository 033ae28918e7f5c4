import { coldTreatments, type ShipmentTreatment, type Treatment } from '@isotherm/contract/cold-treatments.ts'
import { Button, Paper, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Failure } from '../../../ui/failure.tsx'
import { FormOf } from '../../../ui/form/form-of.tsx'
import frames from '../../../ui/frames.module.css'
import { GapList } from './gap-list.tsx'
import { MonitoringRecords } from './monitoring-records.tsx'
import { ProbeList } from './probe-list.tsx'
import { ProtocolDialog } from './protocol-dialog.tsx'
import classes from './treatment.module.css'
import { TreatmentChart } from './treatment-chart.tsx'
import { TreatmentFigures } from './treatment-figures.tsx'
import { nameIn } from './treatment-summary.tsx'

/** Five minutes: as often as the server works clocks out. */
const refetchMs = 300_000
/** Protocols need as many. */
const probesNeeded = 3

/** The cold treatment of a shipment: its protocol, its clock, and what it lacks. */
export function ColdTreatment({ shipmentId }: { shipmentId: string }) {
  const { t } = useTranslation('coldTreatments')
  const answer = useCall(coldTreatments.one, { params: { id: shipmentId } }, { refetchMs })
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="cold-treatment">
      <h2 id="cold-treatment">{t('title')}</h2>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={140} aria-busy />}
      {answer.data && <Shown shipmentId={shipmentId} shown={answer.data} />}
    </Paper>
  )
}

function Shown({ shipmentId, shown }: { shipmentId: string; shown: ShipmentTreatment }) {
  const { t } = useTranslation('coldTreatments')
  const mayEdit = useCan('dispatch.addOrEdit')
  const [isChoosing, setIsChoosing] = useState(false)
  const { treatment, probes, hiddenProbes, airDevices } = shown
  const placed = probes.length + hiddenProbes
  return (
    <>
      {!treatment && <p className={frames.note}>{t('none')}</p>}
      {placed === 0 && airDevices > 0 && <p className={classes.warning}>{t('airOnly')}</p>}
      {placed < probesNeeded && (
        <p className={classes.warning}>
          {t('needsProbes', { placed, needed: treatment?.protocol.probes ?? probesNeeded })}
        </p>
      )}
      {hiddenProbes > 0 && <p className={classes.warning}>{t('hidden', { n: hiddenProbes })}</p>}
      {treatment && <Chosen shipmentId={shipmentId} treatment={treatment} shown={shown} />}
      {probes.length > 0 && <ProbeList probes={probes} />}
      {mayEdit && (treatment || placed >= probesNeeded) && (
        <div className={classes.actions}>
          {placed >= probesNeeded && (
            <Button variant={treatment ? 'default' : 'filled'} onClick={() => setIsChoosing(true)}>
              {t(treatment ? 'change' : 'choose')}
            </Button>
          )}
          {treatment && <TakeOff shipmentId={shipmentId} />}
        </div>
      )}
      {treatment && <MonitoringRecords shipmentId={shipmentId} canMake={treatment.clock !== null} />}
      {isChoosing && (
        <FormOf thing={treatment} version={treatment?.version ?? 0}>
          {(held) => <ProtocolDialog shipmentId={shipmentId} treatment={held} onClose={() => setIsChoosing(false)} />}
        </FormOf>
      )}
    </>
  )
}

interface ChosenProps {
  shipmentId: string
  treatment: Treatment
  shown: ShipmentTreatment
}

function Chosen({ shipmentId, treatment, shown }: ChosenProps) {
  const { t } = useTranslation('coldTreatments')
  const { protocol, clock } = treatment
  const nameOf = nameIn(shown)
  return (
    <>
      {clock && <TreatmentFigures clock={clock} treatment={treatment} nameOf={nameOf} />}
      {clock && <TreatmentChart treatment={treatment} />}
      {clock && <GapList shipmentId={shipmentId} clock={clock} treatment={treatment} nameOf={nameOf} />}
      <h3 className={classes.title}>{t('protocol')}</h3>
      <p className={frames.note}>{t(`protocols.${protocol.id}`)}</p>
      <p className={frames.note}>
        {t('source', { source: protocol.source, day: formatDate(protocol.checkedOn, 'UTC') })}
      </p>
      {!protocol.verified && <p className={classes.warning}>{t('unverified')}</p>}
      <p className={frames.note}>{t('notCertificate')}</p>
    </>
  )
}

function TakeOff({ shipmentId }: { shipmentId: string }) {
  const { t } = useTranslation('coldTreatments')
  const ask = () =>
    confirm({
      title: t('removeTitle'),
      text: t('removeText'),
      action: t('remove'),
      destructive: true,
      run: async () => {
        await call(coldTreatments.remove, { params: { id: shipmentId } })
        toastSuccess(t('removed'))
        await refetchCalls(coldTreatments.one)
      },
    })
  return (
    <Button variant="default" color="red" onClick={ask}>
      {t('remove')}
    </Button>
  )
}
