import { ActionIcon, Button, CloseButton, NativeSelect, SegmentedControl, Skeleton } from '@mantine/core'
import { IconFocus2, IconPlayerPause, IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCursor } from '../../charts/cursor.ts'
import { formatTemperature } from '../../lib/numbers.ts'
import { type Preset, presets } from '../../lib/periods.ts'
import { formatDuration, formatTime } from '../../lib/times.ts'
import { Failure } from '../../ui/failure.tsx'
import classes from './playback.module.css'
import type { PlaybackMarks } from './playback-marks.ts'
import { type Player, type Speed, speeds } from './use-player.ts'

const labels = { '24h': 'play.hours24', '7d': 'play.days7', '30d': 'play.days30' } as const

export interface Playback extends Player {
  marks: PlaybackMarks | null
  isLoading: boolean
  error: unknown
  retry: () => void
  close: () => void
  /** How long a journey; left out where something else says so. */
  periods?: { chosen: Preset; choose: (next: Preset) => void }
}

/** Plays a journey again: beneath the map, or over its bottom. */
export function PlaybackBar({ playback, name }: { playback: Playback; name: string }) {
  const { t } = useTranslation('maps')
  const { marks, isPlaying, speed, follow, periods } = playback
  return (
    <section className={classes.playback} aria-label={t('play.label')}>
      <div className={classes.playHead}>
        <strong>{name}</strong>
        {periods && (
          <SegmentedControl
            size="xs"
            aria-label={t('play.period')}
            data={(Object.keys(presets) as Preset[]).map((value) => ({ value, label: t(labels[value]) }))}
            value={periods.chosen}
            onChange={(next) => periods.choose(next as Preset)}
          />
        )}
        <CloseButton aria-keyshortcuts="Escape" aria-label={t('play.close')} onClick={playback.close} />
      </div>
      {playback.error ? (
        <Failure error={playback.error} onRetry={playback.retry} />
      ) : playback.isLoading ? (
        <Skeleton height={64} />
      ) : !marks ? (
        <p className={classes.none}>{t('play.nothing')}</p>
      ) : (
        <>
          <Scrubber playback={playback} marks={marks} />
          <div className={classes.playTools}>
            <ActionIcon
              size={36}
              radius="xl"
              aria-label={t(isPlaying ? 'play.pause' : 'play.play')}
              onClick={playback.toggle}
            >
              {isPlaying ? <IconPlayerPause size={20} /> : <IconPlayerPlay size={20} />}
            </ActionIcon>
            <NativeSelect
              size="xs"
              aria-label={t('play.speed')}
              value={String(speed)}
              data={speeds.map((each) => ({ value: String(each), label: `${each}×` }))}
              onChange={(event) => playback.setSpeed(Number(event.currentTarget.value) as Speed)}
            />
            <Button
              size="compact-sm"
              variant={follow ? 'filled' : 'default'}
              aria-pressed={follow}
              leftSection={<IconFocus2 size={15} />}
              onClick={() => playback.setFollow(!follow)}
            >
              {t('play.follow')}
            </Button>
            {marks.stops.length > 0 && (
              <Button
                size="compact-sm"
                variant={playback.skipStops ? 'filled' : 'default'}
                aria-pressed={playback.skipStops}
                leftSection={<IconPlayerTrackNext size={15} />}
                onClick={() => playback.setSkipStops(!playback.skipStops)}
              >
                {t('play.skipStops')}
              </Button>
            )}
            <Now playback={playback} marks={marks} />
          </div>
        </>
      )}
    </section>
  )
}

function Now({ playback, marks }: { playback: Playback; marks: PlaybackMarks }) {
  const at = useCursor(playback.cursor) ?? marks.from
  return (
    <span className={classes.now}>
      <strong>{formatTemperature(marks.temperatureAt(at))}</strong> {formatTime(at)}
    </span>
  )
}

/** The journey's time with its excursions, stops and temperature; moved by mouse, finger or arrow keys. */
function Scrubber({ playback, marks }: { playback: Playback; marks: PlaybackMarks }) {
  const { t } = useTranslation('maps')
  const at = useCursor(playback.cursor) ?? marks.from
  const percent = (share: number) => `${share * 100}%`
  const span = marks.to - marks.from
  return (
    <div className={classes.scrubber}>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        <path d={marks.line} />
      </svg>
      {marks.stops.map((stop) => (
        <span
          key={stop.at}
          className={classes.stop}
          title={[t('play.stopAt', { duration: formatDuration(stop.durationMs) }), stop.placeName]
            .filter(Boolean)
            .join(', ')}
          style={{ left: percent(stop.start), width: percent(stop.width) }}
        />
      ))}
      {marks.excursions.map((excursion) => (
        <span
          key={excursion.at}
          className={classes.excursion}
          data-side={excursion.side}
          title={t('play.excursions')}
          style={{ left: percent(excursion.start), width: percent(excursion.width) }}
        />
      ))}
      <span className={classes.played} style={{ left: percent((at - marks.from) / span) }} />
      <input
        type="range"
        aria-label={t('play.scrub')}
        aria-valuetext={formatTime(at)}
        min={marks.from}
        max={marks.to}
        step={Math.max(1, Math.round(span / 1000))}
        value={at}
        onChange={(event) => playback.seek(Number(event.currentTarget.value))}
      />
    </div>
  )
}
