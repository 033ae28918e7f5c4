import type { RecordDetails, RecordStats } from '@isotherm/contract/records.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { expect } from 'vitest'
import { aDevice } from './device-factory.ts'
import { buildUser } from './factories.ts'
import type { TestApp } from './harness.ts'
import { aShipmentPlace } from './shipment-factory.ts'
import type { TestPipeline } from './test-pipeline.ts'

const minute = 60_000
export const limits = { temperatureMinC: 2, temperatureMaxC: 8 }

type TestDevice = Awaited<ReturnType<typeof aDevice>>

export const given = (...devices: TestDevice[]): object[] => devices.map(({ id }) => ({ id: String(id), place: 'air' }))

/** A company whose shipments devices join and leave; the clock begins at 0 min, and a device sends every ten minutes. */
export async function joiningScene(t: TestApp, pipeline: TestPipeline) {
  const admin = await buildUser(t)
  const { companyId } = admin
  const start = t.clock.now().getTime()
  const at = (minutes: number) => new Date(start + minutes * minute)
  const origin = await aShipmentPlace(t, admin)
  const destination = await aShipmentPlace(t, admin, { kind: 'destination' })
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    t.call(method, path, { token: admin.token, ...(body && { body }) })
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const answer = await call(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload
  }
  const device = (name: string, more: object = {}) =>
    aDevice(t, { companyId, name, intervalS: 600, validFrom: new Date('2020-01-01'), limits, ...more })
  /** It measures every ten minutes from one minute to another, both included. */
  const measures = async (one: TestDevice, from: number, to: number, temperatureC: number) => {
    const readings = Array.from({ length: Math.floor((to - from) / 10) + 1 }, (_, n) => ({
      ...{ at: at(from + n * 10), temperatureC },
    }))
    if (t.clock.now() < at(to)) t.clock.set(at(to))
    await pipeline.send(one, readings)
  }
  const planned = async (devices: TestDevice[], more: object = {}): Promise<string> => {
    const leg = {
      mode: 'sea',
      fromName: 'Cape Town',
      toName: 'Rotterdam',
      carrierName: 'MSC',
      etd: at(5).toISOString(),
    }
    const { id } = await ask('POST', '/export/shipments', {
      ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
      ...{ legs: [leg], devices: given(...devices), ...more },
    })
    return id
  }
  const started = async (devices: TestDevice[], more: object = {}): Promise<string> => {
    const id = await planned(devices, more)
    await ask('PATCH', `/export/shipments/${id}`, { state: 'ongoing' })
    return id
  }
  const give = async (id: string, devices: object[]) =>
    call('PATCH', `/export/shipments/${id}`, { version: (await details(id)).version, devices })
  const change = (id: string, minutes: number, ...devices: TestDevice[]) => {
    t.clock.set(at(minutes))
    return give(id, given(...devices))
  }
  const has = async (id: string, minutes: number, ...devices: TestDevice[]) => {
    const answer = await change(id, minutes, ...devices)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const complete = (id: string, minutes: number) => {
    t.clock.set(at(minutes))
    return ask('PATCH', `/export/shipments/${id}`, { state: 'completed' })
  }
  const details = (id: string): Promise<ShipmentDetails> => ask('GET', `/export/shipments/${id}`)
  const recordOf = async (id: string): Promise<RecordDetails> =>
    ask('GET', `/enterprise/record/${(await details(id)).recordId}`)
  const statsOf = async (id: string): Promise<RecordStats> =>
    ask('GET', `/enterprise/record/${(await details(id)).recordId}/stats`)
  const linkOf = async (id: string) => {
    const { url } = await ask('POST', `/export/shipments/${id}/links`, { label: 'Agent' })
    const token = url.split('#')[1]
    const answer = await t.app.inject({ method: 'POST', url: '/app/api/v1/shipment-link', payload: { token } })
    return JSON.parse(answer.payload).payload
  }
  const listed = async (id: string) =>
    (await ask('GET', '/export/shipments')).data.find((one: { id: string }) => one.id === id)
  /** The file of a report, once it is made. */
  const fileOf = async (path: string): Promise<Buffer> => {
    await t.runJobs()
    const headers = { authorization: `Bearer ${admin.token}` }
    return (await t.app.inject({ method: 'GET', url: `/app/api/v1${path}`, headers })).rawPayload
  }
  return {
    admin,
    at,
    ask,
    fileOf,
    device,
    measures,
    planned,
    started,
    give,
    change,
    has,
    complete,
    details,
    recordOf,
    statsOf,
    linkOf,
    listed,
  }
}
