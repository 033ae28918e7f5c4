import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../lib/now.ts'
import { getSession } from '../../lib/session.ts'
import { formatAge, formatClock, formatDate, formatExactTime } from '../../lib/times.ts'
import { StateDot } from '../../ui/state-dot.tsx'
import { type Answer, askBySession, askByToken } from './ask-shared.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { renewIfOutdated, watchForRenewal } from './renewal.ts'
import { useAwake } from './use-awake.ts'
import { type SharedState, useShared } from './use-shared.ts'
import classes from './wall.module.css'
import { everySeconds, gridFor, type Room, type Screen, screensOf } from './wall-screens.ts'
import { WallTile } from './wall-tile.tsx'

const askEveryMs = 15_000
/** Values that were not renewed for so long are shown as old. */
const oldMs = 120_000

const asked = new URLSearchParams(location.search)
const ask = (isOpening: boolean): Promise<Answer> => {
  const token = location.hash.slice(1)
  return token ? askByToken(token, isOpening) : askBySession(asked.get('groups') ?? '', asked.get('private') === 'true')
}
const onRegained = () => void renewIfOutdated()

/** The wall screen: tiles of devices, the worst first, groups in turn. It is opened by a link of its own, or by somebody who is logged in. */
export function WallPage() {
  const { t } = useTranslation('shared')
  const heard = useShared(ask, askEveryMs, onRegained)
  useAwake()
  useEffect(watchForRenewal, [])
  const { shared } = heard
  useEffect(() => {
    document.title = `${shared?.company ?? t('wall.title')} · Isotherm`
  }, [shared?.company, t])
  const area = useRef<HTMLElement>(null)
  const room = useRoom(area)
  const screens = useMemo(() => (shared && room ? screensOf(shared, room) : []), [shared, room])
  const index = useTurns(screens.length, everySeconds(asked.get('every'), shared?.turnS ?? null))
  const screen = screens[index % Math.max(1, screens.length)]
  return (
    <div className={classes.wall} data-old={isOld(heard) || undefined}>
      <Head heard={heard} screen={screen} />
      <main ref={area} className={classes.area}>
        {screen && room && shared ? (
          <Tiles screen={screen} room={room} at={Date.parse(shared.at)} />
        ) : (
          <Nothing {...heard} />
        )}
      </main>
      <Foot heard={heard} index={index} count={screens.length} />
    </div>
  )
}

const isOld = ({ at, isLost }: SharedState) => isLost && at !== null && Date.now() - at > oldMs

/** The size of the area, as it changes. */
function useRoom(area: RefObject<HTMLElement | null>): Room | undefined {
  const [room, setRoom] = useState<Room>()
  useEffect(() => {
    const element = area.current
    if (!element) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [area])
  return room
}

/** Counts the turns of the rotation. */
function useTurns(count: number, seconds: number): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (count < 2) return
    const timer = setInterval(() => setTurn((before) => (before + 1) % count), seconds * 1000)
    return () => clearInterval(timer)
  }, [count, seconds])
  return turn
}

function Tiles({ screen: { devices }, room, at }: { screen: Screen; room: Room; at: number }) {
  const { t } = useTranslation('shared')
  const now = useNow()
  if (devices.length === 0) return <p className={classes.nothing}>{t('wall.noDevices')}</p>
  const { columns, rows } = gridFor(devices.length, room)
  return (
    <ul
      className={classes.tiles}
      style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gridTemplateRows: `repeat(${rows}, 1fr)` }}
    >
      {devices.map((device, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer names no ids, and a tile keeps nothing
        <WallTile key={i} device={device} until={at} now={now} />
      ))}
    </ul>
  )
}

function Nothing({ isGone, isLost }: SharedState) {
  const { t } = useTranslation('shared')
  const isByLink = location.hash.length > 1
  if (!isGone) return <p className={classes.nothing}>{t(isLost ? 'lost' : 'loading')}</p>
  return (
    <div className={classes.nothing}>
      <p>{t(isByLink ? 'wall.gone' : 'wall.noLogin')}</p>
      {!isByLink && <a href="/login">{t('wall.logIn')}</a>}
    </div>
  )
}

function Head({ heard: { shared }, screen }: { heard: SharedState; screen: Screen | undefined }) {
  const { t } = useTranslation('shared')
  const counts = shared?.counts
  return (
    <header className={classes.top}>
      <h1>{screen ? (screen.page.name ?? t('wall.all')) : (shared?.company ?? 'Isotherm')}</h1>
      {counts && (
        <p className={classes.counts}>
          <StateDot
            tone={counts.outOfRange > 0 ? 'warm' : 'none'}
            label={t('wall.out', { count: counts.outOfRange })}
          />
          <StateDot tone={counts.silent > 0 ? 'warning' : 'none'} label={t('wall.silent', { count: counts.silent })} />
          <StateDot tone="ok" label={t('wall.inRange', { count: counts.inRange })} />
        </p>
      )}
    </header>
  )
}

function Foot({ heard, index, count }: { heard: SharedState; index: number; count: number }) {
  const { t } = useTranslation('shared')
  const now = useNow()
  const { shared, at, isLost, isGone } = heard
  const zone = shared?.timezone ?? getSession().timezone
  return (
    <footer className={classes.bottom}>
      <p role="status" className={classes.connection}>
        {!isGone && (
          <StateDot
            tone={isLost ? 'warning' : shared ? 'ok' : 'none'}
            label={
              isLost
                ? at === null
                  ? t('lost')
                  : t('lostSince', { age: formatAge(Math.max(0, now - at)) })
                : t(shared ? 'wall.connected' : 'loading')
            }
          />
        )}
        {shared && <span>{t('wall.updated', { time: formatExactTime(shared.at, zone) })}</span>}
      </p>
      <OpenAlarms count={shared?.counts?.openAlarms ?? null} />
      {count > 1 && (
        <span className={classes.turn}>
          {(index % count) + 1}/{count}
        </span>
      )}
      <FullScreen />
      <LanguageSwitch />
      <p className={classes.clock}>
        <span>{formatDate(now, zone)}</span> <b>{formatClock(now, zone)}</b>
      </p>
    </footer>
  )
}

/** The total of the wall; nothing where alarms are not for who made it. */
function OpenAlarms({ count }: { count: number | null }) {
  const { t } = useTranslation('shared')
  if (count === null) return null
  return (
    <p className={classes.open}>
      <StateDot tone={count > 0 ? 'warm' : 'ok'} label={t('devices:openAlarms', { count })} />
    </p>
  )
}

function FullScreen() {
  const { t } = useTranslation('shared')
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [])
  if (isFull || !document.fullscreenEnabled) return null
  return (
    <button type="button" className={classes.button} onClick={() => void document.documentElement.requestFullscreen()}>
      {t('wall.fullScreen')}
    </button>
  )
}
