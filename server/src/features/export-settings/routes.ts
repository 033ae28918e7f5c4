import type { exportSettings } from '@isotherm/contract/export-settings.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { changeSettings, readSettings } from './verbs.ts'

export const exportSettingsHandlers: Handlers<typeof exportSettings> = {
  read: (ctx) => readSettings(ctx),
  change: (ctx, { body }) => changeSettings(ctx, body),
}
