import type { Guard } from '@isotherm/contract/call.ts'
import type { Dashboard } from '@isotherm/contract/dashboard.ts'

export type Step = NonNullable<Dashboard['firstSteps']>[number]['step']

/** The right that each step takes. */
export const rightOf = {
  device: 'devices.addOrEdit',
  limits: 'devices.addOrEdit',
  alarm: 'alarms.addOrEdit',
  person: 'users.addOrEdit',
  group: 'groups.addOrEdit',
} as const satisfies Record<Step, Guard>

/** Where each step is done. */
export const screenOf = {
  device: { to: '/devices/setupdevice/$deviceId', params: { deviceId: 'new' } },
  limits: { to: '/devices/device-overview' },
  alarm: { to: '/alarms/add-alarm-page' },
  person: { to: '/users/all-users', state: { begins: true } },
  group: { to: '/groups', state: { begins: true } },
} as const satisfies Record<Step, object>
