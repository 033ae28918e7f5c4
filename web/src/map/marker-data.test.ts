import { describe, expect, test } from 'vitest'
import { accuracyCircle, type MapMarker, markerPoints, placedMarkers } from './marker-data.ts'

const marker = (over: Partial<MapMarker> = {}): MapMarker => ({
  id: '7',
  lat: -1.28,
  lon: 36.82,
  state: 'ok',
  label: 'Van 7',
  ...over,
})

describe('markers', () => {
  test('without a usable position are not drawn', () => {
    const markers = [marker(), marker({ lat: null }), marker({ lon: 200 }), marker({ lat: 0, lon: 0 })]
    expect(placedMarkers(markers)).toEqual([marker()])
  })

  test('become points, longitude first, with what the style asks for', () => {
    const { features } = markerPoints(placedMarkers([marker({ value: '4.2 °C' })]))
    expect(features[0]?.geometry.coordinates).toEqual([36.82, -1.28])
    expect(features[0]?.properties).toMatchObject({ id: '7', state: 'ok', label: 'Van 7', value: '4.2 °C' })
  })

  test('that need attention are drawn above those that do not', () => {
    const order = (state: MapMarker['state']) =>
      markerPoints(placedMarkers([marker({ state })])).features[0]?.properties.order ?? -1
    expect(order('warm')).toBeGreaterThan(order('warning'))
    expect(order('warning')).toBeGreaterThan(order('ok'))
  })
})

describe('the circle of accuracy', () => {
  test.each([null, undefined, 0, -5, Number.NaN])('is not drawn for %s', (accuracyM) => {
    expect(accuracyCircle({ ...marker({ accuracyM }), lat: 1, lon: 1 })).toBeNull()
  })

  test('is a polygon around the fix', () => {
    const circle = accuracyCircle({ ...marker({ accuracyM: 50 }), lat: 1, lon: 1 })
    expect(circle?.geometry.coordinates[0]?.length).toBeGreaterThan(32)
  })
})
