import { expect, test } from 'vitest'
import { coordinatesOf } from './geocode.ts'

test('latitude and longitude are a place', () => {
  expect(coordinatesOf('6.5, 3.4')).toMatchObject({ name: '6.5, 3.4', lat: 6.5, lon: 3.4 })
  expect(coordinatesOf(' -1.2921 36.8219 ')).toMatchObject({ lat: -1.2921, lon: 36.8219 })
})

test('what no point on Earth has, or is a name, is none', () => {
  for (const text of ['91, 3', '6, 181', '6.5', 'Lagos 3', '6.5, 3.4, 1', ''])
    expect(coordinatesOf(text), text).toBeNull()
})
