import { expect, test } from 'vitest'
import { placeLink, routeLink } from './map-link.ts'

const place = { lat: 6.45, lon: -3.39 }
const agents = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
  android: 'Mozilla/5.0 (Linux; Android 15; Pixel 8)',
  desktop: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
}

test('an iPhone, which knows no geo:, opens its map; elsewhere the mark is named', () => {
  expect(placeLink(place, agents.iPhone)).toBe('maps://?q=6.45,-3.39')
  expect(routeLink(place, agents.iPhone)).toBe('maps://?daddr=6.45,-3.39')
  expect(placeLink(place, agents.android)).toBe('geo:6.45,-3.39?q=6.45,-3.39')
  expect(routeLink(place, agents.android)).toBe('geo:6.45,-3.39?q=6.45,-3.39')
})

test('a machine without a map of its own has no button that does nothing', () => {
  expect(placeLink(place, agents.desktop)).toBeNull()
})
