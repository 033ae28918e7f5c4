import { expect } from 'vitest'
import { showTrackingCode } from '../src/domain/tracking-code.ts'
import { aDevice, type DeviceSpec } from './device-factory.ts'
import { aDriver, aVehicle } from './dispatch-factory.ts'
import { buildCompany, buildUser } from './factories.ts'
import type { TestApp } from './harness.ts'
import { anOrder, type MadeOrder } from './order-factory.ts'

type Acted = 'start' | 'end'

/** A company with a driver and a van, and the calls of its dispatcher. */
export async function dispatchOf(t: TestApp) {
  const company = await buildCompany(t)
  const { companyId } = company
  const admin = await buildUser(t, { company })
  const staff = await buildUser(t, { company, role: 'staff' })
  const driver = { ...(await aDriver(t, company)), name: 'Musa Bello' }
  const vehicle = await aVehicle(t, company)
  const path = ({ id }: { id: string }, rest = '') => `/dispatch/orders/${id}${rest}`
  const ask = (method: 'GET' | 'PATCH' | 'PUT', path: string, body?: unknown, token = admin.token) =>
    t.call(method, path, { token, ...(body !== undefined && { body }) })
  const done = async (asked: Promise<{ status: number; body: { payload: unknown } }>) => {
    const { status, body } = await asked
    expect(status, JSON.stringify(body)).toBe(200)
    return body.payload
  }
  return {
    ...{ companyId, admin, staff, driver, vehicle, ask, path, done },
    device: (more: Omit<DeviceSpec, 'companyId'> = {}) => aDevice(t, { companyId, ...more }),
    /** An order with the driver, the van and these devices. */
    order: (more: Omit<Parameters<typeof anOrder>[1], 'companyId'> = {}) =>
      anOrder(t, { companyId, driverId: driver.id, vehicleId: vehicle.id, ...more }),
    act: (order: MadeOrder, what: Acted, body: object = {}, token = admin.token) =>
      ask('PATCH', path(order, `/${showTrackingCode(order.tracking_code)}/${what}`), body, token),
    cancel: (order: MadeOrder, body: object = {}) => ask('PATCH', path(order, '/cancel'), body),
    ofStop: (order: MadeOrder, what: string, body: object = {}, index = 0) =>
      ask('PATCH', path(order, `/receivers/${order.receivers[index]?.id}/${what}`), body),
    read: (order: MadeOrder) => done(ask('GET', path(order))),
    events: async (order: MadeOrder, token = admin.token) =>
      (await done(ask('GET', path(order, '/events'), undefined, token))) as {
        kind: string
        occurredAt: string
        source: string
        by: string | null
        detail: Record<string, unknown>
      }[],
  }
}
