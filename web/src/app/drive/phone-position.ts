import type { PhonePosition } from '@isotherm/contract/order-links.ts'

/** A new position is worth its battery and data after so long, or so far; and never sooner than the least of it. */
const [everyMs, everyM, leastMs] = [60_000, 200, 10_000]
const metresPerDegree = 111_195

type Place = Pick<PhonePosition, 'lat' | 'lon' | 'at'>

function metresBetween(a: Place, b: Place): number {
  const east = (b.lon - a.lon) * Math.cos((a.lat * Math.PI) / 180)
  return Math.hypot(b.lat - a.lat, east) * metresPerDegree
}

/** Whether a position says enough beyond the one that was told last. */
export function isWorthTelling(last: Place | null, next: Place): boolean {
  if (!last) return true
  const ms = Date.parse(next.at) - Date.parse(last.at)
  return ms >= everyMs || (ms >= leastMs && metresBetween(last, next) >= everyM)
}

let watch: number | null = null
let last: PhonePosition | null = null

/** Follows the phone while `isOn`; once it is off, nothing is asked of it any more. */
export function followPhone(
  isOn: boolean,
  { tell, refused }: { tell: (position: PhonePosition) => void; refused: () => void },
): void {
  if (isOn === (watch !== null) || !('geolocation' in navigator)) return
  if (!isOn) {
    navigator.geolocation.clearWatch(watch ?? 0)
    ;[watch, last] = [null, null]
    return
  }
  const heard = ({ coords, timestamp }: GeolocationPosition) => {
    const next = {
      ...{ at: new Date(timestamp).toISOString(), lat: coords.latitude, lon: coords.longitude },
      accuracyM: Math.min(coords.accuracy, 100_000),
    }
    if (!isWorthTelling(last, next)) return
    last = next
    tell(next)
  }
  watch = navigator.geolocation.watchPosition(heard, ({ code }) => code === 1 && refused(), {
    enableHighAccuracy: false,
    maximumAge: 30_000,
  })
}
