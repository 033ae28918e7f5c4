import { clockGraceMs } from '../../domain/alarm-firing.ts'

/** Whether nothing excuses a device, `d`, from sending now: it is not paused, off, in flight mode or out of use. */
export const isExpectedText = `d.transmission = 'started' and d.power = 'on' and d.flight_mode = 'off' and d.decommissioned_at is null`

/** Answers of a device to the commands, `c`, that stop it or let it send again. */
export const freesText = `c.kind in ('transmission', 'power', 'flight_mode') and c.acked_at is not null`

/** `silenceCountsAfter` of domain/alarm-silence.ts, for instants and an interval in SQL. */
export const silenceCountsText = (quiet: { latestAt: string; freeSince: string }, after: string, now: string): string =>
  `${quiet.latestAt} < ${now} - ${after} - interval '${clockGraceMs} milliseconds' and coalesce(${quiet.freeSince} < ${now} - ${after}, true)`
