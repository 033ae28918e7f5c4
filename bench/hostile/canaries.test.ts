import { expect, test } from 'vitest'
import { Canaries, type Reader } from './canaries.ts'

const [imeiOfA, hiddenImeiOfA] = ['860000000000017', '860000000000025']
const canaries = new Canaries()
canaries.add(imeiOfA, 'a')
canaries.add(hiddenImeiOfA, 'a', 3)
canaries.add('-50.03', 'a', 3)

const leaks = (reader: Reader, text: string, hiddenUpTo = 3) => canaries.leaksTo(reader, canaries.in(text), hiddenUpTo)
const managerOfA: Reader = { tenant: 'a', isAdmin: false }
const adminOfA: Reader = { tenant: 'a', isAdmin: true }
const adminOfB: Reader = { tenant: 'b', isAdmin: true }

test('a name, an IMEI and a value of another tenant are leaks, even to an Admin', () => {
  const text = `{"name":"Canary-A-device-1","imei":"${imeiOfA}","temperatureC":-50.03}`
  expect(leaks(adminOfB, text)).toEqual(['Canary-A', imeiOfA, '-50.03'])
  expect(leaks(adminOfA, text)).toEqual([])
})

test('a private device is told to nobody but an Admin, from when it is private', () => {
  const text = `canary-a-private-3 ${hiddenImeiOfA} \u221250,03 °C`
  expect(leaks(managerOfA, text)).toEqual(['canary-a-private-3', hiddenImeiOfA, '\u221250,03'])
  expect(leaks(managerOfA, text, 2)).toEqual([])
  expect(leaks(adminOfA, text)).toEqual([])
})

test('a longer number that only contains a canary is none', () => {
  expect(leaks(adminOfB, `1${imeiOfA} -50.031234 150.03`)).toEqual([])
})
