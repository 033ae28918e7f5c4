import type { TimeWindow } from './model.ts'

const minuteMs = 60_000

/** A window as whole minutes, which is how periods are written and typed; never beyond `whole`. */
export const inMinutes = ({ from, to }: TimeWindow, whole: TimeWindow): TimeWindow => ({
  from: Math.max(whole.from, Math.floor(from / minuteMs) * minuteMs),
  to: Math.min(whole.to, Math.ceil(to / minuteMs) * minuteMs),
})
