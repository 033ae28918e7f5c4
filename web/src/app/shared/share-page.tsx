import type { Shared, SharedDevice } from '@isotherm/contract/share-links.ts'
import { type ComponentType, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { stateOf } from '../../features/devices/device-state.ts'
import { loadTexts } from '../../lib/i18n.ts'
import { useNow } from '../../lib/now.ts'
import { formatAge, formatTime } from '../../lib/times.ts'
import { BlobPicture } from '../../ui/blob-picture.tsx'
import marks from '../../ui/marks.module.css'
import { type Answer, askByToken, askForLogo } from './ask-shared.ts'
import { DayChart, DayTrend } from './day-trend.tsx'
import { DeviceFacts, StateMark } from './device-facts.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { renewIfOutdated } from './renewal.ts'
import classes from './shared.module.css'
import { type SharedState, useShared } from './use-shared.ts'

const everyMs = 20_000
const ask = (isOpening: boolean): Promise<Answer> => askByToken(location.hash.slice(1), isOpening)
const onRegained = () => void renewIfOutdated()

/** The page of a share link: the present values of a device or a group, renewed while it is open. */
export function SharePage() {
  const { t } = useTranslation('shared')
  const heard = useShared(ask, everyMs, onRegained)
  const { shared } = heard
  const title = shared ? titleOf(shared) : ''
  useEffect(() => {
    document.title = title ? `${title} · Isotherm` : 'Isotherm'
  }, [title])
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <span className={classes.company}>
          <Logo version={shared?.logoVersion ?? null} />
          {shared?.company ?? 'Isotherm'}
        </span>
        <LanguageSwitch />
      </header>
      <main className={classes.main}>{shared ? <Values shared={shared} title={title} /> : <Nothing {...heard} />}</main>
      {shared && (
        <footer className={classes.footer}>
          <Connection {...heard} />
          {shared.expiresAt && <p>{t('goodUntil', { time: formatTime(shared.expiresAt) })}</p>}
          <p>{t('madeWith')}</p>
        </footer>
      )}
    </div>
  )
}

const titleOf = ({ pages }: Shared) => pages[0]?.name ?? pages[0]?.devices[0]?.name ?? ''

/** The logo of the company, asked for once. */
function Logo({ version }: { version: string | null }) {
  const [picture, setPicture] = useState<Blob | null>(null)
  useEffect(() => {
    if (version) void askForLogo(location.hash.slice(1)).then(setPicture)
  }, [version])
  return version && picture && <BlobPicture blob={picture} alt="" className={classes.logo} />
}

function Nothing({ isGone, isLost }: SharedState) {
  const { t } = useTranslation('shared')
  if (isGone)
    return (
      <section className={classes.card}>
        <h1 className={classes.title}>{t('gone.title')}</h1>
        <p>{t('gone.text')}</p>
      </section>
    )
  return <p role="status">{t(isLost ? 'lost' : 'loading')}</p>
}

function Values({ shared, title }: { shared: Shared; title: string }) {
  const { t } = useTranslation('shared')
  const now = useNow()
  const page = shared.pages[0]
  const devices = page?.devices ?? []
  const until = Date.parse(shared.at)
  const left = (page?.total ?? 0) - devices.length
  return (
    <>
      <h1 className={classes.title}>{title}</h1>
      {shared.kind === 'group' && page && (
        <p className={classes.note}>
          {t('counts', { total: page.total, out: page.outOfRange, silent: page.silent, inRange: page.inRange })}
        </p>
      )}
      <div className={shared.kind === 'group' ? classes.cards : undefined}>
        {devices.map((device, i) => (
          // The worst come first, so a device's place is its own for one answer only; nothing is kept in a card.
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer names no ids
          <section key={i} className={classes.card} data-tone={stateOf(device).tone} aria-label={device.name}>
            {shared.kind === 'group' && <h2>{device.name}</h2>}
            {device.isSample && <p className={marks.mark}>{t('devices:sample.badge')}</p>}
            <StateMark device={device} />
            <DeviceFacts device={device} now={now} />
            {shared.kind === 'group' && <DayTrend device={device} until={until} width={240} height={48} />}
          </section>
        ))}
      </div>
      {left > 0 && <p className={classes.note}>{t('more', { count: left })}</p>}
      {shared.chart && devices[0] && (
        <section className={classes.card}>
          <h2>{t('chart.title')}</h2>
          <DayChart device={devices[0]} chart={shared.chart} until={until} />
        </section>
      )}
      <Places devices={devices} />
    </>
  )
}

/** The map, once it has arrived, where a device has a position. */
function Places({ devices }: { devices: readonly SharedDevice[] }) {
  const isPlaced = devices.some(({ position }) => position !== null)
  const [Loaded, setLoaded] = useState<ComponentType<{ devices: readonly SharedDevice[] }>>()
  useEffect(() => {
    if (!isPlaced) return
    Promise.all([import('./shared-map.tsx'), loadTexts(['common', 'map'])]).then(
      ([{ SharedMap }]) => setLoaded(() => SharedMap),
      // The values are there without it.
      () => undefined,
    )
  }, [isPlaced])
  return isPlaced && Loaded ? <Loaded devices={devices} /> : null
}

function Connection({ at, isLost }: SharedState) {
  const { t } = useTranslation('shared')
  const now = useNow()
  const age = formatAge(Math.max(0, now - (at ?? now)))
  return (
    <p role="status" data-tone={isLost ? 'warning' : undefined} className={isLost ? classes.lost : undefined}>
      {t(isLost ? 'lostSince' : 'renewed', { age })}
    </p>
  )
}
