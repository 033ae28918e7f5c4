interface Place {
  lat: number
  lon: number
}

/** The way to a place in the phone's own map. */
export const routeLink = (place: Place, agent = navigator.userAgent): string =>
  isApple(agent) ? `maps://?daddr=${place.lat},${place.lon}` : geoLink(place)

/** A place in the reader's own map; null on a machine that has none of its own. */
export const placeLink = (place: Place, agent = navigator.userAgent): string | null => {
  if (isApple(agent)) return `maps://?q=${place.lat},${place.lon}`
  return agent.includes('Android') ? geoLink(place) : null
}

const isApple = (agent: string): boolean => /iPhone|iPad|Macintosh/.test(agent)

// Without a question the map is moved there, and has no mark.
const geoLink = ({ lat, lon }: Place): string => `geo:${lat},${lon}?q=${lat},${lon}`
