import type { Treatment, TreatmentClock } from '@isotherm/contract/cold-treatments.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTemperature, noValue, withUnit } from '../../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { ProvenRing } from './proven-ring.tsx'
import ring from './ring.module.css'
import classes from './treatment.module.css'

const clockTones = { waiting: 'none', running: 'ok', interrupted: 'warm', proven: 'ok', over: 'warm' } as const

/** The state of a clock, by the name of its text; `over`: the shipment ended before all its time was proven. */
export const clockState = ({ isOver }: Pick<Treatment, 'isOver'>, { state }: Pick<TreatmentClock, 'state'>) =>
  isOver && state !== 'proven' ? 'over' : state
export const clockTone = (treatment: Pick<Treatment, 'isOver'>, clock: Pick<TreatmentClock, 'state'>) =>
  clockTones[clockState(treatment, clock)]

interface Props {
  clock: TreatmentClock
  treatment: Treatment
  nameOf: (id: string) => string
}

/** The figures of a clock: how much is proven, what limits it, when it ends against the arrival, and what would put it off. */
export function TreatmentFigures({ clock, treatment, nameOf }: Props) {
  const { t } = useTranslation('coldTreatments')
  const { row, provenMs } = clock
  return (
    <div data-tone={clockTone(treatment, clock)}>
      <div className={ring.head}>
        <ProvenRing clock={clock} />
        <p className={classes.state}>
          <span className={classes.name}>{t(`states.${clockState(treatment, clock)}`)}</span>
          <span>{t('rowText', { max: withUnit(row.maxC, '°C'), days: row.days })}</span>
        </p>
      </div>
      <dl className={classes.facts}>
        <Fact name={t('proven')}>{formatDuration(provenMs)}</Fact>
        <Fact name={t('elapsed')}>{formatDuration(clock.elapsedMs)}</Fact>
        <Fact name={t('left')}>{formatDuration(clock.leftMs)}</Fact>
        <Fact name={t('started')}>{clock.startedAt ? formatTime(clock.startedAt) : noValue}</Fact>
        {clock.provenAt && <Fact name={t('provenAt')}>{formatTime(clock.provenAt)}</Fact>}
        <Fact name={t('knownUntil')}>{formatTime(clock.knownUntil)}</Fact>
        <Limiting clock={clock} nameOf={nameOf} />
        <Forecast clock={clock} treatment={treatment} />
      </dl>
      <Lacks clock={clock} nameOf={nameOf} />
      <Warnings clock={clock} treatment={treatment} nameOf={nameOf} />
      {clock.breaks.length > 0 && (
        <>
          <h3 className={classes.title}>{t('breaks.title')}</h3>
          <ul className={classes.list}>
            {clock.breaks.map(({ aboveC, delayMs, restarts }) => (
              <li key={aboveC}>
                {t(restarts ? 'breaks.restart' : 'breaks.delay', {
                  limit: withUnit(aboveC, '°C'),
                  time: formatDuration(delayMs),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** The probe that was warmest since the start. */
export function Limiting({ clock: { limiting, marginC }, nameOf }: Pick<Props, 'clock' | 'nameOf'>) {
  const { t } = useTranslation('coldTreatments')
  if (!limiting) return null
  return (
    <Fact name={t('limiting')}>
      {nameOf(limiting.deviceId)}, {formatTemperature(limiting.celsius, 2)}
      {marginC !== null && <small>{t('margin', { margin: formatTemperature(marginC, 2) })}</small>}
    </Fact>
  )
}

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** When the time will be proven, against the arrival. */
export function Forecast({ clock, treatment: { forecast } }: Pick<Props, 'clock' | 'treatment'>) {
  const { t } = useTranslation('coldTreatments')
  const { forecastAt, provenAt } = clock
  if (!forecastAt || !forecast) return null
  const { spareMs, place, timezone } = forecast
  const values = { place, time: formatDuration(Math.abs(spareMs ?? 0)) }
  const inTime = spareMs !== null && spareMs >= 0 ? t('beforeEta', values) : t('afterEta', values)
  return (
    <Fact name={t('forecast')}>
      {spareMs === null ? t('noEta', { at: formatTime(forecastAt, timezone) }) : inTime}
      {!provenAt && <small>{t('ifProven')}</small>}
    </Fact>
  )
}

/** Reasons for which a clock does not run. */
function Lacks({ clock, nameOf }: Pick<Props, 'clock' | 'nameOf'>) {
  const { t } = useTranslation('coldTreatments')
  const { state, waitsFor, silent, missingProbes } = clock
  const broken = clock.interruptions.at(-1)
  const isStill = state === 'waiting' || state === 'interrupted'
  const lines = [
    state === 'interrupted' &&
      broken &&
      t('brokenAt', {
        name: nameOf(broken.deviceId),
        celsius: formatTemperature(broken.celsius, 2),
        at: formatTime(broken.at),
      }),
    missingProbes > 0 && t('missing', { n: missingProbes }),
    isStill &&
      waitsFor &&
      t('waitsFor', { name: nameOf(waitsFor.deviceId), celsius: formatTemperature(waitsFor.celsius, 2) }),
    silent.length > 0 && t('silent', { names: silent.map(nameOf).join(', ') }),
    state === 'waiting' && !waitsFor && t('notLoaded'),
  ].filter((line) => typeof line === 'string')
  if (lines.length === 0) return null
  return (
    <ul className={classes.list}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Warnings({ clock, treatment: { carriage, protocol }, nameOf }: Props) {
  const { t } = useTranslation('coldTreatments')
  const { tooColdHours, notPrecooled, toReplace, warmAfter } = clock
  const names = (ids: readonly string[]) => ({ names: ids.map(nameOf).join(', ') })
  const { containers, isSealed, isInHold, isMixed, isLoadingNoted } = carriage
  return (
    <>
      {isInHold && <p className={classes.warning}>{t('warnings.inHold', { n: protocol.probes })}</p>}
      {containers.length > 1 && (
        <p className={classes.warning}>
          {t('record.severalContainers')} {containers.join(', ')}
        </p>
      )}
      {containers.length > 0 && !isSealed && <p className={classes.warning}>{t('warnings.noSeal')}</p>}
      {isMixed && <p className={classes.warning}>{t('warnings.mixed')}</p>}
      {!isLoadingNoted && <p className={classes.warning}>{t('warnings.noLoading')}</p>}
      {tooColdHours > 0 && <p className={classes.warning}>{t('warnings.tooCold', { n: tooColdHours })}</p>}
      {notPrecooled.length > 0 && <p className={classes.warning}>{t('warnings.notPrecooled', names(notPrecooled))}</p>}
      {toReplace.length > 0 && <p className={classes.warning}>{t('warnings.toReplace', names(toReplace))}</p>}
      {warmAfter && (
        <p className={classes.warning}>
          {t('warnings.warmAfter', { celsius: formatTemperature(warmAfter.celsius, 2), at: formatTime(warmAfter.at) })}
        </p>
      )}
    </>
  )
}
