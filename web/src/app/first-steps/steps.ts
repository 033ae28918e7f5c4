import type { Dashboard } from '@isotherm/contract/dashboard.ts'

export type Step = NonNullable<Dashboard['firstSteps']>[number]['step']

/** Where each step is done. */
export const screenOf = {
  device: { to: '/devices/setupdevice/$deviceId', params: { deviceId: 'new' } },
  limits: { to: '/devices/device-overview' },
  alarm: { to: '/alarms/add-alarm-page' },
  person: { to: '/users/all-users', state: { begins: true } },
  group: { to: '/groups', state: { begins: true } },
} as const satisfies Record<Step, object>
