import { coldTreatments, type ShipmentTreatment } from '@isotherm/contract/cold-treatments.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Panel } from '../../../ui/panel.tsx'
import { ProvenRing } from './proven-ring.tsx'
import ring from './ring.module.css'
import classes from './treatment.module.css'
import { clockState, clockTone, Fact, Forecast, Limiting } from './treatment-figures.tsx'

interface TreatmentSummaryProps {
  shipmentId: string
  /** Leads to all that there is to the treatment. */
  more: ReactNode
}

/** The clock of a shipment's cold treatment in short; nothing without one. */
export function TreatmentSummary({ shipmentId, more }: TreatmentSummaryProps) {
  const { t } = useTranslation('coldTreatments')
  const { data } = useCall(coldTreatments.one, { params: { id: shipmentId } }, { refetchMs: 300_000 })
  const clock = data?.treatment?.clock
  if (!data?.treatment || !clock) return null
  return (
    <Panel title={t('title')}>
      <div className={ring.head} data-tone={clockTone(data.treatment, clock)}>
        <ProvenRing clock={clock} />
        <div>
          <p className={classes.state}>
            <span className={classes.name}>{t(`states.${clockState(data.treatment, clock)}`)}</span>
            {more}
          </p>
          <dl className={classes.facts}>
            <Limiting clock={clock} nameOf={nameIn(data)} />
            {clock.provenAt && <Fact name={t('provenAt')}>{formatTime(clock.provenAt)}</Fact>}
            {!clock.provenAt && clock.forecastAt && (
              <Fact name={t('readyBy')}>{formatTime(clock.forecastAt, data.treatment.forecast?.timezone)}</Fact>
            )}
            <Forecast clock={clock} treatment={data.treatment} />
          </dl>
        </div>
      </div>
    </Panel>
  )
}

/** Probes by name. */
export const nameIn =
  ({ probes }: ShipmentTreatment) =>
  (id: string) =>
    probes.find((one) => one.id === id)?.name ?? id
