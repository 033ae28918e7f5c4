import classes from './state-dot.module.css'

/** The meanings of colours here: in range, warning, too warm, too cold, no data. */
export type Tone = 'ok' | 'warning' | 'warm' | 'cold' | 'none'

/** A state as shape, colour and word: never colour alone. `hollow` for states without data (paused, off, awaiting). */
export function StateDot({ tone, label, hollow = false }: { tone: Tone; label: string; hollow?: boolean }) {
  return (
    <span className={classes.state} data-tone={tone}>
      <svg viewBox="0 0 10 10" aria-hidden="true" className={classes.mark}>
        {hollow ? (
          <circle cx="5" cy="5" r="3.6" className={classes.ring} />
        ) : (
          <path d={shapes[tone]} fill="currentColor" />
        )}
      </svg>
      {label}
    </span>
  )
}

const shapes: Record<Tone, string> = {
  ok: 'M5 .5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z',
  warning: 'M5 .3L9.7 5L5 9.7L.3 5z',
  warm: 'M5 .5L9.8 9.2H.2z',
  cold: 'M5 9.5L.2.8H9.8z',
  none: 'M1 1h8v8H1z',
}
