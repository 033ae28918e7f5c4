import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { everyRow } from '../../platform/db/pages.ts'
import { presentTrigger } from './present-trigger.ts'
import type { AlarmSources } from './routes.ts'
import { listTriggers } from './trigger-queries.ts'

const states = 'open,acknowledged,normal,resolved'

/** All triggers of a device that opened in a period, for other features. */
export const triggersOf = ({ nearestTownName }: AlarmSources): DeviceReader['triggers'] =>
  async function* (ctx, device, period) {
    const readPage = async (page: { page: number; perPage: number }) =>
      (await listTriggers(ctx, { ...period, ...page, device, states, sort: 'openedAt' })).rows
    for await (const row of everyRow(readPage)) yield presentTrigger(ctx, row, nearestTownName)
  }
